package replay

import (
	"errors"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// ErrTimeUp is what a Runner gives that has no time to execute the schedule to its end. Whoever minimises or explains
// gives what there is by then.
var ErrTimeUp = errors.New("the time was up")

// Runner executes a schedule once. Minimising and explaining need nothing else of the system under test.
type Runner func(forced []trace.Forced) (*Run, error)

// Run is what one replay did.
type Run struct {
	Trace      *trace.Trace // a copy, to keep
	Violations []trace.Violation
	Stale      []Stale
	Cut        bool // the loop ended it, mostly at a violation
}

// With gives the violation with this Key, nil if the run has none.
func (r *Run) With(key string) *trace.Violation {
	for i := range r.Violations {
		if r.Violations[i].Key() == key {
			return &r.Violations[i]
		}
	}
	return nil
}

// NewRunner replays schedules on sys under the conditions and checks of o. The budget of o, its search for divergence
// and its progress are left out: they belong to the exploration. The journal (Before, Step) is kept.
func NewRunner(sys explore.System, o explore.Options) Runner {
	return func(forced []trace.Forced) (*Run, error) { return execute(sys, o, New(forced)) }
}

// Split executes the steps of a schedule that is joined (trace.Schedule.Joined) as they were meant: what handles a
// message releases the first send of its handler next. The schedule of the execution is the one to go on with.
func Split(sys explore.System, o explore.Options, forced []trace.Forced) (*Run, error) {
	r := New(forced)
	r.joined = true
	return execute(sys, o, r)
}

func execute(sys explore.System, o explore.Options, r *Replay) (*Run, error) {
	s := &recorder{Replay: r, run: &Run{}}
	one := o
	one.Budget = explore.Budget{Executions: 1}
	one.Stop, one.Again, one.Repeat, one.After = nil, nil, nil, nil
	one.Found = func(f explore.Found) bool {
		s.run.Violations = append(s.run.Violations, f.Violations...)
		return false
	}
	if o.Over != nil {
		if why, _ := o.Over(); why != "" {
			return nil, ErrTimeUp
		}
	}
	if _, err := explore.Run(sys, s, one); err != nil {
		return nil, err
	}
	if s.run.Trace == nil {
		return nil, ErrTimeUp // the loop left it in the middle
	}
	s.run.Stale = s.Stale()
	return s.run, nil
}

// recorder keeps what the strategy is told at the end of the execution.
type recorder struct {
	*Replay
	run *Run
}

// Learn copies the trace.
func (r *recorder) Learn(tr *trace.Trace, cut bool) {
	r.Replay.Learn(tr, cut)
	r.run.Trace, r.run.Cut = tr.Clone(), cut
}
