package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// office has what is hard to repeat: calls that time out, restarts, timers, and actors that end.
func (f *Framework) office(t *explore.T, s Stage, j *features.Journal) {
	var boss, clerk, guest any
	t.SetUp(func() {
		clerk = spawn(s, "clerk", func(s Stage, message any) {
			switch m := message.(type) {
			case ask:
				if m.n%2 == 1 {
					s.Respond(told{m.n})
				}
			case boom:
				panic("boom")
			case told:
				j.Note("clerk %d", m.n)
			}
		})
		boss = spawn(s, "boss", func(s Stage, message any) {
			switch m := message.(type) {
			case told:
				calls(s, "boss", clerk, m.n, j)
				s.Tell(spawn(s, "child"+string(rune('0'+m.n)), on(func(s Stage) { s.Tell(clerk, m) })), tick{})
				if f.has(After) {
					s.(Timer).After(300*time.Millisecond, tick{})
				}
			case tick:
				s.Tell(clerk, told{7})
			}
		})
		guest = spawn(s, "guest", on(func(s Stage) {
			s.Tell(clerk, told{3})
			s.End(boss)
		}))
	})
	t.AtEnd(j.Close) // who is let go then writes no more
	s.Tell(guest, tick{})
	s.Tell(boss, told{1})
	if f.has(Restart) {
		s.Tell(clerk, boom{})
	}
	s.Tell(boss, told{2})
	calls(s, "test", clerk, 5, j)
}

// Each of 10 random schedules gives the same trace and the same journal 10 times, in both modes and with both kinds of
// timers. With REHEARSE_TOY it is each of 20, 50 times.
func (f *Framework) testRepetitions(t *testing.T) {
	var s Stage
	features.Repetitions(t, f.staged(&s), func(t *explore.T, j *features.Journal) { f.office(t, s, j) })
}

// repeat repeats schedules of a program.
func (f *Framework) repeat(t *testing.T, program func(*explore.T, Stage, *features.Journal), c explore.Conditions,
	schedules, times int) map[string]bool {
	t.Helper()
	var s Stage
	on := func(t *explore.T, j *features.Journal) { program(t, s, j) }
	return features.Repeat(t, f.staged(&s), on, c, schedules, times)
}

// staged makes programs whose Stage is put there.
func (f *Framework) staged(at *Stage) features.SystemOf {
	return func(test func(*explore.T)) *adapter.System {
		return f.System(func(t *explore.T, s Stage) {
			*at = s
			test(t)
		})
	}
}

// 1,000 of 1,000 repetitions of a schedule are identical, of a ring and of what is hard to repeat.
func (f *Framework) testThousand(t *testing.T) {
	times := 1000
	if testing.Short() {
		times = 50
	}
	c := explore.Conditions{Model: trace.Mailbox, Horizon: 3 * time.Second}
	f.repeat(t, relays, c, 1, times)
	f.repeat(t, f.office, c, 1, times)
}

// hop is passed on until it is used up.
type hop struct{ left int }

// relays is a ring of three actors around which three hops travel: 12 deliveries.
func relays(t *explore.T, s Stage, j *features.Journal) {
	var ring [3]any
	t.SetUp(func() {
		for i, name := range []string{"a", "b", "c"} {
			var next any
			ring[i] = spawn(s, name, func(s Stage, message any) {
				switch m := message.(type) {
				case hand:
					next = m.who
				case hop:
					if m.left > 1 {
						s.Tell(next, hop{m.left - 1})
					}
					if j != nil {
						j.Note("%s %d", name, m.left)
					}
				}
			})
		}
		for i := range ring {
			s.Tell(ring[i], hand{ring[(i+1)%len(ring)]})
		}
	})
	for i := range ring {
		s.Tell(ring[i], hop{4})
	}
}

// A program that does something else when an execution is repeated is found, with the step and both of what it did.
func (f *Framework) testDivergence(t *testing.T) {
	n := 0
	sys := f.System(func(_ *explore.T, s Stage) {
		sink := spawn(s, "sink", func(Stage, any) {})
		s.Tell(spawn(s, "a", on(func(s Stage) {
			if n++; n%2 == 0 {
				s.Tell(sink, told{})
			} else {
				s.Tell(sink, ask{})
			}
		})), tick{})
	})
	r, err := rehearse.Explore(rehearse.Config{Budget: "20x"}, sys)
	if err != nil {
		t.Fatal(err)
	}
	if r.Complete || len(r.Findings) == 0 || r.Findings[0].Violation.Kind != trace.Divergence {
		t.Fatalf("%+v: want a divergence", r)
	}
	for _, want := range []string{"told to sink", "ask to sink", "in tick from Driver to a"} {
		if v := r.Findings[0].Violation; !strings.Contains(v.Text, want) {
			t.Errorf("the divergence does not name %s: %s", want, v.Text)
		}
	}
}

// What is found and minimised in one System is saved, read, and replays in another one, made anew: the same violation,
// and no step is stale.
func (f *Framework) testFinding(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Budget: "200x"}, f.System(overtaken))
	if err != nil || len(r.Findings) != 1 {
		t.Fatalf("error %v, findings %+v", err, r.Findings)
	}
	found := r.Findings[0]
	if n := len(found.Schedule.Steps); n > 4 {
		t.Errorf("the schedule has %d steps, want the release and the delivery of two messages at most", n)
	}
	steps := throughFile(t, found.Schedule).Steps
	again, err := replay.NewRunner(f.System(overtaken), explore.Options{Check: &check.Checker{},
		Conditions: explore.Conditions{Model: trace.Mailbox}})(steps)
	if err != nil {
		t.Fatal(err)
	}
	if again.With(found.Violation.Key()) == nil || len(again.Stale) > 0 {
		t.Errorf("the replay has violations %+v and stale steps %v, want %s", again.Violations, again.Stale,
			found.Violation.Key())
	}
}

// overtaken has an actor that must hear of a before it hears of b.
func overtaken(t *explore.T, s Stage) {
	var a, b any
	t.SetUp(func() {
		heard := ""
		to := spawn(s, "to", func(_ Stage, message any) {
			if m, ok := message.(hello); ok {
				if heard += m.from; heard == "b" {
					t.Errorf("b came first")
				}
			}
		})
		pass := func(name string) any { return spawn(s, name, on(func(s Stage) { s.Tell(to, hello{name}) })) }
		a, b = pass("a"), pass("b")
	})
	for _, who := range []any{a, a, b, a} {
		s.Tell(who, tick{})
	}
}

// throughFile saves a schedule and reads it.
func throughFile(t *testing.T, s *trace.Schedule) *trace.Schedule {
	t.Helper()
	var text bytes.Buffer
	if err := trace.EncodeSchedule(&text, s); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.schedule")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	read, err := trace.DecodeSchedule(r, file)
	if err != nil {
		t.Fatal(err)
	}
	return read
}

// No goroutine and no memory is left after many executions, of which some end with blocked handlers or timers.
func (f *Framework) testNothingIsLeft(t *testing.T) {
	executions := 1000
	if testing.Short() {
		executions = 200
	}
	var s Stage
	for _, c := range []struct {
		name       string
		program    func(*explore.T, Stage, *features.Journal)
		timers     trace.TimerMode
		executions int
	}{
		{"quiescent", f.office, trace.Quiescent, executions},
		{"async", f.office, trace.Async, executions / 5},
		{"asleep", asleep, trace.Quiescent, executions / 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			features.NothingLeft(t, f.staged(&s), func(t *explore.T, j *features.Journal) { c.program(t, s, j) },
				explore.Conditions{Model: trace.Mailbox, Timers: c.timers, Horizon: 3 * time.Second}, c.executions)
		})
	}
}

// asleep has a handler that sleeps when the horizon comes.
func asleep(_ *explore.T, s Stage, _ *features.Journal) {
	s.Tell(spawn(s, "a", on(func(Stage) { time.Sleep(7 * time.Second) })), tick{})
}
