package session

import (
	"encoding/json"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// startedBy and coordinatedBy are the variables as this process was started with: a test may take settings back before
// its first exploration begins, and stays what it is.
var startedBy, coordinatedBy = os.Getenv(parallel.Variable), os.Getenv(parallel.ElsewhereVariable)

// Worker is this process, if a coordinator started it: it runs the test up to the exploration that it is to take part
// in.
type Worker struct {
	*parallel.Worker
	hello
}

// TheWorker connects this process when its first exploration begins; nil: it is no worker.
var TheWorker = sync.OnceValues(func() (*Worker, error) {
	if startedBy == "" {
		return nil, nil
	}
	line, err := parallel.Connect(startedBy)
	if err != nil {
		return nil, err
	}
	w := &Worker{Worker: line}
	if err := json.Unmarshal(line.Hello, &w.hello); err != nil {
		return nil, err
	}
	// A program that is explored may start processes, which are no workers.
	return w, os.Unsetenv(parallel.Variable)
})

// connected is what the variable holds once this process is connected, in a process that this one starts, too.
const connected = "connected"

var coordinator = sync.OnceValues(func() (*parallel.Elsewhere, error) {
	if coordinatedBy == "" || coordinatedBy == connected {
		return nil, nil
	}
	return parallel.ConnectElsewhere(coordinatedBy)
})

// TheCoordinator connects this process to the one that coordinates its explorations, when the first one begins; nil: it
// coordinates them itself. It does so too while the test has taken the variable back, with the other settings.
func TheCoordinator() (*parallel.Elsewhere, error) {
	if os.Getenv(parallel.ElsewhereVariable) == "" {
		return nil, nil
	}
	e, err := coordinator()
	if err != nil || e == nil {
		return nil, err
	}
	// A program that is explored may start processes, which are coordinated by nobody.
	return e, os.Setenv(parallel.ElsewhereVariable, connected)
}

// Serve takes part in the exploration, if it is the one, and does not return then: done ends the test. Of an earlier
// exploration it gives the result that it had, as JSON.
func (w *Worker) Serve(call string, create func() (*Session, error), done func()) (json.RawMessage, error) {
	if call != w.Call {
		var earlier map[string]json.RawMessage
		err := json.Unmarshal(w.Earlier, &earlier)
		if r, ok := earlier[call]; ok && err == nil {
			return r, nil
		}
		if err == nil {
			err = fmt.Errorf("a worker process for %s came across %s, which was not explored before: do they come in the same "+
				"order in every run?", w.Call, call)
		}
		w.Fail(err)
		return nil, err
	}
	s, err := create()
	if err == nil {
		err = w.join(s)
	}
	if err != nil {
		w.Fail(err)
		return nil, err
	}
	done()
	return nil, nil
}

// join executes what the coordinator hands out, until it closes the connection.
func (w *Worker) join(s *Session) error {
	h, err := s.divisible()
	if err != nil {
		return err
	}
	if h != w.Header {
		return fmt.Errorf("a worker process sees another exploration than the process that started it: %+v instead of %+v; "+
			"does the test's Config depend on something that changes?", h, w.Header)
	}
	var j *saved.Journal
	defer func() { j.Close() }()
	x := &parallel.Executor{System: s.sys, Now: time.Now, Collect: s.collect}
	x.Make = func() (explore.Divisible, error) {
		st, err := strategies.New(s.Strategy, s.Seed, 0)
		if err != nil {
			return nil, err
		}
		return strategies.Limited(st.(explore.Divisible), s.Budget.Executions), nil
	}
	var repeating explore.Options // one for all leases: what is repeated depends on what was
	s.repeating(&repeating)
	x.Options = func(careful bool) explore.Options {
		if careful && j == nil {
			j = parallel.OpenJournal(s.Header)
		}
		s.journal = nil
		if careful {
			s.journal = j
		}
		o := s.leased(careful)
		o.Sample, o.Ends = true, true
		o.Again, o.Repeat, o.Contents, o.Look = repeating.Again, repeating.Repeat, repeating.Contents, repeating.Look
		return o
	}
	restore, err := s.mute()
	if err != nil {
		return err
	}
	defer restore()
	return w.Worker.Serve(x, func() {
		// The coordinator died, or needs nothing more. An execution that never ends must not keep the process alive.
		time.AfterFunc(2*time.Second, func() { os.Exit(0) })
	})
}

// leased are the options of an item in a worker. What is only needed to name the execution that kills a process, a
// careful one has.
func (s *Session) leased(careful bool) explore.Options {
	o := s.options(s.ordinary(s.Model, s.Timers, s.Faults))
	if !careful {
		o.Before, o.Step = nil, nil // so that the system may undo steps instead of running again
	}
	o.Found = s.met
	before, cutBefore := 0, 0
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		s.journal.After()
		s.orders.observe(tr, s.Model)
		s.first = nil
		s.done += c.Executions + c.Blocked - before
		s.cutShort += c.Blocked - cutBefore
		before, cutBefore = c.Executions+c.Blocked, c.Blocked
	}
	return o
}

// collect gives what was found since the last call.
func (s *Session) collect() (found []parallel.Found, warned []trace.Violation, chosen int, err error) {
	for _, r := range s.Raws {
		f := parallel.Found{Violation: r.Violation, Execution: r.execution, CutShort: r.cutShort}
		if r.Violation.Kind != trace.Divergence {
			if f.Schedule, err = encoded(&trace.Schedule{Header: *s.headerOf(&r), Steps: r.trace.Schedule()},
				&r.Violation); err != nil {
				return nil, nil, 0, err
			}
		}
		found = append(found, f)
	}
	if s.orders.isNew() {
		// Now: nobody asks a worker whose process ends, and its orders are as true without the rest.
		if err := s.WriteCoverage(); err != nil {
			return nil, nil, 0, err
		}
	}
	warned, chosen = s.Warnings, s.Chosen
	s.Raws, s.Warnings, s.Chosen, s.done, s.cutShort = nil, nil, 0, 0, 0
	return found, warned, chosen, nil
}
