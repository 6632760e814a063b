package tap_test

import (
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/tap"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// subject is a program that is searched.
type subject struct {
	t      *testing.T
	load   *load.Program
	tap    *tap.Program
	system *system.Program
	store  *term.Store
	solver solve.Solver
	hand   bool // a start was changed by hand, so that its driver does not make it
}

// were are the packages that were read, by folder and patterns: most are those of several tests.
var were = map[string]*load.Program{}

func open(t *testing.T, dir string, patterns ...string) *subject {
	t.Helper()
	key := dir + " " + strings.Join(patterns, " ")
	p := were[key]
	if p == nil {
		var err error
		if p, err = summary.Load(load.Config{Dir: dir, Patterns: patterns}); err != nil {
			t.Fatal(err)
		}
		were[key] = p
	}
	q, err := tap.New(p)
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := solver.Close(); err != nil {
			t.Error(err)
		}
	})
	return &subject{t, p, q, system.New(p, store, solver), store, solver, false}
}

// start executes the first driver of a test.
func (s *subject) start(test string) *system.Start {
	s.t.Helper()
	for _, d := range s.system.Drivers() {
		if d.Entry.Name() == test {
			start, err := s.system.Start(s.t.Context(), d, system.Config{})
			if err != nil {
				s.t.Fatal(err)
			}
			return start
		}
	}
	s.t.Fatalf("there is no driver in %s", test)
	return nil
}

// sent is the start with those messages from outside alone that the driver sends, whatever their values.
func (s *subject) sent(test string) *system.Start {
	start := s.start(test)
	start.Shapes = slices.DeleteFunc(start.Shapes, func(x system.Shape) bool { return !x.Sent })
	return start
}

// block gives the block of an actor's handler that ends in a panic, or calls a function.
func (s *subject) block(fn *ssa.Function, calls string) system.Goal {
	s.t.Helper()
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			call, ok := in.(*ssa.Call)
			if _, panics := in.(*ssa.Panic); panics && calls == "panic" || ok && call.Call.StaticCallee() != nil && call.Call.StaticCallee().Name() == calls {
				return system.Goal{Block: b}
			}
		}
	}
	s.t.Fatalf("%v does not call %s", fn, calls)
	return system.Goal{}
}

func (s *subject) search(start *system.Start, goal system.Goal, c tap.Config) *tap.Answer {
	s.t.Helper()
	a, err := s.tap.Search(s.t.Context(), s.store, start, goal, c)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

// actor gives the first actor of a type.
func actor(start *system.Start, name string) *system.Actor {
	for _, a := range start.Actors {
		if a.Type == name {
			return a
		}
	}
	return nil
}

// golden says what a setting costs.
type golden struct {
	setting tap.Setting
	verdict tap.Verdict
	steps   int
}

// cost searches in several settings, and compares what that costs.
func (s *subject) cost(start *system.Start, goal system.Goal, config func(*tap.Config), goldens []golden) (last *tap.Answer) {
	s.t.Helper()
	for _, g := range goldens {
		c := tap.Of(g.setting)
		config(&c)
		if g.verdict == tap.GaveUp {
			c.Steps = g.steps
		}
		a := s.search(start, goal, c)
		if a.Verdict != g.verdict || a.Steps != g.steps {
			s.t.Errorf("%s: %s after %d steps and %d checks, want %s after %d: %s %v", g.setting, a.Verdict, a.Steps, a.Checks, g.verdict, g.steps, a.Reason, a.Reasons)
		}
		if last = a; a.Verdict == tap.Found && !s.hand {
			s.follows(start, goal, a)
		}
	}
	return last
}

// follows executes the program symbolically from its driver on, in the order of an answer: it has to come to the goal.
func (s *subject) follows(start *system.Start, goal system.Goal, a *tap.Answer) {
	s.t.Helper()
	if _, err := s.system.Follow(s.t.Context(), start, a.Plan, goal, system.Config{}); err != nil {
		s.t.Errorf("the order of %d messages does not lead to the goal: %v", len(a.Plan.Steps), err)
	}
}

// [TAP18] Figure 1: the server's assertion fails if the withdrawal overtakes the deposit.
func TestBank(t *testing.T) {
	s := open(t, "../../examples", "./bank")
	start := s.sent("TestBank")
	goal := s.block(actor(start, "bank.Server").Fn, "panic")
	a := s.cost(start, goal, func(c *tap.Config) { c.Steps = 3_000 }, []golden{
		{tap.Random, tap.Found, 891},
		{tap.H1, tap.Found, 455},
		{tap.H2, tap.Found, 311},
		{tap.H1H2, tap.Found, 394},
		{tap.Feedback, tap.Found, 392},
	})
	if len(a.Plan.Steps) != 3 || a.Actors != 2 || len(a.Outside) != 2 {
		t.Fatalf("%d messages to %d actors, %d from outside, want 3 to 2, 2 from outside", len(a.Plan.Steps), a.Actors, len(a.Outside))
	}
	if last := a.Plan.Steps[2]; last.To.Start != 0 || last.From.Kind != system.Event || last.From.Step != 1 {
		t.Errorf("the last message is %+v, want the second one of the client to the server", last)
	}
}

// A graph is of what the driver makes: the test with the repaired server has another one. Each is made once.
func TestGraphOfDriver(t *testing.T) {
	s := open(t, "../../examples", "./bank")
	for test, server := range map[string]string{"TestBank": "bank.Server", "TestBankFixed": "bank.OrderedServer"} {
		for _, start := range []*system.Start{s.sent(test), s.start(test)} {
			g, err := s.tap.Graph(start)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, a := range g.Actors {
				if !a.Environment {
					got = append(got, a.Name)
				}
			}
			if want := []string{"bank.Client", server}; !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", test, got, want)
			}
			if again, err := s.tap.Graph(start); again != g {
				t.Errorf("%s: made again: %v", test, err)
			}
		}
	}
}

// The same with channels that keep their order: there is no path with so many messages. A bound that is not divided
// into shares is searched once.
func TestBankFIFO(t *testing.T) {
	s := open(t, "../../examples", "./bank")
	start := s.sent("TestBank")
	goal := s.block(actor(start, "bank.Server").Fn, "panic")
	runs, steps := 5, 2705
	if os.Getenv("REHEARSE_TOY") != "" {
		runs, steps = 8, 24_737
	}
	s.cost(start, goal, func(c *tap.Config) {
		c.FIFO, c.Runs, c.First, c.Share, c.Steps = true, runs, runs, 100_000, 100_000
	}, []golden{{tap.H1H2, tap.Infeasible, steps}})
}

// [TAP18] Figure 12: a node has to pass the token on before it knows to whom.
func TestThreadRing(t *testing.T) {
	s := open(t, "../../examples", "./threadring")
	start := s.sent("TestThreadRing")
	goal := s.sending(s.method(start.Actors[0].Recv, "pass"))
	a := s.cost(start, goal, func(c *tap.Config) { c.Steps = 5_000 }, []golden{
		{tap.H1, tap.Found, 170},
		{tap.H1H2, tap.Found, 302},
		{tap.Feedback, tap.Found, 400},
	})
	if a.Runs != 2 || a.Actors != 2 || a.Outside[0].Type != "threadring.Start" {
		t.Errorf("%d messages to %d actors, the first one %v", a.Runs, a.Actors, a.Outside)
	}
}

// The same with channels that keep their order: the first node is told its successor before it gets the token, the
// second one need not be.
func TestThreadRingFIFO(t *testing.T) {
	s := open(t, "../../examples", "./threadring")
	start := s.sent("TestThreadRing")
	goal := s.sending(s.method(start.Actors[0].Recv, "pass"))
	seed, goldens := uint64(2), []golden{{tap.H1, tap.Found, 4273}}
	if os.Getenv("REHEARSE_TOY") != "" {
		seed, goldens = 0, []golden{{tap.Feedback, tap.Found, 24_736}}
	}
	a := s.cost(start, goal, func(c *tap.Config) {
		c.FIFO, c.Runs, c.First, c.Outside, c.Actors, c.Steps, c.Seed = true, 4, 4, 1, 3, 40_000, seed
	}, goldens)
	if a.Runs != 4 || a.Actors != 3 {
		t.Errorf("%d messages to %d actors, want 4 to 3", a.Runs, a.Actors)
	}
}

func (s *subject) method(recv types.Type, name string) *ssa.Function {
	return s.load.SSA.LookupMethod(recv, recv.(*types.Pointer).Elem().(*types.Named).Obj().Pkg(), name)
}

// sending is the goal that the first sending operation of a function panics.
func (s *subject) sending(fn *ssa.Function) system.Goal {
	s.t.Helper()
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(*ssa.Call); ok && call.Call.IsInvoke() && call.Call.Method.Name() == "Send" {
				return system.Goal{Block: b, Panic: true, Pos: call.Pos()}
			}
		}
	}
	s.t.Fatalf("%v sends nothing", fn)
	return system.Goal{}
}

// What cannot be searched is refused, with the reason.
func TestRefused(t *testing.T) {
	s := open(t, "testdata/rules", ".")
	start, goal := s.start("main"), s.places()["Jump"]
	for _, c := range []struct {
		why    string
		goal   system.Goal
		config tap.Config
	}{
		{"names no block", system.Goal{}, tap.Config{}},
		{"a bound of the search is -1", goal, tap.Config{Runs: -1}},
		{`there is no rule "If"`, goal, tap.Config{Weights: map[string]float64{"If": 1}}},
		{`the weight of "If-True" is 0`, goal, tap.Config{Weights: map[string]float64{"If-True": 0}}},
		{"needs a clock", goal, tap.Config{Seconds: 1}},
	} {
		if _, err := s.tap.Search(t.Context(), s.store, start, c.goal, c.config); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%v, want an error with %q", err, c.why)
		}
	}
}
