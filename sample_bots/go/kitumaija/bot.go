// Package kitumaija is a client for bots that play Kitumaija: it keeps the stream to the server, and leaves the choosing to a Bot.
package kitumaija

import (
	"context"
	"time"

	pb "kitumaija.example/bots/v1"
)

// Bot plays one match. Its methods are called one after another; those of different matches at the same time.
type Bot interface {
	// Choose returns an action of turn.Legal. ctx ends with the time of the decision, or when it was decided
	// otherwise. After an error, a panic or an illegal action the first legal action is played.
	Choose(ctx context.Context, turn *Turn) (Action, error)
}

// Starter is a Bot that has something to load before it says that it is ready.
type Starter interface {
	Start(match *Match) error
}

// Ender is a Bot that wants to see how a match ended.
type Ender interface {
	End(match *Match, end *pb.MatchEnd)
}

// Func is a Bot without a memory.
type Func func(turn *Turn) Action

// Choose calls the function.
func (f Func) Choose(_ context.Context, turn *Turn) (Action, error) { return f(turn), nil }

// Match is what a bot knows of one of its matches. What Seating tells is there from the first turn on.
type Match struct {
	ID      string
	Seats   int
	Limits  Limits
	Seat    int
	Players []Player
	Options *pb.GameOptions
}

// Player is one seat of a match.
type Player struct {
	Seat        int
	BotID       string
	DisplayName string
}

// Limits are the limits of a match; see arena.proto.
type Limits struct {
	Startup, PerDecision, Bank, Increment, Margin, Grace, MatchCap time.Duration
}

func limitsOf(limits *pb.Limits) Limits {
	return Limits{
		Startup:     limits.GetStartup().AsDuration(),
		PerDecision: limits.GetPerDecision().AsDuration(),
		Bank:        limits.GetBank().AsDuration(),
		Increment:   limits.GetIncrement().AsDuration(),
		Margin:      limits.GetMargin().AsDuration(),
		Grace:       limits.GetGrace().AsDuration(),
		MatchCap:    limits.GetMatchCap().AsDuration(),
	}
}

func playersOf(players []*pb.SeatedPlayer) []Player {
	read := make([]Player, len(players))
	for i, player := range players {
		read[i] = Player{int(player.GetSeat()), player.GetBotId(), player.GetDisplayName()}
	}
	return read
}
