package sample

import (
	"fmt"
	"strconv"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// defaultDelay is the least bound of [Bita13] VI-B, in milliseconds.
const defaultDelay = 100

// maxDelay keeps the sums of delays of an execution within 64 bits.
const maxDelay = 1 << 30

// Delays is the baseline of the paper: every message travels for a random time, and what arrives first is taken first.
// (Not to be confused with search.Delay, which counts how often a scheduler is made to put off a step.)
//
// It keeps a clock of its own. A step is ready when what made it possible has happened, and then a delay has passed.
// Its message was sent or released into a mailbox, or its timer became due. The delay is a whole number of milliseconds
// from 0 to the bound. The enabled step that is ready first is taken; a message that must wait for an earlier one
// arrives directly after it.
//
//	source:     [Bita13] VI-B, the random scheduler
//	differs:    handlers take no time, where the paper's take what they take; so the bound decides how often messages
//	            arrive at the same moment, which the default order then sorts, and little else. Delays do not move the
//	            clock of the program: no timeout of a call is due because a message was late. An advance of the clock
//	            that is a choice is delayed like a message
//	invariants: I1 the clock never goes back, and a delay depends on the step's identity and not on when it is asked for
//	cost:       a hash for every enabled step, a number for every event
//	checked by: delays_test.go
type Delays struct {
	sampler
	bound  uint64   // in milliseconds
	travel trace.ID // what delays are hashed from
	now    uint64
	times  []uint64 // by event: when it happened
	causes causes
	tick   trace.ID // the advance that is enabled
	ticked uint64   // since when
}

var _ explore.Numbered = (*Delays)(nil)

// NewDelays makes the strategy with delays of 0 to bound milliseconds.
func NewDelays(bound int, seed uint64) *Delays {
	return &Delays{sampler: sampler{seed: seed}, bound: uint64(bound)}
}

// ParseDelays makes the strategy whose bound is the word behind "delays/"; "" is 100.
func ParseDelays(word string, seed uint64) (*Delays, error) {
	bound, err := defaultDelay, error(nil)
	if word != "" {
		bound, err = strconv.Atoi(word)
	}
	if err != nil || bound < 1 || bound > maxDelay {
		return nil, fmt.Errorf("unknown bound %q: want the longest delay of a message in milliseconds, from 1 to %d, as in "+
			"delays/100", word, maxDelay)
	}
	return NewDelays(bound, seed), nil
}

// DelaysWords are what may follow the slash in the name.
func DelaysWords() []string { return []string{"longest delay in ms"} }

// Name is "delays/" and the bound.
func (d *Delays) Name() string { return fmt.Sprintf("delays/%d", d.bound) }

// Start sets the clock to zero.
func (d *Delays) Start() bool {
	if !d.sampler.Start() {
		return false
	}
	d.now, d.times, d.tick = 0, d.times[:0], trace.ID{}
	d.causes.reset()
	d.travel = d.base.With(forDelay)
	return true
}

// Choose takes the step that is ready first, of several the first in the default order.
func (d *Delays) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind.Chooses() {
		return explore.Choice{Index: d.uniform(enabled)}
	}
	for len(d.times) < len(tr.Events) {
		d.times = append(d.times, d.now)
	}
	d.causes.follow(tr)
	best, least := -1, uint64(0)
	for i := range enabled {
		ready := d.ready(&enabled[i])
		if best < 0 || ready < least || ready == least && enabled[i].Before(&enabled[best]) {
			best, least = i, ready
		}
	}
	d.now = max(d.now, least)
	return explore.Choice{Index: best}
}

// ready is the time at which the step may be taken.
func (d *Delays) ready(s *trace.Step) uint64 {
	delay := d.travel.WithID(s.ID).Hi % (d.bound + 1)
	if s.Message >= 0 {
		return d.times[d.causes.of(s)] + delay
	}
	if d.tick != s.ID {
		d.tick, d.ticked = s.ID, d.now
	}
	return d.ticked + delay
}

// causes knows by which event each message came to where it is now.
type causes struct {
	at     []int32 // by message
	events int     // so many were looked at
}

func (c *causes) reset() { c.at, c.events = c.at[:0], 0 }

// follow looks at what happened since.
func (c *causes) follow(tr *trace.Trace) {
	for m := len(c.at); m < len(tr.Messages); m++ {
		c.at = append(c.at, tr.Messages[m].SentBy)
	}
	for ; c.events < len(tr.Events); c.events++ {
		e := &tr.Events[c.events]
		if e.Released >= 0 {
			c.at[e.Released] = int32(c.events)
		}
		for _, m := range e.Due {
			c.at[m] = int32(c.events)
		}
	}
}

// of gives the event that made a step with a message possible.
func (c *causes) of(s *trace.Step) int32 { return c.at[s.Message] }
