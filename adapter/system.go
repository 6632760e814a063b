package adapter

import (
	"cmp"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/internal/watchdog"
	"github.com/rehearse-go/rehearse/trace"
)

// System is a program of some framework as an explore.System.
type System struct {
	// Test builds the program, starts it and sends what is to be explored. It runs once an execution, as the driver.
	Test func(*explore.T)
	Mode Mode

	framework   Framework
	timed       bool             // the program sets timers; never forgotten
	opaque      bool             // some of them are not known to be set until they fire; never forgotten
	probed      bool             // it was executed once to find out
	hurried     bool             // and once more
	hurrying    bool             // this is the second time
	probing     bool             // that is going on
	hooks       bool             // what handlers hang on futures is captured; never forgotten
	seesTimers  bool             // it can be seen which timers are set
	setsOwn     bool             // one of the program's own was seen while probing
	known       map[uintptr]bool // by the code of timers' functions, whether the framework tells of them
	beforeProbe func()
	toldOfProbe func(*trace.Trace, explore.Choice, trace.Step)
	executions  int
	strays      string // who starts goroutines, "" if nobody does; never forgotten, as what follows
	starter     string // which actor that is
	lookout     goroutine.Lookout
	bypassed    string
	leftAt      string            // where goroutines were started that outlived executions, "" if none are known
	outlived    bool              // a goroutine outlived the handler that started it
	ordered     bool              // goroutines were started whose orders are draws
	reordered   bool              // the program chose an order that is not one of goroutines
	located     int               // deadlocked executions of which it was looked where they are
	looked      int               // executions in which they were looked for
	theirs      int               // executions after which all that was left was the framework's
	cases       bool              // it was known which messages handlers have cases for
	unclear     map[string]string // by type of actor, why it was not clear nevertheless; never forgotten
	spare       *Runtime
	watch       *watchdog.Watchdog
	draws
	limit time.Duration // of watch
}

// NewSystem puts a test function of a framework under control.
func NewSystem(f Framework, test func(*explore.T)) *System {
	if test == nil {
		panic("rehearse: System got no test function: it is nil")
	}
	s := &System{framework: f, Test: test, lookout: goroutine.Lookout{Program: program, Ignored: f.Ignored, Owner: f.Owner}}
	startstate.Made(s)
	return s
}

// DefaultModel is the mailbox model: what an in-process runtime does.
func (s *System) DefaultModel() trace.Model { return trace.Mailbox }

// Timed is explore.Timed.
func (s *System) Timed() bool { return s.timed || s.opaque || s.setsOwn }

// defaultHorizon is the virtual time of an execution unless told otherwise.
const defaultHorizon = time.Minute

// Prepare installs the framework's hooks and lets the process run one goroutine at a time, so that a goroutine that a handler starts
// cannot run before the handler is over. It executes the program once, to see whether it sets timers; where these may fire at any point once
// more, in a hurry: time passes before each step.
func (s *System) Prepare(c explore.Conditions) (release func(), err error) {
	remove, err := s.framework.Install()
	if err != nil {
		return nil, err
	}
	chance.Available()
	s.explorer.Prepare()
	several := chance.Alone()
	release = func() {
		several()
		remove()
	}
	if !s.probed {
		s.probed = true
		err = s.probe(c)
	}
	// A timer of the program's own that others stop in time has not fired then.
	if err == nil && c.Timers == trace.Async && !s.opaque && !s.hurried {
		s.hurried, s.hurrying = true, true
		err = s.probe(c)
		s.hurrying = false
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// probe executes the program once, unjudged.
func (s *System) probe(c explore.Conditions) error {
	s.probing = true
	defer func() { s.probing = false }()
	looks := &probe{sys: s, told: s.toldOfProbe}
	if s.beforeProbe != nil {
		s.beforeProbe()
	}
	// It has as long as one handler has: the exploration's own time passes meanwhile.
	defer goroutine.After(cmp.Or(c.Blocked, watchdog.Default), func() { looks.late.Store(true) })()
	return s.Execute(c, looks)
}

// Probing is explore.Prober.
func (s *System) Probing(before func(), step func(*trace.Trace, explore.Choice, trace.Step)) {
	s.beforeProbe, s.toldOfProbe = before, step
}

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
		s.watch, s.limit = watchdog.New(c.Blocked), c.Blocked
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
	case err == watchdog.ErrWedged:
		r.ending.giveUp()
		return r.err
	case err != nil:
		return s.framework.Explain(fmt.Errorf("%s does not end: %w", r.doing(), err))
	}
	if ended != nil {
		runtime.GC() // closes what the program opened and lost, a listening port, say
	}
	return ended
}

// outsideControl picks the goroutines of a bubble that are busy or wait for something that the bubble does not know, by the first line
// of their stacks.
func outsideControl(stack string) bool {
	first, _, _ := strings.Cut(stack, "\n")
	return strings.Contains(first, "synctest bubble") && !strings.Contains(first, "(durable)")
}

// beat tells the watchdog that there was progress.
func (s *System) beat() { s.watch.Beat() }

// lost judges the panic that ended a bubble. Handlers that are blocked for ever are a finding that was made already,
// and goroutines that wait in an execution that was cut, at a finding perhaps, may wait for what was cut off.
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

// leftBehind gives the stacks of the goroutines of the newest bubble that are the program's: who they are, and who started them. Those of
// older ones were lost before.
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
		if bubble > 0 && bubble == newest && !strings.Contains(rest, "adapter.(*Runtime).") && !strings.Contains(rest, "testing/synctest.") {
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

// probe is the driver of the first executions: the default order, unjudged. In a hurry it lets time pass where it can, until a timer of the program's own has fired.
type probe struct {
	sys   *System
	t     *explore.T
	tr    *trace.Trace
	told  func(*trace.Trace, explore.Choice, trace.Step) // of each step; nil: nobody is
	steps int
	late  atomic.Bool
}

func (p *probe) Begin(x explore.Execution) *explore.T {
	p.t, p.tr = explore.NewT("", nil), x.Trace()
	return p.t
}

func (p *probe) Choose(enabled []trace.Step) (explore.Choice, bool) {
	p.steps++
	c := explore.Choice{Index: trace.First(enabled)}
	if p.steps >= 10_000 || p.late.Load() || p.t.Ended() || p.sys.hurrying && p.sys.opaque {
		return c, false
	}
	if last := len(enabled) - 1; p.sys.hurrying && enabled[last].Kind == trace.Advance {
		c.Index = last
	}
	if p.told != nil {
		p.told(p.tr, c, enabled[c.Index])
	}
	return c, true
}

func (p *probe) Observe(int32) bool { return !p.t.Ended() }
func (p *probe) Finish()            { p.t.RunCleanups() }
