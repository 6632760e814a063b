package conform

import (
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has small programs with all that may come of them. Native actors come to the same.

// testCase is one of them.
type testCase struct {
	features.Feature
	needs    Ability // "" if nothing
	differs  bool    // native actors have nothing of the kind
	mayBeCut bool    // by the horizon
	program  func(*explore.T, Stage, *features.Journal)
}

// spawn starts an actor made from a function.
func spawn(s Stage, name string, receive Receive) any {
	return s.Spawn(name, func() Actor { return receive })
}

// noting notes the numbers that it is told, behind its name.
func noting(name string, j *features.Journal) Receive {
	return func(_ Stage, message any) {
		if m, ok := message.(told); ok {
			j.Note("%s %d", name, m.n)
		}
	}
}

// on is an actor that does something for each tick.
func on(do func(Stage)) Receive {
	return func(s Stage, message any) {
		if _, ok := message.(tick); ok {
			do(s)
		}
	}
}

// doubler answers a number with twice as much.
func doubler(s Stage, message any) {
	if m, ok := message.(ask); ok {
		s.Respond(told{2 * m.n})
	}
}

// calls notes what an actor answers, or that it does not.
func calls(s Stage, name string, to any, n int, j *features.Journal) {
	answer, err := s.Call(to, ask{n}, time.Second)
	if err != nil {
		j.Note("%s late", name)
		return
	}
	j.Note("%s %d", name, answer.(told).n)
}

var cases = []testCase{
	{Feature: features.Feature{Name: "Orders", Want: []string{"to 1, to 2", "to 2, to 1"}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var a, b any
			t.SetUp(func() {
				to := spawn(s, "to", noting("to", j))
				pass := func(s Stage, message any) {
					if m, ok := message.(told); ok {
						s.Tell(to, m)
					}
				}
				a, b = spawn(s, "a", pass), spawn(s, "b", pass)
			})
			s.Tell(a, told{1})
			s.Tell(b, told{2})
		}},

	// What is sent in set-up is delivered there, and no order of it is explored.
	{Feature: features.Feature{Name: "SetUp", Want: []string{"a 1, b 2, a 3"}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var a any
			t.SetUp(func() {
				a = spawn(s, "a", noting("a", j))
				b := spawn(s, "b", noting("b", j))
				s.Tell(a, told{1})
				s.Tell(b, told{2})
			})
			s.Tell(a, told{3})
		}},

	// What a handler asserts is found.
	{Feature: features.Feature{Name: "Assertion", Finds: []trace.ViolationKind{trace.Assertion}},
		program: func(t *explore.T, s Stage, _ *features.Journal) {
			s.Tell(spawn(s, "a", on(func(Stage) { t.Errorf("wrong") })), tick{})
		}},

	{Feature: features.Feature{Name: "Calls", Want: []string{"test 2, a 4", "a 4, test 2"}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var a, b any
			t.SetUp(func() {
				b = spawn(s, "b", doubler)
				a = spawn(s, "a", on(func(s Stage) { calls(s, "a", b, 2, j) }))
			})
			s.Tell(a, tick{})
			calls(s, "test", b, 1, j)
		}},

	{Feature: features.Feature{Name: "CallTimesOut", Want: []string{"a late"}},
		program: func(_ *explore.T, s Stage, j *features.Journal) {
			mute := spawn(s, "mute", func(Stage, any) {})
			s.Tell(spawn(s, "a", on(func(s Stage) { calls(s, "a", mute, 1, j) })), tick{})
		}},

	// The answer comes in time or too late, where timers may fire at any point.
	{Feature: features.Feature{Name: "AnswerIsLate", Want: []string{"a 2", "a late"},
		Trial: features.Trial{Model: trace.FIFO, Timers: trace.Async, Checker: features.Off(trace.DeadLetter)}},
		program: func(_ *explore.T, s Stage, j *features.Journal) {
			b := spawn(s, "b", doubler)
			s.Tell(spawn(s, "a", on(func(s Stage) { calls(s, "a", b, 1, j) })), tick{})
		}},

	{needs: Forward, Feature: features.Feature{Name: "Forward", Want: []string{"a 2"}},
		program: func(_ *explore.T, s Stage, j *features.Journal) {
			server := spawn(s, "server", doubler)
			front := spawn(s, "front", func(s Stage, message any) {
				if _, ok := message.(ask); ok {
					s.(Forwarder).Forward(server)
				}
			})
			s.Tell(spawn(s, "a", func(s Stage, message any) {
				switch m := message.(type) {
				case tick:
					s.Tell(front, ask{1})
				case told:
					j.Note("a %d", m.n)
				}
			}), tick{})
		}},

	{needs: After, Feature: features.Feature{Name: "Timers", Want: []string{"a 1, a 2"}},
		program: func(_ *explore.T, s Stage, j *features.Journal) { s.Tell(later(s, 2*time.Second, j), tick{}) }},

	// A timer fires before or after what is sent, where timers may fire at any point. A timer that ticks until it is
	// stopped may be cut by the horizon.
	{needs: After, mayBeCut: true, Feature: features.Feature{Name: "TimerAtAnyPoint",
		Want:  []string{"a 1, a 3", "a 3, a 1"},
		Trial: features.Trial{Model: trace.FIFO, Timers: trace.Async, Horizon: 2500 * time.Millisecond}},
		program: func(_ *explore.T, s Stage, j *features.Journal) {
			a := spawn(s, "a", func(s Stage, message any) {
				switch m := message.(type) {
				case tick:
					s.(Timer).After(time.Second, told{1})
				case told:
					j.Note("a %d", m.n)
				}
			})
			s.Tell(a, tick{})
			s.Tell(a, told{3})
		}},

	// What the horizon leaves out is named.
	{needs: After, Feature: features.Feature{Name: "TimerBeyondTheHorizon", Want: []string{"a 1"},
		Trial: features.Trial{Horizon: 5 * time.Second, Cut: true}},
		program: func(_ *explore.T, s Stage, j *features.Journal) { s.Tell(later(s, 9*time.Second, j), tick{}) }},

	// An actor that a handler spawns gets what that sends, and what comes from others.
	{Feature: features.Feature{Name: "SpawnInHandler", Want: []string{"new 1, new 2", "new 2, new 1"}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var a, b any
			t.SetUp(func() {
				b = spawn(s, "b", func(s Stage, message any) {
					if to, ok := message.(hand); ok {
						s.Tell(to.who, told{2})
					}
				})
				a = spawn(s, "a", on(func(s Stage) {
					child := spawn(s, "new", noting("new", j))
					s.Tell(b, hand{child})
					s.Tell(child, told{1})
				}))
			})
			s.Tell(a, tick{})
		}},

	// What comes behind the end is lost, and what comes later is a dead letter.
	{Feature: features.Feature{Name: "End", Want: []string{"a 1"},
		Trial: features.Trial{Checker: features.Off(trace.DeadLetter, trace.Orphan, trace.OrphanDead)}},
		program: func(_ *explore.T, s Stage, j *features.Journal) {
			a := spawn(s, "a", noting("a", j))
			s.Tell(a, told{1})
			s.End(a)
			s.Tell(a, told{2})
		}},

	// Another actor's end comes before or after a message.
	{Feature: features.Feature{Name: "EndByAnother", Want: []string{"", "a 1"},
		Trial: features.Trial{Checker: features.Off(trace.DeadLetter, trace.Orphan, trace.OrphanDead)}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var a, b any
			t.SetUp(func() {
				a = spawn(s, "a", noting("a", j))
				b = spawn(s, "b", on(func(s Stage) { s.End(a) }))
			})
			s.Tell(b, tick{})
			s.Tell(a, told{1})
		}},

	// What a handler sends to an actor that has ended is a dead letter.
	{Feature: features.Feature{Name: "DeadLetter", Finds: []trace.ViolationKind{trace.DeadLetter}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var b any
			t.SetUp(func() {
				a := spawn(s, "a", noting("a", j))
				b = spawn(s, "b", on(func(s Stage) { s.Tell(a, told{1}) }))
				s.End(a)
			})
			s.Tell(b, tick{})
		}},

	// A halt passes what waits.
	{needs: Halt, Feature: features.Feature{Name: "Halt", Want: []string{"", "a 1"},
		Trial: features.Trial{Checker: features.Off(trace.DeadLetter, trace.Orphan, trace.OrphanDead)}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var a any
			t.SetUp(func() { a = spawn(s, "a", noting("a", j)) })
			s.Tell(a, told{1})
			s.(Halter).Halt(a)
		}},

	{needs: Drain, differs: true, Feature: features.Feature{Name: "Drain", Want: []string{"a 1"}},
		program: func(_ *explore.T, s Stage, j *features.Journal) {
			a := spawn(s, "a", noting("a", j))
			s.Tell(a, told{1})
			s.(Drainer).Drain(a)
		}},

	// Who watches is told once, also of one that had ended before.
	{needs: Watch, Feature: features.Feature{Name: "Watch", Want: []string{"gone a"}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var a, b any
			t.SetUp(func() {
				a = spawn(s, "a", func(Stage, any) {})
				b = spawn(s, "b", func(s Stage, message any) {
					switch m := message.(type) {
					case tick:
						s.(Watcher).Watch(a)
					case Gone:
						j.Note("gone %s", m.Name)
					}
				})
			})
			s.Tell(b, tick{})
			s.End(a)
		}},

	{Feature: features.Feature{Name: "Panic", Finds: []trace.ViolationKind{trace.Panic}},
		program: func(_ *explore.T, s Stage, _ *features.Journal) {
			s.Tell(spawn(s, "a", on(func(Stage) { panic("boom") })), tick{})
		}},

	// An actor that has panicked goes on with another instance, which has lost what the first one held.
	{needs: Restart, differs: true, Feature: features.Feature{Name: "Restart",
		Want: []string{"a 1, a 2", "a 1, a 3", "a 2, a 3"}, Trial: features.Trial{Checker: features.Off(trace.Panic)}},
		program: func(t *explore.T, s Stage, j *features.Journal) {
			var a, b any
			t.SetUp(func() {
				a = s.Spawn("a", func() Actor { return &tally{j: j} })
				b = spawn(s, "b", on(func(s Stage) { s.Tell(a, told{2}) }))
			})
			s.Tell(b, tick{})
			s.Tell(a, told{1})
			s.Tell(a, boom{})
		}},
}

// hand gives an actor to another one.
type hand struct{ who any }

// tally adds up what it is told, and notes the sums. Its sum is lost in a restart.
type tally struct {
	j     *features.Journal
	total int
}

// Receive implements Actor.
func (a *tally) Receive(_ Stage, message any) {
	switch m := message.(type) {
	case told:
		a.total += m.n
		a.j.Note("a %d", a.total)
	case boom:
		panic("boom")
	}
}

// later is an actor that notes 1 after a second, and 2 after that time.
func later(s Stage, second time.Duration, j *features.Journal) any {
	return spawn(s, "a", func(s Stage, message any) {
		switch m := message.(type) {
		case tick:
			s.(Timer).After(second, told{2})
			s.(Timer).After(time.Second, told{1})
		case told:
			j.Note("a %d", m.n)
		}
	})
}

// Each program comes to what it should, in both modes and on native actors. Every execution is repeated.
func (f *Framework) testCases(t *testing.T) {
	for _, c := range cases {
		if c.needs != "" && !f.has(c.needs) {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			native := c.Feature
			if d := f.difference(t); d != nil {
				c.change(t, d)
			}
			for _, c.Mode = range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
				s := f.try(t, c.Trial, c.program)
				c.Cut = c.Cut || c.mayBeCut && s.Beyond != ""
				c.Judge(t, s)
			}
			if !c.differs {
				var j features.Journal
				native.Judge(t, native.Explore(t, nativeSystem(func(t *explore.T, s Stage) { c.program(t, s, &j) }), &j, nil))
			}
		})
	}
}

// change has the case expect what a framework comes to.
func (c *testCase) change(t *testing.T, d *Difference) {
	if d.Want == nil && d.Omitted == "" && !d.Silent {
		t.Errorf("no difference is given")
	}
	if slices.Equal(d.Want, c.Want) && d.Want != nil {
		t.Errorf("that is no difference: %q", d.Want)
	}
	if c.Omitted = d.Omitted; d.Want != nil {
		c.Want = d.Want
	}
	if d.Silent {
		c.Finds = nil
	}
}

// try explores a program of the framework.
func (f *Framework) try(t *testing.T, x features.Trial, program func(*explore.T, Stage, *features.Journal),
) *features.Seen {
	t.Helper()
	var j features.Journal
	sys := f.System(func(t *explore.T, s Stage) { program(t, s, &j) })
	sys.Mode = x.Mode
	return x.Explore(t, sys, &j, nil)
}
