package adapter

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
)

// System is a program of some framework as an explore.System.
type System struct {
	// Test builds the program, starts it and sends what is to be explored. It runs once an execution, as the driver.
	Test func(*explore.T)
	Mode Mode

	framework  Framework
	executions int
	spare      *Runtime // its memory is used again
	watch      *goroutine.Watchdog
	limit      time.Duration // of watch

	probing
	draws
	ofTimers
	ofGoroutines
	hooks     bool              // what handlers hang on futures is captured; never forgotten
	reordered bool              // the program chose an order that is not one of goroutines
	located   int               // deadlocked executions of which it was looked where they are
	bypassed  string            // what was not run, "" if nothing
	cases     bool              // it was known which messages handlers have cases for
	unclear   map[string]string // by type of actor, why it was not clear nevertheless; never forgotten
}

// NewSystem puts a test function of a framework under control.
func NewSystem(f Framework, test func(*explore.T)) *System {
	if test == nil {
		panic("rehearse: System got no test function: it is nil")
	}
	s := &System{framework: f, Test: test}
	s.lookout = goroutine.Lookout{Program: program, Ignored: f.Ignored, Owner: f.Owner}
	startstate.Made(s)
	return s
}

// DefaultModel is the mailbox model: what an in-process runtime does.
func (s *System) DefaultModel() trace.Model { return trace.Mailbox }

// Timed is explore.Timed.
func (s *System) Timed() bool { return s.timed || s.opaque || s.setsOwn }

// defaultHorizon is the virtual time of an execution unless told otherwise.
const defaultHorizon = time.Minute

// Execute runs the program once. explore.System.
func (s *System) Execute(c explore.Conditions, d explore.Driver) error {
	if c.Horizon == 0 {
		c.Horizon = defaultHorizon
	}
	for {
		chance.Collect()
		r := s.spare
		if r == nil {
			r = newRuntime(s)
		}
		s.spare = nil
		r.reset(c, d)
		if err := s.execute(r, c); err != nil || !r.drawing.redo() {
			return err
		}
	}
}

// execute is one execution.
func (s *System) execute(r *Runtime, c explore.Conditions) error {
	r.number = s.executions
	s.executions++
	current.Store(r)
	defer current.Store(nil)
	if s.watch == nil || s.limit != c.Blocked {
		s.watch, s.limit = goroutine.NewWatchdog(c.Blocked), c.Blocked
		s.watch.Stuck = outsideControl
	}
	done := make(chan struct{}, 1)
	var ended error
	s.lookout.Begin()
	defer s.lookout.End()
	go func() {
		// A bubble whose goroutines are blocked for ever panics here. The finding was made before; the goroutines are lost.
		defer func() {
			if p := recover(); p != nil {
				ended = lost(r, p)
			}
			done <- struct{}{}
		}()
		var t testing.T // a zero T isolates the execution from the outer one; TestZeroT pins that
		synctest.Test(&t, func(*testing.T) { r.bubble() })
		s.spare, ended = r, r.err
	}()
	s.watch.Wedged = nil
	if r.draws != layerOne {
		s.watch.Wedged = r.ending.isWedged
	}
	switch err := s.watch.Watch(done); {
	case err == goroutine.ErrWedged:
		r.ending.giveUp()
		return r.err
	case err != nil:
		r.leave()
		return s.framework.Explain(fmt.Errorf("%s does not end: %w", r.doing(), err))
	}
	if ended != nil {
		runtime.GC() // closes what the program opened and lost, a listening port, say
	}
	return ended
}

// leave gives an execution up. Its goroutines are under control no more, and its loop stands still where it gets
// control back.
func (r *Runtime) leave() {
	r.left.Store(true)
	if w := chance.TheWatcher(); w != nil && r.draws == layerTwo {
		w.Abandon()
	}
}

// outsideControl picks the goroutines of a bubble that are busy or wait for something that the bubble does not know, by
// the first line of their stacks.
func outsideControl(stack string) bool {
	first, _, _ := strings.Cut(stack, "\n")
	return strings.Contains(first, "synctest bubble") && !strings.Contains(first, "(durable)")
}

// beat tells the watchdog that there was progress.
func (s *System) beat() { s.watch.Beat() }

// lost judges the panic that ended a bubble. Handlers that are blocked for ever are a finding that was made already. In
// an execution that was cut, at a finding perhaps, goroutines may wait for what was cut off.
func lost(r *Runtime, p any) error {
	if r.err != nil || r.cast.blocked > 0 || r.ending.stuck || r.ending.cause == cut {
		if r.err == nil && !r.drawing.anew {
			r.sys.noteLeft()
		}
		return r.err
	}
	if r.inSetUp.Load() {
		return r.setUps.setUpHangs()
	}
	if r.sys.theirs == maxLooked {
		return nil // a dump is slow, and the longer the more was left
	}
	left := leftBehind()
	if r.sys.leavesTheirs(left) {
		return nil
	}
	return fmt.Errorf("%s that the program started at %s outlives the execution (%v): stop it in a T.Cleanup\n%s",
		many(len(left)), strings.Join(r.sys.placesOf(left), ", "), p, strings.Join(left[:min(len(left), 5)], "\n\n"))
}

// many is "a goroutine", or how many.
func many(n int) string {
	if n == 1 {
		return "a goroutine"
	}
	return fmt.Sprintf("each of %d goroutines", n)
}

// leftBehind gives the stacks of the goroutines of the newest bubble that are the program's: who they are, and who
// started them. Those of older ones were lost before.
func leftBehind() (found []string) {
	newest := 0
	for _, g := range allStacks() {
		first, rest, _ := strings.Cut(g, "\n")
		var bubble int
		if _, b, ok := strings.Cut(first, "synctest bubble "); ok {
			bubble, _ = strconv.Atoi(b[:strings.IndexAny(b+"]", ",]:")])
		}
		if bubble > newest {
			newest, found = bubble, nil
		}
		if bubble > 0 && bubble == newest && !strings.Contains(rest, "adapter.(*Runtime).") &&
			!strings.Contains(rest, "testing/synctest.") {
			found = append(found, g)
		}
	}
	return found
}

// allStacks gives the stack of every goroutine, however many earlier executions have left behind.
func allStacks() []string {
	for size := 1 << 20; ; size *= 2 {
		buf := make([]byte, size)
		if n := runtime.Stack(buf, true); n < size || size >= 1<<27 {
			return strings.Split(string(buf[:n]), "\n\n")
		}
	}
}
