package system

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file compares states of a search, and tells its runs as plans.

// defaults fills in what is not set.
func (b Bounds) defaults() Bounds {
	for _, d := range []struct {
		field *int
		value int
	}{{&b.Steps, 12}, {&b.Actors, 8}, {&b.Runs, 20000}} {
		if *d.field <= 0 {
			*d.field = d.value
		}
	}
	if b.Outside < 0 {
		b.Outside = 0
	}
	b.Config = b.Config.defaults()
	return b
}

// holds gives the condition that the state of an actor meets conditions, nil if these name what it does not have.
func (w *world) holds(a *agent, conds []*term.Term) *term.Term {
	state, _ := w.state(a)
	now := map[string]*term.Term{}
	for _, n := range state {
		now[n.Name] = n.Term
	}
	subst := w.store.SubstNames(now)
	var all []*term.Term
	for _, c := range conds {
		if slices.ContainsFunc(term.Vars(c), func(v *term.Term) bool { return now[v.Name] == nil }) {
			return nil
		}
		all = append(all, subst.Apply(c))
	}
	return w.store.And(all...)
}

// key describes a state: two runs with one key go on alike. It is empty where that cannot be told, since something
// waits in its middle.
func (f *searcher) key() string {
	w := f.w
	if f.seen == nil || !w.quiet() || w.asksReceived() {
		return ""
	}
	k := &describer{numbers: map[uint64]int{}}
	var conds []int
	for _, c := range w.m.Path().PC {
		conds = append(conds, c.Term.ID)
	}
	slices.Sort(conds)
	fmt.Fprint(k, conds, w.now.ID, len(f.outside), "\n")
	for _, a := range w.actors[1:] {
		if a.cur != nil || len(a.tasks) > 0 || len(a.stash) > 0 {
			return ""
		}
		state, fn := w.state(a)
		fmt.Fprint(k, a.stopped, a.ending, a.suspended, a.restarting, a.failures, fn, a.watchers, a.children,
			w.pool.Overdue(a.index), w.tr.ActorName(a.index))
		k.named(state)
		for _, v := range a.previous {
			k.named(w.m.Flatten("previous", v))
		}
	}
	k.named(w.m.Globals())
	for _, v := range w.atEnd {
		k.named(w.m.Flatten("end", v))
	}
	for _, c := range w.checks {
		if w.judging {
			k.named(w.m.Flatten("check", c.holds))
		}
	}
	f.messages(k)
	for _, a := range w.actors {
		if a.idle != nil {
			fmt.Fprint(k, a.index, a.idle.ID, a.patience.ID)
		}
	}
	for _, t := range w.timers {
		if t.state == timerSet || t.state == timerDue {
			fmt.Fprint(k, t.owner, t.state, t.deadline.ID, w.tr.Messages[t.message].Type.Name)
			k.named(w.m.Flatten("msg", inner(w, w.letters[t.message].msg)))
		}
	}
	return k.String()
}

// quiet reports whether no call is going on.
func (w *world) quiet() bool {
	return len(w.calls) == 0 || !w.driver.Proto &&
		!slices.ContainsFunc(w.calls, func(c *call) bool { return c.state == callOpen || c.state == callAnswered })
}

// messages describes those that are on their way, by where they are. In a bag their order does not matter.
func (f *searcher) messages(k *describer) {
	w := f.w
	at := map[[2]int32][]string{}
	var places [][2]int32
	w.pool.Each(func(i int32) {
		msg, x := &w.tr.Messages[i], &w.letters[i]
		one := &describer{numbers: k.numbers}
		fmt.Fprint(one, msg.Type.Name, msg.Kind, msg.Sender, msg.Receiver, x.kind)
		if x.call != nil {
			fmt.Fprint(one, x.call.state, x.call.replied, x.call.future != nil)
		}
		if w.model == trace.Causal {
			fmt.Fprint(one, f.past(i))
		}
		if x.msg != nil {
			one.named(w.m.Flatten("msg", inner(w, x.msg)))
		}
		place := [2]int32{w.pool.Holder(i), msg.Receiver}
		if place[0] >= 0 {
			place[1] = -1
		}
		if at[place] == nil {
			places = append(places, place)
		}
		at[place] = append(at[place], one.String())
	})
	slices.SortFunc(places, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	for _, place := range places {
		if w.model == trace.Bag {
			slices.Sort(at[place])
		}
		fmt.Fprint(k, place, at[place])
	}
}

// past tells which of the pending messages, and what its receiver has seen, come before a message.
func (f *searcher) past(message int32) (list []int32) {
	w := f.w
	w.pool.Each(func(o int32) {
		if w.pool.Follows(message, o) {
			list = append(list, o)
		}
	})
	for a := range w.actors {
		if w.pool.Knows(int32(a), message) {
			list = append(list, -1-int32(a))
		}
	}
	return list
}

// describer writes states. Memory is numbered in the order in which it is met, since its identity depends on when it
// was made.
type describer struct {
	strings.Builder
	numbers map[uint64]int
}

func (k *describer) named(list []exec.Named) {
	for _, n := range list {
		if n.Term.Const() && n.Term.Sort == term.Word16 && n.Term.Val >= 1<<15 {
			if k.numbers[n.Term.Val] == 0 {
				k.numbers[n.Term.Val] = len(k.numbers) + 1
			}
			fmt.Fprint(k, n.Name, "#", k.numbers[n.Term.Val], " ")
			continue
		}
		fmt.Fprint(k, n.Name, "=", n.Term.ID, " ")
	}
	k.WriteString("\n")
}

// plan tells the run as a plan.
func (f *searcher) plan() (steps []Step) {
	for i, m := range f.message {
		steps = append(steps, Step{To: f.agent(f.w.tr.Messages[m].Receiver), Message: f.w.typed(f.w.letters[m].msg),
			From: f.source(m, i)})
	}
	return steps
}

func (f *searcher) agent(a int32) Agent {
	for i, h := range f.by {
		if n := slices.Index(h.creates, a); n >= 0 {
			return Agent{Start: -1, Step: i, Spawn: n}
		}
	}
	return Agent{Start: int(a) - 1, Step: -1}
}

// source tells from where a message of a step comes.
func (f *searcher) source(m int32, step int) Source {
	w := f.w
	if slices.Contains(f.sent, m) {
		return Source{Kind: Outside}
	}
	for i, h := range f.by[:step] {
		if n := slices.Index(h.sends, m); n >= 0 {
			return Source{Kind: Event, Step: i, Event: n}
		}
		if n := slices.IndexFunc(h.timers, func(t *timer) bool { return t.message == m }); n >= 0 {
			return Source{Kind: Timer, Step: i, Event: n}
		}
	}
	if n := slices.Index(w.given, m); n >= 0 {
		return Source{Kind: Sent, Event: n}
	}
	if msg := &w.tr.Messages[m]; msg.Sender == 0 && int(msg.SentBy) >= w.tr.Explored {
		n := 0
		for i := range w.tr.Messages[:m] {
			if o := &w.tr.Messages[i]; o.Sender == 0 && int(o.SentBy) >= w.tr.Explored && o.Kind == trace.User {
				n++
			}
		}
		return Source{Kind: Sent, Event: n}
	}
	return Source{Kind: Told}
}
