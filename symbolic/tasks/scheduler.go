package tasks

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// object is an actor of a run.
type object struct {
	name     string
	number   int // 0 is the tested actor, then those that were created
	ref      *term.Term
	behavior exec.Value
	receive  *ssa.Function
	queue    []*task // by arrival
	waiting  []*task // that cannot go on, under Ready
	urgent   []*task // of those, the ones whose guards hold
	blocked  *task   // that has made a call, so that no other task runs
	order    []*task // by priority, the highest first
	switches int
	came     map[string]int // messages, by name

	// The rest is of protoactor-go.
	system []*task // continuations that can go on, and the start: before the queue
	parent *term.Term
}

// task is one run of a handler.
type task struct {
	obj     *object
	name    string // of the message
	nth     int    // of the messages of this name that have come to the actor
	msg     exec.Face
	answer  *future    // that its reply completes, nil for none
	from    *object    // the actor of the case that has sent it, nil if it was none
	awaited *future    // that it waits for
	guard   exec.Value // that it waits for
	call    bool       // it waits as the caller of a call
	stack   *exec.Task // nil before its first run

	// The rest is of protoactor-go.
	sender *term.Term
	do     exec.Value // a continuation, in place of the handler; with the future that it is of
	on     *future
	system bool // a message of the framework's own, which is no task of the program
}

// scheduler executes tasks. It is the driver of one run.
type scheduler struct {
	tested  summary.Handler
	others  []summary.Handler // that may be in the queue
	config  Config
	m       *exec.Machine
	objects []*object
	futures map[*exec.Opaque]*future
	running *task
	result  *future

	steps   []Step
	queued  []string
	pending []types.Type // of these messages
	sent    []Sent
	deeds   []Deed
	made    []exec.Named // the final states of actors that were created
	value   []exec.Named // the result
	gone    []string     // tasks that wait in the end

	refused bool // the path was cut for what the scheduler does not know, and not for a bound

	// The rest is of protoactor-go.
	framework *types.Package // nil for native actors
	store     *term.Store
	now       *term.Term // time since the run began
	asked     []*future
	recipes   map[*exec.Opaque]*recipe
	forced    []*task // that run next, whatever else can
	strangers int
	stashed   []string
}

// Run executes the tested handler, and all tasks that come of it.
func (s *scheduler) Run(m *exec.Machine) []exec.Value {
	s.m = m
	recv := s.tested.Fn.Params[0]
	self := &object{name: s.tested.Actor, ref: m.Reference("self"), behavior: m.There(recv.Name(), recv.Type()),
		receive: s.tested.Fn}
	m.Tested(self.behavior)
	s.objects = []*object{self}
	first := &task{obj: self, name: s.tested.Name(),
		msg: exec.Face{Type: s.tested.Message, Val: m.There("msg", s.tested.Message)}, answer: &future{}}
	s.result = first.answer
	s.result.ref = m.Reference("sender")
	if s.framework != nil {
		s.now, s.recipes = s.store.Int(term.Word(64), 0), map[*exec.Opaque]*recipe{}
		first.sender = s.result.ref
	}
	first.count()
	s.fill(self)
	s.run(first)
	for next := s.next(); next != nil; next = s.next() {
		s.turn(next)
	}
	s.rest(first)
	return nil
}

// rest tells how it is when no task can run.
func (s *scheduler) rest(first *task) {
	for _, o := range s.objects {
		for _, t := range append(slices.Clone(o.waiting), o.queue...) {
			s.gone = append(s.gone, o.name+"."+t.name)
		}
		if o.blocked != nil {
			s.gone = append(s.gone, o.name+"."+o.blocked.name)
		}
	}
	for _, f := range s.asked {
		for _, t := range f.hooks {
			s.gone = append(s.gone, t.obj.name+"."+t.name+" (await)")
		}
	}
	if first.waits() {
		s.m.End(stuck)
	}
	for _, f := range s.asked {
		if f.open != nil && f.open.How == Reply {
			f.open.Value = s.m.Flatten(f.open.Name, f.open.content)
		}
	}
	if s.result.done {
		s.value = s.m.Flatten("result", s.result.value)
	}
	for _, o := range s.objects[1:] {
		for _, n := range s.m.Flatten(o.name, o.behavior) {
			if !strings.HasPrefix(n.Name, o.name+"!") { // the behaviour's own address
				s.made = append(s.made, n)
			}
		}
	}
}

// refuse ends the path because of what the scheduler does not know.
func (s *scheduler) refuse(format string, args ...any) {
	s.refused = true
	s.m.Cut(format, args...)
}

// stuck is why a path has no case: the tested handler waits for what no task does.
const stuck = "the handler waits forever"

// fill puts tasks into the queue, as many and in such an order as nobody knows.
func (s *scheduler) fill(o *object) {
	if len(s.others) == 0 {
		return
	}
	for i := range s.m.Pick(s.config.Queue + 1) {
		h := s.others[s.m.Pick(len(s.others))]
		s.queued, s.pending = append(s.queued, h.Name()), append(s.pending, h.Message)
		t := &task{obj: o, name: h.Name(),
			msg: exec.Face{Type: h.Message, Val: s.m.There(fmt.Sprintf("queued%d", i+1), h.Message)}}
		if s.framework != nil {
			t.sender = s.m.ReferenceOf(s.m.Input(fmt.Sprintf("sender%d", i+1), s.own("PID")))
		}
		s.enqueue(t)
	}
}

// enqueue puts a new task into the queue of its actor.
func (s *scheduler) enqueue(t *task) {
	t.count()
	t.obj.queue = append(t.obj.queue, t)
	s.rank(t)
}

// rank decides a new task's priority among the others of its actor. The tested handler gets one when it first waits.
func (s *scheduler) rank(t *task) {
	if o := t.obj; s.config.Policy == Priority && !slices.Contains(o.order, t) {
		o.order = slices.Insert(o.order, s.m.Pick(len(o.order)+1), t)
	}
}

// next decides which task runs, nil if none can.
func (s *scheduler) next() *task {
	for {
		if len(s.forced) > 0 {
			t := s.forced[0]
			s.forced = s.forced[1:]
			return t
		}
		can := s.ready()
		events := s.outside(can)
		if len(can)+len(events) == 0 {
			return nil
		}
		i := s.m.Pick(len(can) + len(events))
		if i < len(can) {
			return can[i]
		}
		events[i-len(can)]()
	}
}

// ready lists the tasks that may be next.
func (s *scheduler) ready() (can []*task) {
	for _, o := range s.objects {
		can = append(can, s.candidates(o)...)
		if len(can) > 0 && s.config.Policy != Any {
			return can[:1]
		}
	}
	return can
}

// candidates lists the tasks of an actor that may be next. Only the policy Any leaves more than one.
func (s *scheduler) candidates(o *object) []*task {
	switch {
	case o.blocked != nil:
		if o.blocked.awaited.done {
			return []*task{o.blocked}
		}
		return nil
	case len(o.system) > 0:
		return o.system[:1]
	case s.config.Policy == Any:
		return append(slices.Clone(o.queue), o.urgent...)
	case len(o.urgent) > 0:
		return o.urgent[:1]
	case len(o.queue) == 0:
		return nil
	}
	switch s.config.Policy {
	case FIFO:
		return o.queue[:1]
	case LIFO:
		return o.queue[len(o.queue)-1:]
	}
	i := slices.IndexFunc(o.order, func(t *task) bool { return slices.Contains(o.queue, t) })
	return o.order[i : i+1]
}

// turn runs a task that is next. The return of a call is no switch: its actor did nothing else.
func (s *scheduler) turn(t *task) {
	o := t.obj
	if t == o.blocked {
		o.blocked = nil
		s.run(t)
		return
	}
	if !t.system {
		o.switches++
	}
	if o.switches > s.config.Switches {
		s.m.Cut("more than %d switches of %s", s.config.Switches, o.name)
	}
	o.queue = slices.DeleteFunc(o.queue, func(u *task) bool { return u == t })
	o.system = slices.DeleteFunc(o.system, func(u *task) bool { return u == t })
	o.waiting = slices.DeleteFunc(o.waiting, func(u *task) bool { return u == t })
	if !slices.Contains(o.urgent, t) && !s.holds(t) {
		s.steps = append(s.steps, Step{Actor: o.name, Number: o.number, Message: t.name, Resumed: true, Lost: true})
		o.queue = append(o.queue, t)
		return
	}
	s.run(t)
}

// run runs a task until it waits or ends, and finds those of its actor that can go on by that.
func (s *scheduler) run(t *task) {
	s.steps = append(s.steps, t.step())
	t.awaited, t.guard, t.call = nil, nil, false
	if t.stack == nil {
		t.stack = s.m.Start(func() { s.handle(t) })
	}
	s.running = t
	ended := s.m.Resume(t.stack)
	s.running = nil
	switch {
	case ended:
	case t.call:
		t.obj.blocked = t
	case s.config.Await == Polling:
		s.enqueue(t)
	default:
		t.obj.waiting = append(t.obj.waiting, t)
		s.rank(t)
	}
	s.settle(t.obj)
}

// settle moves what can go on, after a task of an actor has run. A guard depends on its own actor alone.
func (s *scheduler) settle(ran *object) {
	for _, o := range s.objects {
		for _, t := range slices.Clone(o.waiting) {
			if t.awaited != nil && t.awaited.done {
				o.waiting = slices.DeleteFunc(o.waiting, func(u *task) bool { return u == t })
				o.queue = append(o.queue, t)
			}
		}
	}
	ran.urgent = nil
	for _, t := range ran.waiting {
		if ran.blocked == nil && t.guard != nil && s.holds(t) {
			ran.urgent = append(ran.urgent, t)
		}
	}
}

// waits reports whether a task waits for something.
func (t *task) waits() bool { return t.awaited != nil || t.guard != nil }

// holds decides whether a task can go on.
func (s *scheduler) holds(t *task) bool {
	switch {
	case t.awaited != nil:
		return t.awaited.done
	case t.guard != nil:
		return s.m.True(s.m.CallValue(t.guard))
	}
	return true
}

// handle runs a handler.
func (s *scheduler) handle(t *task) {
	fn := t.obj.receive
	switch {
	case s.framework == nil:
		s.m.Call(fn, t.obj.behavior, s.m.Context(fn.Params[1].Type()), t.msg)
	case t.do != nil:
		s.m.CallValue(t.do, t.on.value, t.on.err)
	case fn == nil:
		s.m.CallValue(t.obj.behavior, s.m.Context(s.framework.Scope().Lookup("Context").Type()))
	default:
		s.m.Call(fn, t.obj.behavior, s.m.Context(fn.Params[1].Type()))
	}
}

// bounded ends the path if there are to be too many actors.
func (s *scheduler) bounded() {
	if len(s.objects) > s.config.Actors {
		s.m.Cut("more than %d new actors", s.config.Actors)
	}
}

// create makes an actor.
func (s *scheduler) create(o exec.Operation) exec.Value {
	s.bounded()
	face, ok := s.m.Held(o.Made).(exec.Face)
	if !ok || face.Type == nil {
		s.refuse("an actor whose behaviour is not known")
	}
	fn := s.m.Method(face.Type, nil, "Receive")
	if fn == nil || len(fn.Blocks) == 0 {
		s.refuse("an actor whose source was not read")
	}
	for _, name := range []string{"Start", "Accepts"} {
		if s.m.Method(face.Type, nil, name) != nil {
			s.refuse("an actor with the method %s", name)
		}
	}
	name := fmt.Sprintf("%s%d", strings.TrimPrefix(model.TypeName(face.Type), "*"), len(s.objects))
	made := &object{name: name, number: len(s.objects), ref: s.m.Reference(name), behavior: face.Val, receive: fn}
	s.objects = append(s.objects, made)
	s.note("spawn", made.ref, face)
	return made.ref
}

// addressee finds the actor of a reference, nil for one outside of the run.
func (s *scheduler) addressee(v exec.Value) (*object, *term.Term) {
	ref := s.m.ReferenceOf(v)
	for _, o := range s.objects {
		if o.ref == ref {
			return o, ref
		}
	}
	return nil, ref
}

// named is a name for a type of messages.
func named(t types.Type) string { return model.MessageName(t) }
