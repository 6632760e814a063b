package dpor

import (
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// branch is a branch of a wakeup tree: a step and what is to be explored after it, in order. Without branches below, anything may
// follow.
type branch struct {
	step  label
	below []*branch
}

// sequence is what a reversal leads to, while it is inserted into a wakeup tree: events of the execution in order, without those that
// happen after the earlier step of the race, then the later step.
type sequence struct {
	order *causal.Order
	r     reversal
	parts []part
}

// part is an element of a sequence.
type part struct {
	event int32 // -1 for a step that did not happen
	id    trace.ID
}

// sequence builds the reversal as a sequence. Unlike [AAJS14] says in its algorithm 2, and as its proof needs, it holds also the events
// after the later step that are independent of the earlier one.
func (r *reversal) sequence(o *causal.Order, end int32) sequence {
	v := sequence{order: o, r: *r}
	for k := r.i + 1; k < end; k++ {
		if k != r.last && !o.Before(r.i, k) && (r.last < 0 || !o.Before(r.last, k)) {
			v.parts = append(v.parts, part{k, o.Step(k).ID})
		}
	}
	v.parts = append(v.parts, part{r.last, r.step})
	return v
}

// before reports whether part a of the sequence happens before part b, which follows it.
func (v *sequence) before(a, b part) bool {
	if b.event >= 0 && b.event != v.r.last {
		return v.order.Before(a.event, b.event)
	}
	if v.r.last >= 0 {
		return v.order.Before(a.event, v.r.last)
	}
	return v.r.cause >= 0 && (a.event == v.r.cause || v.order.Before(a.event, v.r.cause))
}

// without gives the sequence after step l, if l is a weak initial of it: its own first step for somebody, or independent of all.
func (v *sequence) without(l *label) (rest sequence, ok bool) {
	for k, p := range v.parts {
		if p.id != l.id {
			continue
		}
		for _, earlier := range v.parts[:k] {
			if v.before(earlier, p) {
				return rest, false
			}
		}
		rest = *v
		rest.parts = append(append([]part(nil), v.parts[:k]...), v.parts[k+1:]...)
		return rest, true
	}
	for _, p := range v.parts {
		if p.event >= 0 && v.order.DependsOn(p.event, l.foot) || p.event < 0 && v.dependsOnLast(l) {
			return rest, false
		}
	}
	return *v, true
}

// dependsOnLast judges a step that did not happen by all that is known of it: its actor.
func (v *sequence) dependsOnLast(l *label) bool {
	for _, a := range l.foot {
		if a.Object == v.r.actor {
			return true
		}
	}
	return false
}

// labels are the steps of the sequence, with what is known of them.
func (v *sequence) labels(tr *trace.Trace) []label {
	var ls []label
	for _, p := range v.parts {
		l := label{id: p.id, actor: v.r.actor, kind: v.r.kind}
		if p.event >= 0 {
			e := &tr.Events[v.order.First()+int(p.event)]
			l = labelOf(tr, &e.Step)
			l.foot = v.order.Footprint(nil, p.event)
			if e.Released >= 0 && p.event != v.r.last {
				l.first = tr.Messages[e.Released].ID
			}
		} else {
			l.foot = causal.Footprint{{Object: v.r.actor, Write: true}}
		}
		ls = append(ls, l)
	}
	return ls
}

// insert adds the sequence to a wakeup tree unless what is there leads to it.
func insert(tree []*branch, v sequence, tr *trace.Trace) []*branch {
	for _, b := range tree {
		rest, ok := v.without(&b.step)
		if !ok {
			continue
		}
		if len(b.below) > 0 && len(rest.parts) > 0 {
			b.below = insert(b.below, rest, tr)
		}
		return tree
	}
	ls := v.labels(tr)
	var below []*branch
	for i := len(ls) - 1; i >= 0; i-- {
		below = []*branch{{ls[i], below}}
	}
	return append(tree, below[0])
}
