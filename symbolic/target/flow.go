package target

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// flow is the message flow graph of one start configuration. It has which actor may handle which type of message on
// which path. It also has which constants the parts of its state, of its messages and its references may have. Actors
// of a start are told apart; those that handlers create are one for each function that handles their messages.
//
//	source:  the message flow graph of [TAP18] section 4, with one node for each actor of the start instead of each class
//	assumes: handlers are those of the library
//	cost:    the fixed point of sets of constants that only grow, each of at most manyValues
type flow struct {
	e       *Engine
	classes []*class
	refs    map[*term.Term]*class
	changed bool
}

// class stands for an actor of the start, or for all those that are created and whose messages a function handles.
type class struct {
	fn    *ssa.Function   // in the beginning
	fns   []*ssa.Function // and later
	ref   *term.Term
	held  parts
	boxes map[int]*inbox // by the number of the message type
}

// inbox is what is known of the messages of one type that a class may get.
type inbox struct {
	parts
	senders set
	plain   bool // some come otherwise than as requests that wait for an answer
	may     map[*route]bool
}

// parts are the values of something under the names of its parts. A part without a name may have any.
type parts struct {
	known  map[string]*set
	filled bool
	any    bool
}

// set is a set of constants.
type set struct {
	has map[*term.Term]bool
	any bool
}

// manyValues is how many constants are told apart.
const manyValues = 64

func (s *set) add(t *set) bool {
	if s.any {
		return false
	}
	if t.any {
		s.any, s.has = true, nil
		return true
	}
	before := len(s.has)
	if s.has == nil {
		s.has = map[*term.Term]bool{}
	}
	maps.Copy(s.has, t.has)
	if len(s.has) > manyValues {
		s.any, s.has = true, nil
		return true
	}
	return len(s.has) > before
}

func one(t *term.Term) *set { return &set{has: map[*term.Term]bool{t: true}} }

var anything = &set{any: true}

// only gives the constant of a set with one, nil for any other.
func (s *set) only() *term.Term {
	if s == nil || s.any || len(s.has) != 1 {
		return nil
	}
	for t := range s.has {
		return t
	}
	return nil
}

// get gives the values of a part.
func (p *parts) get(name string) *set {
	if s := p.known[name]; s != nil && !p.any {
		return s
	}
	return anything
}

// fill adds one more thing with the parts of a table. Parts that only some of the things have are of any value.
func (p *parts) fill(list map[string]*set) (changed bool) {
	if p.any {
		return false
	}
	if p.known == nil {
		p.known = map[string]*set{}
	}
	for name, s := range p.known {
		if list[name] == nil {
			changed = s.add(anything) || changed
		}
	}
	for name, s := range list {
		if p.known[name] == nil {
			p.known[name], changed = &set{}, true
			if p.filled {
				p.known[name].any = true
			}
		}
		changed = p.known[name].add(s) || changed
	}
	p.filled = true
	return changed
}

// newFlow finds the fixed point.
func (e *Engine) newFlow() *flow {
	f := &flow{e: e, refs: map[*term.Term]*class{}}
	for i, a := range e.start.Actors {
		c := f.class(a.Fn, a.Ref)
		held := map[string]*set{}
		for name, t := range e.states[i] {
			held[name] = f.constant(t)
		}
		held[behavior] = one(e.lib.tag(a.Fn))
		c.held.fill(held)
	}
	for _, fn := range e.lib.fns {
		f.class(fn, e.store.Uint(referenceSort, uint64(firstClass+len(f.classes))))
	}
	f.outside()
	for f.changed = true; f.changed; {
		f.changed = false
		for _, c := range f.classes {
			for t := range e.lib.types {
				if box := c.boxes[t]; box != nil {
					f.handle(c, box, e.lib.types[t])
				}
			}
		}
	}
	return f
}

// firstClass is the first reference that stands for created actors.
const firstClass = 0x5000

func (f *flow) class(fn *ssa.Function, ref *term.Term) *class {
	c := &class{fn: fn, fns: []*ssa.Function{fn}, ref: ref, boxes: map[int]*inbox{}}
	f.classes, f.refs[ref] = append(f.classes, c), c
	return c
}

func (f *flow) constant(t *term.Term) *set {
	if t.Const() {
		return one(t)
	}
	return anything
}

// classOf gives the class of an agent of a node.
func (f *flow) classOf(g agent) *class {
	if g.start >= 0 {
		return f.classes[g.start]
	}
	return f.created(g.fn)
}

func (f *flow) created(fn *ssa.Function) *class {
	for _, c := range f.classes[len(f.e.start.Actors):] {
		if c.fn == fn {
			return c
		}
	}
	return nil
}

// outside has the driver send what it may send.
func (f *flow) outside() {
	e := f.e
	driver := one(e.store.Uint(referenceSort, driverRef))
	if e.proto() && !e.goakt() {
		driver = one(e.store.Uint(referenceSort, 0))
	}
	if !e.config.Own {
		for _, s := range e.start.Shapes {
			if e.config.Usual && !s.Sent {
				continue
			}
			box := f.box(f.classes[s.To], s.Type)
			box.any, box.plain = true, true
			box.senders.add(driver)
		}
	}
	for i, m := range e.start.Sent {
		if m.To < 0 || m.Type == nil {
			continue
		}
		flat := map[string]*set{}
		for name, t := range e.sentFlat[i] {
			flat[name] = f.constant(t)
		}
		box := f.box(f.classes[m.To], m.Type)
		box.fill(flat)
		box.plain = true
		box.senders.add(e.sendersOf(m, driver))
	}
	for _, t := range e.lib.types {
		for _, c := range f.classes {
			if isTold(t) {
				box := f.box(c, t)
				box.any, box.plain, box.senders = true, true, *anything
			}
		}
	}
	if e.started != nil {
		for i, c := range f.classes {
			if i >= len(e.start.Actors) || e.start.Actors[i].Fresh {
				f.box(c, e.started).any = true
			}
		}
	}
}

// sendersOf gives who may be the sender of a message of the start.
func (e *Engine) sendersOf(m system.Message, driver *set) *set {
	switch {
	case !m.Always:
		return driver
	case e.proto() || m.Timer || m.From < 0:
		return anything
	}
	return one(e.start.Actors[m.From].Ref)
}

// box gives what is known of the messages of a type, and makes it if there was nothing.
func (f *flow) box(c *class, t types.Type) *inbox {
	i := f.e.lib.number(t)
	if c.boxes[i] == nil {
		c.boxes[i] = &inbox{may: map[*route]bool{}}
		f.changed = true
	}
	return c.boxes[i]
}

// handle has a class handle a type of message.
func (f *flow) handle(c *class, box *inbox, t types.Type) {
	for _, r := range routesOf(f.handlers(c, t)) {
		v := &view{f, c, box, r}
		if !box.may[r] {
			if !v.feasible() {
				continue
			}
			box.may[r] = true
			f.changed = true
		}
		if r.passes() {
			v.writes()
			v.events()
		}
	}
}

// runs gives the routes that some actor may take.
func (f *flow) runs() map[*route]bool {
	runs := map[*route]bool{}
	for _, c := range f.classes {
		if !c.held.filled && !c.held.any {
			continue // nobody creates such actors
		}
		for _, box := range c.boxes {
			maps.Copy(runs, box.may)
		}
	}
	return runs
}

// plain reports whether some actor may take a route with a message that is no request which waits for an answer.
func (f *flow) plain(r *route) bool {
	t := f.e.lib.number(r.msg)
	return slices.ContainsFunc(f.classes,
		func(c *class) bool { return c.boxes[t] != nil && c.boxes[t].plain && c.boxes[t].may[r] })
}

// handled reports whether some actor may handle messages by a handler.
func (f *flow) handled(h *handler) bool {
	t := f.e.lib.number(h.msg)
	return slices.ContainsFunc(f.classes, func(c *class) bool { return c.boxes[t] != nil && slices.Contains(c.fns, h.fn) })
}

// behavior names the part of an actor's state that says which function handles its messages.
const behavior = state + "behavior"

// handlers lists what an agent may do with a type of message, or with nil with any.
func (f *flow) handlers(c *class, t types.Type) (list []*handler) {
	for _, fn := range c.fns {
		for _, h := range f.e.lib.handlers[fn] {
			if t == nil || types.Identical(h.msg, t) {
				list = append(list, h)
			}
		}
	}
	return list
}

func routesOf(list []*handler) (routes []*route) {
	for _, h := range list {
		routes = append(routes, h.routes...)
	}
	return routes
}

// becomes notes that a class may have another function handle its messages.
func (f *flow) becomes(c *class, fn *ssa.Function) {
	if !slices.Contains(c.fns, fn) {
		c.fns = append(c.fns, fn)
		f.changed = true
	}
}
