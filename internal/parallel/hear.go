package parallel

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file hears what workers of this machine say: reports, and that they died.

// Wait takes an event, and all that wait behind it, so that the file is synchronised once.
func (k *Pipes) Wait() (reports []*Report, err error) {
	select {
	case e := <-k.events:
		for more := true; more; {
			r, err := k.take(e)
			if r != nil {
				reports = append(reports, r)
			}
			if err != nil || e.word.More != nil { // there may be much more, and time passes
				return reports, err
			}
			select {
			case e = <-k.events:
			default:
				more = false
			}
		}
	case <-k.poll.C:
	}
	return reports, nil
}

// take gives the report of an event, nil if it has none.
func (k *Pipes) take(e event) (*Report, error) {
	if e.died != nil {
		return k.bury(e.from, e.died)
	}
	r, err := e.from.note(&e.word)
	switch {
	case err != nil:
		return nil, err
	case e.word.Ready:
		k.stillborn = 0
	case e.word.Ran:
		k.ran = true
	case r != nil:
		return k.reported(e.from, r)
	}
	return nil, nil
}

// reported notes of a report what its lease leaves.
func (k *Pipes) reported(p *process, r *Report) (*Report, error) {
	l := p.lease
	if l == nil {
		return nil, fmt.Errorf("worker %d reports without a lease: a bug of Rehearse", p.number)
	}
	p.lease = nil
	if k.file == nil { // else whoever goes on executes it again
		r.Sum.add(&Sum{Counters: r.GaveUp})
	}
	r.GaveUp = explore.Counters{}
	for i := range l.Parts {
		if id := l.Parts[i].ID; !slices.Contains(r.Done, id) {
			r.left = append(r.left, id)
		}
	}
	r.suspect = k.suspects[p]
	delete(k.suspects, p)
	if r.suspect == nil && !p.asked {
		k.millis = min(k.millis*4, mostMillis)
	}
	return r, nil
}

// Added keeps the reports, and puts back what they left.
func (k *Pipes) Added(t *Tally, reports []*Report) error {
	for _, r := range reports {
		left := r.left // in the order of the lease: executed from the end
		for i := range r.New {
			left = append(left, r.New[i].ID)
		}
		left = append(left, r.opened...)
		if r.suspect != nil {
			k.queue.survived(r.suspect, left)
		} else {
			k.queue.free = append(k.queue.free, left...)
		}
	}
	return k.file.append(t, reports)
}

// bury takes back the lease of a worker that died. It gives a report if that convicts an item.
func (k *Pipes) bury(p *process, why error) (*Report, error) {
	k.workers = slices.DeleteFunc(k.workers, func(o *process) bool { return o == p })
	p.HangUp()
	if !p.ready {
		if k.stillborn++; k.stillborn == mostStillborn {
			return nil, stillborn(why, p.Output())
		}
	}
	l := p.lease
	if l == nil {
		return nil, nil
	}
	k.millis = firstMillis // what was lost shall be less the next time
	s := k.suspects[p]
	delete(k.suspects, p)
	if s == nil {
		s = &suspect{Suspicion: suspected}
		for i := range l.Parts {
			s.ids = append(s.ids, l.Parts[i].ID)
		}
	}
	if p.at == 0 { // it had not begun: no item is to blame
		k.queue.suspects = append(k.queue.suspects, s)
		return nil, nil
	}
	convicted := k.queue.killed(s, p.at)
	if convicted == 0 {
		return nil, nil
	}
	v, schedule := k.Autopsy(p.PID())
	return conviction(convicted, v, schedule, p.Output()), nil
}

// mostStillborn is how many workers in a row may die before they begin to explore.
const mostStillborn = 5

func stillborn(why error, output string) error {
	return fmt.Errorf("five workers in a row died before they began to explore (%w); the last words of the last one:\n%s",
		why, strings.TrimSpace(output))
}

// conviction is the report of an item that is deadly.
func conviction(id int, v trace.Violation, schedule, output string) *Report {
	return &Report{Done: []int{id}, Deadly: id, Sum: Sum{Unsound: true},
		Found: []Found{{Violation: v, Schedule: schedule, Execution: 1, Output: strings.TrimSpace(output)}}}
}
