package target

import (
	"cmp"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// view is a route as a class takes it with a kind of message, over sets of constants.
type view struct {
	*flow
	c   *class
	box *inbox
	r   *route
}

// variable gives the constants that a variable of the route may have.
func (v *view) variable(t *term.Term) *set {
	if at, ok := v.r.held(t.Name); ok {
		if !stable(at) {
			return anything
		}
		return v.c.held.get(at)
	}
	switch first, _ := root(t.Name); {
	case t.Name == "self!ref":
		return one(v.c.ref)
	case t.Name == "sender!ref":
		return &v.box.senders
	case first == "msg":
		return v.box.get(t.Name)
	case strings.HasPrefix(first, "spawn"):
		for i := range v.r.path.Events {
			if ev := &v.r.path.Events[i]; v.r.roles[i] == spawn && ev.To != nil && ev.To.Name == t.Name {
				if fn := v.e.handles(ev); fn != nil && v.created(fn) != nil {
					return one(v.created(fn).ref)
				}
			}
		}
	}
	for i := range v.r.path.Events {
		if ev := &v.r.path.Events[i]; ev.Answer != "" && t.Name == ev.Answer+".error!type" && !v.fails(i) {
			return one(v.e.store.Uint(t.Sort, 0))
		}
	}
	return anything
}

// fails reports whether a call may end with an error: an actor that is called may panic before it has answered.
func (v *view) fails(call int) bool {
	return slices.ContainsFunc(v.receivers(call), v.mayPanic)
}

// mayPanic reports whether an actor may panic, as far as is known: what was cut might.
func (f *flow) mayPanic(c *class) bool {
	for t, box := range c.boxes {
		for r := range box.may {
			if r.path.Exit != exec.Return {
				return true
			}
		}
		for _, h := range f.handlers(c, f.e.lib.types[t]) {
			if len(h.sum.Cuts) > 0 || h.sum.Defect != "" {
				return true
			}
		}
	}
	return f.e.lib.hooksPanic
}

// term gives the constants that a term may have.
func (v *view) term(t *term.Term) *set {
	switch t.Op {
	case term.OpConst:
		return one(t)
	case term.OpVar:
		return v.variable(t)
	case term.OpIf:
		s := &set{}
		s.add(v.term(t.Args[1]))
		s.add(v.term(t.Args[2]))
		return s
	}
	return anything
}

// feasible reports whether the conditions of the route may hold, each by itself.
func (v *view) feasible() bool {
	fixed := v.constants()
	return !slices.ContainsFunc(v.r.path.PC, func(c exec.Cond) bool { return v.never(fixed, c.Term) })
}

// constants puts the constants of variables in their place.
func (v *view) constants() *term.Subst {
	return v.e.store.Subst(func(t *term.Term) *term.Term {
		if c := v.variable(t).only(); c != nil && c.Sort == t.Sort && !v.isClass(c) {
			return c
		}
		return nil
	})
}

// never reports whether constants exclude a condition.
func (v *view) never(fixed *term.Subst, cond *term.Term) bool {
	return fixed.Apply(cond).False() || cond.Op == term.OpEq && v.disjoint(cond.Args[0], cond.Args[1])
}

// isClass reports whether a reference stands for several actors.
func (v *view) isClass(t *term.Term) bool { return t.Sort == referenceSort && t.Val >= firstClass }

func (v *view) disjoint(a, b *term.Term) bool {
	x, y := v.term(a), v.term(b)
	if x.any || y.any {
		return false
	}
	for t := range x.has {
		if y.has[t] {
			return false
		}
	}
	return true
}

// writes adds to the class's state what the route writes. What a behaviour has left that another one was put on comes
// back when that is taken off.
func (v *view) writes() {
	if v.r.stack == pops || v.r.stack == pushes {
		v.leaves(v.r.kept, v.r.own)
	}
	if v.r.stack != pops {
		v.leaves(v.r.out, v.r.writes)
	}
}

func (v *view) leaves(out map[string]*term.Term, writes []string) {
	for name, s := range v.c.held.known {
		if out[name] == nil && among(writes, name) {
			v.changed = s.add(anything) || v.changed
		}
	}
	for name, t := range out {
		if s := v.c.held.known[name]; s != nil {
			v.changed = s.add(v.term(t)) || v.changed
		}
	}
}

// events has others get what the route sends, and makes what it creates.
func (v *view) events() {
	for i := range v.r.path.Events {
		ev := &v.r.path.Events[i]
		switch v.r.roles[i] {
		case message, timer:
			if ev.Type == nil || ev.Lost || ev.Op == "respond" && (v.e.goakt() || !v.box.plain && !v.e.proto()) {
				continue // an answer is no message
			}
			for _, c := range v.receivers(i) {
				box := v.flow.box(c, ev.Type)
				v.changed = box.fill(v.flat(i)) || v.changed
				v.changed = v.changed || !box.plain && !isCall(ev.Op)
				box.plain = box.plain || !isCall(ev.Op)
				v.changed = box.senders.add(v.sender(i)) || v.changed
			}
		case spawn:
			if fn := v.e.handles(ev); fn != nil && v.created(fn) != nil {
				v.creates(v.created(fn), i)
			}
		case become:
			for _, fn := range v.r.becomes {
				v.flow.becomes(v.c, fn)
			}
		}
	}
}

func (v *view) flat(i int) map[string]*set {
	list := map[string]*set{}
	for name, t := range v.r.flats[i] {
		list[name] = v.term(t)
	}
	return list
}

// receivers gives the classes that an event may be for.
func (v *view) receivers(i int) (list []*class) {
	ev := &v.r.path.Events[i]
	to := one(v.c.ref)
	switch {
	case ev.To != nil:
		to = v.term(ev.To)
	case ev.By != nil: // a timer of a new actor
		to = v.term(ev.By)
	}
	if to.any {
		return v.classes
	}
	for ref := range to.has {
		if c := v.refs[ref]; c != nil {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *class) int { return cmp.Compare(a.ref.Val, b.ref.Val) })
	return list
}

// sender gives who is the sender of what an operation sends.
func (v *view) sender(i int) *set {
	ev := &v.r.path.Events[i]
	switch op := ev.Op; {
	case op == "forward" && v.e.proto():
		return &v.box.senders
	case v.e.goakt():
		return anything
	case !v.e.proto() && op != "timer" && ev.By != nil:
		return v.term(ev.By)
	case !v.e.proto() && op != "timer":
		return one(v.c.ref)
	case op == "send", op == "respond":
		return one(v.e.store.Uint(referenceSort, 0))
	}
	return anything
}

// creates adds to a class what the constructor values of an event say of its state.
func (v *view) creates(c *class, i int) {
	if v.r.path.Events[i].Type == nil { // made by a producer
		v.changed = v.changed || !c.held.any
		c.held.any = true
		return
	}
	list := map[string]*set{}
	for name, s := range v.flat(i) {
		if at, ok := bornAs(c.fn, name); ok {
			list[at] = s
		}
	}
	list[behavior] = one(v.e.lib.tag(c.fn))
	v.changed = c.held.fill(list) || v.changed
}

// may reports whether an agent may take a route.
func (f *flow) may(g agent, r *route) bool {
	c := f.classOf(g)
	if c == nil {
		return false
	}
	box := c.boxes[f.e.lib.number(r.msg)]
	return box != nil && box.may[r]
}

// sends reports whether what an agent sends at an event of a route may be for another agent.
func (f *flow) sends(g agent, r *route, event int, to agent) bool {
	c, d := f.classOf(g), f.classOf(to)
	if c == nil || d == nil {
		return false
	}
	box := c.boxes[f.e.lib.number(r.msg)]
	if box == nil || !box.may[r] {
		return false
	}
	for _, k := range (&view{f, c, box, r}).receivers(event) {
		if k == d {
			return true
		}
	}
	return false
}

// fixed gives the constant that a part of an agent's state always has, nil if there is none.
func (f *flow) fixed(g agent, name string) *term.Term {
	c := f.classOf(g)
	if c == nil || !stable(name) {
		return nil
	}
	t := c.held.get(name).only()
	if t == nil || t.Sort == referenceSort && t.Val >= firstClass && strings.HasSuffix(name, "!ref") {
		return nil
	}
	return t
}
