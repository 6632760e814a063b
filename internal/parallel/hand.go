package parallel

import (
	"errors"
	"sync"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// Hand executes tasks by a process of this machine, and starts another one when that dies.
type Hand struct {
	Command Command
	// Least is how long a task is worked at before it is divided for others that are idle, Most how long at most.
	Least, Most time.Duration
	// Autopsy is that of Pipes.
	Autopsy func(pid int) (trace.Violation, string)

	mu        sync.Mutex // of what is below, and of sending to the process
	p         *process   // nil: none
	pieces    int        // tasks that others ask for
	stopped   bool
	abandoned bool
	events    chan event
	started   int
	stillborn int
}

// ErrAbandoned says that a hand was told not to go on. Nothing is held against the task that it had.
var ErrAbandoned = errors.New("the process did not end in time when all was stopped, and was killed")

// Perform executes a task until its time is up, others ask for some of it, or the process dies. The report closes all
// items of the task; what they have left is new. An error says that no process can be had, or that one has told of an
// operating problem.
func (h *Hand) Perform(t *Task) (*Report, error) {
	return h.perform(t, t.Parts, func() error { return nil })
}

// PerformOne is Perform for a task that machines may have died of: one execution is made, of the item that is executed
// first. begin is called just before, when the process is ready; its error ends it.
func (h *Hand) PerformOne(t *Task, begin func() error) (*Report, error) {
	if t.Executions != 1 {
		t.Suspicion = Careful
	}
	return h.perform(t, t.Parts[len(t.Parts)-1:], begin)
}

func (h *Hand) perform(t *Task, parts Parts, begin func() error) (*Report, error) {
	l := &Lease{Parts: parts, Millis: millis(h.Most), Least: millis(h.Least), Told: t.Told}
	l.Executions, l.Budget = t.Budget, t.Budget
	t.bound(l)
	p, err := h.ready()
	if err == nil {
		err = begin()
	}
	if err != nil {
		return nil, err
	}
	h.give(p, l)
	for e := range h.events {
		if e.died != nil {
			if h.lose() {
				return nil, ErrAbandoned
			}
			return t.died(p, h.Autopsy), nil
		}
		r, err := h.note(p, &e.word)
		if err != nil {
			return nil, err
		}
		if r != nil {
			return t.whole(r, h.taken()), nil
		}
	}
	panic("parallel: nobody closes the events of a process")
}

// note is process.note. An error of the process ends its lease, which others look at.
func (h *Hand) note(p *process, w *word) (*Report, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return p.note(w)
}

func millis(d time.Duration) int { return int(d / time.Millisecond) }

// ready gives the process when it is ready for a lease.
func (h *Hand) ready() (*process, error) {
	for {
		if h.p != nil && h.p.ready {
			return h.p, nil
		}
		if h.p == nil {
			h.events = make(chan event, 64)
			p, err := start(h.started, &h.Command, h.events)
			if err != nil {
				return nil, err
			}
			h.started++
			if h.took(p) {
				p.Kill()
			}
		}
		p := h.p
		e := <-h.events
		if e.died != nil {
			if h.lose() {
				return nil, ErrAbandoned
			}
			if h.stillborn++; h.stillborn == mostStillborn {
				h.stillborn = 0
				return nil, stillborn(e.died, p.Output())
			}
			continue
		}
		if _, err := h.note(p, &e.word); err != nil {
			return nil, err
		}
		h.stillborn = 0
	}
}

// give hands the lease to the process. Whoever stopped the hand before that has stopped it.
func (h *Hand) give(p *process, l *Lease) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.pieces = 0
	p.give(l, time.Now())
	if h.stopped {
		p.stop()
	}
}

// took says that the process is there.
func (h *Hand) took(p *process) (abandoned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.p = p
	return h.abandoned
}

// lose forgets the process, which is dead.
func (h *Hand) lose() (abandoned bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.p.HangUp()
	h.p = nil
	return h.abandoned
}

// taken says that the process is idle. It gives how many tasks what is left is to become.
func (h *Hand) taken() (pieces int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.p.lease = nil
	return max(1, h.pieces)
}

// Divide asks for what is left as so many tasks, if a task is performed. It may be called from another goroutine.
func (h *Hand) Divide(pieces int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.p == nil || h.p.lease == nil || h.p.lease.Careful {
		return
	}
	h.pieces = max(h.pieces, pieces)
	h.p.yield()
}

// Stop has the process report what it has, and give up what it cannot end soon. It may be called from another
// goroutine.
func (h *Hand) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.stopped = true
	if h.p != nil && h.p.lease != nil {
		h.p.stop()
	}
}

// Kill ends the process in the middle of what it does: Perform takes that for a death.
func (h *Hand) Kill() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.p != nil {
		h.p.Kill()
	}
}

// Abandon kills the process, and every later one. Perform fails with ErrAbandoned then. It may be called from another
// goroutine.
func (h *Hand) Abandon() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.abandoned = true
	if h.p != nil {
		h.p.Kill()
	}
}

// Close ends the process. Nothing may be performed.
func (h *Hand) Close() {
	h.mu.Lock()
	p := h.p
	h.p = nil
	h.mu.Unlock()
	if p == nil {
		return
	}
	p.HangUp()
	end := time.AfterFunc(endWithin, p.Kill)
	defer end.Stop()
	for e := range h.events {
		if e.died != nil {
			return
		}
	}
}
