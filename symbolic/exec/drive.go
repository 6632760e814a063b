package exec

import (
	"go/types"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file is for those who execute several handlers in one run, such as the tasks of [aPET13]: a Driver takes the
// place of the call of the entry's function.

// Driver executes what a path is of, in place of the entry's function. It is asked anew for every run, and has to do
// the same with the same decisions.
type Driver interface {
	// Run executes everything. What it gives are the path's results.
	Run(m *Machine) []Value

	// Operate may take a call of a framework's function over. It gives the results as one value, a Tuple if there are
	// several, nil if there is none.
	Operate(m *Machine, o Operation) (Value, bool)
}

// Waiter is a Driver that is told of select statements without a default case. If none of the cases ever comes, it does
// not return, but suspends the handler.
type Waiter interface {
	Driver
	Waits(m *Machine)
}

// Operation is a call of a function of a framework.
type Operation struct {
	Op   model.Op
	To   Value // nil where the operation has none of that kind, like the others
	Msg  Value
	Func Value
	From Value
	Made Value // the behaviour, or what else makes an actor
	Sig  *types.Signature
	Name string  // of the function, without its package and type
	Args []Value // all, the receiver of a method first
}

func (c *operating) public() Operation {
	return Operation{c.row.Op, c.arg(c.row.To), c.arg(c.row.Msg), c.arg(c.row.Func), c.arg(c.row.From), c.arg(c.row.Props),
		c.sig, c.fn.Name(), c.args}
}

// Machine is a run, for its driver.
type Machine struct {
	r      *run
	driver Driver
	tasks  []*Task
	now    *Task
}

// driven executes with a driver.
func (r *run) driven() {
	m := &Machine{r: r, driver: r.entry.Driver()}
	r.machine = m
	defer m.stop()
	r.path.Results = m.driver.Run(m)
}

// Handle runs the entry's function as a handler of the entry's message.
func (m *Machine) Handle() {
	r := m.r
	r.receive()
	for i, p := range r.entry.Fn.Params {
		r.path.Args = append(r.path.Args, r.parameter(i, p))
	}
	r.callEntry(r.entry.Fn)
}

// Receive has a message be the one that is handled from here on.
func (m *Machine) Receive(msg Value) { m.r.message, m.r.responded = msg, false }

// Tested says what the entry's function is a method of, for those who look at it in the end.
func (m *Machine) Tested(v Value) { m.r.path.Args = append(m.r.path.Args, v) }

// Events counts what handlers have done to actors without the driver.
func (m *Machine) Events() int { return len(m.r.path.Events) }

// Answer makes what comes of a request to somebody outside: an answer or an error.
func (m *Machine) Answer(value, err types.Type) (v, failure Value) {
	r := m.r
	name := r.outside("answer")
	v, failure = r.input(root(name, value)), r.input(root(name+".error", err))
	r.assume(r.store.Or(r.faceNil(v), r.faceNil(failure)))
	return v, failure
}

// Forget has what the actor holds be another input from here on, whose names have a prefix: other messages may have
// been handled. What was done until here is no longer told. What is behind the actor's pointers, slices and maps is
// taken to be other memory then, which is marked if the handler has looked at it.
func (m *Machine) Forget(prefix string) {
	r := m.r
	r.path.Events, r.written = nil, map[string]bool{}
	for _, o := range r.memories {
		top := o.at
		for top.Up != nil {
			top = top.Up
		}
		switch {
		case top.Outside || top.Name == "msg" || strings.HasPrefix(top.Name, "answer"):
		case o.at.Up == nil || o.at.Up == top && o.at.Step == Deref:
			o.val = &Lazy{at: root(prefix+"."+o.at.Name, o.at.Type)}
		default:
			r.mark(Env, "whether %s still leads to what it did before the wait", o.at.Name)
		}
	}
	for _, entries := range r.maps {
		r.mark(Env, "whether %s is still the map that it was before the wait", entries.at.Name)
	}
}

// Pick decides for a number below n, on which no condition depends.
func (m *Machine) Pick(n int) int {
	r, i := m.r, 0
	if n <= 1 {
		return 0
	}
	if k := len(r.path.Decisions); k < len(r.prefix) {
		i = r.prefix[k]
	} else {
		for other := n - 1; other > 0; other-- {
			r.work = append(r.work, append(slices.Clone(r.path.Decisions), other))
		}
	}
	r.path.Decisions = append(r.path.Decisions, i)
	return i
}

// True decides a condition.
func (m *Machine) True(c Value) bool { return m.r.truth(m.r.force(c).(*term.Term)) }

// Input makes a value of the inputs.
func (m *Machine) Input(name string, t types.Type) Value { return m.r.input(root(name, t)) }

// Unknown makes a value of which nothing is known. A condition on it is not sure to be met.
func (m *Machine) Unknown(name string, t types.Type) Value {
	return m.r.input(m.r.unknownRoot(m.r.outside(name), t))
}

// There makes a value of the inputs that is not nil, if it is a pointer.
func (m *Machine) There(name string, t types.Type) Value { return m.r.there(root(name, t)) }

// Zero gives the zero value of a type.
func (m *Machine) Zero(t types.Type) Value { return m.r.zero(t) }

// Opaque makes a value that only the driver knows.
func (m *Machine) Opaque(t types.Type) Value {
	m.r.objects++
	return &Opaque{Type: t, Name: frameworkName, ref: m.r.store.Uint(sortReference, uint64(made+m.r.objects))}
}

// Context gives what handlers act through.
func (m *Machine) Context(t types.Type) Value {
	return &Opaque{Type: t, Name: contextName, ref: m.r.store.Uint(sortReference, made-1)}
}

// Reference makes a reference to an actor, different from all others.
func (m *Machine) Reference(name string) *term.Term {
	ref := m.r.store.Var(name+aspectRef, sortReference)
	m.r.spawned[ref] = true
	m.r.assume(m.r.store.Not(m.r.isZero(ref)))
	return ref
}

// ReferenceOf gives a reference to an actor as a term.
func (m *Machine) ReferenceOf(v Value) *term.Term { return m.r.reference(v) }

// Nobody decides whether a reference is one of no actor.
func (m *Machine) Nobody(ref *term.Term) bool { return m.r.truth(m.r.isZero(ref)) }

// Elements gives the elements of a slice, whose length is decided.
func (m *Machine) Elements(v Value) []Value { return m.r.elems(m.r.mustSlice(v)) }

// Variable gives the value of a package variable, nil if the program does not know it.
func (m *Machine) Variable(pkg *types.Package, name string) Value {
	if p := m.r.program.ssa.Package(pkg); p != nil && p.Var(name) != nil {
		return m.r.load(Ptr{Obj: m.r.global(p.Var(name))})
	}
	return nil
}

// NilFace decides whether an interface is nil.
func (m *Machine) NilFace(v Value) bool { return m.r.truth(m.r.faceNil(v)) }

// Exclude has an interface of the inputs hold no value of a type.
func (m *Machine) Exclude(v Value, t types.Type) {
	if f, ok := settled(m.r.force(v)).(*InputFace); ok {
		m.r.assume(m.r.store.Not(m.r.store.Equal(f.tag, m.r.tag(t))))
	}
}

// Held gives what a value is by what was decided of it.
func (m *Machine) Held(v Value) Value { return settled(m.r.force(v)) }

// Call calls a function of the program.
func (m *Machine) Call(fn *ssa.Function, args ...Value) Value {
	return m.r.callFunction(fn, args, nil, nil)
}

// Enter calls a function of the program that may capture variables: what is in them is an input.
func (m *Machine) Enter(fn *ssa.Function, args ...Value) Value {
	var free []Value
	for _, v := range fn.FreeVars {
		free = append(free, m.r.there(root(CapturedName(v), v.Type())))
	}
	return m.r.enter(fn, args, free, nil)
}

// CallValue calls a value that is a function.
func (m *Machine) CallValue(f Value, args ...Value) Value { return m.r.callValue(f, args...) }

// Method gives a method of a type, nil if there is none whose source was read.
func (m *Machine) Method(t types.Type, pkg *types.Package, name string) *ssa.Function {
	sel := m.r.program.methods(t).Lookup(pkg, name)
	if sel == nil {
		return nil
	}
	return m.r.program.ssa.MethodValue(sel)
}

// Conditions counts the conditions so far.
func (m *Machine) Conditions() int { return len(m.r.path.PC) }

// Fresh forgets which blocks, but for some, and branches were visited, so that the path tells those that follow. It
// gives the number of events so far.
func (m *Machine) Fresh(but ...*ssa.BasicBlock) (events int) {
	r := m.r
	r.blocks, r.branches = map[*ssa.BasicBlock]bool{}, map[Branch]bool{}
	r.path.Blocks, r.path.Branches = nil, nil
	m.visited(but)
	return len(r.path.Events)
}

// visited notes blocks as visited, each once.
func (m *Machine) visited(list []*ssa.BasicBlock) {
	for _, b := range list {
		if r := m.r; !r.blocks[b] {
			r.blocks[b] = true
			r.path.Blocks = append(r.path.Blocks, b)
		}
	}
}

// Visits does something and gives the blocks that it visits, also those that were visited before.
func (m *Machine) Visits(do func()) (list []*ssa.BasicBlock) {
	r := m.r
	blocks, before := r.blocks, r.path.Blocks
	r.blocks, r.path.Blocks = map[*ssa.BasicBlock]bool{}, nil
	defer func() {
		list = r.path.Blocks
		r.blocks, r.path.Blocks = blocks, before
		m.visited(list)
	}()
	do()
	return nil
}

// Flatten lists the terms of a value.
func (m *Machine) Flatten(name string, v Value) []Named { return m.r.flatten(name, v) }

// Mark notes that the path is less than exact.
func (m *Machine) Mark(kind MarkKind, format string, args ...any) { m.r.mark(kind, format, args...) }

// Throw has the program panic, inside of a framework.
func (m *Machine) Throw(why string) { m.r.throw(why) }

// Cut ends the run because of a bound.
func (m *Machine) Cut(format string, args ...any) { m.r.cut(format, args...) }

// End ends the run as one in which the entry's function does not return.
func (m *Machine) End(why string) { panic(&stop{exit: Refused, why: why, pos: m.r.pos()}) }

// Task is something that is executed with a stack of its own, so that it can wait in the middle.
type Task struct {
	resume func() (struct{}, bool)
	cancel func()
	wait   func(struct{}) bool
	frame  *frame
	depth  int
}

// Attempt does something that the run can do without, and says why it would have ended the run; "" if it comes to its
// end. What a bound cuts is cut.
func (m *Machine) Attempt(do func()) (why string) {
	frame, depth := m.r.frame, m.r.depth
	defer func() {
		switch v := recover().(type) {
		case nil:
			return
		case *thrown:
			why = "it panics: " + v.why
		case *stop:
			if v.exit == Cut {
				panic(v)
			}
			why = v.why
		default:
			panic(v)
		}
		m.r.frame, m.r.depth = frame, depth
	}()
	do()
	return ""
}

// Start makes a task. It runs when it is resumed.
func (m *Machine) Start(do func()) *Task {
	t := &Task{}
	t.resume, t.cancel = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if v := recover(); v != nil && v != any(t) {
				panic(v)
			}
		}()
		t.wait = yield
		do()
	})
	m.tasks = append(m.tasks, t)
	return t
}

// Resume runs a task until it suspends itself, and reports whether it has come to its end. Where the program panics in
// it, so does Resume.
func (m *Machine) Resume(t *Task) (ended bool) {
	r, up := m.r, m.now
	frame, depth := r.frame, r.depth
	m.now, r.frame, r.depth = t, t.frame, t.depth
	defer func() { m.now, r.frame, r.depth = up, frame, depth }()
	_, more := t.resume()
	t.frame, t.depth = r.frame, r.depth
	return !more
}

// Suspend has the task that runs wait until it is resumed.
func (m *Machine) Suspend() {
	if t := m.now; !t.wait(struct{}{}) {
		panic(t)
	}
}

// stop ends the tasks that wait.
func (m *Machine) stop() {
	for _, t := range m.tasks {
		t.cancel()
	}
}
