package kitumaija

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"reflect"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "kitumaija.example/bots/v1"
)

// example is one of the worked examples that all languages share.
type example struct {
	Name    string
	Frame   string
	JSON    json.RawMessage
	Meaning []map[string]any
	Bytes   string
	Newer   bool
}

func examples(t *testing.T) []example {
	t.Helper()
	text, err := os.ReadFile("../../../proto/vectors/frames.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("there are no examples")
	}
	return all
}

func (e example) frame() proto.Message {
	if e.Frame == "PlayRequest" {
		return &pb.PlayRequest{}
	}
	return &pb.PlayResponse{}
}

func (e example) read(t *testing.T) proto.Message {
	t.Helper()
	encoded, err := hex.DecodeString(e.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	frame := e.frame()
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(encoded, frame); err != nil {
		t.Fatal(err)
	}
	return frame
}

func TestBytesAndJSONAreTheSameFrame(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.Name, func(t *testing.T) {
			want := e.frame()
			if err := protojson.Unmarshal(e.JSON, want); err != nil {
				t.Fatal(err)
			}
			if got := e.read(t); !proto.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
			encoded, err := proto.MarshalOptions{Deterministic: true}.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			if got := hex.EncodeToString(encoded); got != e.Bytes && !e.Newer {
				t.Errorf("got the bytes %s, want %s", got, e.Bytes)
			}
		})
	}
}

func TestAFrameMeansWhatItsExampleSays(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.Name, func(t *testing.T) {
			messages := e.read(t).ProtoReflect()
			list := messages.Get(messages.Descriptor().Fields().ByName("messages")).List()
			if list.Len() != len(e.Meaning) {
				t.Fatalf("got %d messages, want %d", list.Len(), len(e.Meaning))
			}
			for i, want := range e.Meaning {
				got := meaning(list.Get(i).Message(), want)
				if !reflect.DeepEqual(throughJSON(t, got), want) {
					t.Errorf("message %d: got %v, want %v", i, got, want)
				}
			}
		})
	}
}

// meaning says what this client makes of a message, in the words of the examples.
func meaning(message protoreflect.Message, want map[string]any) map[string]any {
	field := message.WhichOneof(message.Descriptor().Oneofs().ByName("message"))
	if field == nil {
		return map[string]any{"is": "nothing"}
	}
	means := map[string]any{"is": string(field.Name())}
	switch m := message.Get(field).Message().Interface().(type) {
	case *pb.Hello:
		means["capacity"] = m.GetCapacity()
	case *pb.MatchStart:
		means["match"] = m.GetMatchId()
	case *pb.Ready:
		means["match"] = m.GetMatchId()
	case *pb.Seating:
		means["match"] = m.GetMatchId()
	case *pb.MatchSync:
		means["match"] = m.GetMatchId()
	case *pb.Accepted:
		means["decision"] = m.GetDecisionId()
	case *pb.Answer:
		means["decision"], means["action"] = m.GetDecisionId(), actionOf(m.GetAction())
	case *pb.Refusal:
		means["decision"], means["open"] = m.GetDecisionId(), m.GetLegal() != nil
		means["legal"] = texts(legalActions(m.GetLegal()))
	case *pb.MatchEnd:
		// An empty list, where there are none, and not a missing one.
		means["match"], means["places"] = m.GetMatchId(), append([]uint32{}, m.GetPlaces()...)
	case *pb.Entropy:
		if committed, ok := want["sha256_of"].(string); ok {
			entropy, _ := hex.DecodeString(committed)
			if hash := sha256.Sum256(entropy); string(hash[:]) == string(m.GetValue()) {
				means["sha256_of"] = committed
			}
		}
	case *pb.Decision:
		now := time.Now()
		turn := turnOf(&Match{}, m, now)
		means["decision"], means["phase"], means["seat"] = turn.DecisionID, turn.Phase.String(), turn.Seat
		means["hand"], means["top"], means["legal"] = texts(turn.Hand), turn.Top.String(), texts(turn.Legal)
		means["events"] = []int{int(m.GetFirstEvent()), len(m.GetEvents())}
		means["time_left_us"] = turn.TimeLeft.Microseconds()
		means["think_at_most_us"] = turn.Deadline.Sub(now).Microseconds()
	}
	return means
}

func texts[T interface{ String() string }](values []T) []string {
	written := make([]string, len(values))
	for i, value := range values {
		written[i] = value.String()
	}
	return written
}

func actionOf(action *pb.Action) string {
	for _, legal := range []*pb.LegalActions{
		{Play: []pb.Card{action.GetPlay()}}, {Turn: action.GetTurn() != nil}, {PassLead: action.GetPassLead() != nil},
		{Take: []uint32{action.GetTake()}},
	} {
		if actions := legalActions(legal); len(actions) == 1 {
			return actions[0].String()
		}
	}
	return ""
}

func throughJSON(t *testing.T, value map[string]any) map[string]any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var read map[string]any
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}
