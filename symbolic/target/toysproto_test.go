package target_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds searches for targets to random systems of protoactor-go whose actors panic and are restarted. The
// twin is the real thing: the compiled program under the adapter, in all orders, with all messages from outside.
// REHEARSE_TOY=1 compares 4 systems; REHEARSE_TOY_COUNT and REHEARSE_TOY_FROM take others.

// The bounds of these comparisons, beside toyRuns and toyOutside.
const (
	restartExecutions = 20_000 // of a system under a model; more is no comparison
	restartSearches   = 5_000
)

// restartFew are the seeds of a default run.
var restartFew = []uint64{0}

// orders is the program that executes systems in all orders, and says which places were reached.
const orders = `
type system struct {
	given           func([][4]int) *adapter.System
	reached, behind []int
	limit           *int
	over            func() bool
}

type question struct {
	System, Runs, Outside, Most int
	Model                       trace.Model
	Shapes                      [][2]int
}

// every goes through all orders, depth first, as far as handlers have an effect.
type every struct {
	path  []int // choices
	of    []int // of so many
	depth int
	over  func() bool
	begun bool
	left  int // executions
}

func (e *every) Name() string { return "every" }

func (e *every) Start() bool {
	e.depth = 0
	if !e.begun {
		e.begun = true
		return true
	}
	for n := len(e.path) - 1; n >= 0; n-- {
		if e.path[n]++; e.path[n] < e.of[n] {
			e.left--
			return e.left > 0
		}
		e.path, e.of = e.path[:n], e.of[:n]
	}
	return false
}

func (e *every) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	if e.over() {
		return explore.Choice{Index: -1}
	}
	n := e.depth
	if e.depth++; n == len(e.path) {
		e.path, e.of = append(e.path, 0), append(e.of, len(enabled))
	} else if e.of[n] != len(enabled) {
		panic("the same choices lead to other steps")
	}
	return explore.Choice{Index: e.path[n]}
}

func (e *every) Learn(*trace.Trace, bool) {}

func (e *every) Complete() bool { return false }

// sends calls do with all lists of at most so many messages.
func sends(shapes [][2]int, list [][4]int, most int, do func([][4]int)) {
	do(list)
	if most == 0 {
		return
	}
	for _, s := range shapes {
		for n := range 2 {
			sends(shapes, append(list[:len(list):len(list)], [4]int{s[0], s[1], n}), most-1, do)
		}
	}
}

func (q *question) ask() (over bool) {
	s := systems[q.System]
	clear(s.reached)
	clear(s.behind)
	*s.limit = q.Runs
	left := q.Most
	sends(q.Shapes, nil, q.Outside, func(list [][4]int) {
		if left <= 0 {
			return
		}
		e := &every{over: s.over, left: left}
		o := explore.Options{Conditions: explore.Conditions{Model: q.Model, Horizon: time.Minute, Blocked: math.MaxInt64}, MaxSteps: 500}
		if _, err := explore.Run(s.given(list), e, o); err != nil {
			panic(err)
		}
		left = e.left
	})
	return left <= 0
}

func TestMain(*testing.M) {
	out := json.NewEncoder(os.Stdout)
	for in := json.NewDecoder(os.Stdin); in.More(); {
		var q question
		if err := in.Decode(&q); err != nil {
			panic(err)
		}
		over, s := q.ask(), systems[q.System]
		if err := out.Encode(map[string]any{"Reached": s.reached, "Behind": s.behind, "Over": over}); err != nil {
			panic(err)
		}
	}
	os.Exit(0)
}
`

// restartQuestion is what the program is asked.
type restartQuestion struct {
	System, Runs, Outside, Most int
	Model                       trace.Model
	Shapes                      [][2]int
}

// restartAnswer is what it says.
type restartAnswer struct {
	Reached, Behind []int // by place: the fewest handlers that were run until then, with a restart before; 0: not reached
	Over            bool
}

// inAllOrders executes systems.
func inAllOrders(t *testing.T, systems []*toysys.System, questions []restartQuestion) []restartAnswer {
	t.Helper()
	p := player{
		file: "main_test.go", text: orders, build: []string{"test", "-c", "-vet=off"},
		imports: []string{"encoding/json", "math", "os", "testing", "time", "github.com/rehearse-go/rehearse/adapter", "github.com/rehearse-go/rehearse/explore", "github.com/rehearse-go/rehearse/trace"},
		system:  "%[1]s.Given, %[1]s.Reached[:], %[1]s.Behind[:], &%[1]s.Limit, %[1]s.Over",
	}
	return played[restartAnswer](t, p, systems, questions)
}

func TestRestartToys(t *testing.T) {
	seeds := restartFew
	if n := number("REHEARSE_TOY_COUNT", 4*number("REHEARSE_TOY", 0)); n > 0 {
		seeds = nil
		for i := range n {
			seeds = append(seeds, uint64(number("REHEARSE_TOY_FROM", 0)+i))
		}
	}
	var systems []*toysys.System
	for _, seed := range seeds {
		systems = append(systems, toysys.Supervised(seed))
	}
	x := readToys(t, systems)
	var questions []restartQuestion
	c := &restarts{counts: map[string]int{}, behind: map[trace.Model]int{}, none: map[trace.Model]int{}}
	for i := range systems {
		if x.starts[i] == nil {
			c.counts["not compared: set-up panics, or has no end"]++
			continue
		}
		for _, m := range toysys.Models {
			q := restartQuestion{System: i, Runs: toyRuns, Outside: toyOutside, Most: restartExecutions, Model: m}
			for _, s := range shapes(t, x.starts[i], true) {
				q.Shapes = append(q.Shapes, [2]int{s.To, s.Type})
			}
			questions = append(questions, q)
		}
	}
	for i, a := range inAllOrders(t, systems, questions) {
		x.compareRestarts(t, questions[i], a, c)
	}
	c.check(t, len(systems))
}

// restarts counts places: what they are, and what is said of them.
type restarts struct {
	counts map[string]int
	// places that are reached behind a restart; those that are not reached, of systems with restarts
	behind, none map[trace.Model]int
}

// compareRestarts holds what is said of each place to what was reached.
func (x *toys) compareRestarts(t *testing.T, q restartQuestion, want restartAnswer, c *restarts) {
	t.Helper()
	if want.Over {
		c.counts["not compared: too many orders"]++
		return
	}
	handlers := x.systems[q.System].Handlers()
	for l, goal := range x.places(t, q.System) {
		a, err := x.engine.Reach(t.Context(), x.starts[q.System], &target.Target{Goal: goal, Name: fmt.Sprint(l)}, target.Config{Model: q.Model, Steps: toyRuns, Outside: toyOutside,
			Actors: 30, Timeout: toyTimeout, Nodes: number("REHEARSE_TOY_NODES", 20), Queries: 2000, Follows: 20, Runs: restartSearches})
		if err != nil {
			t.Fatal(err)
		}
		c.note(q.Model, handlers[l], want.Reached[l], want.Behind[l], slices.Max(want.Behind) > 0, a)
		switch yes, s := want.Reached[l] > 0, x.systems[q.System]; {
		case a.Verdict == target.Infeasible && yes:
			t.Errorf("seed %d, %v: place %d is called infeasible (%s), and reached in %d runs", s.Seed, q.Model, l, a.Bounds, want.Reached[l])
		case a.Verdict == target.Found && !yes:
			t.Errorf("seed %d, %v: place %d is found and cannot be reached: %v", s.Seed, q.Model, l, a.Way.Order)
		}
	}
}

// note counts a place of handlers of a type of message, of a system with restarts or not: in how many runs it was first
// reached, and behind a restart.
func (c *restarts) note(m trace.Model, handler string, first, behind int, restarts bool, a *target.Answer) {
	kind := "unreachable"
	switch {
	case behind > 0:
		c.behind[m]++
		kind = map[bool]string{true: "reachable, first behind a restart", false: "reachable, also behind a restart"}[behind == first]
	case first > 0:
		kind = "reachable, not behind a restart"
	case restarts:
		c.none[m]++
		kind = "unreachable, in a system with restarts"
	}
	c.counts[kind+": "+a.Verdict.String()]++
	if strings.HasPrefix(handler, "*") {
		c.counts[fmt.Sprintf("in handlers of %s, reached %v", handler, first > 0)]++
	}
	if a.Verdict == target.GaveUp {
		c.counts["gave up: "+positions.ReplaceAllString(reason(a), "#")]++
	}
}

// check fails if too little was compared.
func (c *restarts) check(t *testing.T, systems int) {
	t.Helper()
	for _, k := range slices.Sorted(maps.Keys(c.counts)) {
		t.Logf("%5d %s", c.counts[k], k)
	}
	least, most := 5, 0
	if systems >= 40 {
		least = 50
	}
	for _, m := range toysys.Models {
		t.Logf("%v: %d places are reached behind a restart, %d of systems with restarts are not", m, c.behind[m], c.none[m])
		if most += c.behind[m]; systems != 1 && (c.behind[m] < least || c.none[m] < least) {
			t.Errorf("%v: want %d places of each", m, least)
		}
	}
	if most == 0 {
		t.Error("nothing is reached behind a restart")
	}
}
