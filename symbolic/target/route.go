package target

import (
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// handler is what a function does with one type of message.
type handler struct {
	fn     *ssa.Function
	msg    types.Type
	roots  map[string]string // of the inputs that are the actor's state: what their names begin with in a node
	sum    *summary.Summary
	routes []*route
}

// role says what an event is to the search.
type role uint8

const (
	other   role = iota
	message      // goes to an actor
	spawn
	timer // a message that comes later
	stop
	become
)

// roles are those of operations.
var roles = map[string]role{
	"send": message, "request": message, "forward": message, "ask": message, "call": message, "respond": message,
	"spawn": spawn, "timer": timer, "stop": stop, "become": become, "unbecome": become,
}

// route is one path of a handler.
type route struct {
	*handler
	id     int // in the order of discovery
	path   *exec.Path
	roles  []role // of the path's events
	places []int  // of an event its place among those of its role
	// of an event the one that creates the actor whose start hook does it, -1: the actor of the route does it
	hooks  []int
	writes []string
	out    map[string]*term.Term // what the actor holds afterwards, where that was written
	flats  []map[string]*term.Term

	stops  bool // the actor itself
	broken bool // by a panic that stops a native actor: what it has sent before is on its way

	// Of a route that changes what handles the next messages.
	stack   stack
	becomes []*ssa.Function
	same    bool                  // what it puts on the stack is of the same state
	kept    map[string]*term.Term // out and writes as they are of the state that the route began with
	own     []string
}

// stack says what a route does to the stack of behaviours.
type stack uint8

const (
	asBefore stack = iota
	pushes
	pops
	unclear // several of these, or one of which nothing is known
)

// state begins the names of what an actor holds.
const state = "@"

// newHandler prepares the names of a function's state.
func newHandler(fn *ssa.Function, msg types.Type, sum *summary.Summary) *handler {
	return &handler{fn: fn, msg: msg, sum: sum, roots: stateRoots(fn)}
}

// stateRoots tells which inputs of a handler are the state of its actor: those of its receiver, and what it captures.
func stateRoots(fn *ssa.Function) map[string]string {
	roots := map[string]string{}
	if fn.Signature.Recv() != nil {
		roots[exec.ParameterName(0, fn.Params[0])] = state
	}
	for _, v := range fn.FreeVars {
		roots[exec.CapturedName(v)] = state + "^" + exec.CapturedName(v)
	}
	return roots
}

// root splits the name of an input into the place where it begins and the rest.
func root(name string) (first, rest string) {
	if i := strings.IndexAny(name, ".[!"); i >= 0 {
		return name[:i], name[i:]
	}
	return name, ""
}

// held gives the name of a part of the state in a node, and whether the name is of one.
func (h *handler) held(name string) (string, bool) {
	first, rest := root(name)
	at, ok := h.roots[first]
	return at + rest, ok
}

// newRoute prepares a path.
func newRoute(h *handler, id int, path *exec.Path) *route {
	r := &route{handler: h, id: id, path: path, out: map[string]*term.Term{}}
	count := map[role]int{}
	for i := range path.Events {
		ev := &path.Events[i]
		is := roles[ev.Op]
		r.roles, r.places = append(r.roles, is), append(r.places, count[is])
		count[is]++
		r.flats = append(r.flats, table(ev.Flat))
		r.hooks = append(r.hooks, creation(path.Events[:i], ev.By))
	}
	for _, name := range path.Written {
		if at, ok := h.held(name); ok {
			r.writes = append(r.writes, at)
		}
	}
	for _, o := range path.Out {
		if at, ok := h.held(o.Name); ok {
			r.out[at] = o.Term
		}
	}
	return r
}

// creation gives the event that creates an actor, -1 for none.
func creation(list []exec.Event, ref *term.Term) int {
	return slices.IndexFunc(list, func(e exec.Event) bool { return ref != nil && roles[e.Op] == spawn && e.To == ref })
}

// born gives the last event of a start hook of an actor that an event creates; the creation itself, if there is none.
func (r *route) born(event int) int {
	last := event
	for i, at := range r.hooks {
		if at == event {
			last = i
		}
	}
	return last
}

func table(list []exec.Named) map[string]*term.Term {
	m := make(map[string]*term.Term, len(list))
	for _, n := range list {
		m[n.Name] = n.Term
	}
	return m
}

// target reports whether the route does what is asked for.
func (r *route) reaches(t *Target) bool {
	p := r.path
	if t.Check != nil || p.Exit == exec.Refused || p.Exit == exec.Waits {
		return false
	}
	if t.Panic {
		return r.panicsAt(t.Pos) && (t.Block == nil || slices.Contains(p.Blocks, t.Block))
	}
	if t.Dead {
		return slices.ContainsFunc(p.Events,
			func(e exec.Event) bool { return e.Lost && (!t.Pos.IsValid() || e.Pos == t.Pos) })
	}
	if len(t.After) > 0 && p.Exit != exec.Return {
		return false
	}
	return t.Block == nil || slices.Contains(p.Blocks, t.Block)
}

// panicsAt reports whether the route, or a start hook of an actor that it creates, panics or fails a check at a place.
// A place that is not valid stands for any.
func (r *route) panicsAt(pos token.Pos) bool {
	p := r.path
	return (p.Exit == exec.Panic || p.Exit == exec.Assert) && (!pos.IsValid() || p.Pos == pos) ||
		slices.ContainsFunc(p.Events, func(e exec.Event) bool {
			return e.Op == exec.HookPanics &&
				(!pos.IsValid() || e.Pos == pos)
		})
}

// passes reports whether the search follows what comes after the route: after a panic of a native actor, which stops
// it, and of no other.
func (r *route) passes() bool {
	return r.path.Exit == exec.Return || r.broken
}

// changes reports whether the route may write what a name is about: it, or what it is in. Of a name that is not stable
// also a part of what it is in.
func (r *route) changes(name string) bool { return among(r.writes, name) }

// among reports whether one of some writes may be what a name is about.
func among(writes []string, name string) bool {
	at, loose := whole(place(name)), !stable(name)
	return slices.ContainsFunc(writes, func(w string) bool {
		w = whole(w)
		return overlap(at, w) && (len(w) <= len(at) || loose)
	})
}

// place gives the place that a name tells something of.
func place(name string) string {
	if i := strings.LastIndexByte(name, '!'); i >= 0 && !strings.ContainsAny(name[i:], ".[]()") {
		return name[:i]
	}
	return name
}

// whole gives the place up to the first element that is not told by a number: of the others nobody knows which are the
// same.
func whole(at string) string {
	for i := 0; i < len(at); i++ {
		if at[i] == '[' && !numbered.MatchString(at[i:]) || at[i] == '!' {
			return at[:i]
		}
	}
	return at
}

// numbered matches what begins with an element that is told by a number.
var numbered = regexp.MustCompile(`^\[\d+\]`)

// stable reports whether a name means the same before every step.
func stable(name string) bool {
	return whole(place(name)) == place(name) && !strings.HasSuffix(name, "!more") && !strings.HasSuffix(name, "!size")
}

// overlap reports whether one place is the other one, or a part of it.
func overlap(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a) && (len(a) == len(b) || strings.IndexByte(".[(", b[len(a)]) >= 0 || a == state)
}
