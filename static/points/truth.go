package points

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file follows truth values, where Precision.Constants asks for it. Programs are often put together by settings
// that a test gives as constants, and what is made for one setting never meets what is made for the other.
//
//	source:     [TAP18] has nothing of this; conditional constant propagation of compiler books, on truth values only
//	differs:    a value is a set of places in the solver, so that it goes through memory and calls like a pointer
//	assumes:    a value that comes from code without source is either
//	invariants: I1 a branch is left out only while all sources of its condition are known and none takes it
//	            I2 as sets only grow, a branch that was taken stays taken
//	cost:       three objects and one for each type that has a zero value with truth values in it; a write for each truth
//	            value in memory that is not set at once
//	checked by: points_test.go; sound_test.go of package flow
//
// SUBTLE: a truth value that nothing is known of is either, not nothing: a condition is decided only by values all of
// whose sources are known. Memory begins as false, so an allocation writes false to what the source does not set before
// it uses the memory.

// isTruth reports whether a type is a truth value.
func isTruth(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// truth gives the object of a truth value; nil is one that is not known.
func (s *Solver) truth(v *bool) Set {
	site := "either"
	if v != nil {
		site = map[bool]string{true: "true", false: "false"}[*v]
	}
	o := s.object(objectKey{kind: Truth, site: site}, nil, token.NoPos)
	o.Tag = v
	return One(o.Root)
}

func (s *Solver) known(v bool) Set { return s.truth(&v) }

// can gives what the values of a set can be.
func (s *Solver) can(v Set) (yes, no bool) {
	for _, l := range v {
		known, ok := s.Object(l).Tag.(*bool)
		if !ok || known == nil {
			return true, true
		}
		yes, no = yes || *known, no || !*known
	}
	return yes, no
}

// not gives the opposite.
func (s *Solver) not(v Set) Set {
	yes, no := s.can(v)
	switch {
	case yes && no:
		return s.truth(nil)
	case yes:
		return s.known(false)
	}
	return s.known(true)
}

// start writes false to the truth values of new memory that is read before it is set.
func (s *Solver) start(v *ssa.Alloc, o *Object) {
	if o.begun {
		return
	}
	o.begun = true
	s.falsify(o.Root, o.Type, initialised(v))
}

// zero gives the zero value of a type, as far as truth values make a difference.
func (s *Solver) zero(t types.Type) Set {
	switch {
	case isTruth(t):
		return s.known(false)
	case !aggregate(t) || !holdsTruth(t):
		return nil
	}
	o := s.object(objectKey{kind: Memory, site: "zero " + types.TypeString(t, nil)}, t, token.NoPos)
	if !o.begun {
		o.begun = true
		s.falsify(o.Root, t, nil)
	}
	return One(o.Root)
}

// falsify writes false to all truth values below a place, except those of the fields that are initialised.
func (s *Solver) falsify(l Loc, t types.Type, set map[int]bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if isTruth(t) && !set[whole] {
			s.Write(l, s.known(false))
		}
	case *types.Struct:
		for i := range u.NumFields() {
			if !set[i] && !set[whole] && holdsTruth(u.Field(i).Type()) {
				s.falsify(s.Part(l, i), u.Field(i).Type(), nil)
			}
		}
	case *types.Array:
		if !set[whole] && holdsTruth(u.Elem()) {
			s.falsify(s.Part(l, Elem), u.Elem(), nil)
		}
	}
}

func holdsTruth(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if holdsTruth(u.Field(i).Type()) {
				return true
			}
		}
		return false
	case *types.Array:
		return holdsTruth(u.Elem())
	}
	return isTruth(t)
}

// whole stands for all fields.
const whole = -1

// initialised gives the fields that a block sets right after it has made memory, before it does anything else with
// that.
func initialised(v *ssa.Alloc) map[int]bool {
	set, mine := map[int]bool{}, map[ssa.Value]int{v: whole}
	instrs := v.Block().Instrs
	begun := false
	for _, in := range instrs {
		if in == ssa.Instruction(v) {
			begun = true
			continue
		}
		if !begun {
			continue
		}
		if _, debug := in.(*ssa.DebugRef); debug {
			continue
		}
		if f, ok := in.(*ssa.FieldAddr); ok && f.X == ssa.Value(v) {
			mine[f] = f.Field
			continue
		}
		if st, ok := in.(*ssa.Store); ok {
			if field, ok := mine[st.Addr]; ok && st.Val != ssa.Value(v) {
				set[field] = true
				continue
			}
		}
		for _, op := range in.Operands(nil) {
			if _, used := mine[*op]; used && *op != nil {
				return set
			}
		}
	}
	return set
}
