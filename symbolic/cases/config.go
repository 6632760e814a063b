package cases

import (
	"fmt"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
)

// Config says which cases are looked for. A zero value means the default.
type Config struct {
	Loops    int // decisions to stay in one run of a loop: 3
	Elements int // of a slice or map of the inputs: 3
	Paths    int // of a target: 2000
	Alias    bool
	Cover    Criterion     // paths
	Timeout  time.Duration // of a target's cases, and as much for the ways to those that fail: a minute

	// A failure is a finding if its state can come about: by making the actor, and so many messages before.
	Before int // 2; none: -1
	Chains int // ways to get there that are tried, for each case that fails: 200

	// Assume restricts the inputs. It has comparisons as in Go: of Message.Field, of Actor.field, of len of these, and for
	// functions of their parameters. Or it has names of functions of the program, of messages and actors, that give a
	// bool. Each restricts the targets that have all that it names.
	Assume  []string
	Numbers *Range   // that integers of the inputs are in; nil: those of their types
	Strings []string // that strings of the inputs are one of; nil: any

	// What follows is for targets that go through package tasks.
	Switches int             // activations and resumptions of the tasks of an actor, but for the tested handler's first run: 8
	Policy   tasks.Policy    // fifo
	Await    tasks.AwaitMode // ready
	Queue    int             // tasks that may be in the queue in the beginning, at most: 0
	Pruning  int             // which: 2
	Actors   int             // that are created: 4
	Timers   tasks.Timers    // of requests in protoactor-go: quiescent
}

// Range is a range of numbers.
type Range struct{ Least, Most int64 }

// checked fills in what is not set.
func (c Config) checked() (Config, error) {
	if c.Loops < 0 || c.Elements < 0 || c.Paths < 0 || c.Timeout < 0 || c.Switches < 0 || c.Queue < 0 || c.Before < -1 ||
		c.Chains < 0 {
		return c, fmt.Errorf("a bound is negative: want at least 1, or 0 for the default")
	}
	if c.Numbers != nil && c.Numbers.Least > c.Numbers.Most {
		return c, fmt.Errorf("no number is at least %d and at most %d", c.Numbers.Least, c.Numbers.Most)
	}
	for _, d := range []struct {
		field *int
		value int
	}{{&c.Loops, 3}, {&c.Elements, 3}, {&c.Paths, 2000}, {&c.Switches, 8}, {&c.Pruning, 2}, {&c.Before, 2},
		{&c.Chains, 200}} {
		if *d.field == 0 {
			*d.field = d.value
		}
	}
	if c.Cover == "" {
		c.Cover = Paths
	}
	if !slices.Contains([]Criterion{Paths, Branches, Blocks}, c.Cover) {
		return c, fmt.Errorf("there is nothing called %q to cover: want paths, branches or blocks", c.Cover)
	}
	c.Before = max(c.Before, 0)
	if c.Timeout == 0 {
		c.Timeout = time.Minute
	}
	return c, nil
}

func (c Config) exec() exec.Config {
	return exec.Config{Loops: c.Loops, Elements: c.Elements, Paths: c.Paths, Alias: c.Alias}
}

func (c Config) tasks() tasks.Config {
	return tasks.Config{Loops: c.Loops, Elements: c.Elements, Paths: c.Paths, Alias: c.Alias,
		Switches: c.Switches, Policy: c.Policy, Await: c.Await, Queue: c.Queue, Pruning: c.Pruning,
		Actors: c.Actors, Timers: c.Timers}
}
