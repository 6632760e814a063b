package protoactor_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// thinker is a strategy that thinks for longer than a handler may take, once.
type thinker struct {
	*dpor.Optimal
	ticks   chan<- time.Time // of the watchdog
	thought bool
}

func (s *thinker) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	for n := 0; !s.thought && n < 2*goroutine.Slices; n++ {
		s.ticks <- time.Time{}
	}
	s.thought = true
	return s.Optimal.Choose(tr, enabled)
}

// A strategy that thinks for longer than a handler may take is not mistaken for a handler.
func TestABusyStrategyIsNoStuckHandler(t *testing.T) {
	ticks, restore := goroutine.Simulate()
	defer restore()
	sys := protoactor.System(func(t *explore.T) {
		s := protoactor.NewActorSystem()
		a := spawnFunc(s.Root, "a", func(actor.Context) {})
		s.Root.Send(a, tick{})
		s.Root.Send(a, told{1})
	})
	thinks := &thinker{Optimal: dpor.NewOptimal(nil), ticks: ticks}
	out, err := explore.Run(sys, thinks, explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
	if err != nil || !out.Complete || out.Executions != 2 || !thinks.thought {
		t.Errorf("error %v, complete %v, %d executions; want both orders", err, out.Complete, out.Executions)
	}
}
