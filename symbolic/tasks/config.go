package tasks

import (
	"fmt"
	"slices"
)

// Policy says which task of an actor's queue is next.
type Policy string

// The policies.
const (
	FIFO     Policy = "fifo" // that of protoactor-go, where the others are hypothetical
	LIFO     Policy = "lifo"
	Priority Policy = "priority" // every order of priorities of the actor's tasks
	// every task, of every actor; in protoactor-go the system messages of an actor come first nevertheless
	Any Policy = "any"
)

// AwaitMode says when a task that waits is in the queue.
type AwaitMode string

// The modes.
const (
	Ready   AwaitMode = "ready"   // once it can go on, as native actors do it; a task whose guard holds goes on at once
	Polling AwaitMode = "polling" // always, as in [aPET13]: if it cannot go on, its turn is lost
)

// Timers says when a request in protoactor-go may time out.
type Timers string

// When it may.
const (
	Quiescent Timers = "quiescent" // when nothing else can happen
	Async     Timers = "async"     // at any time
)

// Config says what is explored. A zero value means the default.
type Config struct {
	Loops    int       // decisions to stay in one run of a loop: 3
	Switches int       // activations and resumptions of the tasks of an actor, but for the tested handler's first run: 8
	Policy   Policy    // fifo
	Await    AwaitMode // ready
	Queue    int       // how many tasks may be in the tested actor's queue in the beginning: 0
	// which: 1 those that write fields, also by calls; 2 directly (the default); 3 directly those that are used before and
	// read after a wait
	Pruning  int
	Paths    int    // 2000
	Elements int    // of a slice or map of the inputs, as in exec.Config: 3
	Alias    bool   // as there
	Actors   int    // that are created: 4
	Timers   Timers // of requests in protoactor-go: quiescent
}

func (c Config) checked() (Config, error) {
	for _, d := range []struct {
		field *int
		value int
	}{{&c.Loops, 3}, {&c.Switches, 8}, {&c.Pruning, 2}, {&c.Paths, 2000}, {&c.Actors, 4}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if c.Policy == "" {
		c.Policy = FIFO
	}
	if c.Await == "" {
		c.Await = Ready
	}
	if c.Timers == "" {
		c.Timers = Quiescent
	}
	switch {
	case c.Timers != Quiescent && c.Timers != Async:
		return c, fmt.Errorf("a request times out by quiescent or async, not by %q", c.Timers)
	case c.Loops < 0 || c.Switches < 0 || c.Queue < 0 || c.Paths < 0 || c.Elements < 0 || c.Actors < 0:
		return c, fmt.Errorf("a bound is negative")
	case c.Pruning < 1 || c.Pruning > 3:
		return c, fmt.Errorf("pruning is 1, 2 or 3, not %d", c.Pruning)
	case !slices.Contains([]Policy{FIFO, LIFO, Priority, Any}, c.Policy):
		return c, fmt.Errorf("there is no policy %q: want fifo, lifo, priority or any", c.Policy)
	case c.Await != Ready && c.Await != Polling:
		return c, fmt.Errorf("a task waits by ready or polling, not by %q", c.Await)
	}
	return c, nil
}
