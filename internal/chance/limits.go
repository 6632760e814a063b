package chance

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
)

// This file has the one place where it is decided how far what Go chooses is a choice of the exploration: the setting
// -choices, and its default.

// CommandVariable names the variable by which the command that builds tests with numbers says how it was called: what
// replays a finding of such a test begins with it.
const CommandVariable = "REHEARSE_COMMAND"

// Limits say how many draws of a part are choices of the exploration, and how often goroutines may be preempted in
// it. The other draws follow a seed. They are Conditions.Draws and Conditions.Preemptions.
type Limits struct {
	Draws       int // below 0: none has a number, Go chooses by itself
	Preemptions int // below 0: any number
}

var (
	// DefaultLimits is what most parts of handlers get by with that loop over a map or have a select. One that starts
	// goroutines has more draws.
	DefaultLimits = Limits{4, 2}
	// LimitsAll asks for each draw. A replay of an execution whose draws were all written down needs it.
	LimitsAll = Limits{explore.AllDraws, -1}
	// LimitsOff leaves Go's choices to Go.
	LimitsOff = Limits{Draws: -1}
	// LimitsSample asks for none: all follow the seed. Then more preemptions cost nothing.
	LimitsSample = Limits{0, -1}
)

// most is how many draws of a part can be asked for.
const most = explore.AllDraws

// ParseLimits reads a setting: "off", "sample", a number of draws, or that, a slash, and a number of preemptions; "" is
// DefaultLimits.
func ParseLimits(s string) (Limits, error) {
	switch s {
	case "":
		return DefaultLimits, nil
	case "off":
		return LimitsOff, nil
	case "sample":
		return LimitsSample, nil
	}
	draws, preemptions, given := strings.Cut(s, "/")
	l := Limits{Preemptions: DefaultLimits.Preemptions}
	var err error
	if l.Draws, err = strconv.Atoi(draws); err == nil && given {
		l.Preemptions, err = strconv.Atoi(preemptions)
	}
	if err != nil || l.Draws < 1 || l.Draws > most || l.Preemptions < 0 || l.Preemptions > most {
		return Limits{}, fmt.Errorf("choices %q: want off, sample, or how many choices of Go's are explored between two "+
			"others (1 to %d), if need be with how often goroutines are preempted, as in 20/3", s, most)
	}
	return l, nil
}

// Explores reports whether draws are choices of the exploration.
func (l Limits) Explores() bool { return l.Draws > 0 }

// String is what ParseLimits reads.
func (l Limits) String() string {
	switch {
	case l.Draws < 0:
		return "off"
	case l.Draws == 0:
		return "sample"
	}
	return fmt.Sprintf("%d/%d", l.Draws, l.Preemptions)
}

// OrdersExplored says, for people, which orders of goroutines are explored where draws have numbers: those that
// differ at a Point. A function of package atomic is an instruction, and none.
const OrdersExplored = "their orders were explored where they synchronise (go statements, channels, locks, " +
	"methods of atomics, WaitGroups, Conds), not at functions of sync/atomic, nor between other accesses to memory"

// NumberedUnder reports whether draws have numbers under these conditions: the runtime numbers them, and they are not
// left to Go.
func NumberedUnder(c *explore.Conditions) bool { return Numbered() && c.Draws >= 0 }
