package exec

import (
	"go/types"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// atomics are the functions of sync/atomic on numbers: a handler is one step, so they are plain loads and stores.
func atomics() map[string]library {
	all := map[string]library{}
	for _, t := range []string{"Int32", "Int64", "Uint32", "Uint64"} {
		for name, do := range atomicOps {
			all["(*sync/atomic."+t+")."+name] = onCell(do, true)
			all["sync/atomic."+name+t] = onCell(do, false)
		}
	}
	return all
}

// atomicOps do something with a cell and what the function is given beside it.
var atomicOps = map[string]func(r *run, cell Ptr, args []Value) Value{
	"Load": func(r *run, cell Ptr, _ []Value) Value { return r.load(cell) },
	"Store": func(r *run, cell Ptr, args []Value) Value {
		r.storeAt(cell, args[0])
		return nil
	},
	"Add": func(r *run, cell Ptr, args []Value) Value {
		v := r.store.Add(r.load(cell).(*term.Term), args[0].(*term.Term))
		r.storeAt(cell, v)
		return v
	},
	"Swap": func(r *run, cell Ptr, args []Value) Value {
		v := r.load(cell)
		r.storeAt(cell, args[0])
		return v
	},
	"CompareAndSwap": func(r *run, cell Ptr, args []Value) Value {
		same := r.truth(r.equal(r.load(cell), args[0]))
		if same {
			r.storeAt(cell, args[1])
		}
		return r.store.Bool(same)
	},
}

// onCell finds the cell: the field of a type of the package, or what a pointer leads to.
func onCell(do func(r *run, cell Ptr, args []Value) Value, method bool) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		p := r.deref(args[0])
		if !method {
			return do(r, p, args[1:]), true
		}
		s, ok := r.load(p).(*Struct)
		if !ok {
			return nil, false
		}
		for i := range s.Fields {
			if structOf(s.Type).Field(i).Name() != "v" {
				continue
			}
			cell := p.at(i)
			return do(r, cell, args[1:]), true
		}
		return nil, false
	}
}
