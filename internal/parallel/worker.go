package parallel

import (
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/internal/child"
)

// Variable is set in the environment of a worker, for package child.
const Variable = "REHEARSE_WORKER"

// Worker is a worker's connection to its coordinator.
type Worker struct {
	line *child.Line
	// Hello is what the coordinator sent first.
	Hello json.RawMessage
}

// Connect connects a worker process, whose Variable is value.
func Connect(value string) (*Worker, error) {
	line, err := child.Connect(Variable, value)
	if err != nil {
		return nil, err
	}
	k := &Worker{line: line}
	if err := k.line.Receive(&k.Hello); err != nil {
		return nil, fmt.Errorf("the coordinator did not say what to do (variable %s is for workers only): %w", Variable, err)
	}
	return k, nil
}

// Fail tells the coordinator of an operating problem.
func (k *Worker) Fail(err error) { _ = k.line.Send(word{Error: err.Error()}) }

// Serve executes leases until the coordinator closes the connection. gone is called, on another goroutine, when it did
// or died: an execution may be running, and nobody is left to report it to.
func (k *Worker) Serve(x *Executor, gone func()) error {
	defer x.close()
	var yield, stop atomic.Bool
	leases := make(chan Lease, 1)
	go func() {
		for {
			var l Lease
			if err := k.line.Receive(&l); err != nil {
				gone()
				close(leases)
				return
			}
			if l.Yield {
				stop.Store(stop.Load() || l.Stop)
				yield.Store(true)
				continue
			}
			yield.Store(false)
			leases <- l
		}
	}()
	if err := k.line.Send(word{Ready: true}); err != nil {
		return err
	}
	at := func(id int) error { return k.line.Send(word{At: id}) }
	// If that fails, so does the report.
	x.ran = func() { _ = k.line.Send(word{Ran: true}) }
	for l := range leases {
		r, err := x.execute(&l, at, yield.Load, stop.Load)
		if err != nil {
			k.Fail(err)
			return err
		}
		if err := k.report(r, x.late(stop.Load)); err != nil {
			return err
		}
	}
	return nil
}

// report sends what came of a lease: many new items in parts, in between which it may turn out to be too late for them.
func (k *Worker) report(r *Report, late func() bool) error {
	for len(r.New) > chunk {
		if late() {
			void := &Report{Found: r.Found, Warned: r.Warned, GaveUp: r.GaveUp, Void: true}
			void.Sum.Chosen = r.Sum.Chosen
			void.gaveUp(&r.Sum.Counters)
			return k.line.Send(word{Report: void})
		}
		if err := k.line.Send(word{More: r.New[:chunk]}); err != nil {
			return err
		}
		r.New = r.New[chunk:]
	}
	return k.line.Send(word{Report: r})
}
