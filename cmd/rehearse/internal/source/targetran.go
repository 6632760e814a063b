package source

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file gives the starts of drivers: by executing them symbolically, and where that comes to nothing or leaves
// something open, by running them for real.

// starting is a driver with its starts.
type starting struct {
	driver *system.Driver
	start  *system.Start // by executing it; nil if it cannot be executed
	why    string        // it cannot
	ran    []*system.Start
	opens  string          // what is open when its actors are started symbolically, "" if nothing
	begun  []*system.Start // run until its actors were started, where that is so
}

// startsOf gives the starts of drivers, in their order.
func (r *targetRun) startsOf(ctx context.Context, drivers []*system.Driver) (list []*starting, err error) {
	if !r.until.IsZero() {
		var stop context.CancelFunc
		ctx, stop = context.WithDeadline(ctx, r.until)
		defer stop()
	}
	var again []*starting
	for i, d := range drivers {
		s := &starting{driver: d}
		r.symbolically(ctx, s, len(drivers)-i)
		if s.start == nil || len(s.start.Inexact) > 0 || s.opens != "" {
			again = append(again, s)
		}
		list = append(append(list, s), r.turns(ctx, s, len(drivers)-i)...)
	}
	if len(again) > 0 {
		err = r.runs(ctx, again)
	}
	return list, err
}

// turns gives the starts of a driver that the execution comes to again, as in a loop over the cases of a table. Where
// the driver is run for real it has all of them.
func (r *targetRun) turns(ctx context.Context, first *starting, left int) (list []*starting) {
	if first.start == nil || !r.system.Repeats(first.driver) {
		return nil
	}
	for nth := 1; ; nth++ {
		again := *first.driver
		again.Nth = nth
		s := &starting{driver: &again}
		if r.symbolically(ctx, s, left); s.start == nil {
			return list
		}
		if nth == mostTurns {
			r.notes = append(r.notes,
				fmt.Sprintf("of %s the first %d turns of a loop are starts, and not those behind them: name a function without "+
					"the loop by -driver", r.place(first.driver), mostTurns))
			return list
		}
		list = append(list, s)
	}
}

// mostTurns bounds the starts of one driver in a loop.
const mostTurns = 32

// symbolically executes a driver. Where there is a time for all, it has its share of one half: so many drivers are
// left, and the other half is for runs.
func (r *targetRun) symbolically(ctx context.Context, s *starting, left int) {
	if !r.until.IsZero() {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, time.Until(r.until)/time.Duration(2*left))
		defer stop()
	}
	start, err := r.system.Start(ctx, s.driver, r.config.Follow)
	switch {
	case err != nil && ctx.Err() != nil:
		s.why = "executed symbolically, it does not come to its end in its part of the time for everything"
	case err != nil:
		s.why = err.Error()
	default:
		s.start = start
		_, s.opens = r.system.Begin(ctx, start, r.config.Follow)
	}
}

// runs runs drivers for real.
func (r *targetRun) runs(ctx context.Context, list []*starting) error {
	dir, remove, err := files.TempFolder("rehearse-start")
	if err != nil {
		return err
	}
	defer remove()
	var drivers []*system.Driver
	for _, s := range list {
		drivers = append(drivers, s.driver)
	}
	all, err := reachtest.States(ctx, reachtest.Run{Scratch: dir, Timeout: r.timeout, Until: r.until}, r.loaded,
		r.system.Exec(), r.system, drivers)
	if err != nil {
		return err
	}
	for _, s := range list {
		ran := all[s.driver]
		if ran.Why != "" && s.start == nil {
			s.why += "; run for real: " + ran.Why
		}
		for i, state := range ran.States {
			d := s.driver.RanAs(state)
			d.Nth = i
			s.add(ctx, r, d)
		}
		for _, d := range ran.Others {
			s.add(ctx, r, d)
		}
	}
	return nil
}

// add adds the starts of a driver that was run.
func (s *starting) add(ctx context.Context, r *targetRun, d *system.Driver) {
	start, err := r.system.Start(ctx, d, r.config.Follow)
	if err != nil {
		s.why = fmt.Sprintf("%s; run for real: %v", s.why, err)
		return
	}
	if s.better(start) {
		s.ran = append(s.ran, start)
	}
	if s.start == nil && s.opens == "" {
		_, s.opens = r.system.Begin(ctx, start, r.config.Follow)
	}
	on := d.RanBegun(d.Ran)
	if s.opens == "" || on == nil {
		return
	}
	if start, err = r.system.Start(ctx, on, r.config.Follow); err == nil {
		s.begun = append(s.begun, start)
	}
}

// better reports whether a start that was run says more than the driver's execution: that leaves more open, or does not
// come to anybody who gets messages.
func (s *starting) better(ran *system.Start) bool {
	return s.start == nil || len(s.start.Inexact) > 0 &&
		(len(ran.Inexact) < len(s.start.Inexact) || len(ran.Receptionists) > len(s.start.Receptionists))
}

// all gives the starts to search from, and what is to be told of them.
func (s *starting) all(place string) (list []*system.Start, note string) {
	switch {
	case len(s.ran) == 0 && s.start == nil:
		return nil, s.why
	case len(s.ran) == 0 && len(s.begun) == 0:
		return []*system.Start{s.start}, ""
	case len(s.ran) == 0:
		return append(slices.Clone(s.begun), s.start), s.startedNote(place)
	}
	why := s.why
	if s.start != nil {
		why = "executed symbolically, it leaves open: " + s.start.Inexact[0]
	}
	note = fmt.Sprintf("%s was run for real up to its first message: %s", place, strings.Split(why, "\n")[0])
	var open []string
	for _, ran := range s.ran {
		for _, what := range ran.Inexact {
			if !slices.Contains(open, what) {
				open = append(open, what)
			}
		}
	}
	if len(open) > 0 {
		note += "; what is not known then: " + strings.Join(open[:min(len(open), 3)], "; ")
		if len(open) > 3 {
			note += fmt.Sprintf("; and %d more", len(open)-3)
		}
	}
	if len(s.begun) > 0 {
		note += "; " + s.startedNote("")
	}
	return append(slices.Clone(s.begun), s.ran...), note
}

// startedNote says why a driver was run until its actors were started.
func (s *starting) startedNote(place string) string {
	return strings.TrimSpace(place +
		" was run for real until its actors were started, too: executed symbolically, that leaves open: " + s.opens)
}
