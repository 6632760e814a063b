package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: sequences, and the branches of wakeup trees. wakeupinsert.go adds sequences to trees.
//
//	source:     [AAJS14] wakeup trees: initials, weak initials, insertion; lines O4 to O7 of docs/algorithms.md, lemma L5
//	differs:    steps are macro-steps with the choices in their middle. What the last one of a sequence does may not be
//	            known: its actor is in another state there. Then the tree is made as if it depended on everything, and
//	            settle and prune drop the branches that turn out to be needless
//	invariants: insert uses the sequence up; a sequence that is only asked about (asked) leaves the tree as it is
//	checked by: twin_test.go and small_test.go, against brute force

// branch is a branch of a wakeup tree: a macro-step and what is to be explored after it, in order. Without branches
// below, anything may follow.
//
// Where the tree does not part its steps are in run, and are no branches of their own. They become branches where
// somebody looks at them (follow), or where the tree parts (split). They are shared by all sequences of an execution.
// So a step of a sequence takes 8 bytes, and a branch some 200.
type branch struct {
	step  label
	run   []*label // the steps that follow it, one after the other
	below []*branch
}

// follow gives the branches below the step, to be looked at or changed.
func (b *branch) follow() *[]*branch {
	if len(b.run) > 0 {
		b.split(0)
	}
	return &b.below
}

// split makes a branch of what follows the first i steps of the run.
func (b *branch) split(i int) {
	b.below = []*branch{{step: *b.run[i], run: b.run[i+1:], below: b.below}}
	b.run = b.run[:i]
}

// leaf reports whether anything may follow.
func (b *branch) leaf() bool { return len(b.below) == 0 && len(b.run) == 0 }

// sequence is the v of [AAJS14] while it is inserted into a wakeup tree (O5 to O7). It holds the macro-steps of the
// execution in order, without those that happen after the earlier step of the race, and then the later step.
type sequence struct {
	order *causal.Order
	tr    *trace.Trace
	r     reversal
	away  trace.ID // the earlier step of the race
	parts []part

	displaced int // faults of the earlier step of the race, which is still to come

	asked bool // whether a tree leads to it is asked only: the tree stays as it is

	labels *[]*label // by event: those of macro-steps; see shared
}

// part is a macro-step of a sequence: its events are [event, end); event is -1 if it did not happen.
type part struct {
	event, end int32
	id         trace.ID
	path       []trace.ID // the choices in its middle
	fault      bool       // one of them is a fault
	last       bool       // the later step of the race: the choices that follow are open
	// what it does is open too, but for its actor: the actor's state is another before the race
	open      bool
	foot      causal.Footprint // of one that did not happen, where it is known
	forwarded *forwardedPart   // of a sequence that was forwarded: there is no execution to ask
}

// sequence builds the reversal as a sequence. It also holds what comes after the later step and does not happen after
// the earlier one: notdep(e, E) of O5 has all of that. The proof of L5 needs it, since a weak initial has to be
// independent of it too. The sequence is valid until the next one is built.
func (r *reversal) sequence(s *depthFirst, end int32) sequence {
	o := s.order
	v := sequence{order: o, tr: s.x.Trace(), r: *r, away: o.Step(r.i).ID, parts: s.parts[:0], labels: &s.labels}
	for k := r.i + 1; k < end && o.Head(k) == r.i; k++ {
		if o.Step(k).Kind == trace.Fault {
			v.displaced = 1
		}
	}
	until := max(s.reach.after(r.i, end), r.last+1)
	for k := r.i + 1; k < until; k++ {
		s.looked++
		if !o.Before(r.i, k) {
			until = s.reach.with(until, k, end)
		}
		if o.Head(k) != k || k == r.last || o.Before(r.i, k) && (r.last < 0 || o.Head(r.last) != k) ||
			r.last >= 0 && o.Before(r.last, k) {
			continue
		}
		v.addPart(k, end, s.faulty)
	}
	if r.last < 0 {
		v.parts = append(v.parts, part{event: -1, id: r.step, last: true, open: true})
	} else if o.Head(r.last) == r.last {
		v.addLater(end, s.faulty)
	}
	s.parts = v.parts
	return v
}

// addPart adds the part that macro-step k makes: to the later step of the race, if that is in it.
func (v *sequence) addPart(k, end int32, faulty bool) {
	o, r := v.order, &v.r
	p := part{event: k, end: k + 1, id: o.Step(k).ID}
	chosen := end // the end of the choices that are no open ones
	for ; p.end < end && o.Head(p.end) == k && (chosen == end || o.Step(p.end).Kind != trace.Fault); p.end++ {
		p.fault = p.fault || p.end < chosen && o.Step(p.end).Kind == trace.Fault
		if p.end == r.last {
			p.last, chosen = true, p.end+1
		}
	}
	p.path = pathOfEvents(v.events(k+1, min(p.end, chosen)), faulty, !p.last)
	v.parts = append(v.parts, p)
}

// addLater adds the part of the later step of the race, where a macro-step begins with it.
func (v *sequence) addLater(end int32, faulty bool) {
	o, r := v.order, &v.r
	p := part{event: r.last, end: r.last + 1, id: r.step, last: true, open: r.open}
	// SUBTLE: what it does after choices that are open decides what it comes before as what it does first; not what
	// befell it then.
	for !p.open && p.end < end && o.Head(p.end) == r.last && o.Step(p.end).Kind != trace.Fault {
		p.end++
	}
	if faulty && !r.open {
		p.path = []trace.ID{nothing} // its handler ran
	}
	if r.suffers {
		for p.end < end && o.Head(p.end) == r.last {
			p.end++
		}
		p.path, p.fault = pathOfEvents(v.events(r.last+1, p.end), true, true), true
	}
	v.parts = append(v.parts, p)
}

// events gives those of the record from one on and before another.
func (v *sequence) events(from, end int32) []trace.Event {
	first := v.order.First()
	return v.tr.Events[first+int(from) : first+int(end)]
}

// before reports whether part a of the sequence happens before part b, which follows it.
func (v *sequence) before(a, b *part) bool {
	if b.open {
		// SUBTLE: nobody knows. If it turns out that nothing but its actor's steps and what sent its message comes before it,
		// prune drops what was inserted in vain.
		return true
	}
	if b.forwarded != nil {
		return slices.Contains(b.forwarded.past, a.event)
	}
	if b.event < 0 {
		return v.depends(a, b.foot)
	}
	for e := b.event; e < b.end; e++ {
		if v.order.Upto(e).Has(a.event) {
			return true
		}
	}
	return false
}

// depends reports whether a part depends on a step with this footprint. A part that happened is asked by its events,
// one that did not by what is known of it.
func (v *sequence) depends(p *part, foot causal.Footprint) bool {
	if p.forwarded != nil {
		return p.forwarded.label.foot.Dependent(foot)
	}
	if p.event < 0 {
		return p.foot.Dependent(foot)
	}
	for e := p.event; e < p.end; e++ {
		if v.order.DependsOn(e, foot) {
			return true
		}
	}
	return false
}

// begins reports whether macro-step l is a weak initial of the sequence. It is if it is a part before which no other
// part happens, or no part and independent of all. k is the part that it is, -1 if it is none.
func (v *sequence) begins(l *label) (k int, ok bool) {
	if v.displaces(l.id) {
		return -1, false
	}
	for k := range v.parts {
		p := &v.parts[k]
		if p.id != l.id {
			continue
		}
		if !p.agrees(l.path) {
			return k, false
		}
		for i := range v.parts[:k] {
			if v.before(&v.parts[i], p) {
				return k, false
			}
		}
		return k, true
	}
	// SUBTLE: what is begun with and does more than is guessed would meet the sequence, but that race leads here only, and
	// may be covered by what meets l in its turn. So the sequence is kept beside, until l was executed (settle).
	return -1, v.independent(l.foot) && (!l.guess || v.guessed())
}

// guessed reports whether the sequence has a part of which nobody knows what it does.
func (v *sequence) guessed() bool {
	return slices.ContainsFunc(v.parts, func(p part) bool { return p.open })
}

// settle drops from the wakeup tree what the chosen step leads to, now that the step was executed. When that was
// inserted nobody knew what the step does, so it was kept beside.
func (n *node) settle(l *leaf) {
	if len(n.wakeup) == 0 || !n.wakeup[0].step.guess || l.fault {
		return
	}
	n.wakeup[0].step.guess = false
	n.wakeup = append(n.wakeup[:1:1],
		slices.DeleteFunc(n.wakeup[1:], func(b *branch) bool { return b.followed(n.chosen.id, l) })...)
}

// followed drops from a branch what is independent of a step that is no part of it. Such a step is a weak initial of
// what is dropped, so its own branch leads there. true: nothing is left of the branch.
func (b *branch) followed(id trace.ID, l *leaf) bool {
	if b.step.id == id || b.step.guess || b.step.fault || l.foot.Dependent(b.step.foot) {
		return false
	}
	below := b.follow()
	*below = slices.DeleteFunc(*below, func(c *branch) bool { return c.followed(id, l) })
	return len(*below) == 0
}

// drop takes part k out of the sequence, in place. Most that are dropped are its first: a tree is met in the order in
// which it was built.
func (v *sequence) drop(k int) {
	copy(v.parts[1:], v.parts[:k])
	v.parts = v.parts[1:]
}

// displaces reports whether the sequence is to take the later step of the race before the step with this identity,
// which is the earlier one.
//
// SUBTLE: under other choices that step may be independent of the later one. What it leads to then does not make up for
// it: the executions looked for are those in which it chooses as it did.
func (v *sequence) displaces(id trace.ID) bool {
	return id == v.away && id != v.r.step && slices.ContainsFunc(v.parts, func(p part) bool { return p.last })
}

// agrees reports whether the macro-step may be one with these choices; where either is open, the other decides.
func (p *part) agrees(path []trace.ID) bool {
	n := min(len(p.path), len(path))
	return slices.Equal(p.path[:n], path[:n])
}

// independent reports whether all of the sequence is independent of a step with this footprint that is no part of it.
func (v *sequence) independent(foot causal.Footprint) bool {
	for i := range v.parts {
		p := &v.parts[i]
		if p.open {
			// SUBTLE: it may turn out to depend on more. Then the step with this footprint, which is explored first, meets it,
			// and that race leads here again.
			if v.r.foot.Dependent(foot) {
				return false
			}
			continue
		}
		if v.depends(p, foot) {
			return false
		}
	}
	return true
}

// covered is line O6: whether a weak initial of the sequence sleeps, where so many faults are left. Then what was
// explored after that step has led to the class of the sequence (L5).
func (v *sequence) covered(sleep []sleeper, left int) bool {
	more := left - v.faults() - v.displaced
	by := func(spent bool, ok func(q *sleeper) bool) bool {
		return slices.ContainsFunc(sleep, func(q sleeper) bool { return ok(&q) && v.coveredBy(&q, spent) })
	}
	if by(more <= 0, func(*sleeper) bool { return true }) {
		return true
	}
	last := slices.IndexFunc(v.parts, func(p part) bool { return p.last && !p.fault })
	if more != 1 || last < 0 {
		return false
	}
	// Either nothing happens to the last step, or what happens is the last fault there is.
	mine := func(q *sleeper) bool { return q.id == v.parts[last].id }
	return by(true, mine) && by(true, func(q *sleeper) bool { return !mine(q) })
}

// coveredBy is covered for one sleeping step: whether it is a weak initial of the sequence that sleeps. If it is a
// part, no part may happen before it. If it is none, it has to be independent of all parts. Only then the class of the
// sequence has an execution that begins with the step, and what was explored after the step has executed it (L4).
func (v *sequence) coveredBy(q *sleeper, spent bool) bool {
	if v.displaces(q.id) {
		return false
	}
	for k := range v.parts {
		if p := &v.parts[k]; p.id == q.id {
			if p.open {
				return q.asleep(nil, spent) && v.first(k, q)
			}
			_, initial := v.begins(&label{id: q.id, path: p.path})
			return initial && q.asleep(p.path, spent && !p.fault) // its own fault is among those that are spent
		}
	}
	if q.idle {
		return false
	}
	// It is no part of the sequence: whatever it chooses has to have been explored and to be independent.
	for i := range q.leaves {
		if spent && q.leaves[i].fault {
			continue
		}
		if q.leaves[i].awake || !v.independent(q.leaves[i].foot) {
			return false
		}
	}
	return true
}

// first reports whether part k is independent of the parts before it. The sequence does not know what part k does. The
// sleeper is the same step, and knows.
func (v *sequence) first(k int, q *sleeper) bool {
	for i := range v.parts[:k] {
		for _, l := range q.leaves {
			if v.depends(&v.parts[i], l.foot) {
				return false
			}
		}
	}
	return true
}

// branch makes the branch that leads through the whole sequence.
func (v *sequence) branch() *branch {
	b := &branch{step: v.label(&v.parts[0])}
	if n := len(v.parts) - 1; n > 0 {
		b.run = make([]*label, n)
		for k := range b.run {
			b.run[k] = v.shared(&v.parts[k+1])
		}
	}
	return b
}

// shared gives the label of a part. Of a macro-step as it happened it is the same in all sequences, and is made once.
func (v *sequence) shared(p *part) *label {
	if p.forwarded != nil || p.open || p.last || p.event < 0 {
		l := v.label(p)
		return &l
	}
	for int(p.event) >= len(*v.labels) {
		*v.labels = append(*v.labels, nil)
	}
	at := &(*v.labels)[p.event]
	if *at == nil {
		l := v.label(p)
		l.path, l.foot = slices.Clip(l.path), slices.Clip(l.foot)
		*at = &l
	}
	return *at
}

// faults counts those that the sequence injects.
func (v *sequence) faults() int {
	n := 0
	for i := range v.parts {
		if v.parts[i].fault {
			n++
		}
	}
	return n
}

// label is the step that a part stands for, as a branch of the tree has it. It carries the footprint: while the branch
// is not executed, dependence on it can be asked of that alone.
func (v *sequence) label(p *part) label {
	if p.forwarded != nil {
		return p.forwarded.label
	}
	if p.open {
		return label{id: p.id, actor: v.r.actor, kind: v.r.kind, path: p.path, fault: p.fault, foot: v.r.foot, open: true,
			guess: true}
	}
	if p.event < 0 {
		return label{id: p.id, actor: v.r.actor, kind: v.r.kind, path: p.path, fault: p.fault, foot: p.foot, first: v.r.first}
	}
	e := &v.tr.Events[v.order.First()+int(p.event)]
	l := labelOf(v.tr, &e.Step)
	l.path, l.fault, l.open, l.varies = p.path, p.fault, p.last, p.last && p.end > p.event+1
	if v.r.suffers && p.last {
		l.open, l.varies = false, false
	}
	for k := p.event; k < p.end; k++ {
		l.foot = v.order.Footprint(l.foot, k)
	}
	if e.Released >= 0 && !p.last {
		l.first = v.tr.Messages[e.Released].ID
	}
	return l
}
