package actor

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file looks for goroutines that handlers start, start hooks and the driver included: their order is the Go
// scheduler's choice. They are counted, in the process, so that a handler costs nothing; where there are some, the
// next executions are recorded.

// strays is what is known of them, over all executions of a System.
type strays struct {
	counter    goroutine.Counter
	lookout    goroutine.Lookout
	timers     goroutine.RealTimers
	executions int
	next       int  // the execution at whose end is looked
	resumed    bool // no execution has begun since, of the exploration that goes on
	started    int
	unwatched  bool // goroutines were started in executions in which nobody looked whether they outlive their handlers
	sample     bool // of some executions all is sampled that the program's code allocates
	samples    bool // of this one
}

// A look costs 70 ns, an execution down to 600 ns: the first executions are looked at one by one, the others so many
// at once.
const (
	oneByOne = 32
	atOnce   = 256
)

func newStrays() strays {
	const program = "actor.(*handlers).invoke"
	return strays{lookout: goroutine.Lookout{Program: program}, timers: goroutine.RealTimers{Program: program}}
}

// begin is called before each execution.
func (s *strays) begin() {
	if s.resumed {
		s.resumed = false
		s.counter.Started() // those before do not count
	}
	if s.executions++; s.executions >= s.next {
		s.lookout.Begin()
	}
	s.samples = s.sample && s.executions&(s.executions-1) == 0
}

// watches reports whether the program may start goroutines: it was seen to, or nobody has looked long.
func (s *strays) watches() bool { return s.started > 0 || s.executions < oneByOne }

// outliving is what a machine knows of goroutines that the program's code leaves behind. A handler that was given up
// still writes here, and so nowhere that the next machine reads.
type outliving struct {
	samples bool   // strays.samples: what a handler reads that was given up
	watched bool   // somebody looks for some in this execution
	living  int    // goroutines of the process before the program's code ran,
	ours    uint64 // those that Rehearse had started by then,
	by      uint64 // and the one that ran it
	some    bool   // the program's code has left some behind, or may have
	seen    bool   // it has: they went on when a handler was over
	// loosened is what has taken its goroutines out of our hands, "" if nothing has.
	loosened string
}

// enter is called before code of the program runs. Where it has goroutines, the Go scheduler begins alike.
//
// What else can run does so first, and ends, so that leave does not miss one that is started for one that ends. Where
// draws have numbers it is let run only if there may be some. None of the program's goroutines can run, since drain has
// waited for them. And if the same goroutine goes on, Rehearse has passed nothing to another one since.
func (o *outliving) enter(numbered bool) {
	if !o.watched {
		return
	}
	if !numbered || !o.same() {
		runtime.Gosched()
		o.living = runtime.NumGoroutine()
		o.ours, o.by = goroutine.Ours(), goroutine.ID()
	}
	chance.AlignTick()
}

// same reports whether no goroutine can have come or gone since enter was last called.
func (o *outliving) same() bool {
	return goroutine.CheapID() && o.by == goroutine.ID() && o.ours == goroutine.Ours() &&
		o.living == runtime.NumGoroutine()
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
		s.unwatched = s.unwatched || !s.watches()
		s.started += n
		s.lookout.Alarm()
	}
	s.lookout.End()
	if s.executions >= oneByOne && !s.lookout.Wants() {
		s.next = s.executions + atOnce
	}
}

// Prepare is explore.Preparer: what was started between explorations is nobody's here. A worker explores item by item:
// what is looked for in the first executions is looked for in those of the first items.
func (s *System) Prepare(explore.Conditions) (release func(), err error) {
	s.Resume()
	s.oneThread.prepare()
	if s.m != nil {
		s.m.draws.explorer.Prepare()
	}
	return func() {
		s.unwatch()
		s.oneThread.release()
	}, nil
}

// Resume is explore.Resumer.
func (s *System) Resume() {
	s.resumed = true
	if s.m != nil {
		s.m.outliving.by = 0 // what was started or ended between explorations is not known
	}
}

// Account is explore.Accountable.
func (s *System) Account() (a explore.Account) {
	if s.executions >= oneByOne {
		s.look()
	}
	a = s.goroutines()
	if p := s.timers.Places(); len(p) > 0 {
		a.Uncontrolled += joint(a.Uncontrolled) + "handlers set timers that run in real time, at " + strings.Join(p, ", ") +
			": use Context.After"
	}
	numbered := false
	if m := s.m; m != nil {
		m.outliving.noteLoosened(nil)
		if what := m.outliving.loosened; what != "" {
			a.Uncontrolled, a.Goroutines = what+joint(a.Uncontrolled)+a.Uncontrolled, false
		}
		numbered = m.draws.on
	}
	remarks := s.remarks()
	if a.Goroutines && numbered {
		remarks = append([]string{a.Uncontrolled + ": " + chance.OrdersExplored}, remarks...)
		a.Uncontrolled, a.Goroutines = "", false
	}
	a.Remarks = strings.Join(remarks, explore.RemarkSeparator)
	a.OneSeed = s.oneSeed()
	return a
}

// goroutines tells of those that handlers start, and whether their order is all that is uncontrolled.
func (s *System) goroutines() (a explore.Account) {
	const outlive = "goroutines outlive the handlers that start them, or go on while these wait"
	switch p := s.lookout.Places(); {
	case p != "":
		a.Uncontrolled = "handlers start goroutines, at " + p
	case s.started > 0:
		a.Uncontrolled = fmt.Sprintf("goroutines were started while handlers ran (%d): by them, or by something "+
			"beside the test, which should then run alone; where was not seen", s.started)
	case s.m != nil && s.m.outliving.seen:
		return explore.Account{Uncontrolled: outlive} // where was not looked for
	}
	outlived := s.m != nil && s.m.outliving.some
	watched := !s.unwatched || s.m != nil && s.m.draws.on
	a.Goroutines = s.started > 0 && !outlived && watched && chance.Available() && len(s.timers.Places()) == 0
	if outlived && s.started > 0 {
		a.Uncontrolled += "; " + outlive
	}
	return a
}

// remarks lists what was not looked for, and what may have Go choose otherwise.
func (s *System) remarks() (all []string) {
	if !s.timers.Readable() {
		all = append(all, "timers that handlers set in real time were not looked for, since -memprofile is used")
	}
	all = append(all, chance.Remarks()...)
	if !goroutine.Countable() {
		all = append(all, "goroutines that handlers start were not looked for: Go counts them since version 1.26")
	}
	return all
}

// joint is what stands between a text and what is added to it.
func joint(text string) string {
	if text == "" {
		return ""
	}
	return explore.RemarkSeparator
}
