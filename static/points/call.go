package points

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// How many call sites a context remembers: in handlers, and in what drives them, which is where actors are put
// together. A function that is called in too many ways is told apart by its last call alone.
const (
	MaxCalls       = 3
	MaxDriverCalls = 12
	maxContexts    = 64
)

// call does what a call, go or defer does.
func (s *Solver) call(f *Function, site ssa.CallInstruction) {
	c := site.Common()
	if c.IsInvoke() {
		s.invoke(f, site)
		return
	}
	args := make([]Set, len(c.Args))
	for i, a := range c.Args {
		args[i] = s.Value(f, a)
	}
	switch fn := c.Value.(type) {
	case *ssa.Builtin:
		s.builtin(f, site, fn.Name(), args)
		return
	case *ssa.Function:
		s.static(f, site, fn, args)
		return
	}
	for _, l := range s.Value(f, c.Value) {
		s.CallValue(f, site, l, args, func(i int, v Set) { s.give(f, site, i, v) })
	}
}

// give adds to what result i of a call may be.
func (s *Solver) give(f *Function, site ssa.CallInstruction, i int, v Set) {
	call, ok := site.(*ssa.Call)
	if !ok {
		return
	}
	parts := 1
	if t, tuple := call.Type().(*types.Tuple); tuple {
		parts = t.Len()
	}
	if i < parts {
		s.setTuple(f, call, i, v)
	}
}

// static calls a function that is known.
func (s *Solver) static(f *Function, site ssa.CallInstruction, fn *ssa.Function, args []Set) {
	give := func(i int, v Set) { s.give(f, site, i, v) }
	if s.modelled(f, site, object(fn), args, give) {
		return
	}
	if len(fn.Blocks) == 0 {
		s.poison(fn.Signature, object(fn), args, give)
		return
	}
	if fn.Signature.Recv() == nil || len(args) == 0 || len(args[0]) == 0 {
		s.enter(f, site, fn, f.On, args, func(i int, v Set) { s.give(f, site, i, v) })
		return
	}
	for _, l := range args[0] {
		on := append([]Set{One(l)}, args[1:]...)
		s.enter(f, site, fn, l, on, func(i int, v Set) { s.give(f, site, i, v) })
	}
}

// object gives the declaration of a function; instances of a generic one have its.
func object(fn *ssa.Function) *types.Func {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	o, _ := fn.Object().(*types.Func)
	return o
}

// modelled does what a model tells of a function, if it does.
func (s *Solver) modelled(f *Function, site ssa.CallInstruction, fn *types.Func, args []Set, give func(int, Set)) bool {
	if fn == nil {
		return false
	}
	row, ok := model.Find(fn)
	beyond := model.Unfollowed(fn) != ""
	if !beyond && (!ok || row.Op == model.Unknown) {
		return false
	}
	c := &Call{By: f, Site: site, Callee: fn, Args: args, results: make([]Set, fn.Signature().Results().Len()), solver: s}
	if beyond {
		s.actors.Operate(c, model.Row{Op: model.Beyond})
		return false
	}
	if row.Op.Acts() {
		s.actors.Operate(c, row)
	} else {
		s.library(c, row)
	}
	for i, r := range c.results {
		give(i, r)
	}
	return true
}

// enter has f call a function with source: arguments go in, results come out.
func (s *Solver) enter(f *Function, site ssa.CallInstruction, fn *ssa.Function, on Loc, args []Set,
	give func(int, Set)) *Function {
	g := s.Enter(fn, Context{In: f.In, On: on, calls: s.push(f, fn, site)}, args)
	s.passNames(f, g, site)
	if depth := max(f.Depth, 0) + f.Conditions(site.Block()); g.Depth < 0 || depth < g.Depth {
		g.Depth = depth
		for _, i := range g.shape.calls {
			s.again(g, i)
		}
	}
	g.callers.add(f, f.shape.index[site])
	for i, r := range g.results {
		give(i, r)
	}
	return g
}

// callKey is a call of a function from another in a context.
type callKey struct {
	reader
	fn *ssa.Function
}

// push gives the calls that the context of a callee remembers. A call keeps what it got first, whatever other contexts
// come up later.
func (s *Solver) push(f *Function, fn *ssa.Function, site ssa.CallInstruction) int32 {
	key := callKey{reader{f, f.shape.index[site]}, fn}
	id, ok := s.pushed[key]
	if !ok {
		id = s.chain(f, fn, site)
		s.pushed[key] = id
	}
	return id
}

// chain adds a call site to the chain of a caller and forgets the oldest ones.
func (s *Solver) chain(f *Function, fn *ssa.Function, site ssa.CallInstruction) int32 {
	most := MaxCalls
	if f.In == 0 {
		most = MaxDriverCalls
	}
	if s.contexts[fn] > maxContexts {
		most = 1
	}
	sites := []ssa.CallInstruction{site}
	for c := f.calls; c != 0 && len(sites) < most; c = s.depths[c].rest {
		if s.depths[c].site == site {
			return f.calls // recursion adds nothing
		}
		sites = append(sites, s.depths[c].site)
	}
	id := int32(0)
	for i := len(sites) - 1; i >= 0; i-- {
		key := chain{sites[i], id}
		next, ok := s.chains[key]
		if !ok {
			next = int32(len(s.depths))
			s.depths = append(s.depths, key)
			s.chains[key] = next
		}
		id = next
	}
	return id
}

// Anything is a string that is not known.
const Anything = "?"

// passNames hands strings that are known to the parameters of a function.
func (s *Solver) passNames(f, g *Function, site ssa.CallInstruction) {
	args := site.Common().Args
	for i, p := range g.Fn.Params {
		if b, ok := p.Type().Underlying().(*types.Basic); !ok || b.Kind() != types.String || len(args) != len(g.Fn.Params) {
			continue
		}
		switch name := f.Name(args[i]); {
		case g.names[i] == "":
			g.names[i] = name
			s.used(g, p)
		case g.names[i] != name && g.names[i] != Anything:
			g.names[i] = Anything
			s.used(g, p)
		}
	}
}

// Name gives a string that a value always is: a constant, or a parameter that is one wherever the function is called
// from. It gives Anything if there is no such string.
func (f *Function) Name(v ssa.Value) string {
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && v.Value.Kind() == constant.String {
			return constant.StringVal(v.Value)
		}
	case *ssa.Parameter:
		for i, p := range f.Fn.Params {
			if p == v && f.names[i] != "" {
				return f.names[i]
			}
		}
	}
	return Anything
}

// CallValue has f call what a function value leads to.
func (s *Solver) CallValue(f *Function, site ssa.CallInstruction, l Loc, args []Set, give func(int, Set)) {
	o := s.Object(l)
	switch o.Kind {
	case Func:
		if fn := object(o.Fn); fn != nil && (o.Fn.Synthetic == "" || len(o.Fn.Blocks) == 0) &&
			s.modelled(f, site, fn, args, give) {
			return
		}
		if len(o.Fn.Blocks) == 0 {
			s.poison(o.Fn.Signature, object(o.Fn), args, give)
			return
		}
		s.enter(f, site, o.Fn, l, args, give)
	case Seq:
		for _, yield := range first(args) {
			held := s.Read(f, s.Part(l, Content))
			s.CallValue(f, site, yield, []Set{held, held}, func(int, Set) {})
		}
	case Opaque:
		s.callAll(f, site, args, s.Opaque())
		give(0, s.Opaque())
		give(1, s.Opaque())
	case Unknown:
		give(0, One(l))
		give(1, One(l))
		for _, a := range args {
			s.escape(a, o)
		}
	case Memory, Box, Global, Nothing, Truth: // nothing to call
	default:
		c := &Call{By: f, Site: site, Args: args, results: make([]Set, 2), solver: s}
		s.actors.Apply(c, l)
		for i, r := range c.results {
			give(i, r)
		}
	}
}

// CallMethod has f call a method of what is in a box, on every receiver by itself, and reports whether there is such a
// method with source.
func (s *Solver) CallMethod(f *Function, site ssa.CallInstruction, box Loc, name string, args []Set,
	give func(int, Set)) bool {
	t := s.Object(box).Type
	if s.Object(box).Kind != Box || t == nil {
		return false
	}
	sel := s.Program.SSA.MethodSets.MethodSet(t).Lookup(nil, name)
	if sel == nil {
		return false
	}
	fn := s.Program.SSA.MethodValue(sel)
	if fn == nil || len(fn.Blocks) == 0 {
		return false
	}
	for _, on := range receivers(s.boxed(f, box, t)) {
		l := f.On
		if len(on) > 0 {
			l = on[0]
		}
		s.enter(f, site, fn, l, append([]Set{on}, args...), give)
	}
	return true
}

func first(args []Set) Set {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// invoke calls a method of an interface.
func (s *Solver) invoke(f *Function, site ssa.CallInstruction) {
	c := site.Common()
	rest := make([]Set, len(c.Args))
	for i, a := range c.Args {
		rest[i] = s.Value(f, a)
	}
	for _, l := range s.Value(f, c.Value) {
		o := s.Object(l)
		switch {
		case o.Kind == Nothing:
		case o.Kind == Box && s.method(o.Type, c.Method) != nil:
			fn := s.method(o.Type, c.Method)
			for _, on := range receivers(s.boxed(f, l, o.Type)) {
				s.static(f, site, fn, append([]Set{on}, rest...))
			}
		case s.modelled(f, site, c.Method, append([]Set{One(l)}, rest...), func(i int, v Set) { s.give(f, site, i, v) }):
		case o.Kind == Opaque:
			s.callAll(f, site, rest, s.Opaque())
			s.giveAll(f, site, s.Opaque())
		case o.Kind == Unknown:
			for _, a := range rest {
				s.escape(a, o)
			}
			s.giveAll(f, site, One(l))
		default:
			s.poison(c.Signature(), c.Method, rest, func(i int, v Set) { s.give(f, site, i, v) })
		}
	}
}

// receivers gives the receivers to call a method on one by one; none at all is one without memory, such as a number.
func receivers(s Set) []Set {
	if len(s) == 0 {
		return []Set{nil}
	}
	var out []Set
	for _, l := range s {
		out = append(out, One(l))
	}
	return out
}

// method gives the method of a concrete type that an interface's stands for.
func (s *Solver) method(t types.Type, m *types.Func) *ssa.Function {
	if types.IsInterface(t) || s.Program.SSA.MethodSets.MethodSet(t).Lookup(m.Pkg(), m.Name()) == nil {
		return nil
	}
	return s.Program.SSA.LookupMethod(t, m.Pkg(), m.Name())
}

func (s *Solver) giveAll(f *Function, site ssa.CallInstruction, v Set) {
	results := site.Common().Signature().Results()
	for i := range results.Len() {
		if carries(results.At(i).Type()) {
			s.give(f, site, i, v)
		}
	}
}

// poison does what a function does that nothing is known of: its results may be anything, and it may change all that it
// is given.
func (s *Solver) poison(sig *types.Signature, fn *types.Func, args []Set, give func(int, Set)) {
	why := "a function without source"
	if fn != nil {
		why = fn.FullName()
	}
	u := s.UnknownFrom(why)
	for i := range sig.Results().Len() {
		if carries(sig.Results().At(i).Type()) {
			give(i, One(u.Root))
		}
	}
	for _, a := range args {
		s.escape(a, u)
	}
}

// builtin does what a function of the language does.
func (s *Solver) builtin(f *Function, site ssa.CallInstruction, name string, args []Set) {
	switch name {
	case "append":
		call, ok := site.(*ssa.Call)
		if !ok || len(args) < 2 {
			return
		}
		slice, ok := call.Type().Underlying().(*types.Slice)
		if !ok {
			return
		}
		all := args[0].Union(One(s.allocate(f, Memory, call, call.Type()).Root))
		s.copyElems(f, all, args[0].Union(args[1]), slice.Elem())
		s.set(f, call, all)
	case "copy":
		if slice, ok := site.Common().Args[0].Type().Underlying().(*types.Slice); ok {
			s.copyElems(f, args[0], args[1], slice.Elem())
		}
	case "recover":
		s.give(f, site, 0, One(s.UnknownFrom("recover").Root).Union(s.Nothing()))
	case "min", "max":
	case "ssa:wrapnilchk":
		s.give(f, site, 0, args[0])
	case "ssa:deferstack":
	}
}

// copyElems copies the elements of containers.
func (s *Solver) copyElems(f *Function, to, from Set, elem types.Type) {
	if !carries(elem) {
		return
	}
	places := s.Parts(from, Elem)
	if aggregate(elem) {
		s.store(f, s.Parts(to, Elem), places, elem)
		return
	}
	s.store(f, s.Parts(to, Elem), s.ReadAll(f, places), elem)
}
