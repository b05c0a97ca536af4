package kitumaija

import (
	"fmt"

	pb "kitumaija.example/bots/v1"
)

// Action is one action of a player: a Play, a TurnCard, a Take or a PassLead. Actions compare with ==.
type Action interface {
	fmt.Stringer
	message() *pb.Action
}

// Play plays a card of the hand: the catch card, the free card or the lead, by the phase.
type Play struct{ Card Card }

// TurnCard turns the top card of the stock.
type TurnCard struct{}

// Take picks up this many cards from the top of the pile.
type Take struct{ Cards uint32 }

// PassLead passes the lead.
type PassLead struct{}

func (a Play) String() string   { return a.Card.String() }
func (TurnCard) String() string { return "turn" }
func (a Take) String() string   { return fmt.Sprintf("take %d", a.Cards) }
func (PassLead) String() string { return "pass" }

func (a Play) message() *pb.Action {
	return &pb.Action{Action: &pb.Action_Play{Play: pb.Card(a.Card)}}
}

func (TurnCard) message() *pb.Action {
	return &pb.Action{Action: &pb.Action_Turn{Turn: &pb.TurnCard{}}}
}

func (a Take) message() *pb.Action {
	return &pb.Action{Action: &pb.Action_Take{Take: a.Cards}}
}

func (PassLead) message() *pb.Action {
	return &pb.Action{Action: &pb.Action_PassLead{PassLead: &pb.Pass{}}}
}

// legalActions lists what is legal in the rules' order: cards, turn, take the smaller amount first, pass.
func legalActions(legal *pb.LegalActions) []Action {
	var actions []Action
	for _, card := range cardsOf(legal.GetPlay()) {
		if card.Known() {
			actions = append(actions, Play{card})
		}
	}
	if legal.GetTurn() {
		actions = append(actions, TurnCard{})
	}
	for _, amount := range legal.GetTake() {
		actions = append(actions, Take{amount})
	}
	if legal.GetPassLead() {
		actions = append(actions, PassLead{})
	}
	return actions
}

func cardOf(card pb.Card) Card {
	if card < 1 || card > 52 {
		return NoCard
	}
	return Card(card)
}

func cardsOf(cards []pb.Card) []Card {
	read := make([]Card, len(cards))
	for i, card := range cards {
		read[i] = cardOf(card)
	}
	return read
}

func ints(numbers []uint32) []int {
	read := make([]int, len(numbers))
	for i, number := range numbers {
		read[i] = int(number)
	}
	return read
}
