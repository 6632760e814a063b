package target

import (
	"context"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// library holds the handlers that may run in a system, and what they do.
type library struct {
	e        *Engine
	fns      []*ssa.Function
	types    []types.Type
	known    typeutil.Map // message types: index in types
	handlers map[*ssa.Function][]*handler
	routes   []*route
	emits    []emission
	makes    []emission
	changed  map[string]bool
	special  map[token.Pos]string // calls that differ from others by their name's end

	hooksPanic bool // some start hook of a new actor does

	flows    map[flowKey]*flow
	doubts   map[flowKey][]string
	confined *confinement // nil until somebody asks
	fixed    fixedFields
}

// emission is an event of a route: a message, or an actor that is created.
type emission struct {
	route *route
	event int
	fn    *ssa.Function // that handles the messages of an actor that is created
}

// newLibrary finds the handlers that may run. What actors of the start hold for good has to hold for all that handlers
// create, too.
func (e *Engine) newLibrary(ctx context.Context) *library {
	for fixed := e.fixed(); ; {
		l := e.libraryWith(ctx, fixed)
		if ctx.Err() != nil || !l.unfix() {
			return l
		}
	}
}

// libraryWith finds the handlers of the actors of the start with the messages that may come from outside, and what
// comes of these.
func (e *Engine) libraryWith(ctx context.Context, fixed fixedFields) *library {
	l := &library{e: e, handlers: map[*ssa.Function][]*handler{}, special: e.specials(), flows: map[flowKey]*flow{},
		doubts: map[flowKey][]string{}, fixed: fixed}
	for _, a := range e.start.Actors {
		l.function(a.Fn)
	}
	for _, s := range e.start.Shapes {
		l.message(s.Type)
	}
	for _, m := range e.start.Sent {
		l.message(m.Type)
	}
	if t := e.startedType(); t != nil {
		l.message(t)
	}
	for f, t := 0, 0; f < len(l.fns) || t < len(l.types); { // pairs of those before f and those before t were looked at
		switch {
		case ctx.Err() != nil:
			return l
		case f < len(l.fns):
			for _, m := range l.types[:t] {
				l.explore(ctx, l.fns[f], m)
			}
			f++
		default:
			for _, fn := range l.fns[:f] {
				l.explore(ctx, fn, l.types[t])
			}
			t++
		}
	}
	return l
}

func (l *library) function(fn *ssa.Function) {
	if fn == nil || slices.Contains(l.fns, fn) {
		return
	}
	l.fns = append(l.fns, fn)
	for _, h := range l.e.asked {
		if h.Fn == fn && isTold(h.Message) {
			l.message(h.Message)
		}
	}
}

// tells are the messages that frameworks send by themselves, but for Started.
var tells = []string{"Stopping", "Stopped", "Restarting", "ReceiveTimeout", "Terminated"}

// isTold reports whether the framework by itself sends messages of a type.
func isTold(t types.Type) bool {
	if t == nil {
		return false
	}
	n, ok := types.Unalias(pointed(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path := n.Obj().Pkg().Path()
	return (path == model.ProtoactorPath || path == model.NativePath) && slices.Contains(tells, n.Obj().Name())
}

func (l *library) message(t types.Type) {
	if t != nil && l.known.At(t) == nil {
		l.known.Set(t, len(l.types))
		l.types = append(l.types, t)
	}
}

// explore adds what a function does with a type of message.
func (l *library) explore(ctx context.Context, fn *ssa.Function, t types.Type) {
	c := l.e.config.Exec
	c.Hooks = true
	asked := summary.Handler{Actor: fn.String(), Message: t, Fn: fn, Pos: fn.Pos()}
	sum := l.summary(ctx, asked, c)
	h := newHandler(fn, t, sum)
	l.handlers[fn] = append(l.handlers[fn], h)
	for _, p := range sum.Paths {
		r := newRoute(h, len(l.routes), p)
		r.broken = p.Exit == exec.Panic && !l.e.proto()
		r.stops = r.broken
		l.behaviors(r)
		l.routes = append(l.routes, r)
		h.routes = append(h.routes, r)
		if r.passes() {
			l.emissions(r)
		}
	}
}

// emissions notes what a route sends and creates.
func (l *library) emissions(r *route) {
	for i := range r.path.Events {
		l.hooksPanic = l.hooksPanic || r.path.Events[i].Op == exec.HookPanics
		switch ev := &r.path.Events[i]; r.roles[i] {
		case message, timer:
			l.emits = append(l.emits, emission{route: r, event: i})
			if ev.Type != nil {
				l.message(ev.Type)
			}
		case spawn:
			fn := l.e.handles(ev)
			if fn == nil {
				continue // which is a doubt
			}
			if !ev.Over { // else it handles nothing
				l.makes = append(l.makes, emission{route: r, event: i, fn: fn})
			}
			l.function(fn)
		}
	}
}

// behaviors notes how a route changes what handles the next messages. Those of protoactor-go are a stack in the state.
func (l *library) behaviors(r *route) {
	var changes []int
	for i := range r.path.Events {
		ev := &r.path.Events[i]
		r.stops = r.stops || ev.Op == "stop" && ev.To == nil && ev.By == nil
		if r.roles[i] == become && (!l.e.proto() || l.e.goakt()) {
			changes = append(changes, i)
		}
	}
	if len(changes) == 0 {
		return
	}
	r.kept, r.own = maps.Clone(r.out), slices.Clone(r.writes)
	r.writes = append(r.writes, behavior)
	for _, i := range changes {
		if fn := l.e.handles(&r.path.Events[i]); fn != nil {
			r.becomes = append(r.becomes, fn)
			l.function(fn)
		}
	}
	switch i := changes[0]; {
	case len(changes) == 1 && r.path.Events[i].Op == "unbecome":
		r.stack = pops
	case len(changes) == 1 && len(r.becomes) == 1:
		l.pushes(r, i)
		return
	default:
		r.stack = unclear
	}
	r.writes = append(r.writes, state)
	clear(r.out)
}

// pushes has a route put another behaviour on the one before.
func (l *library) pushes(r *route, i int) {
	r.stack = pushes
	r.out[behavior] = l.tag(r.becomes[0])
	if f, ok := r.path.Events[i].Msg.(exec.Face); ok {
		if v, ok := f.Val.(exec.Func); ok && l.e.summaries.Exec().Bound(v.Fn) != nil && l.own(r, i) {
			r.same = true
			return
		}
	}
	l.replaced(r, i, r.becomes[0])
}

// tag gives the constant that stands for a function in a behaviour.
func (l *library) tag(fn *ssa.Function) *term.Term {
	return l.e.store.Uint(referenceSort, uint64(1+slices.Index(l.fns, fn)))
}

// own reports whether a behaviour is a method of what the actor is already.
func (l *library) own(r *route, i int) bool {
	for name, t := range r.flats[i] {
		if at, held := r.held(t.Name); held && at == state+"!ref" && strings.HasSuffix(name, "!ref") {
			return true
		}
	}
	return false
}

// replaced has a route put another thing in the place of what the actor was.
func (l *library) replaced(r *route, i int, fn *ssa.Function) {
	r.writes = append(r.writes, state)
	for name := range r.out {
		if name != behavior {
			delete(r.out, name)
		}
	}
	for name, t := range r.flats[i] {
		if at, ok := bornAs(fn, name); ok {
			r.out[at] = t
		}
	}
}

// bornAs gives the name of a part of the state of an actor whose constructor value has a part of a name.
func bornAs(fn *ssa.Function, name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, "msg")
	if !ok {
		return "", false
	}
	for _, at := range stateRoots(fn) {
		if at == state {
			return state + rest, true
		}
		if tail, ok := strings.CutPrefix(rest, "."+strings.TrimPrefix(at, state+"^")); ok {
			return at + tail, true
		}
	}
	return "", false
}

// of gives the handler of a function for a type of message, nil if it is not one that may come.
func (l *library) of(fn *ssa.Function, t types.Type) *handler {
	for _, h := range l.handlers[fn] {
		if types.Identical(h.msg, t) {
			return h
		}
	}
	return nil
}

// number gives the number of a type of messages, -1 for one that does not come.
func (l *library) number(t types.Type) int {
	if n, ok := l.known.At(t).(int); ok {
		return n
	}
	return -1
}

// handles gives the function that handles the messages of an actor that an event creates, nil if that is not known.
func (e *Engine) handles(ev *exec.Event) *ssa.Function {
	if ev.Type != nil {
		if f, ok := ev.Msg.(exec.Face); ok {
			if fn, ok := f.Val.(exec.Func); ok {
				return e.bound(fn.Fn)
			}
		}
		return e.receive(ev.Type)
	}
	if ev.Kind == "" {
		return nil
	}
	for _, pkg := range e.loaded.Packages {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			t, ok := scope.Lookup(name).(*types.TypeName)
			if !ok || t.IsAlias() || model.TypeName(t.Type()) != ev.Kind {
				continue
			}
			if fn := e.receive(types.NewPointer(t.Type())); fn != nil {
				return fn
			}
		}
	}
	return nil
}

// bound gives the method that a method value stands for, and any other function itself.
func (e *Engine) bound(fn *ssa.Function) *ssa.Function {
	if fn == nil {
		return nil
	}
	if method := e.summaries.Exec().Bound(fn); method != nil {
		return method
	}
	return fn
}

// receive gives the method of a type that handles messages, nil if it has none.
func (e *Engine) receive(t types.Type) *ssa.Function {
	n, ok := types.Unalias(pointed(t)).(*types.Named)
	if !ok {
		return nil
	}
	sel := e.loaded.SSA.MethodSets.MethodSet(t).Lookup(n.Obj().Pkg(), "Receive")
	if sel == nil {
		return nil
	}
	if fn := e.loaded.SSA.MethodValue(sel); fn != nil && len(fn.Blocks) > 0 && model.Handles(fn.Signature) != "" {
		return fn
	}
	return nil
}

func pointed(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// proto reports whether the actors are those of protoactor-go, Hollywood or GoAkt.
func (e *Engine) proto() bool { return e.start.Driver != nil && e.start.Driver.Proto }

// goakt reports whether they are those of GoAkt. What an actor sends has it as the sender there, unless a function
// sends it, and who is no actor has a reference.
func (e *Engine) goakt() bool { return e.start.Driver != nil && e.start.Driver.GoAkt }

// startedType gives the message that actors of protoactor-go and GoAkt get first, nil for native ones.
func (e *Engine) startedType() types.Type {
	if !e.proto() {
		return nil
	}
	path, name := model.ProtoactorPath, "Started"
	if e.goakt() {
		path, name = model.GoAktPath, "PostStart"
	}
	for _, pkg := range e.loaded.SSA.AllPackages() {
		if pkg.Pkg.Path() == path {
			if o := pkg.Pkg.Scope().Lookup(name); o != nil {
				return types.NewPointer(o.Type())
			}
		}
	}
	return nil
}

// specials finds calls of functions of protoactor-go that differ from others by their name's end: requests with a
// sender of their own, and timers that fire again and again.
func (e *Engine) specials() map[token.Pos]string {
	found := map[token.Pos]string{}
	if !e.proto() {
		return found
	}
	for _, fn := range e.loaded.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				name := ""
				if m := c.Common().Method; m != nil {
					name = m.Name()
				} else if to := c.Common().StaticCallee(); to != nil {
					name = to.Name()
				}
				for _, end := range []string{"CustomSender", "Repeatedly"} {
					if strings.HasSuffix(name, end) {
						found[c.Pos()] = end
					}
				}
			}
		}
	}
	return found
}

// plainRequest reports whether a request has the actor as its sender.
func (e *Engine) plainRequest(r *route, event int) bool {
	return e.lib.special[r.path.Events[event].Pos] != "CustomSender"
}
