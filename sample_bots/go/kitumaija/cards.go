package kitumaija

import "fmt"

// Card is one of the 52 cards, by the protocol's number: 1 + 13 × suit + rank. The zero Card is none.
type Card uint8

// NoCard is no card: the top of an empty pile, or a card that this client does not know.
const NoCard Card = 0

// Suit is a suit of the pack, in the order in which cards are listed.
type Suit uint8

// The suits.
const (
	Clubs Suit = iota
	Diamonds
	Hearts
	Spades
)

// Rank is a rank, from two (0) to ace (12).
type Rank uint8

// The ranks that have names.
const (
	Two   Rank = 0
	Ten   Rank = 8
	Jack  Rank = 9
	Queen Rank = 10
	King  Rank = 11
	Ace   Rank = 12
)

const (
	ranks = "23456789TJQKA"
	suits = "CDHS"
)

// NewCard returns the card of a suit and a rank.
func NewCard(suit Suit, rank Rank) Card { return Card(1 + 13*uint8(suit) + uint8(rank)) }

// Maija is the queen of spades.
var Maija = NewCard(Spades, Queen)

// ParseCard reads a card as String writes it, such as 8H.
func ParseCard(text string) (Card, error) {
	for card := Card(1); card <= 52; card++ {
		if card.String() == text {
			return card, nil
		}
	}
	return NoCard, fmt.Errorf("got the card %q, want a rank of %s and a suit of %s, such as 8H", text, ranks, suits)
}

// Known tells if this is one of the 52 cards.
func (c Card) Known() bool { return 1 <= c && c <= 52 }

// Suit returns the suit of a known card.
func (c Card) Suit() Suit { return Suit((c - 1) / 13) }

// Rank returns the rank of a known card.
func (c Card) Rank() Rank { return Rank((c - 1) % 13) }

// String writes a card as its rank and the initial of its suit, such as 8H; no card is "-".
func (c Card) String() string {
	if !c.Known() {
		return "-"
	}
	return string(ranks[c.Rank()]) + string(suits[c.Suit()])
}
