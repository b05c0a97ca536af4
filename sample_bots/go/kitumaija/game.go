package kitumaija

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	pb "kitumaija.example/bots/v1"
)

// game is one match of the bot. Its fields belong to the client's loop, but for those of the bot.
type game struct {
	match   *Match  // replaced, never changed: bots hold on to it
	history []Event // this seat's course of the match, from event 0
	offered int     // the stream on which the match was offered last
	loaded  bool    // the bot is made and started
	over    bool    // the server plays it no more; its MatchEnd may still come
	behind  bool    // a Resync is on its way

	asked   uint32             // the decision asked last
	askedOn int                // the stream on which it was asked last
	answer  *pb.Answer         // what was answered to it, until it is accepted or refused
	abandon context.CancelFunc // ends the thinking about it

	last chan struct{} // closed when the bot's last call is over
	bot  Bot           // of the bot's calls
	told int           // of the bot's calls: how many events it has seen
}

// then runs a call of the bot after all those before it.
func (g *game) then(call func()) {
	before, done := g.last, make(chan struct{})
	g.last = done
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		call()
	}()
}

// forget ends the thinking and drops the answer.
func (g *game) forget() {
	g.abandon()
	g.answer = nil
}

// extend adds events to the history. It fails where events are missing in between.
func (g *game) extend(first uint32, events []*pb.Event) bool {
	if int(first) != len(g.history) {
		return false
	}
	for _, event := range events {
		g.history = append(g.history, eventOf(event))
	}
	return true
}

// seated notes who sits where.
func (g *game) seated(seating *pb.Seating) {
	match := *g.match
	match.Seat = int(seating.GetSeat())
	match.Players = playersOf(seating.GetPlayers())
	match.Seats = len(match.Players)
	match.Options = seating.GetOptions()
	g.match = &match
}

// load makes the bot and lets it start.
func (g *game) load(newBot func() Bot, match *Match) (err error) {
	defer caught(&err)
	bot := newBot()
	if starter, ok := bot.(Starter); ok {
		if err := starter.Start(match); err != nil {
			return err
		}
	}
	g.bot = bot
	return nil
}

// choose asks the bot, and plays the first legal action for it where it fails.
func (g *game) choose(ctx context.Context, turn *Turn, history []Event, log *slog.Logger) (Action, time.Duration) {
	turn.Events = history[min(g.told, len(history)):]
	g.told = len(history)
	began := time.Now()
	action, err := g.legalChoice(ctx, turn)
	took := time.Since(began)
	if err != nil {
		action = turn.Legal[0]
		log.Error("the bot failed; the first legal action is played for it", "error", err, "turn", turn, "played", action)
	}
	return action, took
}

func (g *game) legalChoice(ctx context.Context, turn *Turn) (action Action, err error) {
	defer caught(&err)
	if g.bot == nil {
		return nil, fmt.Errorf("the bot did not start")
	}
	action, err = g.bot.Choose(ctx, turn)
	if err == nil && !slices.Contains(turn.Legal, action) {
		err = fmt.Errorf("got the action %v, want one of %v", action, turn.Legal)
	}
	return action, err
}

// end lets the bot see the end.
func (g *game) end(match *Match, end *pb.MatchEnd) (err error) {
	defer caught(&err)
	if ender, ok := g.bot.(Ender); ok {
		ender.End(match, end)
	}
	return nil
}

// caught makes an error of a panic: one bad match must not end the others.
func caught(err *error) {
	if reason := recover(); reason != nil {
		*err = fmt.Errorf("panic: %v\n%s", reason, debug.Stack())
	}
}
