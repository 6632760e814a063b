package source

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file finds out where a search begins: the drivers, the systems that they make, and who gets messages from
// outside.

// drive gives the start configurations of the drivers, each once.
func (r *targetRun) drive(ctx context.Context) error {
	r.byName(ctx)
	drivers, err := r.drivers()
	if err != nil {
		return err
	}
	if err := r.runnable(drivers); err != nil {
		return err
	}
	seen := map[string]bool{}
	all, err := r.startsOf(ctx, drivers)
	if err != nil {
		return err
	}
	for _, s := range all {
		starts, note := s.all(r.place(s.driver))
		if note != "" {
			r.notes = append(r.notes, note)
		}
		for _, start := range starts {
			if key := startKey(start); !seen[key] {
				seen[key] = true
				r.starts = append(r.starts, start)
			}
		}
	}
	if len(r.starts) == 0 {
		return fmt.Errorf("no driver could be executed symbolically, or run for real:\n  %s", strings.Join(r.notes, "\n  "))
	}
	r.engine.Knows(r.starts)
	return r.receive(ctx)
}

// drivers lists those that were asked for.
func (r *targetRun) drivers() ([]*system.Driver, error) {
	if r.driver == "" {
		list := r.system.Drivers()
		if len(list) == 0 {
			return nil, errors.New("no test, and no main, of these packages makes a system of actors: name the packages where " +
				"one does, or a function by -driver")
		}
		return list, nil
	}
	var named []*ssa.Function
	for _, pkg := range r.loaded.Packages {
		if fn := pkg.SSA.Func(r.driver[strings.LastIndexByte(r.driver, '.')+1:]); fn != nil &&
			(fn.Name() == r.driver || pkg.Types.Name()+"."+fn.Name() == r.driver) {
			named = append(named, fn)
		}
	}
	switch len(named) {
	case 0:
		return nil, fmt.Errorf("-driver %s: these packages have no such function: name a test, or a function without a "+
			"receiver", r.driver)
	case 1:
	default:
		return nil, fmt.Errorf("-driver %s: there are %d of that name: write the name of the package before it",
			r.driver, len(named))
	}
	list := r.system.DriversOf(named[0])
	if len(list) == 0 {
		return nil, fmt.Errorf("-driver %s: it makes no system of actors", r.driver)
	}
	return list, nil
}

// startKey tells start configurations apart. Identities of objects, which are negative, count as which of them is
// which.
func startKey(s *system.Start) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.Driver.OwnModel(), s.Driver.Async)
	for _, a := range s.Actors {
		fmt.Fprintf(&b, "%s %s %v %v\n", a.Name, a.Type, a.Fn, a.State)
	}
	for _, m := range s.Sent {
		fmt.Fprintf(&b, "%d %v %v\n", m.To, m.Type, m.Flat)
	}
	for _, c := range s.Checks {
		fmt.Fprintf(&b, "%v %v\n", c.Fn, c.Final)
	}
	known := map[string]string{}
	return objectIdentity.ReplaceAllStringFunc(b.String(), func(id string) string {
		if known[id] == "" {
			known[id] = fmt.Sprintf("object %d", len(known))
		}
		return known[id]
	})
}

var objectIdentity = regexp.MustCompile(`int16\(-\d+\)`)

// place names a driver.
func (r *targetRun) place(d *system.Driver) string {
	ran := ""
	if d.Ran != nil {
		ran = ", run for real"
	}
	if d.Begun {
		ran += " until its actors were started"
	}
	if d.Nth > 0 {
		ran = fmt.Sprintf(", turn %d", d.Nth+1) + ran
	}
	return fmt.Sprintf("%s (%s)%s", d.Entry.Name(), r.loaded.Position(d.Pos), ran)
}

// receive has the messages from outside go to the receptionists that were named.
func (r *targetRun) receive(ctx context.Context) error {
	if len(r.receptionists) == 0 {
		return nil
	}
	var names []string
	var left []*system.Start
	for _, s := range r.starts {
		var list []int
		for i, a := range s.Actors {
			if names = append(names, a.Name); slices.Contains(r.receptionists, a.Name) {
				list = append(list, i)
			}
		}
		if len(list) < len(r.receptionists) {
			continue
		}
		r.system.Receive(ctx, s, list)
		left = append(left, s)
	}
	slices.Sort(names)
	if r.starts = left; len(left) == 0 {
		return fmt.Errorf("-receptionist %s: %w: there are %s", strings.Join(r.receptionists, ", "), errNoReceptionist,
			strings.Join(slices.Compact(names), ", "))
	}
	return nil
}

var errNoReceptionist = errors.New("no driver creates these actors")
