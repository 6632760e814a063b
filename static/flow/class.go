package flow

import (
	"go/token"
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// The special objects of the analysis.
const (
	kindRef      = points.Special + iota // a reference to an actor, or to a future; Tag is the *class or *future
	kindCtx                              // what an actor can do; Tag is the *class
	kindSystem                           // an actor system and what is part of it
	kindProps                            // what an actor is made from
	kindFuture                           // an answer that will come; Tag is the *future
	kindMail                             // the mailbox and the senders of a state machine
	kindOption                           // what fills props
	kindStrategy                         // a supervisor; its Content decides
	kindNext                             // what comes next for middleware; Tag is the slot
	kindName                             // a name; Tag is the string
	kindRouter                           // what makes routers; Tag is the *routerKind
	kindNobody                           // a reference under which there may be no actor
)

// Parts of special objects.
const (
	mailPart    = -10 // messages
	senderPart  = -11 // references of who sent them
	handledPart = -12 // of the messages those that middleware hands on
	propsPart   = -13 // what actors of a class are made from
	parentPart  = -14 // who created them
	childPart   = -15 // whom they created
	contextPart = -16 // their contexts, if decorated
	endPart     = -17 // nobody, if they may stop
	actorPart   = -18 // their behaviours that are no functions
	machinePart = -19 // the mail of their state machines
	anyName     = -20 // of the object of names: all that have one
	listenPart  = -21 // of the stream of events: actors that get them as messages
	lostPart    = -22 // of it: messages that may find nobody
	stashPart   = -23 // of actors: messages that they have put aside
	slotPart    = -40 // and below: see slot
)

// class is an abstract actor: all actors of a type.
type class struct {
	key, name    string
	pkg          *types.Package
	pos          token.Pos
	environment  bool
	receptionist bool
	function     bool
	builtin      bool   // of the framework: there is no code to look at
	framework    string // "" while nobody knows
	ref, ctx     *points.Object
	young        *points.Object // the context while it is being set up, in the step of whoever creates it

	props, parents, children, decorated, ended, actors, mails points.Loc

	layers int // of middleware before its handlers, when they were last entered

	behaviors []points.Loc // boxes and functions that handle its messages
	known     map[points.Loc]bool
	machines  []*machine
	byMessage map[string]*machine
	touched   bool
}

// machine is the state machine of an abstract actor, for messages of one type where these are told apart.
type machine struct {
	index   int32
	class   *class
	message string // name of the type, "" in the environment and in start hooks
	typ     types.Type
	start   bool // no behaviour handles these
	mailbox points.Loc
	senders points.Loc
	handled points.Loc // what of the mailbox comes through middleware
}

// facts counts what is known of a machine.
func (m *machine) facts(s *points.Solver) int {
	return len(s.Read(nil, m.mailbox)) + len(s.Read(nil, m.senders)) + len(s.Read(nil, m.handled))
}

// newClass gives the abstract actor of a type, or of a function.
func (b *builder) newClass(key string, pkg *types.Package, name string) *class {
	if c, ok := b.classes[key]; ok {
		return c
	}
	c := &class{key: key, name: name, pkg: pkg, known: map[points.Loc]bool{}, byMessage: map[string]*machine{}}
	c.ref = b.solver.Special(kindRef, c.key, 0, nil)
	c.ref.Tag, c.ref.Atom = c, true
	c.ctx = b.solver.Special(kindCtx, c.key, 0, nil)
	c.ctx.Tag, c.ctx.Atom = c, true
	c.young = b.solver.Special(kindCtx, "young "+c.key, 0, nil)
	c.young.Tag, c.young.Atom = c, true
	about := b.solver.Special(kindMail, c, 0, nil).Root
	for i, l := range []*points.Loc{&c.props, &c.parents, &c.children, &c.decorated, &c.ended, &c.actors, &c.mails} {
		*l = b.solver.Part(about, [...]int{propsPart, parentPart, childPart, contextPart, endPart, actorPart, machinePart}[i])
	}
	b.classes[key] = c
	b.order = append(b.order, c)
	return c
}

// classOf gives the abstract actor that a behaviour makes: a box with a behaviour, or a function. name is what it is
// spawned as.
func (b *builder) classOf(behavior points.Loc, name string) *class {
	o := b.solver.Object(behavior)
	t := o.Type
	if o.Kind == points.Box {
		if _, fn := t.Underlying().(*types.Signature); !fn {
			return b.typeClass(t)
		}
		for _, l := range b.solver.Unboxed(nil, behavior) {
			if f := b.solver.Object(l); f.Kind == points.Func {
				return b.functionClass(f, name)
			}
		}
		return nil
	}
	if o.Kind == points.Func {
		return b.functionClass(o, name)
	}
	return nil
}

func (b *builder) typeClass(t types.Type) *class {
	elem, name := deref(t), model.TypeName(t)
	c := b.newClass(types.TypeString(elem, nil), nil, name)
	if n, ok := elem.(*types.Named); ok {
		c.pkg, c.pos = n.Obj().Pkg(), n.Obj().Pos()
	}
	return c
}

// functionClass names an actor that is a function as traces do: by what it was spawned as, else by the function around
// it.
func (b *builder) functionClass(f *points.Object, name string) *class {
	at := f.Fn
	for at.Parent() != nil {
		at = at.Parent()
	}
	enclosing := model.FunctionName(at)
	var pkg *types.Package
	if at.Pkg != nil {
		pkg = at.Pkg.Pkg
	} else if at.Object() != nil {
		pkg = at.Object().Pkg()
	}
	if !isKnown(name) || name == "" {
		name = enclosing
	}
	key := "func " + name
	if pkg != nil {
		key += " " + pkg.Path()
	}
	c := b.newClass(key, pkg, name)
	c.function = true
	if c.pos == token.NoPos {
		c.pos = f.Fn.Pos()
	}
	return c
}

// behave adds a behaviour to an actor.
func (b *builder) behave(c *class, behavior points.Loc) {
	if !c.known[behavior] {
		c.known[behavior] = true
		c.behaviors = append(c.behaviors, behavior)
		if b.solver.Object(behavior).Kind == points.Box {
			b.solver.Write(c.actors, points.One(behavior))
		}
		c.touched = true
	}
}

// machine gives the state machine of an actor for messages of a type.
func (b *builder) machine(c *class, message string, typ types.Type) *machine {
	key := message
	if typ != nil {
		key = b.spelled(typ).key
	}
	if !b.perMessage && key != "" {
		key, message, typ = "*", "", nil
	}
	return b.machineOf(c, key, &machine{class: c, message: message, typ: typ, start: key == ""})
}

// hook gives the state machine of what a framework does in an actor's step without asking its behaviour.
func (b *builder) hook(c *class, message string) *machine {
	return b.machineOf(c, "hook "+message, &machine{class: c, message: message, start: true})
}

func (b *builder) machineOf(c *class, key string, as *machine) *machine {
	m, ok := c.byMessage[key]
	if !ok {
		m = as
		m.index = int32(len(b.machines))
		mail := b.solver.Special(kindMail, m, 0, nil).Root
		m.mailbox, m.senders, m.handled = b.solver.Part(mail, mailPart), b.solver.Part(mail, senderPart), b.solver.Part(mail,
			handledPart)
		c.byMessage[key] = m
		c.machines = append(c.machines, m)
		b.solver.Write(c.mails, points.One(mail))
		b.machines = append(b.machines, m)
		c.touched = true
	}
	return m
}

// handle enters a behaviour for the messages of a machine.
func (b *builder) handle(m *machine, behavior points.Loc) {
	s := b.solver
	ctx, mail := b.contexts(nil, m.class), s.Read(nil, m.handled)
	o := s.Object(behavior)
	if o.Kind == points.Func {
		s.Enter(o.Fn, points.Context{In: m.index, On: behavior}, []points.Set{ctx, mail})
		return
	}
	if _, fn := o.Type.Underlying().(*types.Signature); fn {
		for _, l := range s.Unboxed(nil, behavior) {
			if s.Object(l).Kind == points.Func {
				b.handle(m, l)
			}
		}
		return
	}
	b.enterMethod(m, behavior, "Receive", ctx, mail)
}

// enterMethod enters a method of a behaviour in a box, on every receiver by itself, and gives it in these contexts.
func (b *builder) enterMethod(m *machine, box points.Loc, name string, args ...points.Set) []*points.Function {
	s := b.solver
	t := s.Object(box).Type
	if t == nil {
		return nil
	}
	sel := b.program.SSA.MethodSets.MethodSet(t).Lookup(nil, name)
	if sel == nil {
		return nil
	}
	fn := b.program.SSA.MethodValue(sel)
	if fn == nil {
		return nil
	}
	if len(fn.Blocks) == 0 {
		b.note("", "%s.%s has no source: what it does with messages is missing", model.TypeName(t), name)
		return nil
	}
	on := s.Unboxed(nil, box)
	if len(on) == 0 {
		return []*points.Function{s.Enter(fn, points.Context{In: m.index}, append([]points.Set{nil}, args...))}
	}
	var entered []*points.Function
	for _, l := range on {
		entered = append(entered, s.Enter(fn, points.Context{In: m.index, On: l},
			append([]points.Set{points.One(l)}, args...)))
	}
	return entered
}

// deref gives what a pointer points to, and other types as they are.
func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return types.Unalias(p.Elem())
	}
	return types.Unalias(t)
}
