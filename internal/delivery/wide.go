package delivery

import "github.com/rehearse-go/rehearse/trace"

// This file finds one of the enabled steps where very many actors have something to do. A list of them before each of n
// steps takes the square of n. Here a step costs what it changes, and a walk from a leaf of a tree to its root.
//
//	source:     tournament trees, as in sorting by selection; no paper
//	assumes:    what Steady says; actors that are not steady are asked each time, as they are by Enabled
//	invariants: I1 after settle, wide has all steps of Enabled and no others
//	            I2 each node of the tree has the actor whose best step comes first among those below it
//	cost:       a change of an actor: its steps, and as many comparisons as the tree is high. The first question lists
//	            all
//	checked by: wide_test.go, against Enabled

// wide knows of each box its best step, and the best of all.
type wide struct {
	on     bool
	stale  []int32  // boxes that have changed since; those that are not steady
	best   []winner // by actor
	leaves int32    // of the tree, a power of two
	tree   []int32  // of actors; the children of the i-th are the 2i-th and the one behind it; -1: nobody
	steps  int      // in all
}

// winner is what an actor has.
type winner struct {
	steps int // how many
	first trace.Step
}

func (w *wide) reset() { w.on = false }

// Count gives the number of steps that may be taken now: so many has Enabled.
func (p *Pool) Count(host Host) int {
	p.settle(host)
	return p.wide.steps
}

// First gives the first step of Enabled in the default order. It reports false if there is none.
func (p *Pool) First(host Host) (trace.Step, bool) {
	p.settle(host)
	if p.wide.steps == 0 {
		return trace.Step{}, false
	}
	return p.wide.best[p.wide.tree[1]].first, true
}

// Find gives the step of Enabled with this identity, if it is one of this actor.
func (p *Pool) Find(host Host, actor int32, id trace.ID) (trace.Step, bool) {
	if int(actor) >= len(p.boxes) || p.boxes[actor].n == 0 {
		return trace.Step{}, false
	}
	b := &p.boxes[actor]
	if p.worksOut(actor, b, host) {
		p.scratch = p.scratch[:0]
		if b.some {
			p.scratch = append(append(p.scratch, b.first), b.steps...)
		}
	}
	if i := trace.Find(p.scratch, id); i >= 0 {
		return p.scratch[i], true
	}
	return trace.Step{}, false
}

// worksOut works out what an actor may do. It is in the box if that is fresh then, else in scratch.
func (p *Pool) worksOut(a int32, b *box, host Host) (fresh bool) {
	if b.fresh {
		return true
	}
	if b.fresh = p.steady != nil && p.steady.Steady(a); b.fresh {
		p.refresh(b, a, host)
		return true
	}
	p.scratch = p.steps(p.scratch[:0], a, b, host)
	return false
}

// settle takes in what has changed.
func (p *Pool) settle(host Host) {
	w := &p.wide
	if !w.on {
		p.beginWide()
	} else if int(w.leaves) < len(p.boxes) {
		p.growWide()
	}
	kept := w.stale[:0]
	for _, a := range w.stale {
		b := &p.boxes[a]
		if p.settleBox(a, b, host) {
			b.stale = false
		} else {
			kept = append(kept, a)
		}
	}
	w.stale = kept
}

// beginWide has all boxes looked at.
func (p *Pool) beginWide() {
	w := &p.wide
	w.on, w.stale, w.best, w.leaves, w.steps = true, w.stale[:0], w.best[:0], 1, 0
	for i := range p.boxes {
		p.boxes[i].stale = false
	}
	for a := p.active.first; a >= 0; a = p.boxes[a].next {
		p.boxes[a].stale = true
		w.stale = append(w.stale, a)
	}
	p.growWide()
}

// growWide makes room for all boxes, and plays all matches again.
func (p *Pool) growWide() {
	w := &p.wide
	for int(w.leaves) < len(p.boxes) {
		w.leaves *= 2
	}
	for len(w.best) < int(w.leaves) {
		w.best = append(w.best, winner{})
	}
	w.tree = w.tree[:0]
	for range 2 * w.leaves {
		w.tree = append(w.tree, -1)
	}
	for a := range w.leaves {
		if w.best[a].steps > 0 {
			w.tree[w.leaves+a] = a
		}
	}
	for i := w.leaves - 1; i > 0; i-- {
		w.play(i)
	}
}

// settleBox takes in one box. It reports false if that has to be asked again the next time.
func (p *Pool) settleBox(a int32, b *box, host Host) bool {
	w := &p.wide
	now := &w.best[a]
	w.steps -= now.steps
	now.steps = 0
	settled := true
	if b.n == 0 {
		if b.listed {
			p.drop(a, b)
		}
	} else if settled = p.worksOut(a, b, host); !settled {
		now.take(p.scratch)
	} else if b.some {
		now.steps, now.first = 1, b.first
		now.add(b.steps)
	}
	w.steps += now.steps
	leaf := w.leaves + a
	w.tree[leaf] = -1
	if now.steps > 0 {
		w.tree[leaf] = a
	}
	for i := leaf / 2; i > 0; i /= 2 {
		w.play(i)
	}
	return settled
}

// take has these steps in the place of all.
func (n *winner) take(steps []trace.Step) {
	if len(steps) > 0 {
		n.steps, n.first = 1, steps[0]
		n.add(steps[1:])
	}
}

// add has these steps too.
func (n *winner) add(steps []trace.Step) {
	n.steps += len(steps)
	for i := range steps {
		if steps[i].Before(&n.first) {
			n.first = steps[i]
		}
	}
}

// play decides a node of the tree.
func (w *wide) play(i int32) {
	a, b := w.tree[2*i], w.tree[2*i+1]
	if a < 0 || b >= 0 && w.best[b].first.Before(&w.best[a].first) {
		a = b
	}
	w.tree[i] = a
}
