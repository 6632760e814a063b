package adapter

import (
	"fmt"
	"runtime"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file runs handlers, and deals with what escapes them.

// perform runs the code of the action on this goroutine, to its end.
func (r *Runtime) perform() {
	a, m, act := r.running, r.message, r.act
	chance.Return(chance.InBubble)
	defer chance.Leave()
	if act == actFinish {
		chance.Leave() // but for what is in checks
	}
	switch act {
	case actAnswer, actResolve:
		r.complement(m)
		return
	case actWake:
		r.setBusy(0, true)
		close(r.setUp)
		return
	case actGiveUp:
		r.giving.done = true
		r.giving.giveUp()
		return
	}
	s := &r.actors[a]
	r.setBusy(a, true)
	s.gid, s.calls = 0, s.calls[:0]
	if r.blocked > 0 || r.close {
		s.gid = goroutine.ID()
	}
	normal := false
	defer func() { r.ended(a, m, act, normal, recover()) }()
	switch act {
	case actTest:
		r.sys.Test(r.t)
	case actFinish:
		r.judgeEnd()
		r.finished = true
	case actFault:
		r.fail(s)
	default:
		s.mayStop = r.tr.Messages[m].Class == trace.System
		s.Handle(r.tr.Messages[m].Class, r.payload[m])
		r.checkCase(a, m)
	}
	normal = true
}

// judgeEnd has the driver judge the end, unless the execution begins anew: then what the program has opened is closed, and nothing else.
func (r *Runtime) judgeEnd() {
	if r.anew {
		r.t.RunCleanups()
		return
	}
	r.d.Finish()
}

// ended closes a handler: on whichever goroutine it ends, long after it was blocked perhaps.
func (r *Runtime) ended(a, m int32, act act, normal bool, reason any) {
	if !normal {
		r.escaped(a, m, act, reason)
	}
	r.noteLoosened(a)
	r.handled(a)
	if !normal && reason == nil {
		// SUBTLE: this goroutine may be the root of the bubble, and the testing package dies when that one exits. It stays here;
		// Execute sees a bubble that is blocked for ever, and has the error.
		select {}
	}
}

// setBusy says whether an actor is in the middle of a handler.
func (r *Runtime) setBusy(a int32, busy bool) {
	s := &r.actors[a]
	if busy != s.busy {
		s.busy = busy
		if busy {
			r.busy++
		} else {
			r.busy--
		}
	}
}

// handled marks that an actor's handler is over.
func (r *Runtime) handled(a int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.actors[a]
	r.outlasting = max(r.outlasting, runtime.NumGoroutine()-r.living)
	if s.blocked {
		s.blocked = false
		r.blocked--
	}
	r.setBusy(a, false)
	r.pool.Look(a)
	r.through = append(r.through, a)
	if r.open >= 0 && r.running == a {
		r.tr.Events[r.open].Completed = true
	} else if r.open >= 0 {
		r.touch(outside, true) // somebody else's step has woken it
	}
	r.signal()
}

// escaped deals with what escaped a handler.
func (r *Runtime) escaped(a, m int32, act act, reason any) {
	switch {
	case reason == nil:
		who := r.tr.ActorName(a)
		if act == actFinish {
			who = "an invariant, final check or clean-up (AtEnd, Cleanup)"
		}
		r.Fail(fmt.Errorf("%s ended its goroutine (runtime.Goexit) in the middle of a step: inside an execution use the "+
			"rehearse.T that the test function gets; FailNow, Fatal and Skip of the outer testing.T end the goroutine that runs everything", who))
	case r.phase == over || reason == refused{} || explore.IsFailNow(reason):
	case act == actFinish:
		in := explore.PanicIncident(reason)
		r.Fail(fmt.Errorf("an invariant, final check or clean-up panicked: %s\n%s", in.Text, in.Stack))
	default:
		r.Report(explore.PanicIncident(reason))
		if act == actHandle || act == actFault {
			r.supervise(a, m, reason)
		}
	}
	if act == actFinish {
		r.finished = true
	}
}

// complement hands a reply to the call that waits for it, or hangs something on a future.
func (r *Runtime) complement(m int32) {
	if h, ok := r.payload[m].(*hook); ok {
		r.setDelivering(true)
		h.attach()
		r.setDelivering(false)
		return
	}
	ans := r.payload[m].(*answer)
	r.mu.Lock()
	s := &r.actors[ans.call.owner]
	waiting := s.busy
	if s.blocked && r.act == actAnswer { // else it waits for something else
		s.blocked = false
		r.blocked--
	}
	late := ans.call.done
	ans.call.done = true
	if r.act == actAnswer {
		r.tr.Events[r.open].Completed = !waiting
	}
	r.touch(ans.call.object, true)
	r.mu.Unlock()
	late = late || ans.call.over()
	r.setDelivering(true)
	ans.deliver()
	r.setDelivering(false)
	if late {
		r.DeadLetter(r.tr.Messages[m].Value, false)
	}
}

func (r *Runtime) setDelivering(is bool) {
	r.mu.Lock()
	r.delivering = is
	r.mu.Unlock()
}

// doing says what runs, for the error that it does not end. The watchdog has seen the beat before it.
func (r *Runtime) doing() string {
	if r.mu.TryLock() {
		defer r.mu.Unlock()
	}
	switch r.act {
	case actHandle:
		return r.tr.StepName(r.tr.DeliveryOf(r.message))
	case actFault:
		return r.tr.StepName(r.tr.Events[r.opened].Step)
	case actTest, actWake:
		if r.inSetUp.Load() {
			return "SetUp"
		}
		return "the test function"
	case actFinish:
		return "an invariant, final check or clean-up"
	}
	return "the program"
}

// supervise hands a panic to the framework. A supervision that panics itself is one more finding.
func (r *Runtime) supervise(a, m int32, reason any) {
	defer func() {
		if p := recover(); p != nil {
			r.Report(explore.PanicIncident(p))
		}
	}()
	var payload any
	if m >= 0 {
		payload = r.payload[m]
	}
	r.actors[a].Failed(reason, payload)
}
