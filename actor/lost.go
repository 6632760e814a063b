package actor

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file goes on without a handler that waits for ever, together with the goroutines that it has started: for a
// lock, a channel, a WaitGroup. That is known at once where the runtime numbers its draws (chance.Watcher), by there
// being no goroutine that could run. Elsewhere the watchdog ends the exploration.
//
// The handler is taken for one that waits (park), which nothing wakes. Its actor takes no more messages. What other
// actors do goes on, and at the end of the execution it is blocked, which the checks judge. Its goroutines are left
// to themselves: nobody can end them.
//
//	assumes:    nothing that happens later in the execution wakes it. If something does, another actor's handler say,
//	            that is an error: it would run beside that one
//	invariants: I1 what a lost handler does later goes nowhere (handler.lost)
//	            I2 no step is taken back in an Execute in which a handler was lost: it could be none that waits there
//	checked by: lost_test.go, which package overlay builds

// watchers is what a System has where it is told of such handlers.
type watchers struct {
	ends func() // nil: nobody is told
}

// watch begins to be told, where the process can tell.
func (s *System) watch() {
	w := chance.TheWatcher()
	if w == nil || s.watchers.ends != nil {
		return
	}
	var over atomic.Bool
	done := make(chan struct{})
	goroutine.Go(func() {
		defer close(done)
		for {
			w.Await()
			if over.Load() {
				return
			}
			s.settleWait(w)
		}
	})
	s.watchers.ends = func() {
		over.Store(true)
		w.Wake()
		<-done
	}
}

// settleWait is called where nothing under control can run. What may end that may end itself, a system call of
// somebody else say: then it is looked at again.
func (s *System) settleWait(w chance.Watcher) {
	for pause := time.Millisecond; w.Idle(); pause = min(2*pause, time.Second) {
		if ids, forEver := w.Stuck(); forEver {
			if m := s.m; m != nil { // else the watchdog was faster
				m.lost.lose(w, ids)
			}
			return
		}
		time.Sleep(pause)
	}
}

// unwatch ends that.
func (s *System) unwatch() {
	if s.watchers.ends != nil {
		s.watchers.ends()
		s.watchers.ends = nil
	}
}

// lostHandlers is what the machine knows of handlers that it goes on without.
type lostHandlers struct {
	m      *machine
	some   bool
	stacks string // where their goroutines wait
}

// begin is called before each execution.
func (l *lostHandlers) begin(w chance.Watcher) {
	l.some, l.stacks = false, ""
	if w != nil {
		w.Fresh()
	}
}

// lose goes on without the handler that runs, of which these goroutines wait for ever. It is called by none of them.
func (l *lostHandlers) lose(w chance.Watcher, ids []uint64) {
	m := l.m
	c := m.runner
	if c == nil || c.cur == nil || m.running == nil || m.redo.on || m.over {
		return // what waits is no handler: the watchdog tells
	}
	h := c.cur
	where := goroutine.WhereWaiting(ids)
	w.GiveUp()
	if !h.lost { // else it is the second time
		h.waits, h.place = l.waitOf(where)
	}
	l.some = true
	l.stacks += stacksOf(m.tr.ActorName(c.index), where)
	m.undo.on = false
	if child := m.running.cur; child != nil {
		child.lost = true // a start hook: both are of one goroutine
	}
	h.lost, h.wait = true, waitGoroutines
	m.draws.depth = min(m.draws.depth, 1)
	m.draws.reap()
	m.running = nil
	if h.parked {
		m.handlers.back <- struct{}{}
		return
	}
	m.handlers.keep(h)
	goroutine.Go(m.goOn)
}

// waitOf says what the handler's own goroutine waits for, and where; that of another one if it is not known.
func (l *lostHandlers) waitOf(where []goroutine.Waiting) (waits, place string) {
	if len(where) == 0 {
		return "goroutines", ""
	}
	own := max(0, slices.IndexFunc(where, func(w goroutine.Waiting) bool { return w.Launched == goroutine.Frame{} }))
	at := where[own].At()
	if at.Function == "" {
		return where[own].For, ""
	}
	return fmt.Sprintf("%s in %s", where[own].For, at.Function[strings.LastIndexByte(at.Function, '/')+1:]), placeOf(at)
}

func placeOf(f goroutine.Frame) string { return fmt.Sprintf("%s:%d", f.File, f.Line) }

// stacksOf tells where goroutines wait, for people.
func stacksOf(actor string, where []goroutine.Waiting) string {
	var b strings.Builder
	for i := range where {
		w := &where[i]
		who := "the handler of " + actor
		if w.Launched != (goroutine.Frame{}) {
			who = "a goroutine started at " + placeOf(w.Launched)
		}
		fmt.Fprintf(&b, "%s waits: %s\n", who, w.For)
		for _, f := range w.Frames {
			fmt.Fprintf(&b, "    %s  %s\n", placeOf(f), f.Function[strings.LastIndexByte(f.Function, '/')+1:])
		}
	}
	return b.String()
}

// left ends the goroutine of a handler that was lost and goes on all the same.
func (h *handler) left() {
	if h.lost {
		runtime.Goexit()
	}
}

// forget takes a lost handler out, in the place of unwinding it.
func (hs *handlers) forget(h *handler) {
	hs.parked = slices.DeleteFunc(hs.parked, func(o *handler) bool { return o == h })
	if h.ctx.cur == h {
		h.ctx.cur = nil
	}
}

// awoken notes that something has woken the goroutines of a lost handler.
func (l *lostHandlers) awoken() {
	if w := chance.TheWatcher(); l.some && w != nil && w.Awoken() && l.m.err == nil {
		l.m.err = fmt.Errorf("a handler waited for what another one did later, in the same execution: native actors "+
			"handle one message at a time, and it would have gone on beside that. Let them wait for messages instead. It had "+
			"waited here:\n%s", l.stacks)
	}
}

// drain is called before the program's code ends, or waits: goroutines that it was waiting for, and that only had to
// end, do not outlive it.
func (l *lostHandlers) drain() {
	m := l.m
	if w := chance.TheWatcher(); w != nil && m.draws.on && m.draws.depth == 1 && !m.abandoned.Load() {
		if w.Drain() {
			m.outliving.some, m.outliving.seen = true, true
		}
	}
}
