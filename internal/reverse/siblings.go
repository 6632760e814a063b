package reverse

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
)

// This file gives away several children of one class together. Where hundreds of messages wait for one actor a class
// has a hundred thousand children, each of which begins like the class for hundreds of steps. Items of their own would
// have the size of the class each.
//
//	source:     ours
//	invariants: an item of siblings is no class: it executes its children and what is below them, and nothing else
//	cost:       an item has the size of the class, and a few bytes for each child
//	checked by: divide_test.go: dividing after every execution, in items of one child and of several

const (
	mostParts = 64   // items that the children of a class make
	together  = 0xff // begins the rest of an item of siblings, where others have the label of a step
)

// part gives away some of the children that are left, so that all of them make so many items. One child alone is an
// item of its own, as in divide.go. Several are an item of siblings.
func (rec *record) part(parts int) (item explore.Item, many int, siblings bool) {
	if rec.share == 0 {
		rec.share = (len(rec.children) + parts - 1) / parts
	}
	n := min(rec.share, len(rec.children))
	if n <= 1 {
		return rec.item(rec.first()), 1, false
	}
	given := rec.children[:n]
	rec.children = rec.children[n:]
	return rec.siblings(given), n, true
}

// siblings makes the item of some children.
func (rec *record) siblings(children []child) explore.Item {
	first, end := rec.path.len(), 0
	for i := range children {
		c := &children[i]
		first, end = min(first, int(c.at)), max(end, int(c.at))
		for _, k := range c.past {
			end = max(end, int(k)+1)
		}
		for _, k := range c.same {
			end = max(end, int(k)+1)
		}
	}
	e := &encoder{search.NewEncoder()}
	e.Byte(together)
	ids, labels := rec.path.first(end, nil, nil)
	e.List(ids)
	for _, l := range labels {
		e.Byte(byte(l))
	}
	ds := rec.path.displaced(rec.path.len(), nil)
	e.Count(len(ds))
	for _, d := range ds {
		e.ID(d.t)
		e.Count(int(d.at))
	}
	e.Count(len(children))
	for i := range children {
		e.child(&children[i])
	}
	return explore.Item{Steps: slices.Clone(ids[:first]), Rest: e.B}
}

type encoder struct{ *search.Encoder }

// child writes a child: where it deviates, what it displaces, and which macro-steps come before.
func (e *encoder) child(c *child) {
	e.Count(int(c.at))
	e.ID(c.t)
	e.choices(c.past)
	e.choices(c.same)
	if len(c.same) == 0 {
		e.ID(c.x)
	}
}

func (e *encoder) choices(ks []int32) {
	e.Count(len(ks))
	for _, k := range ks {
		e.Count(int(k))
	}
}

// takeSiblings is Take for an item of siblings: the search goes on as if it had executed their class.
func (r *Search) takeSiblings(item explore.Item) error {
	d := &decoder{search.NewDecoder(item.Rest[1:], errItem)}
	p := &path{ids: d.List()}
	for range p.ids {
		p.labels = append(p.labels, stepLabel(d.Byte()))
	}
	rec := &record{path: p}
	for range d.Count() {
		p.turned = append(p.turned, displaced{d.ID(), d.choice()})
	}
	for range d.Count() {
		rec.children = append(rec.children, d.child(len(p.ids)))
	}
	if d.Err != nil || len(d.B) > 0 || len(rec.children) == 0 || len(item.Steps) > len(p.ids) ||
		!slices.Equal(item.Steps, p.ids[:len(item.Steps)]) ||
		slices.ContainsFunc(p.labels, func(l stepLabel) bool { return l > deviation }) {
		return fmt.Errorf("%w: siblings, %d steps, %d bytes", errItem, len(item.Steps), len(item.Rest))
	}
	r.levels, r.started = []*record{rec}, true
	r.walk.Below(0)
	return nil
}

type decoder struct{ *search.Decoder }

// child reads one that deviates from a class of n choices.
func (d *decoder) child(n int) child {
	c := child{at: d.choice(), t: d.ID(), past: d.choices(n), same: d.choices(n)}
	if len(c.same) == 0 {
		c.x = d.ID()
	}
	if int(c.at) > n {
		d.Fail()
	}
	return c
}

// choices reads numbers of macro-steps, of which there are n.
func (d *decoder) choices(n int) (ks []int32) {
	for range d.Count() {
		k := d.choice()
		if int(k) >= n {
			d.Fail()
		}
		ks = append(ks, k)
	}
	return ks
}

// choice reads the number of a choice.
func (d *decoder) choice() int32 {
	n := d.Uvarint()
	if n > 1<<30 {
		d.Fail()
	}
	return int32(n)
}
