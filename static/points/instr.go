package points

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// execute looks at all instructions of a function that have to be, in the order of the source, until there are none.
func (s *Solver) execute(f *Function) {
	for i := f.next(0); i >= 0; {
		f.stale[i>>6] &^= 1 << (i & 63)
		f.at = i
		s.work.Looked++
		s.instruction(f, f.shape.instrs[i])
		if i = f.next(i + 1); i < 0 {
			i = f.next(0)
		}
	}
}

// set adds to what a value of the function that is running may be.
func (s *Solver) set(f *Function, v ssa.Value, by Set) { s.setTuple(f, v, 0, by) }

// setTuple adds to what part i of a tuple may be.
func (s *Solver) setTuple(f *Function, v ssa.Value, i int, by Set) {
	if n, ok := f.shape.number[v]; ok && len(by) > 0 {
		s.grow(f, v, n+int32(i), by)
	}
}

// Value gives what a value may be in a function.
func (s *Solver) Value(f *Function, v ssa.Value) Set {
	if !isTruth(v.Type()) {
		return s.value(f, v)
	}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		return s.known(constant.BoolVal(c.Value))
	}
	if out := s.value(f, v); len(out) > 0 {
		return out
	}
	return s.truth(nil)
}

func (s *Solver) value(f *Function, v ssa.Value) Set {
	switch v := v.(type) {
	case *ssa.Const:
		if v.IsNil() && types.IsInterface(v.Type()) {
			return s.Nothing()
		}
		if aggregate(v.Type()) {
			return s.zero(v.Type())
		}
		return nil
	case *ssa.FreeVar:
		for i, free := range f.Fn.FreeVars {
			if free == v && f.On != 0 {
				return s.Read(f, s.Part(f.On, captured(i)))
			}
		}
		return nil
	case *ssa.Function:
		return One(s.funcObject(v, v, Context{In: f.In}).Root)
	case *ssa.Global:
		o := s.object(objectKey{kind: Global, site: v}, v.Type(), v.Pos())
		if v.Pkg != nil && v.Pkg.Pkg != nil && !s.read(v.Pkg.Pkg) {
			if known, ok := s.actors.Variable(v); ok {
				return known
			}
			return s.Opaque()
		}
		return One(o.Root)
	}
	if i, ok := f.shape.number[v]; ok {
		return f.vals[i]
	}
	return nil
}

// captured is the step from a closure to what it captures.
func captured(i int) int { return free - i }

// read reports whether a package was read from source.
func (s *Solver) read(pkg *types.Package) bool {
	p := s.Program.SSA.Package(pkg)
	return p != nil && p.Func("init") != nil && len(p.Func("init").Blocks) > 0
}

func (s *Solver) funcObject(site any, fn *ssa.Function, c Context) *Object {
	o := s.object(objectKey{kind: Func, site: site, in: c.In, calls: c.calls}, fn.Signature, fn.Pos())
	o.Fn = fn
	return o
}

// allocate gives the object that an instruction makes.
func (s *Solver) allocate(f *Function, kind Kind, v ssa.Value, t types.Type) *Object {
	return s.object(objectKey{kind: kind, site: v, in: f.In, calls: f.calls}, t, v.Pos())
}

func (s *Solver) instruction(f *Function, in ssa.Instruction) {
	switch in := in.(type) {
	case ssa.CallInstruction:
		s.call(f, in)
	case *ssa.Store:
		s.store(f, s.Value(f, in.Addr), s.Value(f, in.Val), in.Val.Type())
	case *ssa.MapUpdate:
		m := s.Value(f, in.Map)
		s.store(f, s.Parts(m, Key), s.Value(f, in.Key), in.Key.Type())
		s.store(f, s.Parts(m, Elem), s.Value(f, in.Value), in.Value.Type())
	case *ssa.Send:
		s.store(f, s.Parts(s.Value(f, in.Chan), Elem), s.Value(f, in.X), in.X.Type())
	case *ssa.Return:
		for i, r := range in.Results {
			if u := f.results[i].Union(s.Value(f, r)); len(u) != len(f.results[i]) {
				f.results[i] = u
				s.work.Grown++
				s.wakeAll(&f.callers)
			}
		}
	case *ssa.If, *ssa.Jump:
		s.leave(f, in.Block())
	case ssa.Value:
		if _, tuple := in.Type().(*types.Tuple); tuple {
			s.several(f, in)
		} else if carries(in.Type()) {
			s.set(f, in, s.evaluate(f, in))
		}
	}
}

// evaluate gives what an instruction with one result may give.
func (s *Solver) evaluate(f *Function, v ssa.Value) Set {
	switch v := v.(type) {
	case *ssa.Alloc:
		o := s.allocate(f, Memory, v, v.Type().Underlying().(*types.Pointer).Elem())
		s.start(v, o)
		return One(o.Root)
	case *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		return One(s.allocate(f, Memory, v, v.Type()).Root)
	case *ssa.MakeClosure:
		return One(s.closure(f, v).Root)
	case *ssa.MakeInterface:
		box := s.allocate(f, Box, v, v.X.Type())
		s.Write(s.Part(box.Root, Content), s.Value(f, v.X))
		return One(box.Root)
	case *ssa.Phi:
		return s.phi(f, v)
	case *ssa.ChangeType:
		return s.Value(f, v.X)
	case *ssa.ChangeInterface:
		return s.Value(f, v.X)
	case *ssa.Convert:
		return s.Value(f, v.X).Union(s.made(v))
	case *ssa.MultiConvert:
		return s.Value(f, v.X).Union(s.made(v))
	case *ssa.SliceToArrayPointer:
		return s.Value(f, v.X)
	case *ssa.Slice:
		return s.Value(f, v.X).Union(s.made(v))
	case *ssa.FieldAddr:
		return s.Parts(s.Value(f, v.X), v.Field)
	case *ssa.IndexAddr:
		return s.Parts(s.Value(f, v.X), Elem)
	case *ssa.Field:
		return s.loaded(f, s.Parts(s.Value(f, v.X), v.Field), v.Type())
	case *ssa.Index:
		return s.loaded(f, s.Parts(s.Value(f, v.X), Elem), v.Type())
	case *ssa.Lookup:
		return s.loaded(f, s.Parts(s.Value(f, v.X), Elem), v.Type())
	case *ssa.UnOp:
		return s.unary(f, v)
	case *ssa.TypeAssert:
		return s.assert(f, v)
	case *ssa.Extract:
		if i, ok := f.shape.number[v.Tuple]; ok {
			return f.vals[int(i)+v.Index]
		}
	}
	return nil
}

// made is the memory of a conversion from a string, which has nothing in it.
func (s *Solver) made(v ssa.Value) Set {
	if x, ok := (*v.(ssa.Instruction).Operands(nil)[0]).Type().Underlying().(*types.Basic); ok &&
		x.Info()&types.IsString != 0 {
		return s.Opaque()
	}
	return nil
}

func (s *Solver) closure(f *Function, v *ssa.MakeClosure) *Object {
	fn := v.Fn.(*ssa.Function)
	o := s.funcObject(v, fn, f.Context)
	for i, b := range v.Bindings {
		s.Write(s.Part(o.Root, captured(i)), s.Value(f, b))
	}
	return o
}

// phi joins what comes along the edges that can be taken.
func (s *Solver) phi(f *Function, v *ssa.Phi) Set {
	var out Set
	for i, e := range v.Edges {
		if f.taken(v.Block().Preds[i], v.Block()) {
			out = out.Union(s.Value(f, e))
		}
	}
	return out
}

func (s *Solver) unary(f *Function, v *ssa.UnOp) Set {
	switch v.Op {
	case token.MUL:
		return s.loaded(f, s.Value(f, v.X), v.Type())
	case token.NOT:
		return s.not(s.Value(f, v.X))
	case token.ARROW:
		return s.loaded(f, s.Parts(s.Value(f, v.X), Elem), v.Type())
	}
	return nil
}

// aggregate reports whether values of a type are told by the places they may be copies of. Those by which one refers to
// an actor are not: a copy refers to the same.
func aggregate(t types.Type) bool {
	if model.Reference(t) || model.Referent(t) {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// loaded gives the value of a type that lies at any of the places. A place that nothing was written to holds its zero
// value.
func (s *Solver) loaded(f *Function, places Set, t types.Type) Set {
	if !carries(t) {
		return nil
	}
	if aggregate(t) {
		return places
	}
	out := s.ReadAll(f, places)
	if isTruth(t) {
		for _, l := range places {
			if !s.Object(l).begun {
				return out.Union(s.truth(nil)) // memory that is not told when it is written first
			}
		}
	}
	if types.IsInterface(t) && slices.ContainsFunc(places, func(l Loc) bool { return !s.Object(l).Full }) {
		out = out.Union(s.Nothing())
	}
	return out
}

// store puts a value of a type at all of the places.
func (s *Solver) store(f *Function, places, v Set, t types.Type) {
	if !carries(t) {
		return
	}
	for _, to := range places {
		if !aggregate(t) {
			s.Write(to, v)
			continue
		}
		for _, from := range v {
			s.copyParts(f, to, from, t)
		}
	}
}

// copyParts copies a struct or an array part by part.
func (s *Solver) copyParts(f *Function, to, from Loc, t types.Type) {
	if to == from || s.Object(to).closed() && s.Object(to).Kind != Unknown {
		return // what is written to something unknown escapes
	}
	copyPart := func(step int, t types.Type) {
		switch {
		case !carries(t):
		case aggregate(t):
			s.copyParts(f, s.Part(to, step), s.Part(from, step), t)
		default:
			s.Write(s.Part(to, step), s.Read(f, s.Part(from, step)))
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			copyPart(i, u.Field(i).Type())
		}
	case *types.Array:
		copyPart(Elem, u.Elem())
	}
}

// several evaluates an instruction with several results.
func (s *Solver) several(f *Function, v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Lookup:
		s.setTuple(f, v, 0, s.loaded(f, s.Parts(s.Value(f, v.X), Elem), v.Type().(*types.Tuple).At(0).Type()))
	case *ssa.UnOp:
		s.setTuple(f, v, 0, s.loaded(f, s.Parts(s.Value(f, v.X), Elem), v.Type().(*types.Tuple).At(0).Type()))
	case *ssa.TypeAssert:
		s.setTuple(f, v, 0, s.assert(f, v))
	case *ssa.Next:
		if r, ok := v.Iter.(*ssa.Range); ok && !v.IsString {
			m, t := s.Value(f, r.X), v.Type().(*types.Tuple)
			s.setTuple(f, v, 1, s.loaded(f, s.Parts(m, Key), t.At(1).Type()))
			s.setTuple(f, v, 2, s.loaded(f, s.Parts(m, Elem), t.At(2).Type()))
		}
	case *ssa.Select:
		at := 2
		for _, state := range v.States {
			if state.Dir == types.RecvOnly {
				s.setTuple(f, v, at, s.loaded(f, s.Parts(s.Value(f, state.Chan), Elem), v.Type().(*types.Tuple).At(at).Type()))
				at++
			} else {
				s.store(f, s.Parts(s.Value(f, state.Chan), Elem), s.Value(f, state.Send), state.Send.Type())
			}
		}
	}
}
