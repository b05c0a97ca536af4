package kitumaija

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "kitumaija.example/bots/v1"
)

// patience bounds hanging; no test asserts a time.
const patience = 30 * time.Second

// line is one stream as the server of a test sees it.
type line struct {
	t      *testing.T
	stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]
	heard  []*pb.BotMessage
}

// hear returns the next message of the bot.
func (l *line) hear() *pb.BotMessage {
	for len(l.heard) == 0 {
		frame, err := l.stream.Recv()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			l.t.Errorf("the bot went away: %v", err)
			return nil
		}
		l.heard = frame.GetMessages()
	}
	message := l.heard[0]
	l.heard = l.heard[1:]
	return message
}

func (l *line) say(messages ...*pb.ServerMessage) {
	if err := l.stream.Send(&pb.PlayResponse{Messages: messages}); err != nil {
		l.t.Errorf("the bot went away: %v", err)
	}
}

func (l *line) greet(matches ...string) *pb.Hello {
	hello := l.hear().GetHello()
	l.say(&pb.ServerMessage{Message: &pb.ServerMessage_Welcome{Welcome: &pb.Welcome{BotId: "b", MatchIds: matches}}})
	return hello
}

type scripted struct {
	pb.UnimplementedArenaServiceServer
	t       *testing.T
	streams chan func(*line) error
}

func (s *scripted) Play(stream grpc.BidiStreamingServer[pb.PlayRequest, pb.PlayResponse]) error {
	token := metadata.ValueFromIncomingContext(stream.Context(), "authorization")
	if len(token) != 1 || token[0] != "Bearer secret" {
		s.t.Errorf("got the token %v", token)
	}
	return (<-s.streams)(&line{t: s.t, stream: stream})
}

// play runs a bot against a server that follows one script a stream, and returns what Run returned. The bot is asked to
// leave when the last script is over.
func play(t *testing.T, bot Bot, scripts ...func(*line) error) error {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	arena := &scripted{t: t, streams: make(chan func(*line) error, len(scripts))}
	server := grpc.NewServer()
	pb.RegisterArenaServiceServer(server, arena)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	ctx, leave := context.WithTimeout(context.Background(), patience)
	defer leave()
	for i, script := range scripts {
		if i == len(scripts)-1 {
			last := script
			script = func(l *line) error { defer leave(); return last(l) }
		}
		arena.streams <- script
	}
	return Run(ctx, func() Bot { return bot }, Options{
		Address: listener.Addr().String(),
		Token:   "secret",
		Logger:  slog.New(slog.DiscardHandler),
	})
}

var first = Func(func(turn *Turn) Action { return turn.Legal[0] })

func offer(match string) *pb.ServerMessage {
	return &pb.ServerMessage{Message: &pb.ServerMessage_MatchStart{MatchStart: &pb.MatchStart{MatchId: match, Seats: 2}}}
}

func ask(match string, decision uint32, firstEvent uint32, cards ...pb.Card) *pb.ServerMessage {
	return &pb.ServerMessage{Message: &pb.ServerMessage_Decision{Decision: &pb.Decision{
		MatchId: match, DecisionId: decision, FirstEvent: firstEvent, View: &pb.View{Seats: 2},
		Legal: &pb.LegalActions{Play: cards}, TimeLeftUs: 60_000_000,
	}}}
}

func sync(match string, events int) *pb.ServerMessage {
	return &pb.ServerMessage{Message: &pb.ServerMessage_MatchSync{MatchSync: &pb.MatchSync{
		MatchId: match, Seating: &pb.Seating{MatchId: match}, Events: make([]*pb.Event, events),
	}}}
}

func refuse(reason string, code codes.Code) error {
	state, err := status.New(code, "no").WithDetails(&errdetails.ErrorInfo{Reason: reason, Domain: "kitumaija"})
	if err != nil {
		return err
	}
	return state.Err()
}

func TestAnAnswerThatWasNotAcceptedIsSentAgainOnTheNextStream(t *testing.T) {
	var before, after *pb.Answer
	err := play(t, first,
		func(l *line) error {
			l.greet()
			l.say(offer("m"))
			if ready := l.hear().GetReady(); ready.GetMatchId() != "m" {
				t.Errorf("got %v, want a Ready", ready)
			}
			l.say(ask("m", 1, 0, pb.Card_CARD_HEARTS_EIGHT))
			before = l.hear().GetAnswer()
			return status.Error(codes.Unavailable, "the line breaks")
		},
		func(l *line) error {
			hello := l.greet("m")
			if got := hello.GetMatchIds(); len(got) != 1 || got[0] != "m" {
				t.Errorf("got the matches %v in Hello, want m", got)
			}
			l.say(sync("m", 3), ask("m", 1, 3, pb.Card_CARD_CLUBS_TWO))
			after = l.hear().GetAnswer()
			return nil
		},
	)
	if err != nil {
		t.Errorf("got %v, want a polite end", err)
	}
	if before.GetAction().GetPlay() != pb.Card_CARD_HEARTS_EIGHT || before.ThinkTimeUs == nil || after.String() != before.String() {
		t.Errorf("got %v and then %v, want the same answer twice", before, after)
	}
}

func TestAMissingEventIsAskedForAgain(t *testing.T) {
	_ = play(t, first, func(l *line) error {
		l.greet("m")
		l.say(ask("m", 4, 7, pb.Card_CARD_HEARTS_EIGHT))
		if resync := l.hear().GetResync(); resync.GetMatchId() != "m" {
			t.Errorf("got %v, want a Resync", resync)
		}
		l.say(sync("m", 7), ask("m", 4, 7, pb.Card_CARD_HEARTS_EIGHT))
		if answer := l.hear().GetAnswer(); answer.GetDecisionId() != 4 {
			t.Errorf("got %v, want the answer to decision 4", answer)
		}
		return nil
	})
}

func TestManyMatchesInOneFrameAreAllAnswered(t *testing.T) {
	_ = play(t, first, func(l *line) error {
		l.greet()
		l.say(ask("a", 1, 0, 1), &pb.ServerMessage{}, ask("b", 1, 0, 2), ask("c", 1, 0, 3))
		played := map[string]pb.Card{}
		for range 3 {
			answer := l.hear().GetAnswer()
			played[answer.GetMatchId()] = answer.GetAction().GetPlay()
		}
		if played["a"] != 1 || played["b"] != 2 || played["c"] != 3 {
			t.Errorf("got %v", played)
		}
		return nil
	})
}

func TestABotThatFailsPlaysTheFirstLegalAction(t *testing.T) {
	for name, bot := range map[string]Func{
		"panics":     func(*Turn) Action { panic("oh") },
		"is illegal": func(*Turn) Action { return Play{Maija} },
		"is silent":  func(*Turn) Action { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			_ = play(t, bot, func(l *line) error {
				l.greet()
				l.say(ask("m", 1, 0, 5, 6))
				if got := l.hear().GetAnswer().GetAction().GetPlay(); got != 5 {
					t.Errorf("got %v, want card 5", got)
				}
				return nil
			})
		})
	}
}

func TestARefusedAnswerIsGivenAnewFromWhatIsLegal(t *testing.T) {
	_ = play(t, first, func(l *line) error {
		l.greet()
		l.say(ask("m", 1, 0, 5))
		l.hear()
		l.say(&pb.ServerMessage{Message: &pb.ServerMessage_Refusal{Refusal: &pb.Refusal{
			MatchId: "m", DecisionId: 1, Legal: &pb.LegalActions{Take: []uint32{3}}, RetriesLeft: 1,
		}}})
		if got := l.hear().GetAnswer().GetAction().GetTake(); got != 3 {
			t.Errorf("got take %d, want 3", got)
		}
		return nil
	})
}

func TestAPingIsAnsweredAndEntropyIsCommittedToBeforeItIsShown(t *testing.T) {
	_ = play(t, first, func(l *line) error {
		request := func(step pb.EntropyStep, master string) *pb.ServerMessage {
			return &pb.ServerMessage{Message: &pb.ServerMessage_EntropyRequest{EntropyRequest: &pb.EntropyRequest{
				TournamentId: "t", Step: step, MasterCommitment: []byte(master),
			}}}
		}
		ping := &pb.ServerMessage{Message: &pb.ServerMessage_Ping{Ping: &pb.Ping{Nonce: 9}}}
		l.greet()
		l.say(request(pb.EntropyStep_ENTROPY_STEP_COMMIT, "master"))
		committed := l.hear().GetEntropy().GetValue()
		// Against another commitment of the server nothing is shown: the Pong comes first.
		l.say(request(pb.EntropyStep_ENTROPY_STEP_REVEAL, "another"), ping, request(pb.EntropyStep_ENTROPY_STEP_REVEAL, "master"))
		if pong := l.hear().GetPong(); pong.GetNonce() != 9 {
			t.Errorf("got %v, want a Pong", pong)
		}
		if hash := sha256.Sum256(l.hear().GetEntropy().GetValue()); !bytes.Equal(hash[:], committed) {
			t.Error("the entropy is not what was committed to")
		}
		return nil
	})
}

func TestAStreamThatDrainsIsFollowedByAnother(t *testing.T) {
	err := play(t, first,
		func(l *line) error { l.greet(); return refuse("DRAINING", codes.Unavailable) },
		func(l *line) error { l.greet(); return nil },
	)
	if err != nil {
		t.Errorf("got %v", err)
	}
}

func TestWhatIsOfNoUseIsNotTriedAgain(t *testing.T) {
	for reason, code := range map[string]codes.Code{
		"REPLACED":              codes.Aborted,
		"FLOODING":              codes.ResourceExhausted,
		"UNAUTHENTICATED_TOKEN": codes.Unauthenticated,
	} {
		t.Run(reason, func(t *testing.T) {
			err := play(t, first,
				func(l *line) error { l.greet(); return refuse(reason, code) },
				func(*line) error { t.Error("the bot dialed again"); return nil },
			)
			var end *Ended
			if !errors.As(err, &end) || end.Reason != reason || ExitCode(err) != ExitRefused {
				t.Errorf("got %v, want %s", err, reason)
			}
		})
	}
}

func TestABotThatIsAskedToStopSaysGoodbyeLast(t *testing.T) {
	ctx, leave := context.WithCancel(context.Background())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	said := make(chan *pb.BotMessage, 2)
	arena := &scripted{t: t, streams: make(chan func(*line) error, 1)}
	arena.streams <- func(l *line) error {
		l.greet()
		leave()
		said <- l.hear()
		said <- l.hear()
		return nil
	}
	server := grpc.NewServer()
	pb.RegisterArenaServiceServer(server, arena)
	go func() { _ = server.Serve(listener) }()
	defer server.Stop()
	options := Options{Address: listener.Addr().String(), Token: "secret", Logger: slog.New(slog.DiscardHandler)}
	if err := Run(ctx, func() Bot { return first }, options); err != nil {
		t.Errorf("got %v", err)
	}
	if goodbye := (<-said).GetGoodbye(); goodbye == nil {
		t.Error("there was no Goodbye")
	}
	if more := <-said; more != nil {
		t.Errorf("got %v after Goodbye", more)
	}
}

func TestWaitsDoubleUpToALimitAndAreDrawnAtRandom(t *testing.T) {
	for _, drawn := range []float64{0, 0.5} {
		waits := &backOff{next: firstWait, random: func() float64 { return drawn }}
		for _, longest := range []time.Duration{200, 400, 800, 1600, 3200, 5000, 5000} {
			want := time.Duration(float64(longest*time.Millisecond) * (1 + drawn) / 2)
			if got := waits.wait(0); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
		if got := waits.wait(time.Minute); got != time.Minute {
			t.Errorf("got %s, want what the server wants", got)
		}
	}
}

func TestEveryCardIsReadAsItIsWritten(t *testing.T) {
	for card := Card(1); card <= 52; card++ {
		if read, err := ParseCard(card.String()); err != nil || read != card || NewCard(card.Suit(), card.Rank()) != card {
			t.Errorf("got %v and %v of %d", read, err, card)
		}
	}
	if Maija != Card(pb.Card_CARD_SPADES_QUEEN) || Maija.String() != "QS" {
		t.Errorf("got %s", Maija)
	}
	if _, err := ParseCard("1X"); err == nil {
		t.Error("1X was read")
	}
}
