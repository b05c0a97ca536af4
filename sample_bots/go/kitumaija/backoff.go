package kitumaija

import (
	"math/rand/v2"
	"time"
)

const (
	firstWait = 200 * time.Millisecond
	lastWait  = 5 * time.Second
)

// backOff gives the waits between two dials: they double, and each is drawn at random from its upper half, so that
// the bots of a restarted server do not come all at once.
type backOff struct {
	next   time.Duration
	random func() float64
}

func newBackOff() *backOff { return &backOff{next: firstWait, random: rand.Float64} }

// wait returns the next wait, never less than atLeast.
func (b *backOff) wait(atLeast time.Duration) time.Duration {
	wait := b.next/2 + time.Duration(b.random()*float64(b.next/2))
	b.next = min(2*b.next, lastWait)
	return max(wait, atLeast)
}

// reset begins anew, after a stream that was good.
func (b *backOff) reset() { b.next = firstWait }
