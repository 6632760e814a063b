package wild

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// models are all delivery models.
var models = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}

// trial is a program with the conditions under which it is explored.
type trial struct {
	*program
	seed  uint64
	cond  explore.Conditions
	limit int
}

func (x *trial) String() string {
	return fmt.Sprintf("seed %d under %s, timers %s, faults %s: %s", x.seed, x.cond.Model, x.cond.Timers, x.cond.Faults, x.program)
}

// newTrial gives the conditions under which the program of a seed is explored.
func newTrial(p *program, seed uint64, clock bool, model trace.Model) *trial {
	x := &trial{program: p, seed: seed, limit: 300, cond: explore.Conditions{Model: model, Horizon: 2 * time.Minute, MaxSteps: 2000, Blocked: 10 * time.Second}}
	if clock && seed%2 == 0 {
		x.cond.Timers = trace.Async
	}
	if seed%5 == 0 || p.feature == "faulty" {
		all := []trace.FaultKind{trace.Drop, trace.Duplicate, trace.CrashLosing, trace.Crash, trace.Restart}
		x.cond.Faults = trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(all[seed/5%5], all[seed/25%5])}
	}
	return x
}

// under is the program under control.
func (x *trial) under() *agree.Program {
	var end string
	return &agree.Program{
		System: protoactor.System(func(t *explore.T) {
			w, test := newWorld(x.program, protoactor.NewActorSystem(), t)
			t.AtEnd(func() { end = w.end() })
			t.SetUp(w.set)
			t.SetUp(w.introduce)
			for i, part := range x.setUps {
				t.SetUp(func() { test.test(fmt.Sprintf("s%d.", i), part, 1) })
			}
			test.test("", x.first, x.hops)
		}),
		Conditions: x.cond,
		State:      func() string { return end },
		Before:     func() { end = "" },
		Check:      func() explore.Checker { return &check.Checker{} },
		Limit:      x.limit,
	}
}

// disagrees reports whether strategies differ.
func (x *trial) disagrees() bool {
	return (&agree.Hunt{Compared: 2}).On(x.under()) != nil // the third one is compared with strategies of other kinds too
}

// number reads a variable, 0 if it is not set.
func number(t *testing.T, name string) uint64 {
	s := os.Getenv(name)
	if s == "" {
		return 0
	}
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// Reductions show what naive shows of random programs, under every delivery model, or say that they do not: of one
// program a feature under one model, with REHEARSE_TOY=n of n programs under all, from seed REHEARSE_TOY_FROM on.
func TestStrategiesAgree(t *testing.T) {
	programs, from := number(t, "REHEARSE_TOY"), number(t, "REHEARSE_TOY_FROM")
	for i, f := range features {
		t.Run(f.name, func(t *testing.T) {
			under := models
			if programs == 0 {
				under = models[i%len(models):][:1]
			}
			var h agree.Hunt
			for seed := from; seed < from+max(1, programs); seed++ {
				p := draw(seed, f)
				for _, model := range under {
					x := newTrial(p, seed, f.clock, model)
					if programs == 0 {
						x.limit = 60
					}
					if err := h.On(x.under()); err != nil {
						t.Errorf("%v\n%s", err, x)
						t.Logf("made smaller: %s", x.minimise())
					}
				}
			}
			t.Log(&h)
		})
	}
}
