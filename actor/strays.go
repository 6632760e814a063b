package actor

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file looks for goroutines that handlers start, start hooks and the driver included: their order is the Go scheduler's
// choice. They are counted, in the process, so that a handler costs nothing; where there are some, the next executions are recorded.

// strays is what is known of them, over all executions of a System.
type strays struct {
	counter    goroutine.Counter
	lookout    goroutine.Lookout
	timers     goroutine.RealTimers
	executions int // since the last preparation
	next       int // the execution at whose end is looked
	started    int
	sample     bool // of some executions all is sampled that the program's code allocates
	samples    bool // of this one
}

// A look costs 70 ns, an execution down to 600 ns: the first executions are looked at one by one, the others so many at once.
const (
	oneByOne = 32
	atOnce   = 256
)

func newStrays() strays {
	const program = "actor.(*machine).invoke"
	return strays{lookout: goroutine.Lookout{Program: program}, timers: goroutine.RealTimers{Program: program}}
}

// begin is called before each execution.
func (s *strays) begin() {
	if s.executions++; s.executions >= s.next {
		s.open()
	}
	s.samples = s.sample && s.executions&(s.executions-1) == 0
}

// watches reports whether the program may start goroutines: it was seen to, or nobody has looked long.
func (s *strays) watches() bool { return s.started > 0 || s.executions < oneByOne }

// outliving is what a machine knows of goroutines that the program's code leaves behind. A handler that was given up still writes here, and so nowhere that the next
// machine reads.
type outliving struct {
	watched bool // strays.watches, in this execution
	living  int  // goroutines of the process before the program's code ran
	some    bool // the program's code has left some behind, or may have
	seen    bool // it has: they went on when a handler was over
	// loosened is what has taken its goroutines out of our hands, "" if nothing has.
	loosened string
}

// enter is called before code of the program runs. Where it has goroutines, the Go scheduler begins alike.
func (o *outliving) enter() {
	if o.watched {
		runtime.Gosched() // what else can run does so now
		o.living = runtime.NumGoroutine()
		chance.AlignTick()
	}
}

// noteLoosened notes what the program's code has done to be out of our hands; by gives who, nil if that is not known.
func (o *outliving) noteLoosened(by func() string) {
	what := chance.Loosened()
	if what == "" || o.loosened != "" && (by == nil || !strings.HasPrefix(o.loosened, somebody)) {
		return
	}
	who := somebody
	if by != nil {
		who = by()
	}
	o.loosened = who + " " + what + ": take that out of the test, or give the program something in its place"
}

// somebody stands for a handler that is not known.
const somebody = "a handler"

// leave is called when it is over, or blocked.
func (o *outliving) leave() {
	if o.watched && runtime.NumGoroutine() > o.living {
		o.some = true
	}
}

// Sample is explore.Sampler.
func (s *System) Sample(on bool) { s.sample = on }

// pause ends sampling.
func (s *strays) pause() {
	if s.samples {
		s.timers.End()
	}
}

func (s *strays) open() {
	if s.executions == 1 {
		s.counter.Started() // those before do not count
	}
	s.lookout.Begin()
}

// end is called after each execution, before its end is judged.
func (s *strays) end() {
	s.pause()
	if s.executions >= s.next {
		s.look()
	}
}

// look counts what was started since the last look.
func (s *strays) look() {
	s.next = s.executions + 1
	if n := s.counter.Started(); n > 0 {
		s.started += n
		s.lookout.Alarm()
	}
	s.lookout.End()
	if s.executions >= oneByOne && !s.lookout.Wants() {
		s.next = s.executions + atOnce
	}
}

// Prepare is explore.Preparer: what was started between explorations is nobody's here.
func (s *System) Prepare(explore.Conditions) (release func(), err error) {
	s.executions, s.next = 0, 0
	s.oneThread.prepare()
	if s.m != nil {
		s.m.draws.explorer.Prepare()
	}
	return func() {
		s.unwatch()
		s.oneThread.release()
	}, nil
}

// Account is explore.Accountable.
func (s *System) Account() (a explore.Account) {
	if s.executions >= oneByOne {
		s.look()
	}
	switch p := s.lookout.Places(); {
	case p != "":
		a.Uncontrolled = "handlers start goroutines, at " + p
	case s.started > 0:
		a.Uncontrolled = fmt.Sprintf("goroutines were started while handlers ran (%d): by them, or by something beside the test, which should "+
			"then run alone; where was not seen", s.started)
	}
	outlived := s.m != nil && s.m.outliving.some
	a.Goroutines = a.Uncontrolled != "" && !outlived && s.started > 0 && chance.Available() && len(s.timers.Places()) == 0
	if s.started == 0 && s.m != nil && s.m.outliving.seen {
		a.Uncontrolled = "goroutines outlive the handlers that start them, or go on while these wait" // where was not looked for
	}
	if outlived && s.started > 0 {
		a.Uncontrolled += "; goroutines outlive the handlers that start them, or go on while these wait"
	}
	if p := s.timers.Places(); len(p) > 0 {
		a.Uncontrolled += joint(a.Uncontrolled) + "handlers set timers that run in real time, at " + strings.Join(p, ", ") + ": use Context.After"
	}
	if s.m != nil {
		s.m.outliving.noteLoosened(nil)
	}
	if s.m != nil && s.m.outliving.loosened != "" {
		a.Uncontrolled, a.Goroutines = s.m.outliving.loosened+joint(a.Uncontrolled)+a.Uncontrolled, false
	}
	if a.Goroutines && s.m.draws.on {
		a.Remarks = a.Uncontrolled + ": their orders were explored where they synchronise (channels, locks, atomics, WaitGroups), not between other accesses to memory"
		a.Uncontrolled, a.Goroutines = "", false
	}
	a.OneSeed = s.oneSeed()
	if !s.timers.Readable() {
		a.Remarks += joint(a.Remarks) + "timers that handlers set in real time were not looked for, since -memprofile is used"
	}
	if chance.SetsCollector() {
		a.Remarks += joint(a.Remarks) + "the program sets Go's collector of garbage itself (debug.SetGCPercent), which is off while an execution runs: collections in the middle of an " +
			"execution have goroutines run in another order"
	}
	if chance.CallsC() {
		a.Remarks += joint(a.Remarks) + "the program calls C code (cgo): a long call moves the goroutine to another thread, on which what Go chooses by itself is not repeated"
	}
	if !goroutine.Countable() {
		a.Remarks += joint(a.Remarks) + "goroutines that handlers start were not looked for: Go counts them since version 1.26"
	}
	return a
}

// joint is what stands between a text and what is added to it.
func joint(text string) string {
	if text == "" {
		return ""
	}
	return explore.RemarkSeparator
}
