package protoactor

import (
	"reflect"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file finds actor systems in which nothing was spawned, by the timers of their futures (actor.NewFuture). Where
// such a future is piped to a nil PID, its timer ends the process. The timer's function has captured its future. Where
// among what it has captured is found once, with a future of our own.

// captures is how many words the function of a future's timer has captured.
const captures = 2

// futureTimers gives the code of the functions of futures' timers, and which of the words that they have captured is
// the future; false: not known.
var futureTimers = sync.OnceValues(func() (code uintptr, at int) {
	f := reflect.ValueOf(ownFuture())
	timer, _ := hidden(f.Interface(), "t").Interface().(*time.Timer)
	t, ok := goroutine.ReadTimer(timer)
	for i := 0; ok && i < captures; i++ {
		if t.Captured(i) == f.UnsafePointer() {
			return t.Code, i
		}
	}
	return 0, 0
})

// meetLone meets the systems of futures whose timers run. It is called when a step is over, without the lock: to meet
// one that is of an earlier execution does not return.
func (f *framework) meetLone(rt *adapter.Runtime) {
	if err := checkTimers(); err != nil {
		rt.Fail(err)
		return
	}
	code, at := futureTimers()
	if code == 0 || !rt.Exploring() {
		return
	}
	var lone []*actor.ActorSystem
	goroutine.BubbleTimers(func(t goroutine.Timer) bool {
		if t.Code == code && t.When != 0 {
			future := reflect.NewAt(futureType(), t.Captured(at))
			system, _ := hidden(future.Interface(), "actorSystem").Interface().(*actor.ActorSystem)
			if _, known := f.systems[system]; system != nil && (!known || f.execution != rt.Serial()) {
				lone = append(lone, system)
			}
		}
		return true
	})
	for _, system := range lone {
		f.meet(rt, system)
	}
}
