package reverse

import (
	"slices"
	"sort"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// This file takes a class apart into macro-steps. Those that it shares with the class before are there already.
//
//	source:     ours
//	assumes:    executions that begin with the same choices begin with the same events
//	invariants: I1 blocks are in the order of their events; blockOf and advances have an entry for each event
//	            I2 the past of a macro-step holds the numbers of all macro-steps that happen before it
//	cost:       n/64 words for each step on which a new macro-step depends directly
//	checked by: reverse_test.go against brute force; length_test.go counts what is looked at

// class is the class at hand, taken apart. It is four objects, each of which knows only those before it: its
// macro-steps, which of them wait for others (order.go), what S would do otherwise (must.go), and the children.
type class struct {
	deviations
	rec   *record
	room  bitset.Set // memory of closure
	lists [][]int32  // by macro-step: the choices of what it needs, and its own; see neededFrom
}

// macroSteps are those of the class.
type macroSteps struct {
	*Search
	tr       *trace.Trace
	blocks   []block
	blockOf  []int32 // by event: its macro-step, -1 if it never was a choice
	advances []int32 // by event: those of the clock up to it
	words    int
	handled  []int32     // by message: the macro-step that handles it, unhandled if none does; see noteHandled
	tops     []top       // by access: the greatest key of those that accessed the object up to there
	looked   int         // what was looked at in all; for tests
	arena    []uint64    // memory of the pasts
	begin    bitset.Set  // and of admits
	at       delivery.At // of the simulation
	reading  bool        // it reads this class, or one that begins like it
}

// record takes the class apart and finds its children.
func (r *Search) record(tr *trace.Trace) *record {
	c := &r.class
	c.Search, c.tr, c.rec, c.sim = r, tr, &record{}, nil
	c.handled, c.held, c.lists = c.handled[:0], c.held[:0], c.lists[:0]
	same := c.collect()
	c.pending = c.pending[:0]
	c.order.Pending(int32(c.order.Len()), func(m int32) { c.pending = append(c.pending, m) })
	c.noteDoubts()
	c.findDeviations(same)
	if c.env.GivesUp() {
		return c.rec
	}
	c.findLowest()
	c.findPairs()
	next := 0
	for p := range int32(len(c.blocks)) {
		if c.env.GivesUp() {
			break
		}
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

// walked gives a cursor over the record of the class.
func (c *macroSteps) walked() *delivery.At {
	if !c.reading {
		c.at.Reset(c.model, c.order.Timers(), c.tr)
		c.reading = true
	}
	c.at.Reads(c.tr)
	return &c.at
}

// cut says that the class is another one from event e on.
func (c *macroSteps) cut(e int) {
	if e == 0 {
		c.reading = false
	} else if c.reading {
		c.at.Cut(c.order.First() + e)
	}
}

// keepChoices copies into the record what its children begin with.
func (c *class) keepChoices() {
	if !c.rec.more() {
		return
	}
	p := c.parent.child(c.shared)
	p.ids = make([]trace.ID, 0, len(c.taken)-c.shared)
	for k := c.shared; k < len(c.taken); k++ {
		p.ids = append(p.ids, c.taken[k].id)
	}
	p.labels = make([]stepLabel, len(p.ids))
	copy(p.labels, c.labels[min(c.shared, len(c.labels)):])
	k := sort.Search(len(c.displaced), func(k int) bool { return int(c.displaced[k].at) >= c.shared })
	p.turned = slices.Clone(c.displaced[k:])
	c.rec.path = p
}

// cleared gives n values in the memory of s, all zero.
func cleared[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// collect makes the macro-steps out of the choices. What the class has in common with the one before is there
// already: it gives the number of these macro-steps.
func (c *macroSteps) collect() int {
	same := c.same()
	c.blocks = c.blocks[:same]
	k, e, kept := 0, 0, same
	if same > 0 {
		k, e = int(c.blocks[same-1].hi), int(c.blocks[same-1].end)
	}
	for ; k < len(c.taken); k++ {
		t := &c.taken[k]
		if !t.inStep {
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
	c.findTops(int32(e))
	return kept
}

// same is the number of macro-steps that are those of the class before: those that were over before the last choice of
// both.
func (c *macroSteps) same() int {
	n := 0
	for c.recorded && n < len(c.blocks) && int(c.blocks[n].hi) < c.kept {
		n++
	}
	return n
}

// labelOf says whether S took the macro-step, or a deviation from S did. One that S began and that chose otherwise in
// its middle is a deviation too.
func (c *macroSteps) labelOf(b *block) stepLabel {
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
func (c *macroSteps) place(e, first int) {
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

// fill notes what is known of macro-step i: its step, what it directly follows, and what the delivery model makes it
// wait for. Pasts are of macro-steps here, since V3 to V6 move no less than one.
func (c *macroSteps) fill(i int32) {
	b := &c.blocks[i]
	s := c.order.Step(b.event)
	b.id, b.actor, b.message, b.depth = s.ID, c.order.Actor(b.event), s.Message, c.depths[b.event]
	if c.declared.on {
		b.base, b.floor, b.shares = c.declared.bases[b.event], c.floorOf(c.order.Own(b.event)), c.order.Shares(b.event)
	}
	b.idle = c.idleFor(b)
	if b.due = b.barriers; c.order.Takes(b.event) {
		b.due = c.barriersOf(b.message)
	}
	b.odd = false
	b.past = c.arena[int(i)*c.words : int(i+1)*c.words : int(i+1)*c.words]
	for e := b.event; e < b.end; e++ {
		b.odd = b.odd || !c.order.SendsOnly(e)
		if c.order.Barrier(e) {
			b.past.AddBelow(i)
			continue
		}
		c.order.EachDirect(e, func(p int32) { c.follow(b, i, p) })
	}
}

// follow notes that macro-step b, with number i, comes after event p and what happens before that.
func (c *macroSteps) follow(b *block, i, p int32) {
	switch k := c.blockOf[p]; {
	case k == i || k >= 0 && b.past.Has(k):
	case k >= 0:
		b.past.AddAll(c.blocks[k].past)
		b.past.Add(k)
	case c.order.Barrier(p):
		b.past.AddBelow(int32(sort.Search(int(i), func(n int) bool { return c.blocks[n].event > p })))
	default: // no choice, of which little is left: the test function's own step
		c.order.Past(p).Each(0, func(j int32) bool {
			if k := c.blockOf[j]; k >= 0 && k != i {
				b.past.Add(k)
			}
			return true
		})
	}
}

// idleFor counts the advances of the clock before the actor of macro-step b had nothing else in hand, where one of them
// made it so. Its handler waited, and no step of its own has ended that. The clock only advances when nothing else can
// happen, so that b was taken before the next time it did.
func (c *macroSteps) idleFor(b *block) int32 {
	own := c.order.Own(b.event)
	if own < 0 || !c.order.Takes(b.event) || c.order.Completed(own) || c.order.Step(b.event).Kind == trace.Reply {
		return 0
	}
	return b.barriers
}

// key gives the key under which S would take message m, which did not happen.
func (c *macroSteps) key(m int32) (int32, trace.ID) {
	s := c.tr.DeliveryOf(m)
	if c.declared.on {
		return c.baseOf(m), s.ID
	}
	own := int32(-1)
	if c.queues() {
		own = c.order.Last(s.Actor)
	}
	return c.depthOf(&s, c.order.Arrival(m), own), s.ID
}

// nextOwn gives the first step of the actor from macro-step p on, -1 if there is none.
func (c *macroSteps) nextOwn(p, actor int32) int32 {
	for i := p; int(i) < len(c.blocks); i++ {
		if b := &c.blocks[i]; b.actor == actor {
			return b.event
		}
	}
	return -1
}

// barriersOf counts the advances of the clock up to the arrival of message m.
func (c *macroSteps) barriersOf(m int32) int32 {
	if at := c.order.Arrival(m); at >= 0 {
		return c.advances[at]
	}
	return 0
}

// noteHandled notes which macro-step handles which message.
func (c *macroSteps) noteHandled() {
	if len(c.handled) > 0 {
		return
	}
	for range c.tr.Messages {
		c.handled = append(c.handled, unhandled)
	}
	for e := range c.order.First() {
		if s := &c.tr.Events[e].Step; s.Message >= 0 && s.Kind != trace.Send {
			c.handled[s.Message] = -1
		}
	}
	for i := range c.blocks {
		if b := &c.blocks[i]; c.order.Takes(b.event) {
			c.handled[b.message] = int32(i)
		}
	}
}

// unhandled is the macro-step of a message that none handles: behind all.
const unhandled = never

// handledAt gives the macro-step that handles message m: -1 if set-up did, unhandled if nothing does.
func (c *macroSteps) handledAt(m int32) int32 {
	c.noteHandled()
	return c.handled[m]
}

func (c *macroSteps) handledBefore(p, m int32) bool { return c.handledAt(m) < p }

// blockAt gives the macro-step of a choice.
func (c *macroSteps) blockAt(choice int32) int32 {
	i := sort.Search(len(c.blocks), func(i int) bool { return choice < c.blocks[i].hi })
	return int32(min(i, len(c.blocks)-1))
}
