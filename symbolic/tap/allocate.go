package tap

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// ObjectAllocation is v = new C(): v is an address of its own, and what is there is zero.
type ObjectAllocation struct{}

func (ObjectAllocation) Name() string { return "Object Allocation" }

func (r ObjectAllocation) transitions(e *Engine, c *configuration, i int) []transition {
	a := c.actors[i]
	var n *term.Term
	in := a.previous()
	length := uint64(1)
	switch v := in.(type) {
	case *ssa.Alloc:
		length = size(v.Type().Underlying().(*types.Pointer).Elem())
	case *ssa.MakeMap:
	case *ssa.MakeSlice:
		n = e.index(a.at.frame, v.Len)
	case *ssa.MakeClosure:
		return e.assignment(r, c, i, v, func(_ *configuration, a *actor) value {
			return e.functionValue(v.Fn.(*ssa.Function), e.bindings(a.at.frame, v))
		})
	case *ssa.MakeChan:
		return e.assignment(r, c, i, v, func(*configuration, *actor) value { return unmodelled })
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "append" {
			return e.appending(r, c, i, v)
		}
		return nil
	default:
		return nil
	}
	return statement(r, c, i, func(d *configuration, a *actor) {
		addr := e.allocate(d, length)
		result := single(addr)
		if n != nil {
			result = sliceValue(addr, e.store.Int(indexSort, 0), n)
		}
		e.change(d, e.reason(in), e.zeroed(a, a.at.frame.register(in.(ssa.Value)), result, addr.Val, length))
	})
}

// allocate gives addresses that nothing else has.
func (e *Engine) allocate(d *configuration, n uint64) *term.Term {
	d.count += int(n)
	return e.store.Uint(wordSort, uint64(firstAddress+d.count-int(n)))
}

// zeroed is the substitution of a variable by something new, of whose memory all is zero.
func (e *Engine) zeroed(a *actor, base string, v value, addr, n uint64) *change {
	ch := assign(base, v)
	ch.keys = append(ch.keys, "@"+a.name)
	ch.vars = func(t *term.Term) *term.Term {
		_, part := split(t.Name)
		return v(part, t.Sort)
	}
	ch.applies = append(ch.applies, func(t *term.Term, args []*term.Term) (*term.Term, bool) {
		if actor, _ := ofMemory(t.Name); actor != a.name {
			return nil, false
		}
		if args[0].Const() {
			if args[0].Val < addr || args[0].Val >= addr+n {
				return nil, false
			}
			return e.zero("", t.Sort), true
		}
		if args[0].Op != term.OpIf {
			return nil, false // it is older
		}
		var hit []*term.Term
		for k := range n {
			hit = append(hit, e.store.Equal(args[0], e.store.Uint(wordSort, addr+k)))
		}
		return e.store.If(e.store.Or(hit...), e.zero("", t.Sort), e.store.Build(t, args)), true
	})
	return ch
}

// appending is append: a new array with the elements of both.
//
// Differs: append never writes behind the end of the array that is there, so that two slices of it do not see each
// other's elements.
func (e *Engine) appending(r Rule, c *configuration, i int, v *ssa.Call) []transition {
	return statement(r, c, i, func(d *configuration, a *actor) {
		f := a.at.frame
		x, y := e.operand(f, v.Call.Args[0]), e.operand(f, v.Call.Args[1])
		elem := v.Type().Underlying().(*types.Slice).Elem()
		n, m := x(partLen, indexSort), e.lengthOf(f, v.Call.Args[1])
		if _, ok := v.Call.Args[1].Type().Underlying().(*types.Slice); !ok || n == nil || m == nil {
			e.change(d, e.reason(v), assign(f.register(v), unmodelled))
			return
		}
		addr := e.allocate(d, 1)
		ch := e.zeroed(a, f.register(v), sliceValue(addr, e.store.Int(indexSort, 0), e.store.Add(n, m)), addr.Val, 0)
		family := kindElem + "|" + a.name + "|" + typeKey(elem)
		old := func(s value, t, index *term.Term) func() *term.Term {
			return func() *term.Term {
				at, off := s(partAddr, wordSort), s(partOff, indexSort)
				if at == nil || off == nil {
					return nil
				}
				return e.store.Apply(t.Name, t.Sort, at, e.store.Add(off, index))
			}
		}
		ch.applies = append([]func(*term.Term, []*term.Term) (*term.Term, bool){func(t *term.Term, args []*term.Term) (*term.Term, bool) {
			if _, is := ofMemory(t.Name); is != family || len(args) != 2 {
				return nil, false
			}
			return e.ite(e.store.Equal(args[0], addr), func() *term.Term {
				return e.ite(e.store.SLess(args[1], n), old(x, t, args[1]), old(y, t, e.store.Sub(args[1], n)))
			}, func() *term.Term { return e.store.Build(t, args) }), true
		}}, ch.applies...)
		e.change(d, e.reason(v), ch)
	})
}
