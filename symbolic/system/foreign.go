package system

import (
	"context"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file has messages from outside for which their receiver has no case. What actors do with those is code, too:
// most say that it is unhandled.

// Foreign gives a start whose messages from outside are such: each receptionist gets a type of messages that another
// actor of the start asks for, and it does not. Where there is none it gets a string. It is nil if there are no
// receptionists.
func (p *Program) Foreign(ctx context.Context, s *Start) *Start {
	p.handlersOnce(ctx)
	foreign := *s
	foreign.Shapes = nil
	for _, to := range s.Receptionists {
		own := p.askedBy([]*ssa.Function{s.Actors[to].Fn}, s)
		var others []*ssa.Function
		for _, a := range s.Actors {
			others = append(others, a.Fn)
		}
		known := func(t types.Type) bool {
			return slices.ContainsFunc(own, func(o types.Type) bool { return types.Identical(o, t) }) ||
				slices.ContainsFunc(s.Shapes, func(o Shape) bool { return o.To == to && types.Identical(o.Type, t) })
		}
		candidates := append(p.askedBy(others, s), types.Typ[types.String])
		if i := slices.IndexFunc(candidates, func(t types.Type) bool { return !known(t) }); i >= 0 {
			foreign.Shapes = append(foreign.Shapes, Shape{To: to, Type: candidates[i], Sent: true, Foreign: true})
		}
	}
	if len(foreign.Shapes) == 0 {
		return nil
	}
	return &foreign
}

// askedBy lists the types of messages that functions ask for, of those that the driver's package can make.
func (p *Program) askedBy(fns []*ssa.Function, s *Start) (list []types.Type) {
	for _, h := range p.handlers {
		if h.Message != nil && slices.Contains(fns, h.Fn) && nameable(h.Message, s.Driver.Entry.Pkg.Pkg) {
			list = append(list, h.Message)
		}
	}
	return list
}
