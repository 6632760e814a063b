package points

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// library does what a function of a library does.
func (s *Solver) library(c *Call, row model.Row) {
	call, _ := c.Site.(*ssa.Call)
	switch row.Op {
	case model.Pure:
		if model.Serves(c.Callee) {
			s.serve(c)
		} else {
			s.callAll(c.By, c.Site, c.Args, s.Opaque())
		}
		for i, a := range c.Site.Common().Args {
			if p, ok := a.Type().Underlying().(*types.Pointer); ok && isTruth(p.Elem()) {
				s.escape(s.Value(c.By, c.Site.Common().Args[i]), s.UnknownFrom(c.Callee.FullName())) // such as flag.BoolVar
			}
		}
		s.answer(c, s.Opaque())
	case model.Same:
		if row.From < len(c.Args) {
			c.Give(0, c.Args[row.From])
		}
		for i := 1; i < len(c.results); i++ {
			c.Give(i, s.Opaque())
		}
	case model.Load:
		held := s.ReadAll(c.By, s.Parts(c.Args[0], Content))
		c.Give(0, held.Union(s.Nothing()))
	case model.Store:
		cells := s.Parts(c.Args[0], Content)
		s.answer(c, s.ReadAll(c.By, cells))
		for _, l := range cells {
			s.Write(l, c.Args[row.Msg])
		}
	case model.Keys, model.Vals:
		step := Elem
		if row.Op == model.Keys {
			step = Key
		}
		if call != nil {
			seq := s.allocate(c.By, Seq, call, call.Type())
			s.Write(s.Part(seq.Root, Content), s.elements(c.By, c.Args[0], step))
			c.Give(0, One(seq.Root))
		}
	case model.Mix:
		s.mix(c)
	}
}

// serve calls the handlers of requests that a server, a router or a wrapper is given: as arguments, or in the field
// Handler of the server. Who has a request handled by a library, with its method ServeHTTP, calls all of them: which
// router has which is not followed.
func (s *Solver) serve(c *Call) {
	handlers := slices.Clone(c.Args)
	sig := c.Callee.Signature()
	if n := len(handlers) - 1; sig.Variadic() && n >= 0 {
		handlers = append(handlers, s.elements(c.By, handlers[n], Elem))
	}
	if recv := sig.Recv(); recv != nil {
		for i, field := range fields(recv.Type()) {
			if field.Name() == "Handler" {
				handlers = append(handlers, s.ReadAll(c.By, s.Parts(first(c.Args), i)))
			}
		}
	}
	for _, list := range handlers {
		s.register(c, list, true)
	}
	if c.Callee.Name() == "ServeHTTP" {
		for _, l := range s.Read(c.By, s.handlers.Root) {
			s.request(c, l, func(int, Set) {})
		}
	}
}

// register notes the handlers among values, and calls them. What a function makes that is one, too, as middleware does
// of the next handler, counts as well.
func (s *Solver) register(c *Call, values Set, makes bool) {
	for _, l := range values {
		if o := s.Object(l); o.Kind != Func && (o.Kind != Box || o.Type == nil) {
			continue
		}
		s.Write(s.handlers.Root, One(l))
		s.request(c, l, func(_ int, made Set) {
			if makes {
				s.register(c, made, false)
			}
		})
	}
}

// request calls a handler of requests: a function, or what has a method ServeHTTP.
func (s *Solver) request(c *Call, handler Loc, give func(int, Set)) {
	o, opaque := s.Object(handler), s.Opaque()
	fns := One(handler)
	if o.Kind == Box {
		if _, fn := o.Type.Underlying().(*types.Signature); !fn {
			s.CallMethod(c.By, c.Site, handler, "ServeHTTP", []Set{opaque, opaque}, func(int, Set) {})
			return
		}
		fns = s.Unboxed(c.By, handler)
	}
	s.callEach(c.By, c.Site, fns, opaque, give)
}

// callAll calls the functions among arguments with a value for every parameter.
func (s *Solver) callAll(f *Function, site ssa.CallInstruction, args []Set, with Set) {
	for _, a := range args {
		s.callEach(f, site, a, with, func(int, Set) {})
	}
}

// callEach calls the functions among values with a value for every parameter.
func (s *Solver) callEach(f *Function, site ssa.CallInstruction, values, with Set, give func(int, Set)) {
	for _, l := range values {
		if o := s.Object(l); o.Kind == Func {
			params := make([]Set, o.Fn.Signature.Params().Len())
			for i := range params {
				if carries(o.Fn.Signature.Params().At(i).Type()) {
					params[i] = with
				}
			}
			s.CallValue(f, site, l, params, give)
		}
	}
}

// fields lists those of a struct, or of what a pointer to one points to.
func fields(t types.Type) (list []*types.Var) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			list = append(list, f)
		}
	}
	return list
}

// answer gives every result that leads anywhere the same.
func (s *Solver) answer(c *Call, v Set) {
	for i := range c.results {
		if carries(c.Callee.Signature().Results().At(i).Type()) {
			c.Give(i, v)
		}
	}
}

// elements gives what containers and sequences hold, a key or an element; structs are told by their places.
func (s *Solver) elements(f *Function, containers Set, step int) Set {
	var out Set
	for _, l := range containers {
		o := s.Object(l)
		switch {
		case o.Kind == Seq:
			out = out.Union(s.Read(f, s.Part(l, Content)))
		case o.Kind == Func:
			out = out.Union(One(s.UnknownFrom("a sequence made by the program").Root))
		default:
			p := s.Part(l, step)
			out = out.Union(s.Read(f, p))
			if len(s.places[p].below) > 0 {
				out = out.Union(One(p)) // elements that are structs
			}
		}
	}
	return out
}

// mix gives a container with the elements of the arguments, or one of them.
func (s *Solver) mix(c *Call) {
	var elems, containers, others Set
	params := c.Callee.Signature().Params()
	for i, a := range c.Args {
		if _, fn := params.At(min(i, params.Len()-1)).Type().Underlying().(*types.Signature); fn && !s.sequences(a) {
			continue
		}
		if s.container(c.Site.Common(), i) {
			containers = containers.Union(a)
			elems = elems.Union(s.elements(c.By, a, Elem))
		} else {
			others = others.Union(a)
		}
	}
	all := elems.Union(others)
	s.callAll(c.By, c.Site, c.Args, all)
	call, ok := c.Site.(*ssa.Call)
	if !ok || len(c.results) == 0 {
		return
	}
	result := call.Type()
	if t, tuple := result.(*types.Tuple); tuple {
		result = t.At(0).Type()
	}
	switch u := result.Underlying().(type) {
	case *types.Slice:
		made := One(s.allocate(c.By, Memory, call, result).Root).Union(plain(s, containers))
		s.store(c.By, s.Parts(made, Elem), all, u.Elem())
		c.Give(0, made)
	case *types.Map:
		made := One(s.allocate(c.By, Memory, call, result).Root).Union(plain(s, containers))
		s.store(c.By, s.Parts(made, Elem), all, u.Elem())
		s.store(c.By, s.Parts(made, Key), s.elements(c.By, containers, Key).Union(all), u.Key())
		c.Give(0, made)
	case *types.Basic:
	default:
		c.Give(0, all)
	}
}

// sequences reports whether all are sequences that a model has made.
func (s *Solver) sequences(v Set) bool {
	for _, l := range v {
		if s.Object(l).Kind != Seq {
			return false
		}
	}
	return len(v) > 0
}

// plain gives those that are containers and no sequences.
func plain(s *Solver, v Set) Set {
	var out Set
	for _, l := range v {
		if s.Object(l).Kind != Seq {
			out = append(out, l)
		}
	}
	return out
}

// container reports whether argument i of a call is a slice, a map or a sequence.
func (s *Solver) container(c *ssa.CallCommon, i int) bool {
	if i >= len(c.Args) {
		return false
	}
	switch c.Args[i].Type().Underlying().(type) {
	case *types.Slice, *types.Map, *types.Signature:
		return true
	}
	return false
}
