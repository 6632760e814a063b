// Package points finds out what the pointers, interfaces and functions of a program may lead to.
//
//	solver.go  functions in contexts, and the worklist
//	shape.go   which instructions are looked at again; readers.go: when places and results grow
//	work.go    what is counted
//	memory.go  objects and places
//	set.go     sets of places
//	instr.go   what each instruction does
//	branch.go  which branches can be taken
//	truth.go   constants among truth values
//	call.go    calls
//	library.go functions that a model tells about
//
//	source:     [TAP18] section 4.1 and appendix A: 1-object-sensitive, field-sensitive, inclusion-based points-to
//	            analysis with calls resolved on the fly
//	differs:    a context is also the handler that is run, and the last calls, since Go makes actors through helper
//	            functions that are no methods. Values of structs are places they may be copies of. Branches on the
//	            dynamic type of a value are followed only if a value of such a type arrives (Precision). Functions
//	            without source are told by package model; without a row, what they give is Unknown, and what they are
//	            given escapes
//	assumes:    no unsafe pointers to the program's own memory, no reflection that calls; code without source does not
//	            send messages
//	invariants: I1 sets only grow. I2 an instruction of a function in a context is looked at again after anything it has
//	               read has grown. I3 what is done depends on the order of the source alone
//	cost:       growths times readers, with growths at most instructions times places; see BenchmarkGraph in package flow
//	checked by: points_test.go, random_test.go for I2, and the executions of all examples in package flow
package points

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
)

// Precision says which conditions on the dynamic type of a value the analysis understands.
type Precision struct {
	Casts     bool                     // a type assertion lets only values of that type through
	Constants bool                     // so are branches on truth values that are constants wherever they come from
	Branches  func(*ssa.Function) bool // in these functions branches that no value takes are not followed
}

// Call is a call of a function that a model tells about.
type Call struct {
	By     *Function // whose code calls
	Site   ssa.CallInstruction
	Callee *types.Func // nil for a special object
	Args   []Set       // the receiver of a method first

	results []Set
	solver  *Solver
}

// Give adds to what result i of the call may be.
func (c *Call) Give(i int, s Set) { c.results[i] = c.results[i].Union(s) }

// Actors does what calls with operations on actors mean.
type Actors interface {
	Operate(c *Call, row model.Row)

	// Apply calls a special object that a framework has handed to the program as a function. The call has no Callee.
	Apply(c *Call, l Loc)

	// Variable gives what a package variable is whose package was not read, and whether a model tells.
	Variable(v *ssa.Global) (Set, bool)
}

// Context is where a function runs: for which handler, on which receiver or closure, called from where.
type Context struct {
	In    int32 // the instance of a handler, numbered by the user of this package
	On    Loc
	calls int32
}

type functionKey struct {
	fn *ssa.Function
	Context
}

// Function is a function in a context.
type Function struct {
	Fn *ssa.Function
	Context
	Depth int // least number of conditions on the way to it, see Conditions

	shape   *shape
	vals    []Set    // by number
	names   []string // what parameters of type string are, "" while nothing is known
	results []Set
	reached []bool   // blocks
	edges   []bool   // between blocks, two a block
	stale   []uint64 // instructions that have to be looked at, a bit each
	at      int32    // the instruction that is being looked at
	callers readers
	queued  bool
}

// Solver holds the state of the analysis.
type Solver struct {
	memory
	Program   *load.Program
	precision Precision
	actors    Actors
	functions map[functionKey]*Function
	order     []*Function
	queue     []*Function
	running   *Function
	shapes    map[*ssa.Function]*shape
	contexts  map[*ssa.Function]int // how many there are
	chains    map[chain]int32
	pushed    map[callKey]int32
	depths    []chain // of chains, by number
	nothing   *Object
	opaque    *Object
	handlers  *Object // a cell of all handlers of requests that servers and routers are given
	work      Work
}

// chain is a list of call sites, the last first.
type chain struct {
	site ssa.CallInstruction
	rest int32
}

// New begins an analysis.
func New(p *load.Program, precision Precision, actors Actors) *Solver {
	s := &Solver{Program: p, precision: precision, actors: actors, functions: map[functionKey]*Function{},
		shapes: map[*ssa.Function]*shape{}, chains: map[chain]int32{}, pushed: map[callKey]int32{},
		contexts: map[*ssa.Function]int{}, depths: make([]chain, 1)}
	s.init()
	s.nothing = s.object(objectKey{kind: Nothing}, nil, token.NoPos)
	s.opaque = s.object(objectKey{kind: Opaque}, nil, token.NoPos)
	s.handlers = s.object(objectKey{kind: Memory, site: "handlers of requests"}, nil, token.NoPos)
	return s
}

// Opaque is what libraries make of their own.
func (s *Solver) Opaque() Set { return One(s.opaque.Root) }

// Nothing is a nil interface.
func (s *Solver) Nothing() Set { return One(s.nothing.Root) }

// Run gives functions more to work with until nothing new comes of it.
func (s *Solver) Run() {
	for len(s.queue) > 0 {
		f := s.queue[0]
		s.queue = s.queue[1:]
		f.queued = false
		s.running = f
		s.execute(f)
		s.running = nil
	}
}

// Functions lists every function in every context that was reached, in the order in which they were.
func (s *Solver) Functions() []*Function { return s.order }

// Enter has a function run in a context with arguments, and gives it. It has results after Run, or later.
func (s *Solver) Enter(fn *ssa.Function, c Context, args []Set) *Function {
	f := s.function(fn, c)
	for i, p := range fn.Params {
		if i < len(args) {
			s.grow(f, p, int32(i), args[i])
		}
	}
	return f
}

// Result gives what result i of a function may be.
func (f *Function) Result(i int) Set { return f.results[i] }

func (s *Solver) function(fn *ssa.Function, c Context) *Function {
	key := functionKey{fn, c}
	f, ok := s.functions[key]
	if !ok {
		h := s.shapeOf(fn)
		f = &Function{Fn: fn, Context: c, Depth: -1, shape: h, vals: make([]Set, h.size),
			names:   make([]string, len(fn.Params)),
			results: make([]Set, fn.Signature.Results().Len()), reached: make([]bool, len(fn.Blocks)),
			edges: make([]bool, 2*len(fn.Blocks)),
			stale: make([]uint64, (len(h.instrs)+63)/64)}
		s.functions[key] = f
		s.contexts[fn]++
		s.work.Instructions += len(h.instrs)
		s.order = append(s.order, f)
		if len(fn.Blocks) > 0 {
			f.reach(fn.Blocks[0])
		}
		s.enqueue(f)
	}
	return f
}

func (s *Solver) enqueue(f *Function) {
	if !f.queued && f != s.running {
		f.queued = true
		s.queue = append(s.queue, f)
	}
}

// grow adds to what part i of a value of a function may be, and has the instructions looked at that read the value.
func (s *Solver) grow(f *Function, v ssa.Value, i int32, by Set) {
	if u := f.vals[i].Union(by); len(u) != len(f.vals[i]) {
		f.vals[i] = u
		s.work.Grown++
		s.used(f, v)
	}
}

// Read gives what a place holds. If f is running, what it does now is done again when that grows.
func (s *Solver) Read(f *Function, l Loc) Set {
	p := &s.places[l]
	if f != nil && f == s.running && !p.object.closed() {
		p.readers.add(f, f.at)
	}
	return s.held(l)
}

// ReadAll gives what any of the places holds.
func (s *Solver) ReadAll(f *Function, places Set) Set {
	var out Set
	for _, l := range places {
		out = out.Union(s.Read(f, l))
	}
	return out
}

// Write adds to what a place may hold.
func (s *Solver) Write(l Loc, v Set) {
	p := &s.places[l]
	if p.object.Kind == Unknown {
		s.escape(v, p.object)
		return
	}
	if p.object.closed() {
		return
	}
	if u := p.holds.Union(v); len(u) != len(p.holds) {
		p.holds = u
		s.work.Grown++
		if p.object.escaped != nil {
			s.escape(v, p.object.escaped)
		}
		s.wake(l)
	}
}

func (s *Solver) wake(l Loc) {
	s.wakeAll(&s.places[l].readers)
}

// escape gives places to code that is not known: it may write anything into them.
func (s *Solver) escape(v Set, to *Object) {
	for _, l := range v {
		o := s.Object(l)
		if o.closed() || o.Kind >= Special || o.escaped != nil {
			continue
		}
		o.escaped = to
		s.escapeBelow(o.Root, to)
		if o.Kind == Func && len(o.Fn.Blocks) > 0 {
			args := make([]Set, len(o.Fn.Params))
			for i := range args {
				args[i] = One(to.Root)
			}
			s.Enter(o.Fn, Context{In: o.In, On: o.Root}, args)
		}
	}
}

func (s *Solver) escapeBelow(l Loc, to *Object) {
	held := s.places[l].holds
	s.wake(l)
	s.escape(held, to)
	for i := 0; i < len(s.places[l].below); i++ {
		s.escapeBelow(s.places[l].below[i], to)
	}
}

// carries reports whether values of a type lead anywhere.
func carries(t types.Type) bool {
	if t == nil {
		return false
	}
	_, basic := t.Underlying().(*types.Basic)
	return !basic || isTruth(t)
}
