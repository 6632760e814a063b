package parallel

import (
	"errors"
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

// Config is one exploration by workers.
type Config struct {
	Executions int  // budget; 0: no bound
	First      bool // stop at the first violation
	// Strategy is that of the exploration, with all its abilities (explore.Joiner, Sharer, Numbered).
	Strategy explore.Divisible
	// Watch is told, often, how many items are open, how many violations were found, and whom to ask how many executions
	// there are; nil: nobody is.
	Watch func(open, found int, estimate Estimator)
	// Stop is asked, often, with what was counted so far; true: stop soon.
	Stop func(*explore.Counters) bool
}

// Transport carries tasks to workers, and brings their reports back.
type Transport interface {
	// Open gives what was explored before, or the tally of an exploration that begins.
	Open(s explore.Divisible) (*Tally, error)
	// Offer keeps the workers busy with what is open. left is what is left of the budget of executions; below 0: there is
	// none.
	Offer(t *Tally, left int) error
	// Wait gives what came in, after a moment if that is nothing.
	Wait() ([]*Report, error)
	// Added says that the reports are in the tally. When it returns they are kept, if they are to be.
	Added(t *Tally, reports []*Report) error
	// Stop has the workers report what they have.
	Stop()
	// Load tells how many tasks are executed, and whether the program was executed at all, be it that no report tells of
	// it.
	Load() (busy int, ran bool)
	// Close ends what Open began.
	Close()
}

// Outcome is how it ended.
type Outcome struct {
	*Tally
	Reason    string // as in explore.Outcome
	Exhausted bool   // nothing is open
	Within    string // as in explore.Outcome
	Estimate  explore.Estimate
	Tasks     int // that were answered, where whoever coordinates tells
}

// Estimator estimates how many executions there are in all. Where that cannot be told, why says so; "" where it cannot
// yet. It takes some milliseconds where many items are open.
type Estimator func() (e explore.Estimate, why string)

// pollEvery is how often a transport that waits looks up.
const pollEvery = 50 * time.Millisecond

// Run explores. On an error the outcome is that so far.
func Run(c Config, t Transport) (Outcome, error) {
	k := &coordinator{Config: c, transport: t, tally: newTally(c.Strategy)}
	tally, err := t.Open(c.Strategy)
	if err != nil {
		return Outcome{Tally: k.tally, Reason: "error"}, err
	}
	k.tally = tally
	err = k.loop()
	t.Close()
	k.tally.sorted()
	return k.outcome(err), err
}

// coordinator is single-goroutine.
type coordinator struct {
	Config
	transport Transport
	tally     *Tally
	reason    string // why to stop; "": go on
}

func (k *coordinator) loop() error {
	for {
		busy, ran := k.transport.Load()
		k.judge(ran)
		if k.reason == "" {
			if err := k.transport.Offer(k.tally, k.left()); err != nil {
				return err
			}
		} else if busy == 0 {
			return nil
		}
		reports, err := k.transport.Wait()
		for i, r := range reports {
			if failed := k.tally.Fold(r); failed != nil {
				err, reports = errors.Join(err, fmt.Errorf("a report contradicts what is known: %w: a bug of Rehearse", failed)),
					reports[:i]
				break
			}
		}
		if len(reports) > 0 {
			err = errors.Join(err, k.transport.Added(k.tally, reports))
		}
		if err != nil {
			return err
		}
	}
}

// left is what is left of the budget of executions, below 0 if there is none.
func (k *coordinator) left() int {
	if k.Executions == 0 {
		return -1
	}
	return max(0, k.Executions-k.tally.Sum.Executions-k.tally.Sum.Blocked)
}

// judge decides whether to stop.
func (k *coordinator) judge(ran bool) {
	counters := k.tally.Sum.Counters
	if ran && counters.Executions+counters.Blocked == 0 {
		counters.Executions = 1 // a time that is up is up, then
	}
	if k.Watch != nil {
		k.Watch(len(k.tally.open), len(k.tally.Found), k.tally.estimate)
	}
	switch {
	case k.reason != "":
		return
	case len(k.tally.open) == 0:
		k.reason = k.tally.spent()
	case k.First && len(k.tally.Found) > 0:
		k.reason = "found"
	case k.left() == 0:
		k.reason = "budget"
	case k.Stop != nil && k.Stop(&counters):
		k.reason = "stopped"
	}
	if k.reason != "" {
		k.transport.Stop() // what was executed shall count
	}
}

func (k *coordinator) outcome(err error) Outcome {
	out := Outcome{Tally: k.tally, Reason: k.reason, Exhausted: err == nil && k.tally.exhausted()}
	out.Estimate, _ = k.tally.estimate()
	if out.Exhausted && out.Reason != "found" {
		out.Reason = "complete" // what was to be stopped had come to its end
	}
	if out.Exhausted && k.tally.Sum.flawless() {
		out.Within = k.tally.Sum.Within
	}
	return out
}

// Failed is the outcome of an exploration that did not begin.
func Failed() Outcome { return Outcome{Tally: newTally(nil), Reason: "error"} }
