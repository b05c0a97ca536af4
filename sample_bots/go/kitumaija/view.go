package kitumaija

import (
	"fmt"
	"time"

	pb "kitumaija.example/bots/v1"
)

// Phase is what a mover is asked for.
type Phase int32

// The phases.
const (
	PhaseUnknown Phase = iota
	PhaseCatch         // catch the top card, turn the luck card, or pick up where that is open
	PhaseFree          // play the free card, or turn it where that is open
	PhasePickUp        // choose how many cards to pick up
	PhaseLead          // lead a card to the empty pile
)

// String names a phase.
func (p Phase) String() string {
	switch p {
	case PhaseCatch:
		return "catch"
	case PhaseFree:
		return "free"
	case PhasePickUp:
		return "pick-up"
	case PhaseLead:
		return "lead"
	default:
		return "unknown"
	}
}

// View is what one seat may know of the game now. Remembering what lies under the top card is the bot's own skill.
type View struct {
	Seat, Seats  int // this seat, from 0, and how many there are
	Phase        Phase
	Mover        int    // the seat to move
	Hand         []Card // by suit, then rank upwards
	Top          Card   // of the pile; NoCard where it is empty
	PileSize     int
	StockSize    int
	HandSizes    []int // by seat; empty where the sizes are not shown
	Out          []int // the seats that are out, in that order
	Luck         bool  // the catch of this turn was a luck card
	MaijaPending bool  // the mover must pick up because of the queen of spades
	Turns        int   // how many turns have ended
}

func viewOf(view *pb.View) View {
	phase := Phase(view.GetPhase())
	if phase > PhaseLead {
		phase = PhaseUnknown
	}
	return View{
		Seat:         int(view.GetSeat()),
		Seats:        int(view.GetSeats()),
		Phase:        phase,
		Mover:        int(view.GetMover()),
		Hand:         cardsOf(view.GetHand()),
		Top:          cardOf(view.GetTop()),
		PileSize:     int(view.GetPileSize()),
		StockSize:    int(view.GetStockSize()),
		HandSizes:    ints(view.GetHandSizes()),
		Out:          ints(view.GetOut()),
		Luck:         view.GetLuck(),
		MaijaPending: view.GetMaijaPending(),
		Turns:        int(view.GetTurns()),
	}
}

// EventKind is what kind of thing happened. It says which fields of an Event are set; see game.proto.
type EventKind int32

// The kinds of events.
const (
	EventUnknown EventKind = iota // newer than this client; counted, and to be skipped
	EventDealt
	EventStartCardTurned
	EventMaijaReturned
	EventCardCaught
	EventLuckTurned
	EventFreePlayed
	EventFreeTurned
	EventCardLed
	EventPassed
	EventCardsDrawn
	EventCardsPickedUp
	EventWentOut
	EventGameEnded
)

// Event is one thing that happened, as this seat may know it.
type Event struct {
	Kind        EventKind
	Seat        int
	Card        Card // where it is public
	Fits        bool // a luck card caught
	Count       int
	Cards       []Card // their faces, where this seat may see them
	Place       int
	Termination pb.Termination
	Places      []int
}

func eventOf(event *pb.Event) Event {
	kind := EventKind(event.GetKind())
	if kind > EventGameEnded {
		kind = EventUnknown
	}
	return Event{
		Kind:        kind,
		Seat:        int(event.GetSeat()),
		Card:        cardOf(event.GetCard()),
		Fits:        event.GetFits(),
		Count:       int(event.GetCount()),
		Cards:       cardsOf(event.GetCards()),
		Place:       int(event.GetPlace()),
		Termination: event.GetTermination(),
		Places:      ints(event.GetPlaces()),
	}
}

// Turn is one decision: what the seat may know, what it may do, and how long it has.
type Turn struct {
	View
	Match      *Match
	DecisionID uint32
	Legal      []Action // never empty; cards, turn, take, pass
	Events     []Event  // what happened since this bot's last turn
	TimeLeft   time.Duration
	Bank       time.Duration // what of TimeLeft is the reserve of the whole match
	LastUsed   time.Duration // charged for the last decision
	RoundTrip  time.Duration // what of it the network takes; 0 while there is no estimate
	Deadline   time.Time     // when an answer must leave here to be in time
}

// Remaining returns how long the bot may still think.
func (t *Turn) Remaining() time.Duration { return time.Until(t.Deadline) }

// String writes a turn for a log.
func (t *Turn) String() string {
	return fmt.Sprintf("match %s, decision %d: %s on %s, hand %v, legal %v", t.Match.ID, t.DecisionID, t.Phase, t.Top, t.Hand, t.Legal)
}

func turnOf(match *Match, asked *pb.Decision, arrived time.Time) *Turn {
	left := microseconds(asked.GetTimeLeftUs())
	trip := microseconds(asked.GetRoundTripUs())
	return &Turn{
		View:       viewOf(asked.GetView()),
		Match:      match,
		DecisionID: asked.GetDecisionId(),
		Legal:      legalActions(asked.GetLegal()),
		TimeLeft:   left,
		Bank:       microseconds(asked.GetBankUs()),
		LastUsed:   microseconds(asked.GetLastUsedUs()),
		RoundTrip:  trip,
		// The way here and the way back are on the clock too.
		Deadline: arrived.Add(left - trip),
	}
}

func microseconds(count int64) time.Duration { return time.Duration(count) * time.Microsecond }
