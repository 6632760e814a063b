// Package threadring is a ring of actors that pass a ping on until its hops are used up. Then an exit goes round, and
// every actor ends. It is program 5 of Savina [IS14]. [TAP18] (figure 12) found its bug: the ping may come to an actor
// before that knows its successor, where messages of different senders have no order. Where another actor tells the
// successors, it may come so in one process too.
package threadring

import "fmt"

// Config sets the size of the ring.
type Config struct {
	Actors   int  // in the ring, at least 2
	Hops     int  // that the ping makes
	Repaired bool // an actor holds a ping back until it knows its successor
	Wired    bool // ours: another actor tells all but the first their successors
	Endless  bool // mutant: a ping keeps its hops
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Actors: 3, Hops: 4}
	Published = Config{Actors: 100, Hops: 100_000}
)

// Validate says what no ring can have.
func (c Config) Validate() error {
	if c.Actors < 2 || c.Hops < 0 {
		return fmt.Errorf("threadring: %d actors, %d hops: want at least 2 actors, and no hops below 0", c.Actors, c.Hops)
	}
	return nil
}

// Data tells an actor its successor. R refers to an actor of a framework.
type Data[R any] struct{ Next R }

// Wire has an actor tell the others their successors.
type Wire[R any] struct{ Nodes []R }

// Ping has Left hops to make.
type Ping struct{ Left int }

// Exit ends an actor, and Left more.
type Exit struct{ Left int }

// passed is a ping after one more hop.
func (p Ping) passed(endless bool) Ping {
	if endless {
		return p
	}
	return Ping{p.Left - 1}
}

// Seen is what one actor saw.
type Seen struct {
	Pings   int
	Stopped bool
}

// Check says what is wrong with what the actors saw in all, nil if nothing is: the ping made all its hops, and every
// actor has ended.
func (c Config) Check(seen []Seen) error {
	pings := 0
	for i, s := range seen {
		pings += s.Pings
		if !s.Stopped {
			return fmt.Errorf("actor %d of the ring has not stopped", i)
		}
	}
	if pings != c.Hops+1 {
		return fmt.Errorf("the ping was handled %d times, want %d", pings, c.Hops+1)
	}
	return nil
}
