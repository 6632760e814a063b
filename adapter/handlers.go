package adapter

import (
	"bytes"
	"fmt"
	"runtime"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file runs handlers, and deals with what escapes them.

// handlers runs the code of the program.
type handlers struct {
	*execution
	workers    *workers
	cast       *cast
	recorder   *recorder
	goroutines *goroutines
	injector   *injector
	setUps     *setUps
	ending     *ending
}

// perform runs the code of the action on this goroutine, to its end.
func (hs *handlers) perform() {
	a, m, act := hs.running, hs.message, hs.act
	chance.Return(chance.InBubble)
	defer chance.Leave()
	if act == actFinish {
		chance.Leave() // but for what is in checks
	}
	switch act {
	case actAnswer, actResolve:
		hs.complement(m)
		return
	case actWake:
		hs.cast.setBusy(0, true)
		close(hs.setUps.setUp)
		return
	case actGiveUp:
		hs.ending.giving.done = true
		hs.ending.giving.giveUp()
		return
	}
	s := &hs.cast.actors[a]
	hs.cast.setBusy(a, true)
	s.gid, s.calls = 0, s.calls[:0]
	if hs.cast.blocked > 0 || hs.recorder.close {
		s.gid = goroutine.ID()
	}
	normal := false
	defer func() { hs.ended(a, m, act, normal, recover()) }()
	switch act {
	case actTest:
		hs.sys.Test(hs.t)
	case actFinish:
		hs.ending.judgeEnd()
		hs.mu.Lock()
		hs.ending.stage = judged
		hs.mu.Unlock()
	case actFault:
		hs.injector.fail(s)
	default:
		s.mayStop = hs.tr.Messages[m].Kind == trace.System || hs.sys.stopsInline()
		s.Handle(hs.tr.Messages[m].Kind, hs.recorder.payload[m])
		hs.checkCase(a, m)
	}
	normal = true
}

// ended closes a handler: on whichever goroutine it ends, long after it was blocked perhaps.
func (hs *handlers) ended(a, m int32, act act, normal bool, reason any) {
	if !normal {
		hs.escaped(a, m, act, reason)
	}
	hs.goroutines.noteLoosened(a)
	hs.handled(a)
	if !normal && reason == nil {
		// SUBTLE: this goroutine may be the root of the bubble, and the testing package dies when that one exits. It stays
		// here; Execute sees a bubble that is blocked for ever, and has the error.
		select {}
	}
}

// handled marks that an actor's handler is over.
func (hs *handlers) handled(a int32) {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	s := &hs.cast.actors[a]
	hs.goroutines.outlasting = max(hs.goroutines.outlasting, hs.goroutines.more())
	if s.blocked {
		s.blocked = false
		hs.cast.blocked--
	}
	hs.cast.setBusy(a, false)
	hs.pool.Look(a)
	hs.cast.through = append(hs.cast.through, a)
	if hs.open >= 0 && hs.running == a {
		hs.tr.Events[hs.open].Completed = true
	} else if hs.open >= 0 {
		hs.recorder.touch(outside, true) // somebody else's step has woken it
	}
	hs.workers.signal()
}

// escaped deals with what escaped a handler.
func (hs *handlers) escaped(a, m int32, act act, reason any) {
	switch {
	case reason == nil:
		who := hs.tr.ActorName(a)
		if act == actFinish {
			who = "an invariant, final check or clean-up (AtEnd, Cleanup)"
		}
		hs.Fail(fmt.Errorf("%s ended its goroutine (runtime.Goexit) in the middle of a step: inside an execution use the "+
			"rehearse.T that the test function gets; FailNow, Fatal and Skip of the outer testing.T end the goroutine that "+
			"runs everything", who))
	case hs.isOver() || reason == refused{} || explore.IsFailNow(reason):
	case act == actFinish:
		in := explore.PanicIncident(reason)
		hs.Fail(fmt.Errorf("an invariant, final check or clean-up panicked: %s\n%s", in.Text, in.Stack))
	default:
		hs.recorder.Report(explore.PanicIncident(reason))
		if act == actHandle || act == actFault {
			hs.supervise(a, m, reason)
		}
	}
	if act == actFinish {
		hs.ending.stage = judged
	}
}

// complement hands a reply to the call that waits for it, or hangs something on a future.
func (hs *handlers) complement(m int32) {
	if h, ok := hs.recorder.payload[m].(*hook); ok {
		hs.cast.hand(toFuture)
		h.attach()
		hs.cast.hand(nothing)
		return
	}
	ans := hs.recorder.payload[m].(*answer)
	hs.mu.Lock()
	s := &hs.cast.actors[ans.call.owner]
	waiting := s.busy
	if s.blocked && hs.act == actAnswer { // else it waits for something else
		s.blocked = false
		hs.cast.blocked--
	}
	late := ans.call.done
	ans.call.done = true
	if hs.act == actAnswer {
		hs.tr.Events[hs.open].Completed = !waiting
	}
	hs.recorder.touch(ans.call.object, true)
	hs.mu.Unlock()
	late = late || ans.call.over()
	hs.cast.hand(toFuture)
	ans.deliver()
	hs.cast.hand(nothing)
	if late {
		hs.recorder.DeadLetter(hs.tr.Messages[m].Value, -1, false)
	}
}

// supervise hands a panic to the framework. A supervision that panics itself is one more finding.
func (hs *handlers) supervise(a, m int32, reason any) {
	defer func() {
		if p := recover(); p != nil {
			hs.recorder.Report(explore.PanicIncident(p))
		}
	}()
	var payload any
	if m >= 0 {
		payload = hs.recorder.payload[m]
	}
	hs.cast.actors[a].Failed(reason, payload)
}

// performFrame begins the line of a stack below which code of the program runs.
const performFrame = program + "("

// program is the name of the method that runs it.
const program = "adapter.(*handlers).perform"

// onPerform reports whether this is the goroutine of a handler, which may be unwound.
func onPerform() bool {
	stack := make([]byte, 1<<16)
	return bytes.Contains(stack[:runtime.Stack(stack, false)], []byte(performFrame))
}
