package parallel

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
)

// This file hears what workers say: reports, and that they died.

// hear takes an event, and all that wait behind it, so that the file is synchronised once.
func (k *coordinator) hear(e event) error {
	var reports []*Report
	for more := true; more; {
		r, err := k.take(e)
		if r != nil {
			reports = append(reports, r)
		}
		if err != nil {
			return errors.Join(err, k.file.append(k.tally, reports))
		}
		if e.word.More != nil {
			break // there may be much more, and time passes
		}
		select {
		case e = <-k.events:
		default:
			more = false
		}
	}
	if len(reports) == 0 {
		return nil
	}
	return k.file.append(k.tally, reports)
}

// take gives the report of an event, nil if it has none; it is in the tally then.
func (k *coordinator) take(e event) (*Report, error) {
	p := e.from
	switch {
	case e.died != nil:
		return k.bury(p, e.died)
	case e.word.Error != "":
		p.ready, p.lease = false, nil
		return nil, errors.New(e.word.Error)
	case e.word.Ready:
		p.ready, k.stillborn = true, 0
	case e.word.At > 0:
		p.at = e.word.At
	case e.word.Ran:
		k.ran = true
	case e.word.More != nil:
		p.more = append(p.more, e.word.More...)
	case e.word.Report != nil:
		return k.reported(p, e.word.Report)
	}
	return nil, nil
}

func (k *coordinator) reported(p *process, r *Report) (*Report, error) {
	l := p.lease
	if l == nil {
		return nil, fmt.Errorf("worker %d reports without a lease: a bug of Rehearse", p.number)
	}
	p.lease = nil
	if !r.Void {
		r.New = append(p.more, r.New...)
	}
	p.more = nil
	if k.file == nil { // else whoever goes on executes it again
		r.Sum.add(&Sum{Counters: r.GaveUp})
	}
	r.GaveUp = explore.Counters{}
	var left []int // in the order of the lease: executed from the end
	for i := range l.Parts {
		if id := l.Parts[i].ID; !slices.Contains(r.Done, id) {
			left = append(left, id)
		}
	}
	k.tally.number(r)
	for i := range r.New {
		left = append(left, r.New[i].ID)
	}
	opened, err := k.tally.add(r)
	if err != nil {
		return nil, fmt.Errorf("worker %d: %w: a bug of Rehearse", p.number, err)
	}
	left = append(left, opened...)
	if s := k.suspects[p]; s != nil {
		delete(k.suspects, p)
		k.queue.survived(s, left)
	} else {
		k.queue.free = append(k.queue.free, left...)
		if !p.asked {
			k.millis = min(k.millis*4, mostMillis)
		}
	}
	return r, nil
}

// bury takes back the lease of a worker that died.
func (k *coordinator) bury(p *process, why error) (*Report, error) {
	k.workers = slices.DeleteFunc(k.workers, func(o *process) bool { return o == p })
	p.HangUp()
	if !p.ready {
		if k.stillborn++; k.stillborn == 5 {
			return nil, fmt.Errorf("five workers in a row died before they began to explore (%w); the last words of the last "+
				"one:\n%s",
				why, strings.TrimSpace(p.Output()))
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
		s = &suspect{executions: 2}
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
	r := &Report{Done: []int{convicted}, Deadly: convicted, Sum: Sum{Unsound: true}}
	v, schedule := k.Autopsy(p.PID())
	r.Found = []Found{{Violation: v, Schedule: schedule, Execution: 1, Output: strings.TrimSpace(p.Output())}}
	opened, err := k.tally.add(r)
	k.queue.free = append(k.queue.free, opened...)
	return r, err
}
