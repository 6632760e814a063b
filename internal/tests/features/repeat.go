package features

import (
	"runtime"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// Repetitions repeats random schedules of a program with both kinds of timers: 10 schedules 10 times each, and with
// REHEARSE_TOY 20 of them 50 times. They must come to more than one journal.
func Repetitions(t *testing.T, system SystemOf, program func(*explore.T, *Journal)) {
	t.Helper()
	schedules, times := 10, 10
	if testing.Short() { // the race detector is for the hand-overs between goroutines, which few schedules have all of
		schedules, times = 4, 4
	}
	if Scale(t) > 0 {
		schedules, times = 20, 50
	}
	for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
		t.Run(timers.String(), func(t *testing.T) {
			c := explore.Conditions{Model: trace.Mailbox, Timers: timers, Horizon: 3 * time.Second}
			different := Repeat(t, system, program, c, schedules, times)
			if len(different) < 2 && !testing.Short() {
				t.Errorf("%d schedules come to %d journals only", schedules, len(different))
			}
		})
	}
}

// Repeat executes so many random schedules of a program, and repeats each so often, in both modes: each repetition must
// give the same trace and the same journal. It gives the journals.
func Repeat(t *testing.T, system SystemOf, program func(*explore.T, *Journal), c explore.Conditions,
	schedules, times int) map[string]bool {
	t.Helper()
	r := repeater{o: explore.Options{Conditions: c}}
	r.sys = system(func(t *explore.T) { program(t, &r.journal) })
	r.o.Before = r.journal.Reset
	journals := map[string]bool{}
	for seed := range schedules {
		journals[r.repeat(t, uint64(seed), times)] = true
	}
	return journals
}

// repeater repeats schedules of a program.
type repeater struct {
	sys     *adapter.System
	journal Journal
	o       explore.Options
}

func (r *repeater) repeat(t *testing.T, seed uint64, times int) string {
	t.Helper()
	var first *trace.Trace
	once := r.o
	once.Budget.Executions = 1
	once.After = func(_ *explore.Counters, tr *trace.Trace) { first = tr.Clone() }
	r.sys.Mode = adapter.TakeOver
	if _, err := explore.Run(r.sys, sample.NewRandom(seed), once); err != nil {
		t.Fatal(err)
	}
	want := r.journal.String()
	for i := range times {
		r.sys.Mode = adapter.Mode(i % 2)
		again := replay.NewRepeat(first)
		if _, err := explore.Run(r.sys, again, r.o); err != nil {
			t.Fatal(err)
		}
		if d := again.Divergence(); d != nil {
			t.Fatalf("schedule %d, repetition %d: %s", seed, i, d.Text)
		}
		if r.journal.String() != want {
			t.Fatalf("schedule %d, repetition %d: the journal is %q, was %q", seed, i, &r.journal, want)
		}
	}
	return want
}

// NothingLeft executes a program so often, and wants no goroutine and no memory left behind.
func NothingLeft(t *testing.T, system SystemOf, program func(*explore.T, *Journal), c explore.Conditions,
	executions int) {
	t.Helper()
	var j Journal
	var early, late uint64
	o := explore.Options{Conditions: c, Before: j.Reset, Budget: explore.Budget{Executions: executions},
		After: func(c *explore.Counters, _ *trace.Trace) {
			switch c.Executions {
			case executions / 10:
				early = LiveHeap()
			case executions:
				late = LiveHeap()
			}
		}}
	before := runtime.NumGoroutine()
	if _, err := explore.Run(system(func(t *explore.T) { program(t, &j) }), sample.NewRandom(1), o); err != nil {
		t.Fatal(err)
	}
	if n := runtime.NumGoroutine(); n > before+2 {
		t.Errorf("%d goroutines, were %d", n, before)
	}
	if late > early+early/4+1<<20 {
		t.Errorf("the live heap grew from %d to %d bytes", early, late)
	}
	t.Logf("live heap %d KB after %d executions, %d KB after %d", early>>10, executions/10, late>>10, executions)
}

// LiveHeap gives the bytes that are still used.
func LiveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
