package parallel

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Config is one exploration by workers.
type Config struct {
	Workers    int // processes; at least one
	Command    Command
	File       string // where the exploration is kept, "" nowhere
	Header     Header // with File
	Executions int    // budget; 0: no bound
	First      bool   // stop at the first violation
	// Strategy is that of the exploration, with all its abilities (explore.Joiner, Sharer, Numbered).
	Strategy explore.Divisible
	// Watch is told, often, how many items are open and how many violations were found; nil: nobody is.
	Watch func(open, found int)
	// Stop is asked, often, with what was counted so far; true: stop soon.
	Stop func(*explore.Counters) bool
	// Autopsy gives the violation and the schedule, "" if none, of the careful execution in which the worker of that
	// process died.
	Autopsy func(pid int) (trace.Violation, string)
}

// Outcome is how it ended.
type Outcome struct {
	*Tally
	Reason    string // as in explore.Outcome
	Exhausted bool   // nothing is open
	Complete  bool   // and what was executed stands for everything
	Within    string // as in explore.Outcome
}

var errExited = errors.New("it exited")

// The lengths of leases. They are short at first, so that there is soon something to divide. They are long later,
// because the rest of a search is taken up again item by item, each from the start (for reverse some thousand small
// ones).
const (
	firstMillis = 20
	mostMillis  = 10_000
	pollEvery   = 50 * time.Millisecond
	endWithin   = 5 * time.Second
)

// Run explores. On an error the outcome is that so far.
func Run(c Config) (Outcome, error) {
	k := &coordinator{Config: c, tally: newTally(c.Strategy), events: make(chan event, 64), millis: firstMillis,
		suspects: map[*process]*suspect{}}
	if err := k.open(); err != nil {
		return Outcome{Tally: k.tally, Reason: "error"}, err
	}
	defer k.file.close()
	err := k.loop()
	k.end()
	k.tally.sorted()
	out := Outcome{Tally: k.tally, Reason: k.reason, Exhausted: err == nil && k.tally.exhausted()}
	if out.Exhausted && out.Reason != "found" {
		out.Reason = "complete" // what was to be stopped had come to its end
	}
	if out.Exhausted && k.tally.Sum.flawless() {
		out.Within = k.tally.Sum.Within
		out.Complete = out.Within == ""
	}
	return out, err
}

// coordinator is single-goroutine: workers are heard through events.
type coordinator struct {
	Config
	tally     *Tally
	file      *file // nil: none
	queue     queue
	events    chan event
	workers   []*process
	suspects  map[*process]*suspect // who executes them
	started   int                   // workers so far
	stillborn int                   // workers in a row that died before they were ready
	millis    int
	stopping  bool
	ran       bool // the program was executed, be it that no report tells of it yet
	reason    string
}

// open begins, or goes on with what the file holds.
func (k *coordinator) open() error {
	if k.File == "" {
		t, err := begun(k.Strategy)
		if err != nil {
			return err
		}
		k.tally = t
	} else {
		f, t, err := openFile(k.File, k.Header, k.Strategy)
		if err != nil {
			return err
		}
		k.file, k.tally = f, t
	}
	k.queue.free = k.tally.ids()
	if k.tally.Sum.Executions == 0 && len(k.queue.free) == 1 {
		// The first execution is a careful one: programs mostly die, or do nothing, from the beginning.
		k.queue.suspects, k.queue.free = []*suspect{{ids: k.queue.free, executions: 1}}, nil
	}
	return nil
}

func (k *coordinator) loop() error {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for {
		k.judge()
		if err := k.handOut(); err != nil {
			return err
		}
		if k.reason != "" && k.busy() == 0 {
			return nil
		}
		select {
		case e := <-k.events:
			if err := k.hear(e); err != nil {
				return err
			}
		case <-poll.C:
		}
	}
}

// judge decides whether to stop.
func (k *coordinator) judge() {
	counters := k.tally.Sum.Counters
	counted := counters.Executions + counters.Blocked
	if k.ran && counted == 0 {
		counters.Executions = 1 // a time that is up is up, then
	}
	if k.Watch != nil {
		k.Watch(len(k.tally.open), len(k.tally.Found))
	}
	switch {
	case k.reason != "":
	case len(k.tally.open) == 0:
		k.reason = k.tally.spent()
	case k.First && len(k.tally.Found) > 0:
		k.reason = "found"
	case k.Executions > 0 && counted >= k.Executions:
		k.reason = "budget"
	case k.Stop != nil && k.Stop(&counters):
		k.reason = "stopped"
	}
	if k.reason != "" && !k.stopping {
		k.stopping = true
		for _, p := range k.workers {
			if p.lease != nil {
				p.stop() // what it has executed shall count
			}
		}
	}
}

func (k *coordinator) busy() int {
	n := 0
	for _, p := range k.workers {
		if p.lease != nil {
			n++
		}
	}
	return n
}

// handOut keeps the workers busy.
func (k *coordinator) handOut() error {
	if k.stopping {
		return nil
	}
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
		l, err := k.lease(p, len(idle)-i)
		if err != nil {
			return err
		}
		if l == nil {
			return k.askForMore()
		}
		p.give(l, time.Now())
	}
	return nil
}

// lease is work for a worker when so many are idle, nil if there is none.
func (k *coordinator) lease(p *process, idle int) (*Lease, error) {
	budget := k.share()
	if k.Executions > 0 && budget == 0 {
		return nil, nil
	}
	l := &Lease{Millis: k.millis, Executions: budget, Budget: budget, Told: k.tally.learned}
	var err error
	var ids []int
	parts := map[int]Part{}
	ready := func(id int) bool {
		part, ok, e := k.tally.ready(id)
		err, parts[id] = errors.Join(err, e), part
		return ok
	}
	if s := k.queue.next(ready); s != nil {
		ids = s.ids
		l.Careful = s.executions == 1
		if l.Executions == 0 || s.executions < l.Executions {
			l.Executions = s.executions
		}
		k.suspects[p] = s
	} else {
		ids = k.queue.deal(idle, func(id int) int { p := k.tally.open[id]; return p.depth() }, ready)
	}
	for _, id := range ids {
		l.Parts = append(l.Parts, parts[id])
	}
	if err != nil || len(l.Parts) == 0 {
		return nil, err
	}
	return l, nil
}

// share is the part of the budget that a worker gets, 0 if there is none left or no bound. The sum of all that was
// handed out never exceeds the budget.
func (k *coordinator) share() int {
	if k.Executions == 0 {
		return 0
	}
	left := k.Executions - k.tally.Sum.Executions - k.tally.Sum.Blocked
	for _, p := range k.workers {
		if p.lease != nil {
			left -= p.lease.Budget
		}
	}
	return (max(left, 0) + k.Workers - 1) / k.Workers
}

// askForMore has the worker that has been at it for the longest divide what it has.
func (k *coordinator) askForMore() error {
	if k.busy() == 0 && (k.Executions == 0 || k.share() > 0) && !k.queue.empty() {
		return fmt.Errorf("%d items are open, and each waits for another one: a bug of Rehearse", len(k.tally.open))
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

// end closes the connections, upon which workers exit; those that do not are killed.
func (k *coordinator) end() {
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
