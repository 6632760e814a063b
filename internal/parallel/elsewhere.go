package parallel

import (
	"errors"
	"io"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/child"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: an exploration that another process coordinates, the one that has started this one. It may share it among
// machines, which a test binary knows nothing of.

// ElsewhereVariable is set in the environment of a process whose explorations another one coordinates, for package
// child.
const ElsewhereVariable = "REHEARSE_SWARM"

// Job is an exploration that is to be coordinated elsewhere.
type Job struct {
	Header     Header       `json:"header"`
	Command    Command      `json:"command"` // that starts a worker; the path is that of the binary of the job
	Trace      trace.Header `json:"trace"`   // of what workers find
	Executions int          `json:"executions,omitempty"`
	First      bool         `json:"first,omitempty"`
}

// ask is a line to whoever coordinates: begin with the job, or stop.
type ask struct {
	Job *Job `json:"job,omitempty"`
}

// told is a line to the process whose exploration it is.
type told struct {
	Open     int              `json:"open"`
	Found    int              `json:"found"`
	Counters explore.Counters `json:"counters"`
	Estimate explore.Estimate `json:"estimate"`
	// why there is no estimate
	Unestimated string `json:"unestimated,omitempty"`
	Ended       *ended `json:"ended,omitempty"`
}

// ended is an Outcome, with no more of the tally than what was counted and found.
type ended struct {
	Report    *Report `json:"report"`
	Reason    string  `json:"reason"`
	Exhausted bool    `json:"exhausted,omitempty"`
	Within    string  `json:"within,omitempty"`
	Tasks     int     `json:"tasks"`
	Error     string  `json:"error,omitempty"`
}

// Elsewhere is the line to whoever coordinates the explorations of this process.
type Elsewhere struct{ line *child.Line }

// ConnectElsewhere connects a process whose ElsewhereVariable is value.
func ConnectElsewhere(value string) (*Elsewhere, error) {
	line, err := child.Connect(ElsewhereVariable, value)
	if err != nil {
		return nil, err
	}
	return &Elsewhere{line}, nil
}

// Run has an exploration made elsewhere. Of the configuration it takes what is not in the job: Watch and Stop.
func (e *Elsewhere) Run(job *Job, c Config) (Outcome, error) {
	out := Outcome{Tally: newTally(nil), Reason: "error"}
	if err := e.line.Send(ask{job}); err != nil {
		return out, err
	}
	stopped := false
	for {
		var w told
		if err := e.line.Receive(&w); errors.Is(err, io.EOF) {
			return out, errors.New("the process that coordinates the exploration has ended; start rehearse swarm again to go on")
		} else if err != nil {
			return out, err
		}
		estimate := w.estimate()
		if w.Ended != nil {
			out, err := w.Ended.outcome()
			out.Estimate, _ = estimate()
			return out, err
		}
		c.Watch(w.Open, w.Found, estimate)
		if !stopped && c.Stop(&w.Counters) {
			stopped = true
			if err := e.line.Send(ask{}); err != nil {
				return out, err
			}
		}
	}
}

// estimate is the Estimator of the other process.
func (w *told) estimate() Estimator {
	e, why := w.Estimate, w.Unestimated
	if !(0 <= e.Low && e.Low <= e.Total && e.Total <= e.High) {
		e = explore.Estimate{}
	}
	return func() (explore.Estimate, string) { return e, why }
}

func (w *ended) outcome() (Outcome, error) {
	out := Outcome{Tally: newTally(nil), Reason: w.Reason, Exhausted: w.Exhausted, Within: w.Within, Tasks: w.Tasks}
	_, err := out.add(w.Report)
	if w.Error != "" {
		err = errors.Join(errors.New(w.Error), err)
	}
	return out, err
}

// Asked is the other end of the line: explorations are asked for there.
type Asked struct {
	line *child.Line
	stop atomic.Bool
	jobs chan *Job
}

// tellEvery is how often the process whose exploration it is hears of it.
const tellEvery = 100 * time.Millisecond

// How often it hears how many executions there are: to estimate that takes a microsecond for each open item, and is to
// take a hundredth of the time at most.
const (
	estimateEvery = time.Second
	estimatePart  = 100
)

// NewAsked takes the jobs of a process that was started with the variable ElsewhereVariable.
func NewAsked(line *child.Line) *Asked {
	a := &Asked{line: line, jobs: make(chan *Job)}
	go func() {
		defer close(a.jobs)
		for {
			var w ask
			if a.line.Receive(&w) != nil {
				a.stop.Store(true) // nobody wants to know any more
				return
			}
			if w.Job == nil {
				a.stop.Store(true)
				continue
			}
			a.stop.Store(false)
			a.jobs <- w.Job
		}
	}()
	return a
}

// Jobs are the explorations that are asked for, one after the other.
func (a *Asked) Jobs() <-chan *Job { return a.jobs }

// Config is that of a job: how far it is, is told.
func (a *Asked) Config(j *Job, s explore.Divisible) Config {
	var w told
	var last, next time.Time // when it was told, when it is to be estimated
	var estimate Estimator
	return Config{Executions: j.Executions, First: j.First, Strategy: s,
		Watch: func(open, found int, e Estimator) { w.Open, w.Found, estimate = open, found, e },
		Stop: func(c *explore.Counters) bool {
			if now := time.Now(); now.Sub(last) >= tellEvery {
				last, w.Counters = now, *c
				if !now.Before(next) {
					w.Estimate, w.Unestimated = estimate()
					next = now.Add(max(estimateEvery, estimatePart*time.Since(now)))
				}
				_ = a.line.Send(w) // that nobody is there is seen where the line is read
			}
			return a.stop.Load()
		}}
}

// End tells how an exploration ended.
func (a *Asked) End(out Outcome, err error) error {
	w := &ended{Report: &Report{Sum: out.Sum, Found: out.Found, Warned: out.Warned}, Reason: out.Reason,
		Exhausted: out.Exhausted, Within: out.Within, Tasks: out.Tasks}
	if err != nil {
		w.Error = err.Error()
	}
	return a.line.Send(told{Open: len(out.open), Found: len(out.Found), Counters: out.Sum.Counters,
		Estimate: out.Estimate, Ended: w})
}
