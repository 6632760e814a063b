package protoactor_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// What is explored behind a handler that loops for ever is explored as ever. So it is where the loop comes to its end
// after all: the execution that was given up does not go on beside it.
func TestBehindALoop(t *testing.T) {
	joins := does(1, func(*rehearse.T, actor.Context, ping) {
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {})
		}
		all.Wait()
	})
	explored := func() int {
		c := explore.Conditions{Model: trace.Mailbox, Draws: 4}
		out, err := explore.Run(joins, search.NewNaive(), explore.Options{Conditions: c})
		if err != nil || !out.Exhausted {
			t.Fatalf("%+v, %v", out, err)
		}
		return out.Executions
	}
	before := explored()
	hangs, restore := goroutine.Hang()
	var over atomic.Bool
	ended := make(chan struct{})
	handled := 0
	_, err := rehearse.Explore(quick(), does(2, func(*rehearse.T, actor.Context, ping) {
		if handled++; handled > 1 {
			return
		}
		hangs()
		for !over.Load() {
			spin++
		}
		close(ended)
	}))
	restore()
	if err == nil || !strings.Contains(err.Error(), "no progress") {
		t.Fatalf("error %v", err)
	}
	if after := explored(); after != before {
		t.Errorf("%d executions before a handler looped for ever, %d after it", before, after)
	}
	over.Store(true)
	<-ended
	if after := explored(); after != before || handled != 1 {
		t.Errorf("%d executions before a handler looped for ever, %d when it had ended after all; %d messages were handled, "+
			"want 1", before, after, handled)
	}
}
