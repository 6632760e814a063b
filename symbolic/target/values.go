package target

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// values tells what the variables of the steps of a node are.
type values struct {
	e      *Engine
	n      *node
	substs []*term.Subst
	known  map[variable]*term.Term
	busy   map[variable]bool // being worked out
	closed bool              // links are, but for those that were opened
	opened map[variable]bool // parts of the state before steps
	used   []variable        // links that were followed, each once
	free   []variable        // of messages from outside
}

// variable is one of a step's path.
type variable struct {
	step int
	name string
}

// referenceSort is the sort of references to actors, of identities and of the tags of types.
var referenceSort = term.Word16

// The identities of actors that steps create, and of the driver. Those of a start come after the driver.
const (
	firstSpawned = 0x6000
	driverRef    = 1
)

func (e *Engine) values(n *node, closed bool, opened map[variable]bool) *values {
	v := &values{e: e, n: n, closed: closed, opened: opened, known: map[variable]*term.Term{}, busy: map[variable]bool{}}
	for k := range n.steps {
		v.substs = append(v.substs, e.store.Subst(func(t *term.Term) *term.Term { return v.variable(k, t) }))
	}
	return v
}

// term gives a term of a step's path in the node.
func (v *values) term(k int, t *term.Term) *term.Term { return v.substs[k].Apply(t) }

// ref gives the reference to an agent.
func (v *values) ref(a int) *term.Term {
	if s := v.n.agents[a].start; s >= 0 {
		return v.e.start.Actors[s].Ref
	}
	return v.e.store.Uint(referenceSort, uint64(firstSpawned+a))
}

// variable gives what a variable of a step is.
func (v *values) variable(k int, t *term.Term) *term.Term {
	at := variable{k, t.Name}
	if known := v.known[at]; known != nil {
		return known
	}
	if v.busy[at] { // it depends on itself: then nothing is known of it
		return v.named(k, t)
	}
	v.busy[at] = true
	r := v.find(k, t)
	if r == nil || r.Sort != t.Sort {
		r = v.named(k, t)
	}
	delete(v.busy, at)
	v.known[at] = r
	return r
}

// named gives a variable of a step that nothing is known of.
func (v *values) named(k int, t *term.Term) *term.Term {
	return v.e.store.Var(fmt.Sprintf("#%d.%s", k, t.Name), t.Sort)
}

// find gives what a variable of a step is, nil if nothing is known of it.
func (v *values) find(k int, t *term.Term) *term.Term {
	s := &v.n.steps[k]
	if at, ok := s.route.held(t.Name); ok {
		return v.before(k, at, t)
	}
	switch first, _ := root(t.Name); {
	case t.Name == "self!ref":
		return v.ref(s.agent)
	case t.Name == "sender!ref":
		return v.sender(k)
	case first == "msg":
		return v.message(k, t)
	case strings.HasPrefix(first, "spawn"):
		return v.spawn(k, t.Name)
	}
	return nil
}

// spawn gives the reference to an actor that a step creates.
func (v *values) spawn(k int, name string) *term.Term {
	r := v.n.steps[k].route
	for i := range r.path.Events {
		if ev := &r.path.Events[i]; r.roles[i] == spawn && ev.To != nil && ev.To.Name == name {
			for a := range v.n.agents {
				if v.n.agents[a].start < 0 && v.n.agents[a].by == (source{sent, k, i}) {
					return v.ref(a)
				}
			}
			return v.e.store.Uint(referenceSort, uint64(firstSpawned+0x100+32*k+r.places[i]))
		}
	}
	return nil
}

// sender gives the sender of a step's message, nil if it is not known.
func (v *values) sender(k int) *term.Term {
	from := v.n.steps[k].from
	proto := v.e.proto()
	switch from.kind {
	case driver:
		if m := v.e.start.Sent[from.event]; m.Always {
			if m.Timer || proto || m.From < 0 {
				return nil
			}
			return v.e.start.Actors[m.From].Ref
		}
		fallthrough
	case outside:
		if proto && !v.e.goakt() {
			return v.e.store.Uint(referenceSort, 0)
		}
		return v.e.store.Uint(referenceSort, driverRef)
	case sent:
		s := v.n.steps[from.step]
		switch op := s.route.path.Events[from.event].Op; {
		case op == "forward" && proto:
			return v.sender(from.step)
		case op == "timer", v.e.goakt():
			return nil
		case !proto && s.route.hooks[from.event] >= 0:
			return v.term(from.step, s.route.path.Events[from.event].By)
		case !proto, op == "request" && v.e.plainRequest(s.route, from.event):
			return v.ref(s.agent)
		case op == "send", op == "respond":
			return v.e.store.Uint(referenceSort, 0)
		}
	}
	return nil
}

// message gives a part of a step's message.
func (v *values) message(k int, t *term.Term) *term.Term {
	switch from := v.n.steps[k].from; from.kind {
	case outside:
		v.free = append(v.free, variable{k, t.Name})
	case driver:
		if r := v.e.sentFlat[from.event][t.Name]; r != nil {
			return r
		}
	case sent:
		s := v.n.steps[from.step]
		return v.part(from.step, s.route.flats[from.event], t)
	}
	return nil
}

// part gives what a table of terms of a step has under a name. If it has nothing, it gives a part of what the name is
// in, if that is an input of the step that its path has not changed.
func (v *values) part(k int, flat map[string]*term.Term, t *term.Term) *term.Term {
	if r := flat[t.Name]; r != nil {
		return v.term(k, r)
	}
	for i := len(t.Name) - 1; i > 0; i-- {
		if strings.IndexByte(".[!", t.Name[i]) < 0 {
			continue
		}
		for _, aspect := range []string{"!ref", "!type", "!len"} {
			r := flat[t.Name[:i]+aspect]
			if r == nil {
				continue
			}
			from, ok := strings.CutSuffix(r.Name, aspect)
			if r.Op != term.OpVar || !ok {
				return nil
			}
			if at, held := v.n.steps[k].route.held(from); held && (v.n.steps[k].route.changes(at+t.Name[i:]) || !stable(at)) {
				return nil
			}
			return v.term(k, v.e.store.Var(from+t.Name[i:], t.Sort))
		}
	}
	return nil
}
