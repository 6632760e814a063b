package toy

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// Knows is explore.ReferenceGraph: operations name their receivers, so everybody knows everybody.
func (*execution) Knows(_, _ int32) bool { return true }

// Calls is what the program's handlers may send. Those that do more than send are not declared, nor those that may have
// to reply.
func (p *Program) Calls() trace.Calls {
	var all trace.Calls
	for k, beh := range p.Kinds {
		for m := range beh {
			if p.called(m) {
				continue
			}
			c := trace.Caller{Actor: fmt.Sprintf("K%d", k), Message: fmt.Sprintf("M%d", m)}
			for _, op := range beh[m].Ops {
				if op.Kind != Send {
					c.Actor = ""
					break
				}
				call := trace.MaySend{Actor: fmt.Sprintf("K%d", p.Actors[op.To]), Message: fmt.Sprintf("M%d", op.Message)}
				if op.When >= 0 {
					call.Depth = 1
				}
				c.May = append(c.May, call)
			}
			if c.Actor != "" {
				all = append(all, c)
			}
		}
	}
	return all
}

// called reports whether a message of the type may be a call.
func (p *Program) called(message int) bool {
	is := func(op Op) bool { return op.Kind == Call && op.Message == message }
	found := slices.ContainsFunc(p.Driver, is)
	for _, beh := range p.Kinds {
		for i := range beh {
			found = found || slices.ContainsFunc(beh[i].Ops, is)
		}
	}
	return found
}
