package tap

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// Class is a class of actors: a type with a handler, or a function that handles messages.
type Class struct {
	Name    string        // as package model names it
	Fn      *ssa.Function // onReceive
	Recv    types.Type    // nil for functions
	Hook    *ssa.Function // what is run when one is created in a handler, nil if there is none
	Accepts *ssa.Function // what says whether a message is accepted, nil if all are

	turns  []*Class    // that its handler may put on top of it, nil if nobody has asked
	starts answer      // whether it makes a difference that it handles Started
	waits  []*ssa.Call // for answers, nil if nobody has asked
	pos    string      // of a function: where it is, as the message flow graph has it
}

// is reports whether actors of a class are those of a node of the message flow graph. It gives functions the names
// under which they are spawned.
func (c *Class) is(a *flow.Actor) bool {
	return a.Name == c.Name || c.pos != "" && a.Pos == c.pos
}

// Program is a program that can be searched.
type Program struct {
	load  *load.Program
	entry *ssa.Function // the only one that the graph is of, nil for all
	graph *flow.Graph
	boxed []types.Type // that become interfaces, by name

	classes []*Class
	byType  typeutil.Map // of a receiver to its Class
	byFn    map[*ssa.Function]*Class
	reached map[*ssa.Function]map[*ssa.Function]bool
	targets map[*ssa.Call][]callee
	before  map[*Class][]*Class
	making  map[*Class][]*Class
	sending map[sending][]*Class
	stores  map[string][]ssa.Instruction // definitions of fields, by their names in memory
	open    map[opening]*Program         // of starts

	globals   map[*ssa.Global]*global
	answering []*Class // those that may answer, nil if nobody has asked
	behaving  map[*Class][]*Class
	taken     []*ssa.Function // that become values
	values    map[any]bool    // these, methods by their objects
	behind    []*ssa.Function // that are called with answers (ReenterAfter)
}

// New prepares a program: its classes, and its message flow graph, which guides the search.
func New(p *load.Program) (*Program, error) { return build(p, flow.Config{}) }

// build prepares a program, for one way to enter it if the configuration names one. The environment may send anything
// to the receptionists that it names.
func build(p *load.Program, c flow.Config) (*Program, error) {
	graph, err := flow.Build(p, c)
	if err != nil {
		return nil, err
	}
	q := &Program{load: p, entry: c.Entry, graph: graph, byFn: map[*ssa.Function]*Class{},
		reached: map[*ssa.Function]map[*ssa.Function]bool{},
		targets: map[*ssa.Call][]callee{}, before: map[*Class][]*Class{}, making: map[*Class][]*Class{},
		sending: map[sending][]*Class{},
		open:    map[opening]*Program{}, globals: map[*ssa.Global]*global{}, behaving: map[*Class][]*Class{},
		values: map[any]bool{}}
	q.collect()
	return q, nil
}

// of gives the program with the message flow graph of a start. That is of what its driver makes alone, as in the paper.
// Messages from outside may be others than the driver sends, so what handles those counts, too.
func (p *Program) of(start *system.Start) (*Program, error) {
	q, err := p.driven(start)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, s := range start.Shapes {
		c := q.classAt(start.Actors[s.To])
		// Of a partial graph an actor may be missing. The search knows that it is, and calls nothing infeasible.
		name, at := c.Name, q.nodeOf(c)
		if at >= 0 {
			name = q.graph.Actors[at].Name
		}
		missing := len(q.graph.Partial) > 0 && at < 0
		if !s.Sent && !missing && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return q, nil
	}
	slices.Sort(names)
	return p.opened(flow.Config{Entry: q.entry, Receptionists: names})
}

// driven gives the program with the graph of what the driver of a start makes. It has one of its own if it is a test or
// main, and the start was not made in another way than the graph knows. Else that of the whole program is as good.
func (p *Program) driven(start *system.Start) (*Program, error) {
	if start.Driver == nil || !slices.Contains(flow.Entries(p.load), start.Driver.Entry) {
		return p, nil
	}
	q, err := p.opened(flow.Config{Entry: start.Driver.Entry})
	if err != nil {
		return nil, err
	}
	for _, a := range start.Actors {
		if q.nodeOf(q.classAt(a)) < 0 {
			return p, nil
		}
	}
	return q, nil
}

// nodeOf is where the actors of a class are in the graph, negative if they are not.
func (p *Program) nodeOf(c *Class) int { return slices.IndexFunc(p.graph.Actors, c.is) }

// opened gives the program for an entry and receptionists. It is made once.
func (p *Program) opened(c flow.Config) (*Program, error) {
	key := opening{c.Entry, strings.Join(c.Receptionists, " ")}
	if p.open[key] == nil {
		q, err := build(p.load, c)
		if err != nil {
			return nil, err
		}
		p.open[key] = q
	}
	return p.open[key], nil
}

// opening says of which entry a graph is, and to whom the environment may send.
type opening struct {
	entry         *ssa.Function // nil: all
	receptionists string
}

// Prepare makes the message flow graph of a start, which a first search from it would make.
func (p *Program) Prepare(start *system.Start) error {
	_, err := p.of(start)
	return err
}

// collect finds the types that become interfaces, the classes, and where fields are defined.
func (p *Program) collect() {
	var seen typeutil.Map
	p.stores = map[string][]ssa.Instruction{}
	own := ownPackages(p.load)
	for _, fn := range p.load.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				p.defines(in)
				p.names(in)
				if own[fn.Pkg] {
					p.take(in)
				}
				if box, ok := in.(*ssa.MakeInterface); ok && seen.At(box.X.Type()) == nil {
					seen.Set(box.X.Type(), true)
					p.boxed = append(p.boxed, box.X.Type())
				}
			}
		}
		if fn.Signature.Recv() == nil && model.Handles(fn.Signature) != "" {
			p.classOfFunc(fn)
		}
	}
	slices.SortStableFunc(p.boxed, func(x, y types.Type) int { return strings.Compare(typeKey(x), typeKey(y)) })
	for _, t := range p.boxed {
		p.classOf(t)
	}
}

// classOf gives the class of actors of a type, nil if values of the type are no actors.
func (p *Program) classOf(t types.Type) *Class {
	if c, ok := p.byType.At(t).(*Class); ok {
		return c
	}
	ms := p.load.SSA.MethodSets.MethodSet(t)
	n, _ := types.Unalias(deref(t)).(*types.Named)
	if n == nil || types.IsInterface(t) || model.ActorFunc(t) != "" {
		return nil
	}
	sel := ms.Lookup(n.Obj().Pkg(), "Receive")
	if sel == nil || model.Handles(sel.Obj().Type().(*types.Signature)) == "" {
		return nil
	}
	fn := p.load.SSA.MethodValue(sel)
	if fn == nil || len(fn.Blocks) == 0 {
		return nil
	}
	c := &Class{Name: model.TypeName(t), Fn: fn, Recv: t, Accepts: p.accepting(t, fn)}
	if hook := ms.Lookup(n.Obj().Pkg(), "Start"); hook != nil && hook.Obj().Type().(*types.Signature).Params().Len() == 1 {
		c.Hook = p.load.SSA.MethodValue(hook)
	}
	p.byType.Set(t, c)
	p.classes = append(p.classes, c)
	return c
}

func deref(t types.Type) types.Type {
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		return ptr.Elem()
	}
	return t
}

// classOfFunc gives the class of actors that are a function.
func (p *Program) classOfFunc(fn *ssa.Function) *Class {
	c := p.byFn[fn]
	if c == nil {
		c = &Class{Name: model.FunctionName(fn), Fn: fn, pos: p.load.Position(fn.Pos())}
		p.byFn[fn] = c
		p.classes = append(p.classes, c)
	}
	return c
}

// predecessors gives the classes that may create actors of a class, or send to them, by the message flow graph.
func (p *Program) predecessors(c *Class) (list []*Class) {
	if list, ok := p.before[c]; ok {
		return list
	}
	defer func() { p.before[c] = list }()
	for _, other := range p.classes {
		if slices.ContainsFunc(p.graph.Edges, func(e *flow.Edge) bool {
			return e.To != nil && e.From != nil && e.Kind != flow.Watch && !e.From.Environment && c.is(e.To) && other.is(e.From)
		}) {
			list = append(list, other)
		}
	}
	return list
}

// exits lists the blocks that a function returns from.
func exits(fn *ssa.Function) (list []*ssa.BasicBlock) {
	for _, b := range fn.Blocks {
		if len(b.Instrs) > 0 && b != fn.Recover {
			if _, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
				list = append(list, b)
			}
		}
	}
	return list
}

// callee is a function that may be called; of an interface's method with the type that the interface holds then.
type callee struct {
	fn   *ssa.Function
	recv types.Type

	value bool // it is a function value
}

// callees lists the functions of the program that a call may call.
func (p *Program) callees(call *ssa.Call) []callee {
	list, ok := p.targets[call]
	if !ok {
		list = p.calleesOf(&call.Call)
		p.targets[call] = list
	}
	return list
}

func (p *Program) calleesOf(call *ssa.CallCommon) (list []callee) {
	if !call.IsInvoke() {
		if fn := call.StaticCallee(); fn != nil && len(fn.Blocks) > 0 {
			list = append(list, callee{fn: fn})
		}
		if _, builtin := call.Value.(*ssa.Builtin); call.StaticCallee() == nil && !builtin {
			return p.functionsOf(call.Value.Type())
		}
		return list
	}
	i := call.Value.Type().Underlying().(*types.Interface)
	for _, t := range p.boxed {
		if !types.Implements(t, i) || types.IsInterface(t) {
			continue
		}
		if sel := p.load.SSA.MethodSets.MethodSet(t).Lookup(call.Method.Pkg(), call.Method.Name()); sel != nil {
			if fn := p.load.SSA.MethodValue(sel); fn != nil && len(fn.Blocks) > 0 {
				list = append(list, callee{fn: fn, recv: t})
			}
		}
	}
	return list
}

// calleeOf gives the callee of a call that is a function.
func (p *Program) calleeOf(site ssa.CallInstruction, fn *ssa.Function) callee {
	for _, c := range p.calleesOf(site.Common()) {
		if c.fn == fn {
			return c
		}
	}
	return callee{fn: fn}
}

// reach lists the functions that are called, directly or not, by one.
func (p *Program) reach(fn *ssa.Function) map[*ssa.Function]bool {
	all, ok := p.reached[fn]
	if ok {
		return all
	}
	all = map[*ssa.Function]bool{fn: true}
	work := []*ssa.Function{fn}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, c := range p.calledAt(in) {
					if !all[c.fn] {
						all[c.fn] = true
						work = append(work, c.fn)
					}
				}
			}
		}
	}
	p.reached[fn] = all
	return all
}

// calledAt lists the functions of the program that an instruction calls, now or where its function returns.
func (p *Program) calledAt(in ssa.Instruction) []callee {
	switch in := in.(type) {
	case *ssa.Call:
		if !known(in) {
			return p.callees(in)
		}
		if fn, _ := producing(in); fn != nil {
			return []callee{{fn: fn}}
		}
		if row, args, ok := operation(in); ok && row.Op == model.BehaviorDo {
			return p.functionsOf(args[0].Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Slice).Elem())
		}
	case *ssa.Defer:
		return p.calleesOf(&in.Call)
	}
	return nil
}

// sites lists the calls of a function in what a behaviour executes, in the order of the source.
func (p *Program) sites(c *Class, fn *ssa.Function) (list []ssa.CallInstruction) {
	for f := range p.executes(c) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if slices.ContainsFunc(p.calledAt(in), func(k callee) bool { return k.fn == fn }) {
					list = append(list, in.(ssa.CallInstruction))
				}
			}
		}
	}
	slices.SortStableFunc(list, func(x, y ssa.CallInstruction) int { return int(x.Pos()) - int(y.Pos()) })
	return list
}

// executes lists the functions that the handler of a behaviour calls, directly or not, and those that say which
// messages it accepts.
func (p *Program) executes(c *Class) map[*ssa.Function]bool {
	if c.Accepts == nil {
		return p.reach(c.Fn)
	}
	all := maps.Clone(p.reach(c.Fn))
	maps.Copy(all, p.reach(c.Accepts))
	return all
}

// executor is a class of actors, and one of their behaviours.
type executor struct{ class, behaves *Class }

// handling lists the classes whose actors execute a function, with the behaviours that do.
func (p *Program) handling(fn *ssa.Function) (list []executor) {
	for _, c := range p.classes {
		for _, b := range p.behavioursOf(c) {
			if p.executes(b)[fn] {
				list = append(list, executor{c, b})
			}
		}
	}
	return list
}
