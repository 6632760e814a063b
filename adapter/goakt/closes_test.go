package goakt_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// What runs on when an execution is over does so at the same time: a system that is stopped then stops its actors on as
// many goroutines, and the lock of their tree must keep these apart. Else the process may die.
func TestStopsBehindTheEnd(t *testing.T) {
	const children = 24
	var stopped atomic.Int32
	excludes := false
	test := func(t *explore.T) {
		s := start()
		child := &acts{receive: func(*actor.ReceiveContext) {}, stop: func() { stopped.Add(1) }}
		defer func() {
			excludes = goakt.Excludes(s)
			_ = s.Stop(background)
			excludes = excludes && goakt.Excludes(s)
		}()
		var silent *actor.PID
		t.SetUp(func() {
			boss := spawn(s, "boss", func(c *actor.ReceiveContext) {
				if _, ok := c.Message().(tick); ok {
					for i := range children {
						c.Spawn(fmt.Sprint("child", i), child)
					}
				}
			})
			silent = spawn(s, "silent", func(*actor.ReceiveContext) {})
			tell(boss, tick{})
		})
		_, _ = actor.Ask(background, silent, ask{}, 1000*time.Hour)
	}
	_, err := (&agree.Program{System: goakt.System(test), Conditions: explore.Conditions{Model: trace.FIFO}}).Show("naive")
	if err != nil || stopped.Load()%children != 0 || stopped.Load() == 0 || !excludes {
		t.Errorf("%v; %d children were stopped; the lock excludes: %v", err, stopped.Load(), excludes)
	}
}
