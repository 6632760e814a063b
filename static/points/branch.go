package points

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file follows conditions on the dynamic type of a value. A branch is taken once a value arrives that takes it.
// What a type switch does with messages that never come is not followed, and a handler that is analysed for one type of
// message has one branch.
//
//	source:     [TAP18] section 4.3, the two optimisations: branches that no message takes, and the type that a message
//	            has in one
//	differs:    it is done while points-to sets grow, for all conditions on dynamic types and nil, not for the receive
//	            functions alone
//	assumes:    what package points assumes
//	invariants: I1 a branch is taken once a value that takes it has arrived, and stays taken
//	            I2 a block that no taken edge leads to is not looked at
//	cost:       a condition is looked at again when its value has grown
//	checked by: points_test.go, random_test.go; sound_test.go of package flow
//
// SUBTLE: a condition on a value that may be anything else must have both branches. So a nil interface is a value like
// others (Nothing), which every interface in memory may be, and what libraries give is Opaque. An empty set means that
// nothing has come yet.

// leave follows the ways out of a block.
func (s *Solver) leave(f *Function, b *ssa.BasicBlock) {
	cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		for _, to := range b.Succs {
			s.take(f, b, 0, to)
		}
		return
	}
	yes, no := s.outcome(f, cond.Cond)
	if yes {
		s.take(f, b, 0, b.Succs[0])
	}
	if no {
		s.take(f, b, 1, b.Succs[1])
	}
}

// take follows an edge: what phis join may be more.
func (s *Solver) take(f *Function, from *ssa.BasicBlock, way int, to *ssa.BasicBlock) {
	e := 2*from.Index + way
	if f.edges[e] {
		return
	}
	f.edges[e] = true
	s.work.Grown++
	f.reach(to)
	for i := f.shape.blocks[to.Index].from; i < f.shape.blocks[to.Index].to; i++ {
		if _, phi := f.shape.instrs[i].(*ssa.Phi); !phi {
			break
		}
		s.again(f, i)
	}
}

// taken reports whether control can come from one block to the other.
func (f *Function) taken(from, to *ssa.BasicBlock) bool {
	for way, succ := range from.Succs {
		if succ == to && f.edges[2*from.Index+min(way, 1)] {
			return true
		}
	}
	return false
}

// Reached reports whether a block can be executed.
func (f *Function) Reached(b *ssa.BasicBlock) bool { return f.reached[b.Index] }

// outcome gives what a condition can be.
func (s *Solver) outcome(f *Function, cond ssa.Value) (yes, no bool) {
	switch c := cond.(type) {
	case *ssa.UnOp:
		if c.Op == token.NOT {
			no, yes = s.outcome(f, c.X)
			return yes, no
		}
	case *ssa.Extract:
		if a, ok := c.Tuple.(*ssa.TypeAssert); ok && c.Index == 1 && s.precision.Branches != nil &&
			s.precision.Branches(f.Fn) {
			for _, l := range s.Value(f, a.X) {
				y, n := s.fits(s.Object(l), a.AssertedType)
				yes, no = yes || y, no || n
			}
			return yes, no
		}
	}
	if s.precision.Constants {
		return s.can(s.Value(f, cond))
	}
	return true, true
}

// fits reports whether a value in an interface can be of a type, and whether it can be of none that is asked for.
func (s *Solver) fits(o *Object, t types.Type) (yes, no bool) {
	switch {
	case o.Kind == Nothing:
		return false, true
	case o.Kind == Unknown || o.Kind == Opaque || o.Type == nil:
		return true, true
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		yes = types.Implements(o.Type, i)
	} else {
		yes = types.Identical(o.Type, t)
	}
	return yes, !yes
}

// assert gives what a type assertion lets through.
func (s *Solver) assert(f *Function, v *ssa.TypeAssert) Set {
	var out Set
	abstract := types.IsInterface(v.AssertedType)
	for _, l := range s.Value(f, v.X) {
		o := s.Object(l)
		yes, no := s.fits(o, v.AssertedType)
		if !s.precision.Casts && !(s.precision.Branches != nil && s.precision.Branches(f.Fn)) {
			yes = yes || o.Kind == Box
		}
		if no && v.CommaOk {
			out = out.Union(s.failed(v.AssertedType))
		}
		switch {
		case !yes:
		case abstract || o.Kind != Box:
			out = out.Union(One(l))
		default:
			out = out.Union(s.boxed(f, l, v.AssertedType))
		}
	}
	return out
}

// failed gives the value of an assertion that does not hold.
func (s *Solver) failed(t types.Type) Set {
	if types.IsInterface(t) {
		return s.Nothing()
	}
	return s.zero(t)
}

// boxed gives what is in a box as a value of a type.
func (s *Solver) boxed(f *Function, box Loc, t types.Type) Set {
	if !carries(t) {
		return nil
	}
	return s.Read(f, s.Part(box, Content))
}

// Unboxed gives what is in a box.
func (s *Solver) Unboxed(f *Function, box Loc) Set { return s.Read(f, s.Part(box, Content)) }

// Conditions counts the conditions that decide whether a block is executed, of those that can go both ways here.
func (f *Function) Conditions(b *ssa.BasicBlock) int {
	n := 0
	for d := b; d.Idom() != nil; d = d.Idom() {
		up := d.Idom()
		if _, ok := up.Instrs[len(up.Instrs)-1].(*ssa.If); !ok || !f.edges[2*up.Index] || !f.edges[2*up.Index+1] {
			continue
		}
		for _, succ := range up.Succs {
			if succ.Dominates(b) && len(succ.Preds) == 1 {
				n++
				break
			}
		}
	}
	return n
}
