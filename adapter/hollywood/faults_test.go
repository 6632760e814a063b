package hollywood_test

import (
	"strings"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// tally counts what it is told; its state is lost in a restart.
type tally struct {
	j     *journal
	total int
}

// Receive implements actor.Receiver.
func (s *tally) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case told:
		s.total += m.n
		s.j.Note("%d", s.total)
	case actor.Stopped:
		s.j.Note("stopped")
	}
}

// tells has the test tell a tally 1 and 2.
func tells(t *explore.T, j *journal) {
	e := hollywood.NewEngine()
	var to *actor.PID
	t.SetUp(func() { to = e.Spawn(func() actor.Receiver { return &tally{j: j} }, "tally") })
	e.Send(to, told{1})
	e.Send(to, told{2})
}

var faults = []feature{
	// A restart is what the framework does after a panic.
	{Name: "Restart", Program: tells, Trial: trial{Model: trace.FIFO, Faults: "restart"},
		Want: []string{"1, 3", "1, stopped, 2", "1, 3, stopped"}},

	// A crash takes the children with it. The answer that it sent before is delivered.
	{Name: "CrashOfParent", Program: func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			a = e.SpawnFunc(func(c *actor.Context) {
				if _, ok := c.Message().(actor.Started); ok {
					c.SpawnChildFunc(func(c *actor.Context) {
						if _, ok := c.Message().(actor.Stopped); ok {
							j.Note("child stopped")
						}
					}, "child")
				}
				if m, ok := c.Message().(ask); ok {
					c.Respond(told{m.n})
				}
			}, "a")
		})
		r, err := e.Request(a, ask{1}, time.Second).Result()
		j.Note("%v %v", r, err)
	}, Trial: trial{Model: trace.FIFO, Faults: "crash", Checker: off(trace.DeadLetter, trace.Orphan)},
		Want: []string{"{1} <nil>", "child stopped, {1} <nil>", "{1} <nil>, child stopped"}},
}

func TestFaults(t *testing.T) {
	runAll(t, faults)
}

// A copy of a message comes behind Poison, perhaps as the last that happens, which is a dead letter and ends the
// execution. Nothing has shown before that this may be, and the execution says that what else may come of it is not
// explored.
func TestCopyBehindPoison(t *testing.T) {
	program := func(t *explore.T, j *journal) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() { a = e.SpawnFunc(sink("a", j), "a") })
		e.Send(a, told{1})
		e.Poison(a)
	}
	behind := 0
	for seed := range uint64(60) {
		var j journal
		o, _ := trial{Faults: "duplicate", Once: true}.Options(&features.Seen{})
		o.Budget.Executions = 1
		o.After = func(_ *explore.Counters, tr *trace.Trace) {
			late := comesBehindPoison(tr)
			if late {
				behind++
			}
			if late != strings.Contains(tr.Omitted, "takes Poison while messages come behind it") {
				t.Errorf("seed %d: a copy comes behind Poison: %v, and not explored is %q", seed, late, tr.Omitted)
			}
		}
		sys := hollywood.System(func(t *explore.T) { program(t, &j) })
		if _, err := explore.Run(sys, sample.NewRandom(seed), o); err != nil {
			t.Fatal(err)
		}
	}
	if behind < 3 {
		t.Errorf("a copy comes behind Poison in %d executions", behind)
	}
}

// comesBehindPoison reports whether a message is released to an actor that has taken Poison, or is there when it does.
func comesBehindPoison(tr *trace.Trace) bool {
	queued, taken := 0, false
	for _, e := range tr.Events[tr.Explored:] {
		if m := e.Released; m >= 0 && !taken {
			queued++
		} else if m >= 0 && tr.Messages[m].Kind == trace.User {
			return true
		}
		if m := e.Step.Message; m >= 0 && e.Step.Kind == trace.Deliver {
			queued--
			if taken = strings.HasSuffix(tr.Messages[m].Type.Name, "Poison"); taken && queued > 0 {
				return true
			}
		}
	}
	return false
}
