package flow

import (
	"slices"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/points"
)

// Settled builds the graph of all entries together and looks at everything once more: nothing may come of it.
func Settled(p *load.Program, c Config) (bool, error) {
	always, entries := drivers(p)
	b, err := analyse(p, c, append(always, entries...))
	if err != nil {
		return false, err
	}
	before := b.found()
	settled := b.solver.Settled()
	return settled && b.found() == before, nil
}

// found counts what an analysis has found.
func (b *builder) found() [6]int {
	n := [6]int{len(b.order), len(b.machines), len(b.list), len(b.notes)}
	for _, e := range b.list {
		n[4] += len(e.boxes) + len(e.sites)
		if e.blocking {
			n[5]++
		}
	}
	return n
}

// Indexed reports whether the functions of each class are those that going through all of them gives, and how many
// classes have some.
func Indexed(p *load.Program, c Config) (same bool, classes int, err error) {
	always, entries := drivers(p)
	b, err := analyse(p, c, append(always, entries...))
	if err != nil {
		return false, 0, err
	}
	for _, class := range b.order {
		all := slices.DeleteFunc(slices.Clone(b.solver.Functions()),
			func(f *points.Function) bool { return b.machines[f.In].class != class })
		if !slices.Equal(all, b.running(class)) {
			return false, 0, nil
		}
		if len(all) > 0 {
			classes++
		}
	}
	return true, classes, nil
}
