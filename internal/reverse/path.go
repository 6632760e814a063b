package reverse

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// path is the choices of a class with their labels. Up to the deviation that makes it a child they are those of its
// parent, which are not copied: the paths of all levels together have about the length of one execution, where they
// had its product with the number of levels.
//
//	source:     ours
//	invariants: a path that others begin with is cut where the last of them begins, and not before
//	checked by: length_test.go, which measures
type path struct {
	base   *path // the choices before from, nil if there are none
	from   int
	ids    []trace.ID
	labels []stepLabel
	turned []displaced // by its deviations from there on, in order
}

// child gives the path of a class that has the first n choices of this one, without further choices. p may be nil if
// n is 0.
func (p *path) child(n int) *path {
	for p != nil && p.base != nil && p.from >= n {
		p = p.base
	}
	if n == 0 {
		return &path{}
	}
	return &path{base: p, from: n}
}

func (p *path) len() int {
	if p == nil {
		return 0
	}
	return p.from + len(p.ids)
}

// at gives choice k.
func (p *path) at(k int32) trace.ID {
	for int(k) < p.from {
		p = p.base
	}
	return p.ids[int(k)-p.from]
}

// first appends the first n choices and their labels.
func (p *path) first(n int, ids []trace.ID, labels []stepLabel) ([]trace.ID, []stepLabel) {
	if n == 0 {
		return ids, labels
	}
	if p.base != nil {
		ids, labels = p.base.first(min(n, p.from), ids, labels)
	}
	own := max(n-p.from, 0)
	return append(ids, p.ids[:own]...), append(labels, p.labels[:own]...)
}

// displaced appends what the deviations among the first n choices came before.
func (p *path) displaced(n int, ds []displaced) []displaced {
	if p.base != nil {
		ds = p.base.displaced(min(n, p.from), ds)
	}
	for _, d := range p.turned {
		if int(d.at) < n {
			ds = append(ds, d)
		}
	}
	return ds
}

// cut forgets the choices from n on.
func (p *path) cut(n int) {
	own := max(n-p.from, 0)
	p.from = min(p.from, n)
	p.ids, p.labels = slices.Clone(p.ids[:own]), slices.Clone(p.labels[:own])
	p.turned = slices.DeleteFunc(p.turned, func(d displaced) bool { return int(d.at) >= n })
}
