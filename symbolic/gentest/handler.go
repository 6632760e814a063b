package gentest

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// The packages that tests of handlers use.
const (
	nativeTests     = model.NativePath + "/steptest"
	protoactorTests = "github.com/rehearse-go/rehearse/adapter/protoactor/steptest"
	hollywoodTests  = model.HollywoodAdapterPath + "/steptest"
	goaktTests      = model.GoAktAdapterPath + "/steptest"
)

// testsOf is the package that tests of the actors of a framework use.
var testsOf = map[string]string{model.Native: nativeTests, model.Protoactor: protoactorTests,
	model.Hollywood: hollywoodTests, model.GoAkt: goaktTests}

// writer writes the test of one instance of a case.
type writer struct {
	*source
	program   *cases.Program
	c         *cases.Case
	world     *world
	peers     *peers
	framework string
	proto     bool     // it is not that of native actors
	before    []string // statements before the message is handled
	checks    []string // and after
	senders   []string // of the messages in the queue
}

func newWriter(p *cases.Program, n *names, c *cases.Case, m *term.Model) *writer {
	w := &writer{source: newSource(n), program: p, c: c, framework: c.Target.Kind.Framework()}
	w.proto = w.framework != model.Native && w.framework != ""
	w.peers = &peers{source: w.source, wide: map[uint64]string{}, exact: map[*term.Term]string{},
		places: map[uint64]string{}, child: map[uint64]string{}, found: map[uint64]string{}}
	w.world = newWorld(p.Exec(), c.Path, c.Inputs, m, w.peers)
	w.world.variable = w.variable
	return w
}

// handlerTest writes the body of a test of a handler, or says why there is none.
func (p *printer) handlerTest(c *cases.Case, m *term.Model) (lines []string, why string) {
	defer caught(&why)
	w := newWriter(p.program, p.names, scheduled(c), m)
	w.noChance()
	w.actors()
	state := w.state()
	msgs := w.message()
	queue := w.queued()
	variables := w.variables()
	effects := w.effects()
	after, afterWhy := w.after()
	w.lines = nil
	w.begin()
	p.declareFakes(w)
	fill := w.share(state.object(), slices.Concat(valuesOf(variables), []*value{state}, msgs, queue)...)
	w.declareState(state)
	fill()
	w.set(variables)
	w.declare("v", append(msgs, queue...)...)
	w.schedule(p.config, queue)
	w.runs(msgs)
	for _, e := range effects {
		e()
	}
	switch {
	case after != nil:
		w.declare("want", after)
		w.add("x.Equal(%q, %s, %s)", w.actor, w.actor, w.expr(after, after.typ))
	case afterWhy != "":
		w.add("// The state is not compared: %s.", afterWhy)
	}
	return w.lines, ""
}

// noChance fails if the case depends on random numbers: a test would pass now and then.
func (w *writer) noChance() {
	for _, cond := range w.c.Path.PC {
		for _, v := range term.Vars(cond.Term) {
			if at := w.world.roots[v]; at != nil && at.Random && !cond.Given {
				fail("it depends on random numbers: %s", at.Name)
			}
		}
	}
}

// begin writes what comes first: the peers, and what they do.
func (w *writer) begin() {
	tests := testsOf[w.framework]
	prepare := "New"
	if w.c.Target.Kind == cases.StartHook {
		prepare = "NewStart"
	}
	w.add("x := %s.%s(t)", w.names.imported(tests, "steptest"), prepare)
	w.lines = append(w.lines, w.peers.made...)
	w.lines = append(w.lines, w.before...)
}

// actors names the tested actor, the sender, and the actors that the handler creates.
func (w *writer) actors() {
	if w.c.Task != nil {
		w.named(w.c.Task)
	}
	n := 0
	for _, e := range w.c.Events {
		if e.Op == "spawn" && e.To != nil {
			n++
			w.peers.exact[e.To] = fmt.Sprintf("x.Spawned(%d)", n)
		}
	}
	for _, in := range w.c.Inputs {
		if !isActor(in) || in.At.Up == nil {
			continue
		}
		id := w.world.model.Eval(in.Var).Uint()
		if known := w.peers.places[id]; known == "" || len(in.At.Name) < len(known) {
			w.peers.places[id] = in.At.Name
		}
	}
	w.children()
	self, sender := w.world.vars["self!ref"], w.world.vars["sender!ref"]
	if self != nil {
		w.peers.wide[w.world.model.Eval(self).Uint()] = "x.Self()"
	}
	if sender == nil {
		return
	}
	switch id := w.world.model.Eval(sender).Uint(); {
	case id == 0 && w.proto:
		w.before = append(w.before, "x.FromNobody()")
	case id == 0:
		fail("a message of nobody: native actors have none")
	case w.peers.wide[id] != "":
		w.before = append(w.before, "x.From(x.Self())")
	default:
		w.peers.wide[id] = "x.Sender()"
	}
}

// children notes who is a child of the tested actor, in GoAkt: whom the framework gives as one of several, or finds by
// a name.
func (w *writer) children() {
	if w.framework != model.GoAkt {
		return
	}
	several := 0
	for _, in := range w.c.Inputs {
		if isActor(in) && in.At.Up != nil && in.At.Up.Up == nil && in.At.Up.Name == "children" {
			w.peers.child[w.world.model.Eval(in.Var).Uint()] = ""
			several++
		}
	}
	if several > 1 {
		fail("the handler looks at several children, whose order is that of a map")
	}
	for _, e := range w.c.Events {
		if e.Op != "child" && e.Op != "found" {
			continue
		}
		id, name := w.world.eval.value(e.To).Uint(), w.world.eval.value(e.Name).Text
		if e.Op == "found" {
			w.peers.found[id] = name
			continue
		}
		if known := w.peers.child[id]; known != "" && known != name {
			fail("a child has two names")
		}
		w.peers.child[id] = name
		w.peers.name(id, e.To)
	}
	if size := w.world.vars["children!len"]; size != nil && several == 0 && w.world.model.Eval(size).Int() > 0 {
		fail("the handler counts its children")
	}
}

// receiver gives the parameter that has the actor's state, nil if there is none.
func (w *writer) receiver() *ssa.Parameter {
	if w.c.Target.Fn.Signature.Recv() == nil {
		return nil
	}
	return w.c.Target.Fn.Params[0]
}

// state makes the state before.
func (w *writer) state() *value {
	if len(w.c.Target.Fn.FreeVars) > 0 || w.c.Target.Fn.Parent() != nil {
		fail("the handler is a function inside of another one: a test cannot reach it")
	}
	recv := w.receiver()
	if recv == nil {
		return nil
	}
	v := w.world.input(exec.ParameterName(0, recv), recv.Type())
	if p, ok := recv.Type().(*types.Pointer); ok && v.kind == zeroKind { // the handler does not look at it
		v = &value{kind: pointerKind, typ: recv.Type(), to: &object{val: &value{typ: p.Elem()}}}
	}
	return v
}

// declareState makes the variable of the actor.
func (w *writer) declareState(state *value) {
	if state == nil {
		return
	}
	w.actor = w.variable(exec.ParameterName(0, w.receiver()))
	if state.kind != pointerKind {
		w.declare("s", state)
		w.add("%s := %s", w.actor, w.expr(state, state.typ))
		return
	}
	o := state.to
	refers := len(count(nil, map[*value]bool{}, state)) > 0 && o.uses > 1 || w.calls(o.val, map[*value]bool{})
	reset(state, map[*value]bool{})
	if !refers {
		inner := o.val
		w.declare("s", inner)
		o.name = w.actor
		w.add("%s := &%s", w.actor, w.plainStruct(inner))
		return
	}
	o.name = w.actor
	w.add("%s := new(%s)", w.actor, w.names.typ(o.val.typ))
	w.declare("s", o.val)
	w.add("*%s = %s", w.actor, w.expr(o.val, o.val.typ))
}

// plainStruct writes a value behind &.
func (w *writer) plainStruct(v *value) string {
	if v.kind == zeroKind {
		return w.names.typ(v.typ) + "{}"
	}
	return w.plain(v)
}

// calls reports whether a method of the actor is in its state.
func (w *writer) calls(v *value, seen map[*value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	if v.kind == methodKind || v.to != nil && w.calls(v.to.val, seen) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(v.parts, v.keys), func(p *value) bool { return w.calls(p, seen) })
}

// reset forgets how often objects are used.
func reset(v *value, seen map[*value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	for _, p := range slices.Concat(v.parts, v.keys) {
		reset(p, seen)
	}
	if v.to != nil {
		v.to.uses = 0
		reset(v.to.val, seen)
	}
}

// runs writes what runs the handler or the start hook.
func (w *writer) runs(msgs []*value) {
	if len(msgs) == 0 {
		w.add("x.Start(%s)", w.actor)
		return
	}
	w.add("x.Handle(%s, %s)", w.handles(), w.expr(msgs[0], anyType))
}

// message makes the message, as a list: a start hook has none.
func (w *writer) message() []*value {
	if w.c.Target.Kind == cases.StartHook {
		return nil
	}
	return []*value{w.handled()}
}

// handled makes the message that is handled.
func (w *writer) handled() *value {
	t := w.c.Target.Handler.Message
	if t == nil {
		v := w.world.input("msg", anyType)
		if v.isZero() || v.kind == faceKind && v.parts[0].kind == zeroKind {
			*v = *w.world.anything(anyType) // also where the handler sends it on
			if empty := v.parts[0]; slices.ContainsFunc(w.program.Targets(), func(t *cases.Target) bool {
				return t.Fn == w.c.Target.Fn && t.Handler.Message != nil && types.Identical(t.Handler.Message, empty.typ)
			}) {
				empty.kind, empty.typ = listKind, types.NewArray(empty.typ, 0)
			}
		}
		return v
	}
	return w.messageOf("msg", t)
}

// messageOf makes a message of a type that is known.
func (w *writer) messageOf(name string, t types.Type) *value {
	v := w.world.input(name, t)
	if p, ok := t.Underlying().(*types.Pointer); ok && v.kind == zeroKind {
		return &value{kind: pointerKind, typ: t, to: &object{val: &value{typ: p.Elem()}}}
	}
	return v
}

// handles writes what the tested actor's behaviour is.
func (w *writer) handles() string {
	fn := w.c.Target.Fn
	path, wrap := model.NativePath, "Func"
	name := "actor"
	switch w.framework {
	case model.Protoactor:
		path, wrap = model.ProtoactorPath, "ReceiveFunc"
	case model.Hollywood:
		path, name = hollywoodTests, "steptest"
	case model.GoAkt:
		path, name = goaktTests, "steptest"
	}
	wrapped := func(f string) string { return fmt.Sprintf("%s.%s(%s)", w.names.imported(path, name), wrap, f) }
	switch {
	case w.receiver() == nil:
		w.names.object(fn.Object())
		return wrapped(fn.Name())
	case fn.Name() == "Receive":
		return w.actor
	}
	return wrapped(w.actor + "." + fn.Name())
}

// after makes the state in the end, or says why it is not known.
func (w *writer) after() (v *value, why string) {
	defer caught(&why)
	recv := w.receiver()
	if recv == nil || len(w.c.Path.Args) == 0 {
		return nil, ""
	}
	if _, ok := recv.Type().Underlying().(*types.Pointer); !ok {
		return nil, "" // the handler has a copy
	}
	v = w.world.valueAtEnd(w.c.Path.Args[0], recv.Type())
	if v.kind == zeroKind || v.to == nil {
		return nil, "it is not known"
	}
	if w.calls(v.to.val, map[*value]bool{}) && v.to.uses > 1 {
		return nil, "it holds its own methods"
	}
	if v.to.val.kind == zeroKind {
		v.to.val = &value{kind: structKind, typ: v.to.val.typ}
	}
	return v, ""
}

// typeText writes a type as traces do.
func typeText(t types.Type) string {
	return strings.TrimPrefix(types.TypeString(t, (*types.Package).Name), "*")
}
