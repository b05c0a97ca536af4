package kitumaija

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	pb "kitumaija.example/bots/v1"
)

// client is what outlives a stream: the matches, and what was answered. One loop at a time owns it, that of Run; the bots'
// calls run beside it and hand it their results.
type client struct {
	options Options
	newBot  func() Bot
	log     *slog.Logger

	alive   context.Context // of the whole run; the bots' calls end with it
	results chan func()
	games   map[string]*game
	shares  shares

	stream   int  // counts the streams, from 1
	welcomed bool // on this stream
	outbox   []*pb.BotMessage
}

func newClient(alive context.Context, newBot func() Bot, options Options) *client {
	return &client{
		options: options,
		newBot:  newBot,
		log:     options.Logger,
		alive:   alive,
		results: make(chan func()),
		games:   map[string]*game{},
		shares:  shares{},
	}
}

func (c *client) say(message *pb.BotMessage) { c.outbox = append(c.outbox, message) }

// open begins a stream: nothing that was said on the one before counts on it.
func (c *client) open() {
	c.stream++
	known := slices.Sorted(maps.Keys(c.games))
	c.outbox = []*pb.BotMessage{{Message: &pb.BotMessage_Hello{Hello: &pb.Hello{
		Sdk:        "kitumaija-go-sample/1",
		Language:   "go",
		BotVersion: c.options.BotVersion,
		Capacity:   c.options.Capacity,
		MatchIds:   known[:min(len(known), 256)],
	}}}}
}

// hear takes one message of the server. One of a kind that is unknown here is ignored.
func (c *client) hear(message *pb.ServerMessage) {
	switch m := message.GetMessage().(type) {
	case *pb.ServerMessage_Welcome:
		c.welcome(m.Welcome)
	case *pb.ServerMessage_MatchStart:
		c.offered(m.MatchStart)
	case *pb.ServerMessage_Seating:
		c.game(&Match{ID: m.Seating.GetMatchId()}).seated(m.Seating)
	case *pb.ServerMessage_MatchSync:
		c.sync(m.MatchSync)
	case *pb.ServerMessage_Decision:
		c.decide(m.Decision, time.Now())
	case *pb.ServerMessage_Accepted:
		if g := c.games[m.Accepted.GetMatchId()]; g != nil && g.asked == m.Accepted.GetDecisionId() {
			g.forget()
		}
	case *pb.ServerMessage_Refusal:
		c.refused(m.Refusal)
	case *pb.ServerMessage_MatchEnd:
		c.end(m.MatchEnd)
	case *pb.ServerMessage_Drain:
		c.log.Info("the server is about to restart", "within", m.Drain.GetWithin().AsDuration())
	case *pb.ServerMessage_Ping:
		c.say(&pb.BotMessage{Message: &pb.BotMessage_Pong{Pong: &pb.Pong{Nonce: m.Ping.GetNonce()}}})
	case *pb.ServerMessage_EntropyRequest:
		if mine := c.shares.answer(m.EntropyRequest); mine != nil {
			c.say(&pb.BotMessage{Message: &pb.BotMessage_Entropy{Entropy: mine}})
		}
	}
}

func (c *client) welcome(welcome *pb.Welcome) {
	c.welcomed = true
	c.log.Info("playing", "bot", welcome.GetBotId(), "server", welcome.GetServer(), "matches", len(welcome.GetMatchIds()))
	for id, g := range c.games {
		switch {
		case slices.Contains(welcome.GetMatchIds(), id):
		case g.over: // its end did not come on the stream before this one: it will not come
			delete(c.games, id)
		default:
			g.over = true
			g.forget()
		}
	}
}

// game returns the match; where it is new, its bot is made from what is known of it now.
func (c *client) game(match *Match) *game {
	if g := c.games[match.ID]; g != nil {
		return g
	}
	g := &game{match: match, abandon: func() {}}
	c.games[match.ID] = g
	g.then(func() {
		err := g.load(c.newBot, match)
		c.report(func() { c.loaded(g, err) })
	})
	return g
}

// report hands a result to the loop.
func (c *client) report(result func()) {
	select {
	case c.results <- result:
	case <-c.alive.Done():
	}
}

func (c *client) offered(start *pb.MatchStart) {
	g := c.game(&Match{ID: start.GetMatchId(), Seats: int(start.GetSeats()), Limits: limitsOf(start.GetLimits())})
	g.offered = c.stream
	c.ready(g)
}

func (c *client) loaded(g *game, err error) {
	if err != nil {
		c.log.Error("the bot did not start, and is not ready", "match", g.match.ID, "error", err)
		return
	}
	g.loaded = true
	c.ready(g)
}

// ready says that a match may begin, once its bot is loaded: on the stream that offers it, and on no other.
func (c *client) ready(g *game) {
	if g.loaded && g.offered == c.stream && !g.over {
		c.say(&pb.BotMessage{Message: &pb.BotMessage_Ready{Ready: &pb.Ready{MatchId: g.match.ID}}})
	}
}

func (c *client) sync(sync *pb.MatchSync) {
	match := &Match{ID: sync.GetMatchId(), Limits: limitsOf(sync.GetLimits())}
	g := c.games[match.ID]
	if g == nil {
		g = &game{match: match}
		g.seated(sync.GetSeating())
		g = c.game(g.match)
	}
	g.seated(sync.GetSeating())
	g.history, g.behind = nil, false
	g.extend(0, sync.GetEvents())
}

func (c *client) decide(asked *pb.Decision, arrived time.Time) {
	g := c.game(&Match{ID: asked.GetMatchId()})
	if !g.extend(asked.GetFirstEvent(), asked.GetEvents()) {
		if !g.behind {
			g.behind = true
			c.say(&pb.BotMessage{Message: &pb.BotMessage_Resync{Resync: &pb.Resync{MatchId: g.match.ID}}})
		}
		return
	}
	again := g.asked == asked.GetDecisionId()
	g.askedOn = c.stream
	if again && g.answer != nil { // the same answer, sent again, counts once
		c.say(&pb.BotMessage{Message: &pb.BotMessage_Answer{Answer: g.answer}})
		return
	}
	turn := turnOf(g.match, asked, arrived)
	if len(turn.Legal) == 0 {
		c.log.Error("this client is too old for what is asked; the server will decide", "turn", turn)
		return
	}
	if again {
		return // the bot is still thinking about it
	}
	g.forget()
	open, abandon := context.WithCancel(c.alive)
	g.asked, g.abandon = turn.DecisionID, abandon
	history := slices.Clip(g.history)
	g.then(func() {
		if open.Err() != nil {
			return
		}
		thinking, cancel := context.WithDeadline(open, turn.Deadline)
		defer cancel()
		action, took := g.choose(thinking, turn, history, c.log)
		c.report(func() { c.chosen(g, turn.DecisionID, action, took) })
	})
}

func (c *client) chosen(g *game, decision uint32, action Action, took time.Duration) {
	if g.over || g.asked != decision || g.answer != nil {
		return // decided meanwhile
	}
	thought := took.Microseconds()
	g.answer = &pb.Answer{MatchId: g.match.ID, DecisionId: decision, Action: action.message(), ThinkTimeUs: &thought}
	if g.askedOn == c.stream { // else it is asked again on this stream, and answered then
		c.say(&pb.BotMessage{Message: &pb.BotMessage_Answer{Answer: g.answer}})
	}
}

func (c *client) refused(refusal *pb.Refusal) {
	g := c.games[refusal.GetMatchId()]
	if g == nil || g.asked != refusal.GetDecisionId() || g.answer == nil {
		return
	}
	c.log.Warn("refused", "match", g.match.ID, "decision", g.asked, "reason", refusal.GetReason(), "detail", refusal.GetDetail())
	legal := legalActions(refusal.GetLegal())
	if len(legal) == 0 {
		g.forget()
		return
	}
	g.answer = &pb.Answer{MatchId: g.match.ID, DecisionId: g.asked, Action: legal[0].message(), ThinkTimeUs: g.answer.ThinkTimeUs}
	c.say(&pb.BotMessage{Message: &pb.BotMessage_Answer{Answer: g.answer}})
}

func (c *client) end(end *pb.MatchEnd) {
	g := c.games[end.GetMatchId()]
	if g == nil {
		return
	}
	g.over = true
	g.forget()
	delete(c.games, end.GetMatchId())
	match := g.match
	c.log.Info("match over", "match", match.ID, "seat", match.Seat, "places", end.GetPlaces(), "void", end.GetVoidReason())
	g.then(func() {
		if err := g.end(match, end); err != nil {
			c.log.Error("the bot failed at the end of a match", "match", match.ID, "error", err)
		}
	})
}
