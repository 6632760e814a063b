// Package big is actors that ping each other at random. A sink ends them when all have had their pongs. It is program
// 7 of Savina [IS14]. Its hazard: the driver tells each actor the others, and any of them may ping it before that.
// Where messages of different senders have no order, an actor or the sink then uses what it does not have yet.
package big

import (
	"fmt"
	"math/rand/v2"
)

// Config sets the number of actors, and of pings by each.
type Config struct {
	Actors  int     // at least 1
	Pings   int     // by each, at least 1
	Targets [][]int // whom each actor pings, one after the other; nil: drawn
	Actor   bool    // repaired: an actor holds back what comes before it knows the others
	Sink    bool    // repaired: so does the sink
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Actors: 2, Pings: 1, Targets: [][]int{{1}, {0}}}
	Published = Config{Actors: 120, Pings: 20_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Actors < 1 || c.Pings < 1 {
		return fmt.Errorf("big: %d actors, %d pings: want at least 1 of each", c.Actors, c.Pings)
	}
	if c.Targets == nil {
		return nil
	}
	if len(c.Targets) != c.Actors {
		return fmt.Errorf("big: targets of %d actors, want those of %d", len(c.Targets), c.Actors)
	}
	for i, targets := range c.Targets {
		if len(targets) != c.Pings {
			return fmt.Errorf("big: actor %d has %d targets, want one for each of its %d pings", i, len(targets), c.Pings)
		}
		for _, t := range targets {
			if t < 0 || t >= c.Actors {
				return fmt.Errorf("big: actor %d pings actor %d of %d", i, t, c.Actors)
			}
		}
	}
	return nil
}

// target is whom an actor pings at its ping k.
func (c Config) target(id, k int) int {
	if c.Targets != nil {
		return c.Targets[id][k]
	}
	return int(rand.NewPCG(uint64(id), uint64(k)).Uint64() % uint64(c.Actors))
}

// Neighbours tells an actor all actors, the sink not among them. R refers to an actor of a framework.
type Neighbours[R any] struct{ List []R }

// Ping comes from the actor of a number.
type Ping struct{ ID int }

// Pong answers. That of nobody (-1) has an actor begin.
type Pong struct{ ID int }

// Exit tells the sink that an actor is done, and an actor to end.
type Exit struct{}

// Seen is what one actor saw.
type Seen struct {
	Pongs   int // all that it got
	Wrong   int // those of another actor than was expected
	Stopped bool
}

// Check says what is wrong with the end, nil if nothing is: each actor got its pongs from whom it had pinged, and all
// have ended.
func (c Config) Check(seen []Seen, sinkStopped bool) error {
	for i, s := range seen {
		if s.Pongs != c.Pings+1 || s.Wrong > 0 || !s.Stopped {
			return fmt.Errorf("actor %d got %d pongs, want %d, %d of them from others than expected, and has stopped: %t",
				i, s.Pongs, c.Pings+1, s.Wrong, s.Stopped)
		}
	}
	if !sinkStopped {
		return fmt.Errorf("the sink has not stopped")
	}
	return nil
}
