package conform

import (
	"maps"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// tells makes a program in which the test tells a tally these numbers.
func tells(numbers ...int) func(*explore.T, Stage, *features.Journal) {
	return func(t *explore.T, s Stage, j *features.Journal) {
		var to any
		t.SetUp(func() { to = s.Spawn("tally", func() Actor { return &tally{j: j} }) })
		for _, n := range numbers {
			s.Tell(to, told{n})
		}
	}
}

// hands has the test tell a relay a number, which tells the tally.
func hands(t *explore.T, s Stage, j *features.Journal) {
	var relay any
	t.SetUp(func() {
		to := s.Spawn("tally", func() Actor { return &tally{j: j} })
		relay = spawn(s, "relay", func(s Stage, message any) {
			if m, ok := message.(told); ok {
				s.Tell(to, m)
			}
		})
	})
	s.Tell(relay, told{1})
}

// faultCounts are the executions of programs with faults, counted by hand, by their journals.
var faultCounts = []struct {
	name    string
	program func(*explore.T, Stage, *features.Journal)
	faults  string
	models  string
	want    map[string]int
}{
	{"off", tells(1), "", "mailbox bag", map[string]int{"a 1": 1}},
	{"drop", tells(1), "drop", "mailbox mailbox-serial bag fifo", map[string]int{"a 1": 1, "": 1}},
	{"more than there is to lose", tells(1), "drop:5", "mailbox bag", map[string]int{"a 1": 1, "": 1}},
	// In any order under bag: the copy is a message like any other.
	{"duplicate", tells(1), "duplicate", "bag", map[string]int{"a 1": 1, "a 1, a 2": 2}},
	// Under mailbox the copy leaves while the first is handled, or before; its way is a step.
	{"duplicate", tells(1), "duplicate", "mailbox", map[string]int{"a 1": 1, "a 1, a 2": 2}},
	{"duplicate", tells(1), "duplicate", "mailbox-serial fifo", map[string]int{"a 1": 1, "a 1, a 2": 1}},
	{"a copy has no faults", tells(1), "drop,duplicate:9", "mailbox-serial fifo",
		map[string]int{"a 1": 1, "a 1, a 2": 1, "": 1}},
	{"crash losing", tells(1), "crash-losing", "mailbox bag", map[string]int{"a 1": 1, "": 1}},
	{"crash", tells(1), "crash", "mailbox bag", map[string]int{"a 1": 2}},
	{"restart", tells(1), "restart", "mailbox bag", map[string]int{"a 1": 2}},
	{"all", tells(1), "all", "bag", map[string]int{"": 2, "a 1": 3, "a 1, a 2": 2}},
	// One of two orders, each with one of the two lost before it; at most one fault a step.
	{"two sends", tells(1, 2), "drop:9", "bag", map[string]int{"a 1, a 3": 1, "a 2, a 3": 1, "a 1": 1, "a 2": 1}},
	{"two sends", tells(1, 2), "drop:9", "fifo mailbox-serial", map[string]int{"a 1, a 3": 1, "a 1": 1, "a 2": 1}},
	// The second send before or after the first is handled; each may be lost at its release, which is a step.
	{"two sends", tells(1, 2), "drop", "mailbox", map[string]int{"a 1, a 3": 2, "a 1": 2, "a 2": 1}},
	{"two sends, two lost", tells(1, 2), "drop:2", "mailbox", map[string]int{"a 1, a 3": 2, "a 1": 2, "a 2": 1, "": 1}},
	// After a crash the other message is never handled; after a restart it is, by a fresh instance.
	{"two messages and a crash", tells(1, 2), "crash", "mailbox-serial", map[string]int{"a 1, a 3": 2, "a 1": 1}},
	{"two messages and a lost one", tells(1, 2), "crash-losing", "mailbox-serial",
		map[string]int{"a 1, a 3": 1, "a 1": 1, "": 1}},
	{"two messages and a restart", tells(1, 2), "restart", "mailbox-serial", map[string]int{"a 1, a 3": 2, "a 1, a 2": 1}},
	{"two messages and two restarts", tells(1, 2), "restart:2", "mailbox-serial",
		map[string]int{"a 1, a 3": 2, "a 1, a 2": 2}},
	{"relay", hands, "drop", "mailbox mailbox-serial bag fifo", map[string]int{"a 1": 1, "": 2}},
	{"relay and crashes", hands, "crash,crash-losing", "mailbox-serial bag", map[string]int{"a 1": 3, "": 2}},
}

// Every choice of faults is executed once, under each model.
func (f *Framework) testFaults(t *testing.T) {
	for _, c := range faultCounts {
		for _, name := range strings.Fields(c.models) {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				model, err := trace.ParseModel(name)
				if err != nil {
					t.Fatal(err)
				}
				want := c.want
				if d := f.difference(t); d != nil {
					if want = d.Counts; maps.Equal(want, c.want) {
						t.Errorf("that is no difference: %v", want)
					}
				}
				for _, mode := range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
					s := f.try(t, features.Trial{Model: model, Faults: c.faults, Mode: mode}, c.program)
					s.Quietly(t)
					if !s.Complete && !features.OneSeed(&s.Outcome) || !maps.Equal(s.Journals, want) {
						t.Errorf("complete %v: %v, want %v", s.Complete, s.Journals, want)
					}
				}
			})
		}
	}
}

// Random sampling finds faults too, and leaves them out often enough.
func (f *Framework) testRandomFaults(t *testing.T) {
	s := f.try(t, features.Trial{Model: trace.FIFO, Faults: "drop", Random: 60}, hands)
	s.Quietly(t)
	if s.Journals["a 1"] < 10 || s.Journals[""] < 10 {
		t.Errorf("the journals of 60 executions: %v", s.Journals)
	}
}

// bugs are programs that only one kind of fault breaks.
var bugs = map[string]func(*explore.T, Stage, *features.Journal){
	// A transfer that never arrives.
	"drop": func(t *explore.T, s Stage, j *features.Journal) {
		hands(t, s, j)
		t.AtEnd(func() {
			if j.String() == "" {
				t.Error("the number never came")
			}
		})
	},
	// A handler that is not idempotent.
	"duplicate": func(t *explore.T, s Stage, j *features.Journal) {
		hands(t, s, j)
		t.AtEnd(func() {
			if strings.HasSuffix(j.String(), "2") {
				t.Error("counted twice")
			}
		})
	},
	// State that does not survive.
	"restart": func(t *explore.T, s Stage, j *features.Journal) {
		tells(1, 2)(t, s, j)
		t.AtEnd(func() {
			if strings.HasSuffix(j.String(), ", a 2") {
				t.Error("the first number is forgotten")
			}
		})
	},
}

// Each bug is found with its kind of fault and with no other. Its schedule, put into a file and read back, gives it
// again under the bound in its header.
func (f *Framework) testFaultsFind(t *testing.T) {
	for name, program := range bugs {
		for _, kind := range []string{"off", "drop", "duplicate", "restart"} {
			var failing *trace.Schedule
			var j features.Journal
			x := features.Trial{Model: trace.FIFO, Faults: kind, Once: true}
			o, strategy := x.Options(&features.Seen{})
			o.Before = j.Reset
			o.Found = func(f explore.Found) bool {
				header := trace.Header{Model: trace.FIFO, Faults: o.Conditions.Faults}
				failing = &trace.Schedule{Header: header, Steps: f.Trace.Schedule()}
				return false
			}
			sys := f.System(func(t *explore.T, s Stage) { program(t, s, &j) })
			if _, err := explore.Run(sys, strategy, o); err != nil {
				t.Fatal(err)
			}
			if (failing != nil) != (kind == name) {
				t.Errorf("bug of %s, faults %s: found %v", name, kind, failing != nil)
			} else if failing != nil {
				replayFault(t, sys, o, failing)
			}
		}
	}
}

// replayFault writes the schedule, reads it and follows it. Without faults it is stale, with the fault named.
func replayFault(t *testing.T, sys *adapter.System, o explore.Options, s *trace.Schedule) {
	t.Helper()
	var file strings.Builder
	if err := trace.EncodeSchedule(&file, s); err != nil {
		t.Fatal(err)
	}
	read, err := trace.DecodeSchedule(strings.NewReader(file.String()), "file")
	if err != nil {
		t.Fatal(err)
	}
	o.Conditions.Faults = read.Header.Faults
	r, err := replay.NewRunner(sys, o)(read.Steps)
	if err != nil || len(r.Violations) != 1 || len(r.Stale) > 0 {
		t.Fatalf("replayed: violations %v, stale %v, %v\n%s", r.Violations, r.Stale, err, file.String())
	}
	o.Conditions.Faults = trace.Faults{}
	o.Check = &check.Checker{}
	r, err = replay.NewRunner(sys, o)(read.Steps)
	if err != nil || len(r.Violations) > 0 {
		t.Fatalf("without faults: violations %v, %v", r.Violations, err)
	}
	if len(r.Stale) == 0 || !strings.Contains(r.Stale[0].String(), "(fault: ") {
		t.Errorf("without faults: stale %v", r.Stale)
	}
}
