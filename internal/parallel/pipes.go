package parallel

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Pipes is the transport to processes of this machine: the queue is in this process, and what is kept is in a file.
type Pipes struct {
	Workers int // processes; at least one
	Command Command
	File    string // where the exploration is kept, "" nowhere
	Header  Header // with File
	// Autopsy gives the violation and the schedule, "" if none, of the careful execution in which the worker of that
	// process died.
	Autopsy func(pid int) (trace.Violation, string)

	file      *file // nil: none
	queue     queue
	events    chan event
	poll      *time.Ticker
	workers   []*process
	suspects  map[*process]*suspect // who executes them
	started   int                   // workers so far
	stillborn int                   // workers in a row that died before they were ready
	millis    int
	ran       bool
}

var _ Transport = (*Pipes)(nil)

var errExited = errors.New("it exited")

// The lengths of leases. They are short at first, so that there is soon something to divide. They are long later,
// because the rest of a search is taken up again item by item, each from the start (for reverse some thousand small
// ones).
const (
	firstMillis = 20
	mostMillis  = 10_000
	endWithin   = 5 * time.Second
)

// Open begins, or goes on with what the file holds.
func (k *Pipes) Open(s explore.Divisible) (t *Tally, err error) {
	if k.File == "" {
		t, err = Begun(s)
	} else {
		k.file, t, err = openFile(k.File, k.Header, s)
	}
	if err != nil {
		return nil, err
	}
	k.events, k.poll, k.millis = make(chan event, 64), time.NewTicker(pollEvery), firstMillis
	k.suspects = map[*process]*suspect{}
	k.queue.free = t.ids()
	if t.Sum.Executions == 0 && len(k.queue.free) == 1 {
		// The first execution is a careful one: programs mostly die, or do nothing, from the beginning.
		k.queue.suspects, k.queue.free = []*suspect{{ids: k.queue.free, Suspicion: Careful}}, nil
	}
	return t, nil
}

// Load is Transport.Load.
func (k *Pipes) Load() (busy int, ran bool) {
	for _, p := range k.workers {
		if p.lease != nil {
			busy++
		}
	}
	return busy, k.ran
}

// Stop is Transport.Stop.
func (k *Pipes) Stop() {
	for _, p := range k.workers {
		if p.lease != nil {
			p.stop()
		}
	}
}

// Offer hands out leases.
func (k *Pipes) Offer(t *Tally, left int) error {
	for len(k.workers) < k.Workers {
		p, err := start(k.started, &k.Command, k.events)
		if err != nil {
			return fmt.Errorf("a worker process could not be started (%s): %w", k.Command.Path, err)
		}
		k.started++
		k.workers = append(k.workers, p)
	}
	idle := slices.DeleteFunc(slices.Clone(k.workers), func(p *process) bool { return !p.ready || p.lease != nil })
	for i, p := range idle {
		budget := k.share(left)
		var l *Lease
		var err error
		if budget > 0 || left < 0 {
			if l, err = k.lease(t, p, budget, len(idle)-i); err != nil {
				return err
			}
		}
		if l == nil {
			return k.askForMore(t, budget > 0 || left < 0)
		}
		p.give(l, time.Now())
	}
	return nil
}

// lease is work for a worker when so many are idle, nil if there is none.
func (k *Pipes) lease(t *Tally, p *process, budget, idle int) (*Lease, error) {
	l := &Lease{Millis: k.millis, Executions: budget, Budget: budget, Told: t.learned}
	var err error
	var ids []int
	parts := map[int]Part{}
	ready := func(id int) bool {
		part, ok, e := t.ready(id)
		err, parts[id] = errors.Join(err, e), part
		return ok
	}
	if s := k.queue.next(ready); s != nil {
		ids = s.ids
		s.bound(l)
		k.suspects[p] = s
	} else {
		ids = k.queue.deal(idle, func(id int) int { p := t.open[id]; return p.depth() }, ready)
	}
	for _, id := range ids {
		l.Parts = append(l.Parts, parts[id])
	}
	if err != nil || len(l.Parts) == 0 {
		return nil, err
	}
	return l, nil
}

// share is the part of what is left of the budget that a worker gets, 0 if there is none left or no bound. The sum of
// all that was handed out never exceeds the budget.
func (k *Pipes) share(left int) int {
	for _, p := range k.workers {
		if p.lease != nil {
			left -= p.lease.Budget
		}
	}
	return (max(left, 0) + k.Workers - 1) / k.Workers
}

// askForMore has the worker that has been at it for the longest divide what it has. some: there is some budget.
func (k *Pipes) askForMore(t *Tally, some bool) error {
	if busy, _ := k.Load(); busy == 0 && some && !k.queue.empty() {
		return fmt.Errorf("%d items are open, and each waits for another one: a bug of Rehearse", len(t.open))
	}
	var oldest *process
	for _, p := range k.workers {
		if p.lease == nil || p.lease.Careful {
			continue
		}
		if p.asked {
			return nil // it will bring some
		}
		if oldest == nil || p.since.Before(oldest.since) {
			oldest = p
		}
	}
	if oldest != nil {
		k.millis = max(firstMillis, k.millis/2)
		oldest.yield()
	}
	return nil
}

// Close closes the connections, upon which workers exit; those that do not are killed.
func (k *Pipes) Close() {
	defer k.file.close()
	k.poll.Stop()
	for _, p := range k.workers {
		p.HangUp()
	}
	deadline := time.NewTimer(endWithin)
	defer deadline.Stop()
	for len(k.workers) > 0 {
		select {
		case e := <-k.events:
			if e.died != nil {
				k.workers = slices.DeleteFunc(k.workers, func(o *process) bool { return o == e.from })
			}
		case <-deadline.C:
			for _, p := range k.workers {
				p.Kill()
			}
			deadline.Reset(endWithin)
		}
	}
}
