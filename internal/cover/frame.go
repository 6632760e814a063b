package cover

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// Where the order of receives at an actor is decided:
//
//	bag, fifo, causal  where it handles the message: a place is a delivery
//	mailbox            where the message is appended to its queue: a place is a release. An actor releases what a
//	                   handler sent in the order of sending, and takes no message before all is released. So the sends
//	                   of one actor keep their order, whoever gets them. Answers, starts of actors and resolved futures
//	                   count as sends
//	mailbox-serial     in the handler that sends it: a place is a step that runs a handler, and decides about all that it
//	                   sends
//
// Under quiescent timers the clock advances when nothing else can happen, so all places before an advance come before
// all after it.

// maxClock bounds the memory of the clocks of a base: 128 Mi numbers, 512 MiB.
const maxClock = 128 << 20

// perPlace is the memory of a place without its clock, in numbers.
const perPlace = 32

// framer builds a base.
type framer struct {
	*base
	tr      *trace.Trace
	handled []int32            // by message: the event that received it asynchronously, -1 if none did
	decided []int32            // by message: the place that decided when it comes, -1 if that came before all
	pairs   map[[2]int32]int32 // fifo: chains by sender and receiver
	now     []clock            // by actor: what has happened before what it sends now
	after   []clock            // by event: what has happened before what it sends
	within  []int32            // by event: the place of the handler that it belongs to
	handler []int32            // by actor: the place of its last handler
	floor   clock              // what comes before everything from now on
	numbers int                // in clocks
	cut     bool               // the rest is left out
}

// newBase makes an execution ready, and its receives known to o.
func newBase(tr *trace.Trace, model trace.Model, o *Achieved) *base {
	return bounded(tr, model, o, maxClock)
}

// bounded is newBase with so many numbers in clocks, and those of one event more.
func bounded(tr *trace.Trace, model trace.Model, o *Achieved, numbers int) *base {
	f := &framer{base: &base{model: model}, tr: tr, pairs: map[[2]int32]int32{}}
	f.prepare()
	for e := tr.Explored; e < len(tr.Events); e++ {
		if f.numbers > numbers {
			f.cut = true
			break
		}
		f.event(int32(e))
	}
	f.gather(o)
	f.size = f.numbers + perPlace*len(f.places)
	return f.base
}

// unset gives n times -1.
func unset(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// prepare finds the chains of the execution, on which its clocks count, and which event handles which message.
func (f *framer) prepare() {
	messages, actors, events := len(f.tr.Messages), len(f.tr.Actors), len(f.tr.Events)
	f.handled, f.decided, f.within = unset(messages), unset(messages), unset(events)
	f.handler = unset(actors)
	// First a chain for what each actor receives, under mailbox then one for what it sends: clocks are about these.
	f.chains = make([][]int32, actors)
	if f.model == trace.Mailbox {
		f.chains = make([][]int32, 2*actors)
	}
	f.now, f.after = make([]clock, actors), make([]clock, events)
	for e := range f.tr.Events {
		if Asynchronous(f.tr, e) {
			f.handled[f.tr.Events[e].Step.Message] = int32(e)
		}
	}
}

// event adds what an event decides, and what happened before what it sends.
func (f *framer) event(e int32) {
	ev := &f.tr.Events[e]
	s := &ev.Step
	switch {
	case s.Kind == trace.Advance:
		f.advance()
	case s.Kind == trace.Timer: // in a mailbox model
		before := f.causes(s.Message)
		if at := f.decided[s.Message]; at >= 0 { // it waited for a release
			before = f.behind(before, at)
		}
		f.add(e, s.Message, before)
		f.decided[s.Message] = int32(len(f.places) - 1)
		return
	case s.Kind.Handles():
		f.handles(e, s)
	}
	f.within[e], f.after[e] = f.handler[s.Actor], f.now[s.Actor]
	if m := ev.Released; m >= 0 && f.model == trace.Mailbox && !ev.Auto {
		f.decided[m] = f.add(e, m, f.causes(m))
		for _, timeout := range ev.Due {
			f.decided[timeout] = f.decided[m]
		}
		for _, task := range ev.Sent { // which the release of a resolved future lets go on
			f.decided[task] = f.decided[m]
		}
	}
}

// advance makes all that was so far come before all that follows.
func (f *framer) advance() {
	f.floor = make(clock, len(f.chains))
	for c, places := range f.chains {
		f.floor[c] = int32(len(places))
	}
	for a := range f.now {
		f.now[a] = f.floor
	}
}

// causes is what must happen before message m can come: the handlers that sent it and created its receiver, and what
// came before these.
func (f *framer) causes(m int32) clock {
	msg := &f.tr.Messages[m]
	c := joined(f.floor, f.after[msg.SentBy])
	if by := f.tr.Actors[msg.Receiver].Creator; by >= 0 {
		c = joined(c, f.after[by])
	}
	return c
}

// behind adds to a clock that a place and what came before it come before.
func (f *framer) behind(before clock, at int32) clock {
	p := &f.places[at]
	return append(clock(nil), joined(before, p.before)...).raise(p.chain, p.at)
}

// handles has the actor of a step know what led to its message.
func (f *framer) handles(e int32, s *trace.Step) {
	before, at := f.causes(s.Message), f.decided[s.Message]
	receives := f.handled[s.Message] == e
	switch {
	case f.model == trace.MailboxSerial:
		// The mailbox hands over in its order: all that came before the actor's last step comes before this one.
		before = joined(before, f.now[s.Actor])
		if at >= 0 { // of a timeout: that its timer fired
			before = f.behind(before, at)
		}
		at = f.add(e, s.Message, before)
		for _, m := range f.tr.Events[e].Sent {
			f.decided[m] = at
		}
	case receives && !f.model.Queues():
		at = f.add(e, s.Message, before)
		f.decided[s.Message] = at
	}
	if receives {
		f.handler[s.Actor] = at
	}
	now := append(make(clock, 0, len(f.now[s.Actor])), f.now[s.Actor]...).join(before)
	if at >= 0 {
		p := &f.places[at]
		now = now.join(p.before).raise(p.chain, p.at)
		if f.model == trace.Mailbox && p.kept >= 0 {
			now = now.raise(p.kept, p.nth)
		}
	}
	f.now[s.Actor] = now
	f.numbers += len(now)
}

// add adds event e as the place that decides when message m comes, or under mailbox-serial when what its handler sends
// does.
func (f *framer) add(e, m int32, before clock) int32 {
	n, msg, ev := int32(len(f.places)), &f.tr.Messages[m], &f.tr.Events[e]
	p := place{step: ev.Step.ID, event: msg.SentBy, origin: f.within[msg.SentBy], kept: -1, before: before}
	switch {
	case f.model == trace.MailboxSerial && ev.Step.Kind == trace.Timer:
		p.chain = f.grow() // it is no step of its actor
	default:
		p.chain = msg.Receiver
	}
	p.ordered = msg.Kind == trace.User
	switch {
	case f.model == trace.FIFO && msg.Kind == trace.User:
		p.kept = f.pair(msg.Sender, msg.Receiver)
	case f.model == trace.Mailbox && (msg.Kind != trace.Timeout || msg.Timed): // also answers and what starts actors
		p.kept = int32(len(f.tr.Actors)) + msg.Sender
	}
	p.at = f.append(p.chain, n)
	if p.kept >= 0 {
		p.nth = f.append(p.kept, n)
	}
	f.places = append(f.places, p)
	return n
}

// pair gives the chain of what goes from one actor to another.
func (f *framer) pair(from, to int32) int32 {
	c, ok := f.pairs[[2]int32{from, to}]
	if !ok {
		c = f.grow()
		f.pairs[[2]int32{from, to}] = c
	}
	return c
}

// grow makes a chain.
func (f *framer) grow() int32 {
	f.chains = append(f.chains, nil)
	return int32(len(f.chains) - 1)
}

// append puts a place at the end of a chain and says how many come before.
func (f *framer) append(chain, place int32) int32 {
	f.chains[chain] = append(f.chains[chain], place)
	return int32(len(f.chains[chain]) - 1)
}

// gather lists the receives of each receiver, in the order of the places that decide about them.
func (f *framer) gather(o *Achieved) {
	var order []int32 // messages
	for e := range f.tr.Events {
		if m := f.tr.Events[e].Step.Message; m >= 0 && f.handled[m] == int32(e) && (f.decided[m] >= 0 || !f.cut) {
			order = append(order, m)
		}
	}
	slices.SortStableFunc(order, func(x, y int32) int { return cmp.Compare(f.decided[x], f.decided[y]) })
	boxes := unset(len(f.tr.Actors))
	f.receiveOf = unset(len(f.tr.Messages))
	for _, m := range order {
		msg := &f.tr.Messages[m]
		if boxes[msg.Receiver] < 0 {
			boxes[msg.Receiver] = int32(len(f.boxes))
			f.boxes = append(f.boxes, boxOf{box: o.box(f.tr.Actors[msg.Receiver].ID)})
		}
		b := &f.boxes[boxes[msg.Receiver]]
		n := int32(len(f.base.receives))
		f.receiveOf[m] = n
		f.base.receives = append(f.base.receives,
			receive{place: f.decided[m], box: boxes[msg.Receiver], nth: int32(len(b.receives)),
				at: o.number(b.box, msg.ID), changes: f.tr.Events[f.handled[m]].Changes})
		b.receives = append(b.receives, n)
		if at := f.decided[m]; at >= 0 {
			f.places[at].receives = append(f.places[at].receives, n)
		}
	}
}
