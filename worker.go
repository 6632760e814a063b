package rehearse

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/journal"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// worker is this process, if a coordinator started it: it runs the test up to the exploration that it is to take part in.
type worker struct {
	*parallel.Worker
	hello
}

// theWorker connects this process when its first exploration begins; nil: it is no worker.
var theWorker = sync.OnceValues(func() (*worker, error) {
	value := os.Getenv(parallel.Variable)
	if value == "" {
		return nil, nil
	}
	line, err := parallel.Connect(value)
	if err != nil {
		return nil, err
	}
	w := &worker{Worker: line}
	if err := json.Unmarshal(line.Hello, &w.hello); err != nil {
		return nil, err
	}
	// A program that is explored may start processes, which are no workers.
	return w, os.Unsetenv(parallel.Variable)
})

// serve takes part in the exploration, if it is the one, and does not return then: done ends the test. Of an earlier exploration it
// gives the result that it had.
func (w *worker) serve(call string, session func() (*session, error), done func()) (Result, error) {
	if call != w.Call {
		r, ok := w.Earlier[call]
		if !ok {
			err := fmt.Errorf("a worker process for %s came across %s, which was not explored before: do they come in the same order in every run?", w.Call, call)
			w.Fail(err)
			return r, err
		}
		return r, nil
	}
	s, err := session()
	if err == nil {
		err = w.join(s)
	}
	if err != nil {
		w.Fail(err)
		return Result{}, err
	}
	done()
	return Result{}, nil
}

// join executes what the coordinator hands out, until it closes the connection.
func (w *worker) join(s *session) error {
	h, err := s.divisible()
	if err != nil {
		return err
	}
	if h != w.Header {
		return fmt.Errorf("a worker process sees another exploration than the process that started it: %+v instead of %+v; "+
			"does the test's Config depend on something that changes?", h, w.Header)
	}
	var j *journal.Journal
	defer func() { j.Close() }()
	x := &parallel.Executor{System: s.sys, Now: time.Now, Collect: s.collect}
	x.Make = func() (explore.Divisible, error) {
		st, err := strategies.New(s.Strategy, s.Seed, 0)
		if err != nil {
			return nil, err
		}
		return st.(explore.Divisible), nil
	}
	var repeating explore.Options // one for all leases: what is repeated depends on what was
	s.repeating(&repeating)
	x.Options = func(careful bool) explore.Options {
		if careful && j == nil {
			// Without a journal a death is reported without its schedule: worth no more than that.
			j, _, _ = journal.Open(w.Journal, strconv.Itoa(os.Getpid()), s.header)
		}
		s.journal = nil
		if careful {
			s.journal = j
		}
		o := s.leased(careful)
		o.Sample = true
		o.Again, o.Repeat, o.Contents, o.Look = repeating.Again, repeating.Repeat, repeating.Contents, repeating.Look
		return o
	}
	restore, err := s.mute()
	if err != nil {
		return err
	}
	defer restore()
	return w.Serve(x, func() {
		// The coordinator died, or needs nothing more. An execution that never ends must not keep the process alive.
		time.AfterFunc(2*time.Second, func() { os.Exit(0) })
	})
}

// leased are the options of an item in a worker. What is only needed to name the execution that kills a process, a careful one has.
func (s *session) leased(careful bool) explore.Options {
	o := s.options(s.conditions(s.Model, s.Timers, s.faults))
	if !careful {
		o.Before, o.Step = nil, nil // so that the system may undo steps instead of running again
	}
	o.Found = s.found
	before := 0
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		s.journal.After()
		s.cover(tr, s.Model)
		s.first = nil
		s.done += c.Executions + c.Blocked - before
		before = c.Executions + c.Blocked
	}
	return o
}

// collect gives what was found since the last call.
func (s *session) collect() (found []parallel.Found, warned []trace.Violation, chosen int, err error) {
	for _, r := range s.raws {
		f := parallel.Found{Violation: r.violation, Execution: r.execution}
		if r.violation.Kind != trace.Divergence {
			if f.Schedule, err = encoded(&trace.Schedule{Header: *s.headerOf(&r), Steps: r.trace.Schedule()}, &r.violation); err != nil {
				return nil, nil, 0, err
			}
		}
		found = append(found, f)
	}
	if s.coverageIsNew() {
		// Now: nobody asks a worker whose process ends, and its orders are as true without the rest.
		if err := s.writeCoverage(); err != nil {
			return nil, nil, 0, err
		}
	}
	warned, chosen = s.warnings, s.chosen
	s.raws, s.warnings, s.chosen, s.done = nil, nil, 0, 0
	return found, warned, chosen, nil
}

// leave ends the test of a worker, with its cleanups. Nobody looks at the verdict.
func leave(t tester) {
	if s, ok := t.(interface{ SkipNow() }); ok {
		s.SkipNow()
	}
	runtime.Goexit()
}
