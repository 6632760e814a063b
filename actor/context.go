package actor

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/memory"
	"github.com/rehearse-go/rehearse/trace"
)

// Context is what an actor can do. It belongs to one actor of one execution and may be used only by that actor's code, while it
// runs; what a handler does while it is being ended from outside (in deferred functions) goes nowhere.
type Context struct {
	m     *machine
	index int32
	birth Behavior // a copy of the behaviour given at spawn, nil if it is never needed
	stance
	life
}

// stance is what every step of an actor may change of its Context. undo.go saves it before each.
type stance struct {
	cur      *handler
	clock    time.Duration // see Now
	starting bool
	stopping bool // stops when its handler ends
	stopped  bool
	crashed  bool // by an injected fault
}

// set copies one field after the other: a copy of the whole waits for the narrow writes before it.
func (s *stance) set(o *stance) {
	s.cur, s.clock, s.starting, s.stopping, s.stopped, s.crashed = o.cur, o.clock, o.starting, o.stopping, o.stopped, o.crashed
}

// life is what few steps change: those who do call saveLife first. Its slices are saved with their headers: what they hold below
// their length is never written again; those who shorten one cut its capacity too.
type life struct {
	handles
	tasks    []*handler // released, in the order of their release
	stash    []int32
	watchers []int32
}

// handles is what an actor handles messages with.
type handles struct {
	behavior Behavior
	accepter Accepter // behavior, if it has constraints
	plain    bool     // pointee is all that there is to save of behavior
	pointee  memory.Pointee
	previous []Behavior // what Unbecome goes back to
	dropped  []Behavior // what it went back from, each instance once: a test may hold one and look at it at the end
	crowded  bool       // there were more than maxDropped
}

// beside gives the behaviours that it had before or has left.
func (h *handles) beside(yield func(Behavior) bool) {
	for _, of := range [][]Behavior{h.previous, h.dropped} {
		for _, b := range of {
			if !yield(b) {
				return
			}
		}
	}
}

// actors are the actors of this execution: how they begin, and how they end.
type actors struct {
	m       *machine
	all     []*Context // those beyond len are kept for the next execution
	watches int        // watch requests that were sent and not handled
}

// newContext gives the context of the next actor.
func (as *actors) add() *Context {
	n := len(as.all)
	if n < cap(as.all) {
		as.all = as.all[:n+1]
	} else {
		as.all = append(as.all, nil)
	}
	c := as.all[n]
	if c == nil {
		c = &Context{}
		as.all[n] = c
	}
	*c = Context{m: as.m, index: int32(n),
		life: life{handles: handles{previous: c.previous[:0], dropped: c.dropped[:0]}, tasks: c.tasks[:0], stash: c.stash[:0], watchers: c.watchers[:0]}}
	return c
}

// acts reports whether c may act: not in a handler that is being ended from outside. It panics if c is not the actor whose
// code runs.
func (c *Context) acts() bool {
	if c.m.running == c {
		return true
	}
	if c.m.over || c.cur != nil && c.cur.unwinding {
		return false
	}
	panic("rehearse: a Context was used while no handler of its actor was running: by another actor, by a goroutine that a handler " +
		"started, or by a function that runs at the end; let each actor use the Context that its handler was given")
}

// T is the T of this execution.
func (c *Context) T() *explore.T { return c.m.t }

// Self is this actor.
func (c *Context) Self() Ref { return refOf(c.index) }

// Sender is the actor that sent the message being handled; nobody in the driver and in start hooks.
func (c *Context) Sender() Ref {
	if c.cur == nil || c.cur.message < 0 {
		return Ref{}
	}
	return refOf(c.m.tr.Messages[c.cur.message].Sender)
}

// Name is an actor's name for people, such as Worker#2.
func (c *Context) Name(r Ref) string { return c.m.tr.ActorName(r.index()) }

// Actor gives the actor that goes by a name in reports, such as Worker#2. It is for test functions, which may have no reference to it, and panics in
// others: what an actor knows, it was told. Numbers count the actors that there are by now.
func (c *Context) Actor(name string) Ref {
	if c.index != 0 {
		panic("rehearse: Actor was called by a handler: only the test function looks actors up by their names")
	}
	for i := range c.m.tr.Actors[1:] {
		if a := int32(i + 1); c.m.tr.ActorName(a) == name {
			return refOf(a)
		}
	}
	panic(fmt.Sprintf("rehearse: there is no actor %s", name))
}

// Now is the virtual time since the start of the execution. If timers are asynchronous, each actor has its own: the latest that
// a timer of its own, or of anybody whose message it has handled, has shown it.
func (c *Context) Now() time.Duration { return max(c.m.timers.now, c.clock) }

// Spawn creates an actor.
func (c *Context) Spawn(b Behavior) Ref { return c.SpawnNamed("", b) }

// SpawnNamed creates an actor with a name for people, which need not be unique.
func (c *Context) SpawnNamed(name string, b Behavior) Ref {
	if b == nil {
		panic("rehearse: Spawn of a nil behaviour")
	}
	if !c.acts() {
		return Ref{}
	}
	m := c.m
	if m.redo.on {
		return m.redo.spawnAgain(m.types.ofBehavior(name, b), name, b)
	}
	if len(m.tr.Events[m.event].Created) >= m.c.MaxSteps {
		m.outbox.floods(c)
	}
	i := m.tr.AddActor(m.types.ofBehavior(name, b), name, c.index, m.event)
	child := m.actors.add()
	child.clock = c.Now()
	child.use(b)
	m.actors.keepBirth(child, b)
	if m.types.of(b).starts {
		m.actors.start(child, b.(Starter))
		m.running = c
		m.draws.sowOn(m.tr.Actors[i].ID)
	}
	return refOf(i)
}

// start runs the start hook of a new actor as part of the step that creates it.
func (as *actors) start(c *Context, s Starter) {
	h := as.m.handlers.fresh(c, -1)
	c.starting, c.cur, as.m.running = true, h, c
	defer func() {
		// A Goexit goes through: it ends the creating handler too.
		if r := recover(); r != nil {
			if explore.IsFailNow(r) {
				panic(r)
			}
			as.m.handlers.panicked(c, r)
			as.started(c, h)
		}
	}()
	s.Start(c)
	h.left()
	as.started(c, h)
}

func (as *actors) started(c *Context, h *handler) {
	c.starting, c.cur = false, nil
	as.m.handlers.free = append(as.m.handlers.free, h)
	if c.stopping {
		as.stop(c)
	}
}

// behaviorType is the type that an actor's identity hashes.
func (ts *types) ofBehavior(name string, b Behavior) *trace.Type {
	f, ok := b.(Func)
	if !ok {
		return ts.of(b).trace
	}
	if name != "" {
		return ts.m.tr.TypeNamed(name)
	}
	pc := reflect.ValueOf(f).Pointer()
	fn, ok := ts.funcs[pc]
	if !ok {
		fn = enclosing(runtime.FuncForPC(pc).Name())
		ts.funcs[pc] = fn
	}
	return ts.m.tr.TypeNamed(fn)
}

// enclosing drops the directories of a function's package and the numbers that the compiler gives to function literals:
// "a.org/b/bank.Serve.func1.2" becomes "bank.Serve".
func enclosing(fn string) string {
	fn = fn[strings.LastIndexByte(fn, '/')+1:]
	fn = strings.TrimSuffix(fn, "-fm")
	for {
		i := strings.LastIndexByte(fn, '.')
		if i <= 0 || strings.IndexByte(fn, '.') == i {
			return fn
		}
		if last := strings.TrimPrefix(fn[i+1:], "func"); strings.Trim(last, "0123456789") != "" {
			return fn
		}
		fn = fn[:i]
	}
}

func (c *Context) use(b Behavior) {
	info := c.m.types.of(b)
	c.behavior, c.accepter = b, nil
	if info.accepts {
		c.accepter = b.(Accepter)
	}
	c.plain, c.pointee = info.plain, info.pointee
}

// Become handles the next messages with b, until Unbecome or the next Become.
func (c *Context) Become(b Behavior) {
	if b == nil {
		panic("rehearse: Become of a nil behaviour")
	}
	if c.acts() {
		c.m.redo.told(c, noteBecome, 0)
		c.m.actors.changes(c)
		c.previous = append(c.previous, c.behavior)
		c.use(b)
	}
}

// maxDropped bounds how many dropped behaviours of an actor are compared as part of its state. An actor that goes back from a new one for ever
// would never be in the same state again.
const maxDropped = 8

// drop keeps the behaviour that Unbecome is about to leave.
func (c *Context) drop() {
	b := c.behavior
	switch {
	case slices.ContainsFunc(c.dropped, func(o Behavior) bool { return sameInstance(o, b) }):
	case len(c.dropped) == maxDropped:
		c.crowded = true
	default:
		c.dropped = append(c.dropped, b)
	}
}

// sameInstance reports whether two behaviours are one value behind a pointer, or hold nothing that could differ later.
func sameInstance(a, b Behavior) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if x.Type() != y.Type() {
		return false
	}
	return x.Kind() == reflect.Pointer && x.Pointer() == y.Pointer() || x.Kind() != reflect.Pointer && x.Comparable() && x.Equal(y)
}

// Unbecome goes back to the behaviour before the last Become; it does nothing if there was none.
func (c *Context) Unbecome() {
	if n := len(c.previous); n > 0 && c.acts() {
		c.m.redo.told(c, noteUnbecome, 0)
		c.m.actors.changes(c)
		c.drop()
		c.use(c.previous[n-1])
		c.previous = c.previous[: n-1 : n-1]
	}
}

// changes notes that the present step changes how the actor handles messages.
func (as *actors) changes(c *Context) {
	if !as.m.redo.on { // else it has changed it already, to the behaviour as it was made then
		as.m.undo.saveLife(c)
		as.m.tr.Events[as.m.event].Changes = true
	}
}

// Choose lets the exploration pick a value in [0, n). In set-up it is 0.
func (c *Context) Choose(n int) int {
	if n < 1 {
		panic(fmt.Sprintf("rehearse: Choose(%d): want at least one value", n))
	}
	if !c.acts() {
		return 0
	}
	return c.m.host.Choose(n)
}

// Unhandled reports that this actor has no handler for the message being handled.
func (c *Context) Unhandled() {
	if c.acts() && c.cur.message >= 0 && !c.m.redo.on {
		c.m.incident(trace.Incident{Kind: trace.Unhandled, Actor: c.index, Message: c.cur.message})
	}
}
