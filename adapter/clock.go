package adapter

import (
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// This file lets virtual time pass. The bubble's clock moves when every goroutine is blocked and nobody sits in synctest.Wait.

// letTimePass begins an advance of at most limit.
func (r *Runtime) letTimePass(s trace.Step, auto bool, limit time.Duration) {
	r.begin(s, auto)
	r.act, r.limit = actAdvance, limit
}

// pass lets time pass until something happens or the limit is reached. true: nothing did, and this worker is in control.
func (r *Runtime) pass() bool {
	r.passing, r.parked = true, false
	before := time.Now()
	limit := time.NewTimer(r.limit)
	happened := false
	select {
	case <-r.wake:
		happened = true
	case <-limit.C:
	}
	limit.Stop()
	r.passing = false
	if r.parked {
		r.waiter.up <- struct{}{}
	}
	r.futile = !happened
	if !happened {
		r.tried = r.tried || r.limit > 1
		return true
	}
	r.used += time.Since(before)
	r.tr.Events[r.open].Time = r.used
	r.sys.timed = true
	r.tried = false
	if r.sys.Mode == Wait {
		synctest.Wait()
	}
	return false
}

// signal says that something happened while time passed.
func (r *Runtime) signal() {
	if r.passing {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
}
