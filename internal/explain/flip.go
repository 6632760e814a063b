package explain

import "github.com/rehearse-go/rehearse/trace"

// way is how two deliveries of one actor are swapped. Which one is right depends on the delivery model, which a trace
// does not say; a wrong one does not swap them, which the run shows.
type way int

const (
	direct   way = iota // bag: deliver the second before the first
	ordering            // fifo, causal: and before that what the model delivers before the second
	releases            // the mailbox models: put the second into the mailbox before the first
)

// anchor is the event before which the causes of the second are moved: where the order of the two is decided.
func (g *graph) anchor(how way, e int32) int32 {
	if how == releases {
		return g.enabler[e]
	}
	return e
}

// movable reports whether the event was a choice of the exploration.
func (g *graph) movable(e int32) bool {
	return e >= int32(g.tr.Explored) && !g.tr.Events[e].Auto
}

// flip gives a schedule that should deliver message m before the event first of g, nil if this way cannot. m and its
// causes are those of the run p, which is g or took the same steps up to first. Everything in the schedule is optional:
// the program may do something else once the order is another.
func (g *graph) flip(how way, first int32, p *graph, m int32) []trace.Forced {
	a := g.anchor(how, first)
	if !g.movable(a) || how == releases && p == g && p.put[m] < a {
		return nil
	}
	needed := p.past(p.put[m])
	if e := p.at(g.tr.Events[a].Step.ID); e >= 0 && needed[e] {
		return nil // m needs first
	}
	b := &builder{}
	b.events(g, func(e int32) bool { return e < a })
	b.events(p, func(e int32) bool { return needed[e] })
	b.held(p, m)
	if how == ordering && !b.ordered(g, first, p, m, needed) {
		return nil
	}
	b.events(g, func(e int32) bool { return e < first })
	b.step(p.tr, p.tr.DeliveryOf(m), -1)
	b.events(g, func(int32) bool { return true })
	return b.forced
}

// before gives a schedule that should take the event late of another actor before first, nil if it needs first.
func (g *graph) before(first, late int32) []trace.Forced {
	needed := g.past(late)
	if needed[first] || !g.movable(first) || !g.movable(late) {
		return nil
	}
	b := &builder{}
	b.events(g, func(e int32) bool { return e < first })
	b.events(g, func(e int32) bool { return needed[e] })
	b.events(g, func(int32) bool { return true })
	return b.forced
}

// beforeAndHandled is before where also what is sent in late reaches its receivers and is handled before first, and
// before whatever put first into the mailbox. p is a run that took late before first. nil: it sends nothing.
func (g *graph) beforeAndHandled(first, late int32, p *graph) []trace.Forced {
	needed := g.past(late)
	if a := g.enabler[first]; g.captures && a >= 0 && g.movable(a) && !needed[a] {
		first = a
	}
	e := position(p.tr, g.tr.Events[late].Step.ID)
	if e < 0 || needed[first] {
		return nil
	}
	b := &builder{}
	b.events(g, func(e int32) bool { return e < first })
	b.events(g, func(e int32) bool { return needed[e] })
	n := len(b.forced)
	for m := range p.tr.Messages {
		if msg := &p.tr.Messages[m]; msg.SentBy >= 0 && int(p.tr.StepOf(msg.SentBy)) == e && msg.Kind.Handled() {
			b.step(p.tr, p.tr.ReleaseOf(int32(m)), -1)
			b.step(p.tr, p.tr.DeliveryOf(int32(m)), -1)
		}
	}
	if len(b.forced) == n {
		return nil
	}
	b.events(g, func(int32) bool { return true })
	return b.forced
}

// postponed gives schedules that keep what is before the event and take it, or what put it into the mailbox, when
// nothing else is possible.
func (g *graph) postponed(first int32) [][]trace.Forced {
	var list [][]trace.Forced
	for _, how := range []way{direct, releases} {
		a := g.anchor(how, first)
		if !g.movable(a) {
			continue
		}
		list = append(list, g.heldBack(a))
	}
	return list
}

// heldBack gives a schedule that keeps what is before the event and takes it when nothing else is possible.
func (g *graph) heldBack(a int32) []trace.Forced {
	b := &builder{}
	b.events(g, func(e int32) bool { return e < a })
	b.forced = append(b.forced, never)
	b.event(g, a)
	return b.forced
}

// never is a forced step that no execution takes. While a replay waits for it, the steps behind it are held back.
var never = trace.Forced{Optional: true}

// builder collects forced steps, each once.
type builder struct {
	forced []trace.Forced
	has    map[trace.ID]bool
}

// events adds events of g, in their order, each with the choices and the fault in it: they cannot be parted.
func (b *builder) events(g *graph, include func(int32) bool) {
	in := make([]bool, len(g.tr.Events))
	for e := int32(g.tr.Explored); e < int32(len(g.tr.Events)); e++ {
		k := g.tr.Events[e].Step.Kind
		in[e] = include(e) || k.Chooses() && g.previous[e] >= 0 && in[g.previous[e]]
		if in[e] {
			b.event(g, e)
		}
	}
}

func (b *builder) event(g *graph, e int32) {
	if g.movable(e) {
		b.step(g.tr, g.tr.Events[e].Step, g.tr.Events[e].Released)
	}
}

// held adds the releases that are still needed before m is in its mailbox: a sender releases in the order of sending.
func (b *builder) held(p *graph, m int32) {
	if !p.captures || p.released[m] {
		return
	}
	for _, o := range p.tr.Events[p.tr.Messages[m].SentBy].Sent {
		if msg := &p.tr.Messages[o]; !p.released[o] && (msg.Kind != trace.Timeout || msg.Timed) && !msg.AtOnce {
			b.step(p.tr, p.tr.ReleaseOf(o), -1)
		}
		if o == m {
			break
		}
	}
}

// ordered adds what fifo and causal delivery put before m: the messages to the same actor that were sent before it by
// its sender, or in the past of that. False: there are none.
func (b *builder) ordered(g *graph, first int32, p *graph, m int32, needed []bool) bool {
	more := false
	for o := range m {
		msg := &p.tr.Messages[o]
		if msg.Receiver == p.tr.Messages[m].Receiver && msg.SentBy >= 0 && needed[msg.SentBy] &&
			msg.ID != g.tr.Events[first].Step.ID && !b.has[msg.ID] {
			more = true
			b.step(p.tr, p.tr.DeliveryOf(o), -1)
		}
	}
	return more
}

func (b *builder) step(tr *trace.Trace, s trace.Step, released int32) {
	if b.has[s.ID] {
		return
	}
	if b.has == nil {
		b.has = map[trace.ID]bool{}
	}
	b.has[s.ID] = true
	f := tr.Force(s, released)
	f.Optional = true
	b.forced = append(b.forced, f)
}
