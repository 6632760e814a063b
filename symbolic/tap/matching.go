package tap

import (
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: the rules of [TAP18] Figure 10 that match requests and creations with events, one type a rule.

// EventMatchingInternal is a request that is met by a pending event of sending.
//
// Differs: the requests of an actor are met in the order in which they came up. All must be met, and which one comes
// first makes no difference to what can be found.
type EventMatchingInternal struct{}

func (EventMatchingInternal) Name() string { return "Messaging Event Matching-Internal" }

func (r EventMatchingInternal) transitions(e *Engine, c *configuration, i int) (list []transition) {
	if len(c.actors[i].open) == 0 {
		return nil
	}
	known := e.sendersOf(c.actors[i], c.actors[i].open[0])
	for _, ev := range c.pending {
		if ev.to == nil || !slices.Contains(known, c.by(ev.actor).class) || !e.timely(c, i, ev) {
			continue
		}
		list = append(list, transition{rule: r, actor: c.actors[i].id, meets: meeting{req: c.actors[i].open[0], ev: ev},
			apply: func() *configuration {
				d, a := c.with(i)
				q := a.open[0]
				a.open = a.open[1:]
				d.pending = without(d.pending, ev)
				d.order.add(ev.time, q.time)
				d.matched = append(slices.Clip(d.matched), match{q, ev})
				if e.receive(d, a, q, ev); d.false == nil && e.inVain(d) {
					d.false = &clause{t: e.store.Bool(false)}
				}
				return d
			}})
	}
	return list
}

// timely reports whether the first open request of an actor may come behind an event, and behind what the same sender
// has sent before if channels keep their order.
func (e *Engine) timely(c *configuration, i int, ev *event) bool {
	q := c.actors[i].open[0]
	return !c.order.behind(q.time)[ev.time] && e.inOrder(c, match{q, ev})
}

// receive equates the request with the event.
func (e *Engine) receive(d *configuration, a *actor, q *request, ev *event) {
	const why = "a message that is not modelled"
	to, sender, msg := e.now(d, ev, ev.to), e.now(d, ev, ev.sender), e.now(d, ev, ev.msg)
	receiver := e.store.Var(a.name+"self|", wordSort)
	if q.answer {
		if receiver = q.to("", wordSort); receiver != nil {
			receiver = e.since(q.at, d.changes, receiver)
		}
	}
	d.require(why, e.equal(to("", wordSort), receiver))
	if d.why != "" || d.false != nil {
		return
	}
	reply := sender
	if ev.reply != nil {
		reply = e.now(d, ev, ev.reply)
	}
	e.change(d, why, assign(q.msg+"r", reply))
	e.change(d, why, assign(q.msg+"s", sender))
	e.change(d, why, e.handover(d, ev, q.msg, "@"+a.name, "a"+itoa(ev.actor), []binding{{q.msg, msg, ev.msg}}))
}

func (e *Engine) equal(a, b *term.Term) *term.Term {
	if a == nil || b == nil {
		return nil
	}
	return e.store.Equal(a, b)
}

// EventMatchingExternal is a request of a receptionist that is met by a message from outside.
type EventMatchingExternal struct{}

func (EventMatchingExternal) Name() string { return "Messaging Event Matching-External" }

func (r EventMatchingExternal) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	if len(a.open) == 0 || a.open[0].answer {
		return nil
	}
	if len(c.external) >= e.config.Outside {
		e.cut("messages from outside")
		return nil
	}
	for _, t := range e.shapesOf(a.class) {
		if known := a.open[0].t; known != nil && !types.Identical(known, t) {
			continue
		}
		list = append(list, transition{rule: r, actor: a.id, meets: meeting{req: a.open[0], shape: typeKey(t)},
			apply: func() *configuration {
				d, a := c.with(i)
				q := *a.open[0]
				a.open = a.open[1:]
				q.shape = t
				a.shape = append(slices.Clip(a.shape), t)
				d.external = append(slices.Clip(d.external), external{&q, t})
				e.fromOutside(d, a, &q, t)
				return d
			}})
	}
	return list
}

// fromOutside says what is known of a message from outside: its type, and that the references in it are those of actors
// of the start or nobody's.
func (e *Engine) fromOutside(d *configuration, a *actor, q *request, t types.Type) {
	e.change(d, "", assign(q.msg+"s", single(e.store.Uint(wordSort, driverRef))))
	e.change(d, "", assign(q.msg+"r", single(e.store.Uint(wordSort, driverRef))))
	e.change(d, "", e.rename("@"+a.name, "out", q.msg))
	msg := e.variable(q.msg)
	d.require("", e.store.Equal(msg(partType, wordSort), e.typeTerm(t)))
	held := partOf(msg, ".("+typeKey(t)+")")
	if _, ok := t.Underlying().(*types.Pointer); ok {
		d.require("", e.store.Not(e.store.Equal(held("", wordSort), e.store.Uint(wordSort, 0))))
	}
	list, _ := leaves(t)
	for _, l := range list {
		if !l.ref {
			continue
		}
		known := []*term.Term{e.store.Equal(held(l.part, l.sort), e.store.Uint(wordSort, 0))}
		for k := range e.start.Actors {
			known = append(known, e.store.Equal(held(l.part, l.sort), startRef(e.store, k)))
		}
		d.require("", e.store.Or(known...))
	}
}

// CreationMatching is the creation of an actor without open requests: it leaves alpha, and what it holds at first is
// what the constructor was given.
//
// Differs: the equations read(v0, f) == v are substituted. An actor that has handled nothing is not matched: it would
// not matter.
type CreationMatching struct{}

func (CreationMatching) Name() string { return "Creation Event Matching" }

func (r CreationMatching) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	if a.at != nil || len(a.open) > 0 || len(a.runs) == 0 {
		return nil
	}
	for _, ev := range c.pending {
		if ev.class != a.class || ev.to != nil || ev.actor == a.id || !e.accepts(ev, a) || !e.begins(ev, a) || !a.whole() {
			continue
		}
		list = append(list, transition{rule: r, actor: a.id, meets: meeting{actor: a.id, ev: ev},
			apply: func() *configuration {
				d, a := c.with(i)
				a.from = ev
				d.pending = without(d.pending, ev)
				d.actors = slices.Delete(slices.Clone(d.actors), i, i+1)
				d.made = append(slices.Clip(d.made), a)
				if ev.start < 0 {
					if d.order.add(ev.time, a.time); d.order.circle() {
						d.false = &clause{t: e.store.Bool(false)}
						return d
					}
				}
				if e.construct(d, a, ev); d.false == nil && e.inVain(d) {
					d.false = &clause{t: e.store.Bool(false)}
				}
				return d
			}})
	}
	return list
}

// construct equates an actor with what is created.
func (e *Engine) construct(d *configuration, a *actor, ev *event) {
	const why = "what an actor holds at first"
	e.change(d, why, assign(a.name+"self", single(ev.ref)))
	e.change(d, why, assign(a.name+"idle", single(e.store.Bool(ev.start >= 0 && e.start.Actors[ev.start].Timed))))
	if d.false != nil {
		return
	}
	if ev.start >= 0 && a.started && !e.fresh(ev.start) {
		e.past(d, a)
		return
	}
	if ev.start >= 0 {
		e.change(d, why+": "+ev.class.Name, e.initial(a, ev.start))
		return
	}
	top := a.levels[0].name
	all := []binding{{top + "this", e.now(d, ev, ev.value), ev.value}}
	for k, v := range ev.free {
		all = append(all, binding{captures(top, k), e.now(d, ev, v), v})
	}
	e.change(d, why, e.handover(d, ev, "", "@"+a.name, "a"+itoa(ev.actor), all))
	if ev.class.Hook != nil {
		d.unmodelled("the start hook " + ev.class.Hook.String())
	}
}
