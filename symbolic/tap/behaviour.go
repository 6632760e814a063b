package tap

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// behaviour is what an actor may be made of, at a place where one is created.
type behaviour struct {
	class    *Class
	value    value             // of the receiver
	free     []value           // of captured variables
	hold     func() *term.Term // the condition that it is this one, nil if there is none
	producer *ssa.Function     // is called first, and gives it
	exit     *ssa.BasicBlock   // from there
}

// behaviours lists what a value that actors are made of may be; nothing if that is not known.
func (e *Engine) behaviours(f *frame, v ssa.Value, depth int) []behaviour {
	if depth > 8 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		return e.behaviours(f, v.X, depth+1)
	case *ssa.MakeInterface:
		if model.ActorFunc(v.X.Type()) != "" {
			return e.behaviours(f, v.X, depth+1)
		}
	case *ssa.ChangeType:
		return e.behaviours(f, v.X, depth+1)
	case *ssa.Function:
		return []behaviour{{class: e.program.classOfFunc(v)}}
	case *ssa.MakeClosure:
		return []behaviour{{class: e.program.classOfFunc(v.Fn.(*ssa.Function)), free: e.bindings(f, v)}}
	case *ssa.Parameter:
		if f.caller != nil && f.site != nil && !f.site.Common().IsInvoke() {
			for i, p := range f.fn.Params {
				if p == v {
					return e.behaviours(f.caller, f.site.Common().Args[i], depth+1)
				}
			}
		}
	case *ssa.Call:
		if list, ok := e.fromProps(f, v, depth); ok {
			return list
		}
	}
	if !types.IsInterface(v.Type()) {
		return nil
	}
	return e.ofTypes(f, v)
}

func (e *Engine) bindings(f *frame, v *ssa.MakeClosure) (free []value) {
	for _, x := range v.Bindings {
		free = append(free, e.operand(f, x))
	}
	return free
}

// ofTypes are the behaviours of an interface, one for each type that it may hold.
func (e *Engine) ofTypes(f *frame, v ssa.Value) (list []behaviour) {
	x := e.operand(f, v)
	for _, t := range held(v, 0) {
		class := e.program.classOf(t)
		if class == nil {
			return nil
		}
		list = append(list, behaviour{class: class, value: partOf(x, ".("+typeKey(t)+")"), hold: func() *term.Term {
			return e.equal(x(partType, wordSort), e.typeTerm(t))
		}})
	}
	return list
}

// held lists the types that an interface may hold; nothing if that is not known.
func held(v ssa.Value, depth int) (list []types.Type) {
	var from []ssa.Value
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return []types.Type{v.X.Type()}
	case *ssa.ChangeInterface:
		from = []ssa.Value{v.X}
	case *ssa.Phi:
		from = v.Edges
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil {
			for _, b := range exits(fn) {
				from = append(from, b.Instrs[len(b.Instrs)-1].(*ssa.Return).Results[0])
			}
		}
	}
	if depth > 8 {
		return nil
	}
	for _, x := range from {
		sub := held(x, depth+1)
		if sub == nil {
			return nil
		}
		for _, t := range sub {
			if !containsType(list, t) {
				list = append(list, t)
			}
		}
	}
	return list
}

func containsType(list []types.Type, t types.Type) bool {
	for _, known := range list {
		if types.Identical(known, t) {
			return true
		}
	}
	return false
}

// fromProps are the behaviours of protoactor-go's props.
func (e *Engine) fromProps(f *frame, v *ssa.Call, depth int) ([]behaviour, bool) {
	row, args, ok := operation(v)
	if !ok {
		return nil, false
	}
	switch row.Op {
	case model.PropsFunc:
		return e.behaviours(f, args[row.Func], depth+1), true
	case model.Props:
		return e.producers(f, args[row.Func]), true
	}
	return nil, false
}
