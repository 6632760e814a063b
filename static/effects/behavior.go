package effects

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file follows protoactor-go's Behavior: a stack of functions in a field, the last of which handles messages.
// Which is the last nobody follows: each that the application puts there may be. Who puts functions there is found by
// looking at all of the application, since the first come from constructors.
//
//	source:     ours
//	assumes:    a method on a stack in a struct is one of that struct, not of another of its type: actors share no memory
//	invariants: what is put on a stack in a way that is not followed has each handler with a stack do anything
//	cost:       one look at each instruction of the application
//	checked by: framework_test.go

const behaviorType = proto + ".Behavior"

// pushed is a function that somebody puts on a stack.
type pushed struct {
	fn       *ssa.Function
	receiver types.Type // of a method, without the star; nil for a function that captures nothing
}

// stacks are the functions that the stacks in each field may hold, by struct and field. Under "" are those of stacks
// that nobody knows.
type stacks struct {
	in   map[string][]pushed
	lost string // why nothing is known
}

// stacksOf looks for what the application puts on stacks.
func stacksOf(functions []*ssa.Function, place func(token.Pos) string) *stacks {
	s := &stacks{in: map[string][]pushed{}}
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				why := s.look(instr)
				if why != "" && s.lost == "" {
					s.lost = why + " (" + place(instr.Pos()) + ")"
				}
			}
		}
	}
	return s
}

// look notes what an instruction puts on a stack, and says what it does that is not followed.
func (s *stacks) look(instr ssa.Instruction) string {
	switch instr := instr.(type) {
	case ssa.CallInstruction:
		c := instr.Common()
		if callee := c.StaticCallee(); callee != nil && pushes(fullName(callee)) {
			return s.push(fieldKey(c.Args[0]), c.Args[1])
		}
		if v := instr.Value(); v != nil && isBehavior(v.Type()) &&
			(c.StaticCallee() == nil || len(c.StaticCallee().Blocks) == 0 &&
				fullName(c.StaticCallee()) != proto+".NewBehavior") {
			return "a stack of behaviours comes from a call that is not followed"
		}
	case *ssa.Store:
		if at, ok := instr.Addr.(*ssa.IndexAddr); ok && isBehavior(at.X.Type()) {
			return s.push("", instr.Val)
		}
	case *ssa.Slice:
		if isBehavior(instr.Type()) && !isBehavior(instr.X.Type()) {
			return s.literal(instr)
		}
	case *ssa.ChangeType:
		if isBehavior(instr.Type()) {
			return "a slice becomes a stack of behaviours"
		}
	}
	return ""
}

// literal notes the functions in a composite literal.
func (s *stacks) literal(v *ssa.Slice) string {
	array, ok := v.X.(*ssa.Alloc)
	if !ok {
		return "a slice becomes a stack of behaviours"
	}
	for _, r := range *array.Referrers() {
		at, ok := r.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, r := range *at.Referrers() {
			if st, ok := r.(*ssa.Store); ok {
				if why := s.push("", st.Val); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

func (s *stacks) push(key string, f ssa.Value) string {
	for {
		c, ok := f.(*ssa.ChangeType)
		if !ok {
			break
		}
		f = c.X
	}
	switch f := f.(type) {
	case *ssa.Function:
		s.in[key] = append(s.in[key], pushed{fn: f})
		return ""
	case *ssa.MakeClosure:
		if fn := f.Fn.(*ssa.Function); strings.HasSuffix(fn.Name(), "$bound") && len(f.Bindings) == 1 {
			s.in[key] = append(s.in[key], pushed{fn, deref(f.Bindings[0].Type())})
			return ""
		}
	}
	return "a behaviour is put on a stack that is neither a method nor a function that captures nothing"
}

// pushes reports whether a function puts its argument on a stack.
func pushes(name string) bool {
	return name == "(*"+behaviorType+").Become" || name == "(*"+behaviorType+").BecomeStacked"
}

func isBehavior(t types.Type) bool {
	return nameWithPath(types.Unalias(t)) == behaviorType
}

// fieldKey names the field that an address is of, "" if it is of none.
func fieldKey(addr ssa.Value) string {
	if f, ok := addr.(*ssa.FieldAddr); ok {
		return types.TypeString(deref(f.X.Type()), nil) + "." + fieldOf(deref(f.X.Type()), f.Field)
	}
	return ""
}

// stacked puts a behaviour on a stack, or takes one off.
func stacked(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	t := deref(c.Args[0].Type())
	f.h.becoming = true
	f.h.load(instr.Pos(), args[0], t)
	f.h.store(instr.Pos(), args[0], val{set: true}, t, t)
	return nil
}

// onStack has the message handled by each function that may be on a stack.
func onStack(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	h := f.h
	h.load(instr.Pos(), args[0], deref(c.Args[0].Type()))
	if h.behaviors == nil {
		h.behaviors = stacksOf(h.functions, h.place)
	}
	field, ok := c.Args[0].(*ssa.FieldAddr)
	switch {
	case h.behaviors.lost != "":
		h.give(instr.Pos(), "its behaviours are not known: %s", h.behaviors.lost)
		return nil
	case !ok:
		h.give(instr.Pos(), "its behaviours are not in a field")
		return nil
	}
	own, anywhere := h.behaviors.in[fieldKey(field)], h.behaviors.in[""]
	h.stacked = h.stacked || len(own)+len(anywhere) > 1
	for i, p := range slices.Concat(own, anywhere) {
		switch {
		case p.fn.Blocks == nil:
			h.give(instr.Pos(), "it calls %s, whose source was not read", fullName(p.fn))
		case p.receiver == nil:
			h.call(p.fn, args[1:], nil, f.conditions(instr.Block()), instr.Pos())
		case same(p.receiver, deref(field.X.Type())):
			h.call(p.fn, args[1:], []val{f.get(field.X)}, f.conditions(instr.Block()), instr.Pos())
		case i < len(own) || !h.isActor(p.receiver): // another actor's is on that one's stack
			h.give(instr.Pos(), "a behaviour is a method of another struct than has the stack")
		}
	}
	return nil
}

// isActor reports whether values of a type are actors.
func (a *analysis) isActor(t types.Type) bool {
	return slices.ContainsFunc(a.actors, func(x *kindOfActor) bool { return x.typ != nil && same(x.typ, t) })
}
