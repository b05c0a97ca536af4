package kitumaija

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"

	pb "kitumaija.example/bots/v1"
)

const entropyBytes = 32

// shares keeps the bot's shares in the shuffling of tournaments: random bytes, committed to first and shown later.
type shares map[string]share

type share struct {
	entropy          []byte
	masterCommitment []byte
}

// answer returns what to say to a request; nil where the bot has nothing to say, for it plays all the same. What it
// did not commit to, or not against the commitment that the server names now, it does not reveal.
func (s shares) answer(asked *pb.EntropyRequest) *pb.Entropy {
	id := asked.GetTournamentId()
	mine, committed := s[id]
	switch asked.GetStep() {
	case pb.EntropyStep_ENTROPY_STEP_COMMIT:
		if !committed {
			mine = share{make([]byte, entropyBytes), asked.GetMasterCommitment()}
			rand.Read(mine.entropy) // never fails: it ends the process instead
			s[id] = mine
		}
		hash := sha256.Sum256(mine.entropy)
		return &pb.Entropy{TournamentId: id, Value: hash[:], Step: asked.GetStep()}
	case pb.EntropyStep_ENTROPY_STEP_REVEAL:
		if !committed || !bytes.Equal(mine.masterCommitment, asked.GetMasterCommitment()) {
			return nil
		}
		return &pb.Entropy{TournamentId: id, Value: mine.entropy, Step: asked.GetStep()}
	default:
		return nil
	}
}
