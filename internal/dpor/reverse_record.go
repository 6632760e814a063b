package dpor

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// record is what is kept of a class while its children are visited.
type record struct {
	ids       []trace.ID // its choices
	labels    []stepLabel
	children  []child     // still to be visited
	displaced []displaced // by its deviations, in order
}

// displaced is what a deviation came before.
type displaced struct {
	t  trace.ID // the step that S would have taken
	at int32    // choice of the step that came instead
}

// child is a class that differs from its parent by one more deviation.
type child struct {
	at   int32    // so many choices are the parent's
	past []int32  // then these of the parent's choices,
	same []int32  // then these, which are the step that deviates and what it chose; or, where what it does is another now,
	x    trace.ID // this step
	t    trace.ID // in the place of this one

	deviates int32 // with same: the macro-step
}

// plan appends the choices that lead to the child, and their labels.
func (rec *record) plan(c child, ids []trace.ID, labels []stepLabel) ([]trace.ID, []stepLabel) {
	ids = append(ids, rec.ids[:c.at]...)
	labels = append(labels, rec.labels[:c.at]...)
	for _, k := range c.past {
		ids = append(ids, rec.ids[k])
		labels = append(labels, deviating)
	}
	for _, k := range c.same {
		ids = append(ids, rec.ids[k])
		labels = append(labels, deviation)
	}
	if len(c.same) > 0 {
		return ids, labels
	}
	return append(ids, c.x), append(labels, deviation)
}

// displacedBy appends what the deviations of the child came before.
func (rec *record) displacedBy(c child, ds []displaced) []displaced {
	for _, d := range rec.displaced {
		if d.at < c.at {
			ds = append(ds, d)
		}
	}
	return append(ds, displaced{c.t, c.at + int32(len(c.past))})
}

// block is a macro-step of the class at hand.
type block struct {
	lo, hi   int32 // its choices
	event    int32 // its first event
	end      int32 // after its last event
	depth    int32
	id       trace.ID
	actor    int32
	message  int32
	barriers int32 // advances of the clock before it
	due      int32 // of them those before it became possible: it may have been refused since
	label    stepLabel
	least    bool // S would have made all its choices so
	past     blocks
}

// before orders the keys of S.
func (b *block) before(depth int32, id trace.ID) bool {
	return b.depth < depth || b.depth == depth && b.id.Less(id)
}

// blocks is a set of macro-steps.
type blocks []uint64

func (s blocks) has(i int32) bool { return s[i>>6]&(1<<(i&63)) != 0 }
func (s blocks) set(i int32)      { s[i>>6] |= 1 << (i & 63) }

func (s blocks) or(o blocks) {
	for i, w := range o {
		s[i] |= w
	}
}

// within reports whether all of s is in o.
func (s blocks) within(o blocks) bool {
	for i, w := range s {
		if w&^o[i] != 0 {
			return false
		}
	}
	return true
}

func (s blocks) meets(o blocks) bool {
	for i, w := range o {
		if s[i]&w != 0 {
			return true
		}
	}
	return false
}

// class is the class at hand, taken apart.
type class struct {
	*Reverse
	tr       *trace.Trace
	blocks   []block
	blockOf  []int32 // by event: its macro-step, -1 if it never was a choice
	advances []int32 // by event: those of the clock up to it
	words    int
	must     blocks // the deviations: S makes T of any beginning that holds them, if plain
	plain    bool   // nothing is ever refused or kept back, so that S takes steps in the order of their keys
	pending  []int32
	sim      *simulation
	handled  map[int32]int32 // by message: the macro-step that handles it
	rec      *record
	lowest   []int32 // by macro-step: where S makes the class only if it comes no earlier; see findLowest
	pairs    []pair
	unfired  []cancel // timers that could have fired
	arena    []uint64 // memory of the pasts
	begin    blocks   // of offer
}

// pair are two macro-steps that depend on each other, of which the second might be taken instead of the first.
type pair struct{ p, i int32 }

// cancel is a timer that macro-step by cancelled, which could have fired before.
type cancel struct{ by, timeout int32 }

// record takes the class apart and finds its children.
func (r *Reverse) record(tr *trace.Trace) *record {
	c := &r.class
	c.Reverse, c.tr, c.rec, c.sim, c.handled = r, tr, &record{}, nil, nil
	c.collect()
	c.pending = c.pending[:0]
	c.order.Pending(int32(c.order.Len()), func(m int32) { c.pending = append(c.pending, m) })
	c.noteDoubts()
	c.findDeviations()
	c.findLowest()
	c.findPairs()
	next := 0
	for p := range int32(len(c.blocks)) {
		from := next
		for next < len(c.pairs) && c.pairs[next].p == p {
			next++
		}
		if c.blocks[p].label == byS {
			c.childrenAt(p, c.pairs[from:next])
		}
	}
	c.variants()
	c.keepChoices()
	return c.rec
}

// keepChoices copies into the record what its children begin with.
func (c *class) keepChoices() {
	if len(c.rec.children) == 0 {
		return
	}
	c.rec.displaced = slices.Clone(c.displaced)
	c.rec.ids, c.rec.labels = make([]trace.ID, len(c.taken)), make([]stepLabel, len(c.taken))
	for k := range c.taken {
		c.rec.ids[k] = c.taken[k].id
	}
	copy(c.rec.labels, c.labels)
}

// cleared gives n values in the memory of s, all zero.
func cleared[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// collect makes the macro-steps out of the choices. What the class has in common with the one before is there already.
func (c *class) collect() {
	same := c.same()
	c.blocks = c.blocks[:same]
	k, e := 0, 0
	if same > 0 {
		k, e = int(c.blocks[same-1].hi), int(c.blocks[same-1].end)
	}
	for ; k < len(c.taken); k++ {
		t := &c.taken[k]
		if !t.glued {
			c.blocks = append(c.blocks, block{lo: int32(k), hi: int32(k) + 1, event: t.event, least: true})
		} else if len(c.blocks) > 0 { // else of the test function, before everything
			b := &c.blocks[len(c.blocks)-1]
			b.hi, b.least = int32(k)+1, b.least && t.least
		}
	}
	for i := range c.blocks {
		c.blocks[i].label = c.labelOf(&c.blocks[i])
	}
	if words := (len(c.blocks) + 63) / 64; words > c.words {
		c.words, same = words, 0
	}
	c.begin = cleared(c.begin, c.words)
	c.arena = extended(c.arena, same*c.words, len(c.blocks)*c.words)
	c.place(e, same)
	for i := same; i < len(c.blocks); i++ {
		c.fill(int32(i))
	}
}

// same is the number of macro-steps that are those of the class before: those that were over before the last choice of both.
func (c *class) same() int {
	n := 0
	for c.recorded && n < len(c.blocks) && int(c.blocks[n].hi) < c.kept {
		n++
	}
	return n
}

func (c *class) labelOf(b *block) stepLabel {
	if int(b.lo) >= len(c.labels) {
		return byS
	}
	for k := int(b.lo) + 1; k < min(int(b.hi), len(c.labels)); k++ {
		if c.labels[k] == deviation {
			return deviation
		}
	}
	return c.labels[b.lo]
}

// extended gives n values in the memory of s, the first of which are those of s and the others zero.
func extended[T any](s []T, first, n int) []T {
	s = slices.Grow(s[:first], n-first)[:n]
	clear(s[first:])
	return s
}

// place finds the macro-steps of the events from e on, the first of which is none of the first macro-steps.
func (c *class) place(e, first int) {
	barriers, next := int32(0), first
	if e > 0 {
		barriers = c.advances[e-1]
	}
	c.blockOf, c.advances = extended(c.blockOf, e, c.order.Len()), extended(c.advances, e, c.order.Len())
	for ; e < c.order.Len(); e++ {
		c.blockOf[e] = -1
		advance := c.order.Step(int32(e)).Kind == trace.Advance
		if advance {
			barriers++
		}
		if c.advances[e] = barriers; advance && c.order.Event(int32(e)).Auto {
			continue
		}
		for next < len(c.blocks) && int(c.blocks[next].event) <= e {
			next++
		}
		if next > 0 && c.order.Head(int32(e)) == c.blocks[next-1].event {
			c.blockOf[e] = int32(next - 1)
			b := &c.blocks[next-1]
			b.end, b.barriers = int32(e)+1, barriers
		}
	}
}

func (c *class) fill(i int32) {
	b := &c.blocks[i]
	s := c.order.Step(b.event)
	b.id, b.actor, b.message, b.depth = s.ID, s.Actor, s.Message, c.depths[b.event]
	if b.due = b.barriers; c.order.Takes(b.event) {
		b.due = c.barriersOf(b.message)
	}
	b.past = c.arena[int(i)*c.words : int(i+1)*c.words : int(i+1)*c.words]
	for e := b.event; e < b.end; e++ {
		c.order.Past(e).Each(0, func(j int32) bool {
			if k := c.blockOf[j]; k >= 0 && k != i {
				b.past.set(k)
			}
			return true
		})
	}
}

// key gives the key under which S would take message m, which did not happen.
func (c *class) key(m int32) (int32, trace.ID) {
	s := c.tr.DeliveryOf(m)
	own := int32(-1)
	if c.queues() {
		own = c.order.Last(s.Actor)
	}
	return c.depthOf(&s, c.order.Arrival(m), own), s.ID
}

// findDeviations finds the steps that S would not take where they are, however the class begins, and whether S is plain.
func (c *class) findDeviations() {
	c.must = cleared(c.must, c.words)
	c.plain = c.model != trace.FIFO && c.model != trace.Causal
	for i := range c.blocks {
		v := &c.blocks[i]
		if !v.least || v.label == deviation && c.order.Step(v.event).Kind == trace.Advance {
			c.must.set(int32(i))
		}
		c.plain = c.plain && c.completes(v)
		for e := v.event; e < v.end; e++ {
			c.order.EachCollision(e, func(u int32) {
				b := c.blockOf[u]
				if b < 0 || b == int32(i) {
					return
				}
				takes := e == v.event && c.order.Takes(e)
				c.compare(b, v.depth, v.id, v.message, v.due, takes)
				if takes && c.plain && !v.past.has(b) {
					panic("dpor: what depends on a step happens after it")
				}
				if takes && c.plain && u > c.order.Parent(e) && !c.order.KeepsBack(u, v.message) {
					c.plain = c.order.WouldTake(u, c.nextOwn(b, v.actor), v.message, c.accepts)
				}
			})
		}
	}
	for _, m := range c.pending {
		depth, id := c.key(m)
		last := c.cancelledBy(m)
		c.plain = c.plain && (last >= 0 || c.order.Stopped(c.tr.Messages[m].Receiver))
		receiver := c.tr.Messages[m].Receiver
		c.order.EachBeforeOnChain(m, func(u int32) {
			b := c.blockOf[u]
			if b < 0 || last >= 0 && u > last {
				return
			}
			c.compare(b, depth, id, m, c.barriersOf(m), true)
			if c.plain && u > c.order.Arrival(m) && !c.order.KeepsBack(u, m) {
				c.plain = c.order.WouldTake(u, c.nextOwn(b, receiver), m, c.accepts)
			}
		})
	}
	c.unfired = c.unfired[:0]
	for i := range c.blocks {
		v := &c.blocks[i]
		for e := v.event; c.queues() && e < v.end; e++ {
			c.order.CancelledFirings(e, func(m int32) {
				c.unfired = append(c.unfired, cancel{int32(i), m})
				s := c.tr.FiringOf(m)
				if !v.before(c.depthOf(&s, c.order.Arrival(m), -1), s.ID) {
					c.must.set(int32(i))
				}
			})
		}
	}
}

// cancelledBy gives the event that cancelled the timer of timeout m, -1 if none did.
func (c *class) cancelledBy(m int32) int32 {
	if c.tr.Messages[m].Class == trace.Timeout || c.tr.Messages[m].Class == trace.Answer {
		for e := range c.order.Len() {
			if slices.Contains(c.order.Event(int32(e)).Cancelled, m) {
				return int32(e)
			}
		}
	}
	return -1
}

// nextOwn gives the first step of the actor from macro-step p on, -1 if there is none.
func (c *class) nextOwn(p, actor int32) int32 {
	for i := p; int(i) < len(c.blocks); i++ {
		if b := &c.blocks[i]; b.actor == actor && c.order.Step(b.event).Kind != trace.Timer {
			return b.event
		}
	}
	return -1
}

// completes reports whether no handler was left in its middle by the macro-step.
func (c *class) completes(v *block) bool {
	return c.order.Event(v.end - 1).Completed
}

// barriersOf counts the advances of the clock up to the arrival of message m.
func (c *class) barriersOf(m int32) int32 {
	if at := c.order.Arrival(m); at >= 0 {
		return c.advances[at]
	}
	return 0
}

// compare notes macro-step u as a deviation if S would have taken the step with this key, which depends on u and comes later, first.
func (c *class) compare(u int32, depth int32, id trace.ID, message, due int32, takes bool) {
	b := &c.blocks[u]
	if b.barriers < due || b.before(depth, id) {
		return
	}
	if takes && message >= 0 && c.order.KeepsBack(b.event, message) {
		return
	}
	c.must.set(u)
}

// findLowest finds how early macro-steps can come instead of one of S in a child of the class, if that is plain: all deviations must come
// before, or be what the macro-step needs.
func (c *class) findLowest() {
	c.lowest = cleared(c.lowest, len(c.blocks))
	for i := 0; c.plain && i < len(c.blocks); i++ {
		x := &c.blocks[i]
		needs, also := x.past, int32(i) // at most
		if !c.queues() && c.order.Takes(x.event) {
			needs, also = nil, -1
			if parent := c.order.Parent(x.event); parent >= 0 && c.blockOf[parent] >= 0 {
				also = c.blockOf[parent]
				needs = c.blocks[also].past
			}
		}
		c.lowest[i] = c.lastDeviation(needs, also)
	}
}

// findPairs finds the pairs that may make a child, in the order of their first parts.
func (c *class) findPairs() {
	c.pairs = c.pairs[:0]
	for i := range c.blocks {
		x := &c.blocks[i]
		for p := int32(i) - 1; p >= max(c.lowest[i], 0); p-- {
			if t := &c.blocks[p]; t.label == byS && x.past.has(p) && c.order.Collide(t.event, t.end, x.event, x.end) {
				c.pairs = append(c.pairs, pair{p, int32(i)})
			}
		}
	}
	slices.SortFunc(c.pairs, func(x, y pair) int { return cmp.Or(cmp.Compare(x.p, y.p), cmp.Compare(x.i, y.i)) })
}

// lastDeviation gives the last deviation that is not among the given ones, -1 if there is none.
func (c *class) lastDeviation(given blocks, also int32) int32 {
	for w := c.words - 1; w >= 0; w-- {
		left := c.must[w]
		if given != nil {
			left &^= given[w]
		}
		if also >= 0 && int(also>>6) == w {
			left &^= 1 << (also & 63)
		}
		if left != 0 {
			return int32(w<<6 + bits.Len64(left) - 1)
		}
	}
	return -1
}

// childrenAt finds the children that deviate where S takes macro-step p, which depends on what is in pairs.
func (c *class) childrenAt(p int32, pairs []pair) {
	t := &c.blocks[p]
	for k := t.lo + 1; k < t.hi; k++ {
		for _, value := range c.taken[k].other {
			c.offer(p, child{at: k, x: value}, nil, c.rankOf(p, p))
		}
	}
	if a := c.taken[t.lo].advance; !a.IsZero() {
		all := func(int32) bool { return true } // what the advance of the clock follows
		c.offer(p, child{at: t.lo, x: a}, nil, rank{false, trace.LastDepth, a, all})
	}
	for _, x := range pairs {
		c.displace(p, x.i)
	}
	for _, m := range c.pending {
		if c.order.OnChain(t.event, t.end, c.tr.Messages[m].Receiver) && c.couldTake(p, m) {
			if past := c.closure(p, c.order.Arrival(m), -1); past != nil {
				depth, id := c.key(m)
				c.offer(p, child{at: t.lo, x: c.tr.DeliveryOf(m).ID}, past, rank{false, depth, id, c.onChain(c.tr.Messages[m].Receiver)})
			}
		}
	}
	for _, x := range c.unfired {
		if x.by >= p {
			c.fire(p, x.by, x.timeout)
		}
	}
}

// fire offers the firing of a timer that macro-step by cancelled in the place of macro-step p.
func (c *class) fire(p, by, m int32) {
	t := &c.blocks[p]
	if by != p && (!c.fires(m)(p) || c.barriersOf(m) > t.barriers) {
		return
	}
	past := c.closure(p, c.order.Arrival(m), -1)
	if past == nil {
		return
	}
	s := c.tr.FiringOf(m)
	ch, r := child{at: t.lo, x: s.ID}, rank{false, c.depthOf(&s, c.order.Arrival(m), -1), s.ID, c.fires(m)}
	c.offer(p, ch, past, r)
	for z := p + 1; int(z) < len(c.blocks); z++ {
		// What appends to the same mailbox and needs neither p nor that the timer is cancelled may come before it as well.
		if b := &c.blocks[z]; z != by && !b.past.has(by) && !b.past.has(p) && !past.has(z) && c.fires(m)(z) {
			past = slices.Clone(past)
			past.or(b.past)
			past.set(z)
			c.offer(p, ch, past, r)
		}
	}
}

// couldTake reports whether the receiver of m would have taken it after the macro-steps before p, if it had arrived.
func (c *class) couldTake(p, m int32) bool {
	if c.barriersOf(m) > c.blocks[p].barriers {
		return false
	}
	receiver, next := c.tr.Messages[m].Receiver, int32(-1)
	for i := p; int(i) < len(c.blocks) && next < 0; i++ {
		b := &c.blocks[i]
		if b.actor != receiver || c.order.Step(b.event).Kind == trace.Timer {
			continue
		}
		if i > p && c.queues() && c.order.KeepsBack(b.event, m) && !c.order.SystemStep(b.event) {
			return false // an arrival moves; the order of what is before m does not
		}
		next = b.event
	}
	if next == c.blocks[p].event && c.order.Fixed(next, m) {
		return false
	}
	return !c.keptBehind(p, m) && c.order.WouldTake(c.blocks[p].event, next, m, c.accepts)
}

// keptBehind reports whether the delivery model hands another message over before m that is not handled before macro-step p.
func (c *class) keptBehind(p, m int32) bool {
	if c.model != trace.FIFO && c.model != trace.Causal {
		return false
	}
	for o := range c.tr.Messages {
		if c.order.Ordered(int32(o), m) && !c.handledBefore(p, int32(o)) {
			return true
		}
	}
	return false
}

// noteHandled notes which macro-step handles which message.
func (c *class) noteHandled() {
	if c.handled != nil {
		return
	}
	c.handled = map[int32]int32{}
	for i := range c.blocks {
		if b := &c.blocks[i]; c.order.Takes(b.event) {
			c.handled[b.message] = int32(i)
		}
	}
}

func (c *class) handledBefore(p, m int32) bool {
	c.noteHandled()
	i, ok := c.handled[m]
	if !ok && int(c.tr.Messages[m].SentBy) < c.order.First() {
		for e := range c.order.First() {
			if s := &c.tr.Events[e].Step; s.Message == m && s.Kind != trace.Send {
				return true
			}
		}
	}
	return ok && i < p
}

// displace offers macro-step i in the place of p, which it depends on, if it does not need p.
func (c *class) displace(p, i int32) {
	t, x := &c.blocks[p], &c.blocks[i]
	if c.order.Takes(x.event) && c.order.OnChain(t.event, t.end, x.actor) {
		if !c.couldTake(p, x.message) {
			return
		}
		if past := c.closure(p, c.order.Parent(x.event), -1); past != nil {
			r := c.rankOf(i, p)
			r.follows = c.onChain(x.actor)
			c.offer(p, child{at: t.lo, x: x.id}, past, r)
		}
		return
	}
	if x.barriers != t.barriers {
		return
	}
	if past := c.closure(p, c.order.Parent(x.event), c.order.Own(x.event)); past != nil {
		ch := child{at: t.lo, deviates: i}
		for k := x.lo; k < x.hi; k++ {
			ch.same = append(ch.same, k)
		}
		r := c.rankOf(i, p)
		c.eachPast(p, i, p+1, past, make(blocks, c.words), func(past blocks) { c.offer(p, ch, past, r) })
	}
}

// eachPast calls f for each set of macro-steps that may come before macro-step i where it is taken instead of p: what it needs, and any
// of what it depends on otherwise and comes before it, from z on, if that does not need p. out is what was left out before.
func (c *class) eachPast(p, i, z int32, past, out blocks, f func(past blocks)) {
	for ; c.queues() && z < i; z++ {
		b, x := &c.blocks[z], &c.blocks[i]
		if past.has(z) || b.past.has(p) || b.past.meets(out) || !x.past.has(z) || !c.order.Collide(b.event, b.end, x.event, x.end) {
			continue
		}
		more := slices.Clone(past)
		more.or(b.past)
		more.set(z)
		c.eachPast(p, i, z+1, more, out, f)
		out = slices.Clone(out)
		out.set(z)
	}
	f(past)
}

// closure gives what has to happen, after the macro-steps before p, for a step whose message arrives in event parent and whose actor's
// step before is own; nil if that needs p.
func (c *class) closure(p, parent, own int32) blocks {
	past := make(blocks, c.words)
	for _, e := range []int32{parent, own} {
		if e < 0 {
			continue
		}
		if b := c.blockOf[e]; b >= 0 {
			past.or(c.blocks[b].past)
			past.set(b)
		}
	}
	if past.has(p) {
		return nil
	}
	return past
}

// offer takes a child, whose deviation has this past, if S makes the class at hand of the same beginning with p in the place of the step
// that deviates.
func (c *class) offer(p int32, ch child, past blocks, rank rank) {
	ch.t = c.blocks[p].id
	if !c.least(p, past, rank) {
		return
	}
	begin := c.begin
	clear(begin)
	for b := int32(0); b <= p; b++ {
		begin.set(b)
	}
	if past != nil {
		begin.or(past)
	}
	if len(ch.same) > 0 && !c.blocks[ch.deviates].least {
		// What S would choose may not collide with p at all: the class with p first and the same choices is the parent.
		begin.set(ch.deviates)
	}
	if !c.leadsHere(begin) {
		return
	}
	for b := p + 1; past != nil && int(b) < len(c.blocks); b++ {
		if past.has(b) {
			for k := c.blocks[b].lo; k < c.blocks[b].hi; k++ {
				ch.past = append(ch.past, k)
			}
		}
	}
	c.rec.children = append(c.rec.children, ch)
}

// rank orders what may come before a step of S: what makes it impossible first.
type rank struct {
	cancels bool
	depth   int32
	id      trace.ID
	follows func(y int32) bool // whether it depends on macro-step y, which comes before
}

func (r rank) before(o rank) bool {
	if r.cancels != o.cancels {
		return r.cancels
	}
	return r.depth < o.depth || r.depth == o.depth && r.id.Less(o.id)
}

func (c *class) rankOf(i, t int32) rank {
	b := &c.blocks[i]
	collides := func(y int32) bool {
		return c.order.Collide(c.blocks[y].event, c.blocks[y].end, b.event, b.end)
	}
	return rank{c.cancels(i, t), b.depth, b.id, collides}
}

// onChain tells what a step of the actor, of which no more is known, follows.
func (c *class) onChain(actor int32) func(y int32) bool {
	return func(y int32) bool { return c.order.OnChain(c.blocks[y].event, c.blocks[y].end, actor) }
}

// fires tells what the firing of the timer with timeout m follows.
func (c *class) fires(m int32) func(y int32) bool {
	foot := causal.Firing(c.tr, m)
	return func(y int32) bool {
		for e := c.blocks[y].event; e < c.blocks[y].end; e++ {
			if c.order.DependsOn(e, foot) {
				return true
			}
		}
		return false
	}
}

// cancels reports whether macro-step i cancelled the timer whose firing is macro-step t.
func (c *class) cancels(i, t int32) bool {
	f := c.order.Step(c.blocks[t].event)
	if f.Kind != trace.Timer {
		return false
	}
	for e := c.blocks[i].event; e < c.blocks[i].end; e++ {
		ev := c.order.Event(e)
		if slices.Contains(ev.Cancelled, f.Message) || slices.ContainsFunc(ev.Touched, func(x trace.Touch) bool { return x.Object == c.tr.Messages[f.Message].ID }) {
			return true
		}
	}
	return false
}

// least reports whether the reading of the child takes the step that deviates before p where it is offered: of several that come before
// the same step of S and do not depend on each other the least is read first.
func (c *class) least(p int32, past blocks, r rank) bool {
	for k := len(c.displaced) - 1; k >= 0; k-- {
		d := c.displaced[k]
		y := c.blockAt(d.at)
		if d.t != c.blocks[p].id || y >= p || past != nil && past.has(y) || r.follows != nil && r.follows(y) {
			break
		}
		if !c.rankOf(y, p).before(r) {
			return false
		}
	}
	return true
}

// blockAt gives the macro-step of a choice.
func (c *class) blockAt(choice int32) int32 {
	for i := range c.blocks {
		if choice < c.blocks[i].hi {
			return int32(i)
		}
	}
	return int32(len(c.blocks)) - 1
}

// leadsHere reports whether S makes the class at hand of the macro-steps in begin.
func (c *class) leadsHere(begin blocks) bool {
	if c.plain {
		return c.must.within(begin)
	}
	if c.sim == nil {
		c.sim = c.newSimulation()
	}
	return c.sim.follows(begin)
}

// variants offers, where the class ends its last deviation with choices that S made, the other values of these choices.
func (c *class) variants() {
	k := len(c.labels) // the choices after the plan; where there is none, those of the test function
	var extra []child
	for ; k < len(c.taken) && c.taken[k].glued; k++ {
		for _, value := range c.taken[k].other {
			extra = append(extra, child{at: int32(k), x: value})
		}
	}
	c.rec.children = append(c.rec.children, extra...)
}
