package exec

import (
	"math/rand/v2"
	"regexp"
)

// Config bounds an exploration. A zero value means the default.
type Config struct {
	Loops        int // decisions to stay in a loop, of one run of it: 3
	Turns        int // turns of a loop altogether, also if its condition is known: 300
	Calls        int // how deep calls are nested: 12
	Elements     int // of an input slice, and further entries of an input map: 3
	Paths        int // per handler: 2000
	Instructions int // per path: 20000
	Candidates   int // types of an interface and functions of a function value among the inputs: 6
	Queries      int // to the solver, per handler: 20000
	Indices      int // elements of an array that an unknown index may mean: 16
	// instructions of all paths, with questions to the solver as 50 of them and hard ones by HardStep; 0: no bound. In its
	// second half those paths come first that leave a known one earliest
	Work int

	// Chance, if it is set, decides where more than one outcome is possible: one path is executed, and nothing is left to
	// later ones. Nil: the first outcome, then the others. A question that the solver leaves open ends that path. Every
	// later one contains it, and would be left open too, at the same cost.
	Chance *rand.Rand

	// Hooks has events tell whose start hook does them (Event.By). Without it a path is cut where what a hook does could
	// be taken for what its creator does.
	Hooks bool

	// Alias has two pointers among the inputs lead to one object, too, if they are of one type.
	Alias bool
}

// widens matches the reasons of cuts by Config.Loops and Config.Elements.
var widens = regexp.MustCompile(`^more than \d+ turns of a loop$|^a (slice|map|shuffle) .*more than \d+ (elements|further entries)$`)

// Widens reports whether a path that was cut for a reason would have gone on with greater Config.Loops or
// Config.Elements.
func Widens(why string) bool { return widens.MatchString(why) }

// defaults fills in what is not set.
func (c Config) defaults() Config {
	for _, d := range []struct {
		field *int
		value int
	}{
		{&c.Loops, 3}, {&c.Turns, 300}, {&c.Calls, 12}, {&c.Elements, 3}, {&c.Paths, 2000}, {&c.Instructions,
			20000}, {&c.Candidates, 6},
		{&c.Queries, 20000}, {&c.Indices, 16},
	} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	return c
}
