package adapter

import (
	"bytes"
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file finds handlers that wait for each other's locks. A mutex is nothing that a bubble knows of: no goroutine
// that waits in synctest.Wait is told, and time stands still. So whoever watches the execution looks at the stacks of
// the bubble when nothing has moved for a moment. Where none of its goroutines can go on any more, and no time helps,
// that is a deadlock, which the checks judge. The bubble is left behind.
//
//	assumes:    what the bubble waits for is unlocked by none of the goroutines outside of it
//	invariants: I1 nothing is read of an execution but where all of its goroutines wait
//	cost:       a look at all goroutines when nothing has moved for 10 ms, 20, 40 and so on; at all stacks, if one waits
//	            for a lock
//	checked by: protoactor/overlaid_test.go

// Wedged reports whether the execution has ended in the middle, since its handlers wait for ever. internal/check
// asks: nothing else of its end is to be judged.
func (n *ending) Wedged() bool { return n.cause == wedged }

// place is where an execution is found from outside.
type place struct {
	bubble goroutine.Bubble
	name   string // by which stacks call it
}

// placeHere is called in a bubble.
func placeHere() place {
	stack := make([]byte, 256)
	first, _, _ := bytes.Cut(stack[:runtime.Stack(stack, false)], []byte("\n"))
	return place{goroutine.ThisBubble(), bubbleOf(string(first))}
}

// stand is called in the bubble when an execution begins: whoever watches may ask isWedged by then.
func (n *ending) stand() {
	here := placeHere()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.place = here
}

// isWedged reports whether the goroutines of the execution wait for each other for ever, some of them for a lock.
func (n *ending) isWedged() bool {
	if n.draws == layerOne || !n.mu.TryLock() {
		return false
	}
	defer n.mu.Unlock()
	if n.place.name == "" || n.place.bubble == 0 || n.phase != exploring || n.workers.passes() || n.open < 0 {
		return false
	}
	if w := chance.TheWatcher(); w != nil && !w.Locked() {
		// SUBTLE: all stacks take long in a process with thousands of goroutines, and a collection that waits for its turn is
		// no progress either
		return false
	}
	locks, others := false, false
	for _, g := range allStacks() {
		if bubbleOf(g) != n.place.name {
			continue
		}
		switch first, _, _ := strings.Cut(g, "\n"); {
		case strings.Contains(first, "Mutex.") && waitsForUs(g):
			return false // SUBTLE: it may be the lock that is held here
		case strings.Contains(first, "Mutex."):
			locks = true
		case !strings.Contains(first, "(durable)") && !strings.Contains(first, "synctest."):
			return false
		case len(n.sys.parse(g).frames) > 0 && !strings.Contains(first, "sync.WaitGroup.Wait"):
			others = true
		}
	}
	return locks && !n.timeHelps(others)
}

// waitsForUs reports whether the lock that a goroutine waits for, given its stack, is one of Rehearse's own: no program
// is run while such a lock is held.
func waitsForUs(g string) bool {
	lines := strings.Split(g, "\n")
	for i := 1; i < len(lines); i += 2 {
		function := withoutArguments(lines[i])
		locks := func(pkg string) bool { return strings.HasPrefix(function, pkg) }
		if !slices.ContainsFunc([]string{"sync.", "internal/", "runtime."}, locks) {
			return goroutine.IsRehearse(function)
		}
	}
	return false
}

// timeHelps reports whether something may happen when time passes. others: goroutines of the program wait for
// something that a timer may end.
func (n *ending) timeHelps(others bool) (helps bool) {
	if others {
		return n.place.bubble.NextTimer() > 0
	}
	n.place.bubble.Timers(func(t goroutine.Timer) bool {
		helps = t.When > 0 && !n.timers.knows(t)
		return !helps
	})
	return helps
}

// giveUp ends an execution that is wedged, in the place of its own goroutines.
func (n *ending) giveUp() {
	n.drawing.closeDraws()
	if n.drawing.anew {
		return
	}
	n.mu.Lock()
	first, last := n.opened, n.open
	n.recorder.noteBlocked()
	n.open, n.cause = -1, wedged
	n.omit("handlers wait for ever for locks of each other, and what other actors do after that is not executed")
	n.mu.Unlock()
	n.observe(first, last)
	n.phase = concluding
	n.t.Drop()
	n.d.Finish()
}
