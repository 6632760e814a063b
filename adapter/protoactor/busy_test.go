package protoactor_test

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/trace"
)

// thinker is a strategy that takes its time to choose, once. It runs in the bubble, where time is virtual: real time is told by a goroutine outside.
type thinker struct {
	*dpor.Optimal
	ticks   *atomic.Int64
	thought bool
}

func (s *thinker) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	for until := s.ticks.Load() + 15; !s.thought && s.ticks.Load() < until; {
		runtime.Gosched()
	}
	s.thought = true
	return s.Optimal.Choose(tr, enabled)
}

// A strategy that thinks for longer than a handler may take is not mistaken for a handler.
func TestABusyStrategyIsNoStuckHandler(t *testing.T) {
	var ticks atomic.Int64
	done := make(chan struct{})
	defer close(done)
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(20 * time.Millisecond):
				ticks.Add(1)
			}
		}
	}()
	sys := protoactor.System(func(t *explore.T) {
		s := protoactor.NewActorSystem()
		a := spawnFunc(s.Root, "a", func(actor.Context) {})
		s.Root.Send(a, tick{})
		s.Root.Send(a, told{1})
	})
	out, err := explore.Run(sys, &thinker{Optimal: dpor.NewOptimal(nil), ticks: &ticks},
		explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Blocked: 150 * time.Millisecond}})
	if err != nil || !out.Complete || out.Executions != 2 {
		t.Errorf("error %v, complete %v, %d executions; want both orders", err, out.Complete, out.Executions)
	}
}
