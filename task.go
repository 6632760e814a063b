package rehearse

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/session"
	"github.com/rehearse-go/rehearse/internal/settings"
)

// task is one Check or Explore: what was asked for, and the session that does it.
type task struct {
	*session.Session // begin makes it

	plan     *session.Plan
	values   settings.Values
	expect   *Expectation
	began    time.Time
	refused  bool // the exploration was refused before anything was executed
	replayed int  // saved schedules
}

// begin makes the session.
func (t *task) begin(sys System, id session.ID) {
	t.began = time.Now()
	t.Session = session.New(t.plan, sys, id)
}

// expected reports whether a violation is the known bug.
func (t *task) expected(v *Violation) bool { return t.expect.matches(v) }

// result is the Result so far.
func (t *task) result(out explore.Outcome) Result {
	s := t.Summary(out)
	r := Result{Counters: s.Counters, Verdict: s.Verdict, Complete: s.Complete, ForOneSeed: s.ForOneSeed,
		OneOrder:   s.OneOrder,
		Unrepeated: s.Unrepeated, Reason: s.Reason, Strategy: s.Strategy, Budget: t.plan.Budget.String(), Seed: t.plan.Seed,
		Model: t.plan.Model, Timers: t.plan.Timers, Faults: t.plan.Faults, Horizon: t.plan.Horizon, Saved: t.replayed,
		Warnings: t.Warnings, Timed: s.Timed, Guided: s.Guided, Facts: s.Facts, Tasks: s.Tasks,
		StoppedBy: s.StoppedBy,
		Estimate:  s.Estimate}
	r.exact()
	return r
}

// broken adds to an operating problem where the exploration stood, unless it was refused before anything was executed.
func (t *task) broken(err error, out explore.Outcome) error {
	if !t.Began() {
		t.refused = true
		return err
	}
	return fmt.Errorf("%w\n(%s)", err, t.Stands(&out))
}

// takePart has this process take part in the exploration of another one, if it was started for that: done ends the test
// then. Of an earlier exploration it gives the result that it had. mine reports whether the process is such a worker.
func takePart(call string, create func() (*task, error), done func()) (r Result, mine bool, err error) {
	w, err := session.TheWorker()
	if w == nil || err != nil {
		return r, false, err
	}
	text, err := w.Serve(call, func() (*session.Session, error) {
		t, err := create()
		if err != nil {
			return nil, err
		}
		return t.Session, nil
	}, done)
	if err == nil && text != nil {
		err = json.Unmarshal(text, &r)
	}
	return r, true, err
}

// showPositions has this process show positions of the Check, if `rehearse explore` started it for that: done ends the
// test then. Other Checks do nothing meanwhile. mine reports whether the process is such a one.
func showPositions(test string, number int, create func() (*task, error), done func()) (mine bool, err error) {
	p, err := session.TheStepper()
	if p == nil || err != nil {
		return false, err
	}
	if !p.Is(test, number) {
		return true, nil
	}
	t, err := create()
	if err == nil {
		err = p.Serve(t.Session)
	} else {
		p.Fail(err)
	}
	if err != nil {
		return true, err
	}
	done()
	return true, nil
}

// errNothing is told to people whose test function does nothing that could happen in another order.
var errNothing = errors.New("the test sent no message and set no timer: there is nothing to explore; " +
	"send to an actor in the test function (what SetUp sends is delivered before the exploration starts)")

// errUnshared is told where it is not known whether there is something to explore.
var errUnshared = errors.New("no machine of the swarm has executed anything: no worker came before the end, or none " +
	"had the time; the same command goes on (`rehearse swarm status` lists jobs and the machines that work at them)")

// nothing is the error of an exploration that has chosen nothing, nil if it has, or had no time to.
func (t *task) nothing() error {
	switch {
	case len(t.Raws) > 0 || t.Chosen > 0 || t.StoppedForTimeout():
		return nil
	case t.Unshared():
		return errUnshared
	}
	return errNothing
}
