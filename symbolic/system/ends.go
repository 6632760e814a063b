package system

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/trace"
)

// This file cuts executions of a search for final checks. These are asked at natural ends, where no message is left.
// So all messages that are on their way have to be handled first. An execution with more of them than the bound on
// steps leaves is not followed.
//
//	assumes:    a message that is left at a natural end is a violation (Orphan), so that the final check is not asked
//	            there; an actor stops by a panic alone, which is a violation, too
//	cost:       of the bank whose server takes its messages in order, 2,177 executions within 8 steps are left of more
//	            than 300,000, with vain.go
//	checked by: ends_test.go, against the search without; symbolic/target/judges_test.go, against brute force

// endsOnly reports whether only natural ends are of interest to goals, at which all messages are handled.
func (p *Program) endsOnly(s *Start, goals []Goal, b Bounds) bool {
	if len(goals) == 0 || b.order != nil || b.again || s.Driver.Proto || p.stops() {
		return false
	}
	return !slices.ContainsFunc(goals, func(g Goal) bool { return g.Check == nil || !g.AtEnd })
}

// stops reports whether something in the program may have an actor stop.
func (p *Program) stops() bool { return p.uses(&p.stopping, stopping) }

// asksReceived reports whether something in the program may look at State.Received.
func (p *Program) asksReceived() bool { return p.uses(&p.receiving, receiving) }

// method is a method that is looked for in a program. One of an interface counts by its name: what is behind the
// interface is not known.
type method struct {
	is    func(*types.Func) bool
	named []string
}

var (
	stopping = method{func(fn *types.Func) bool {
		row, _ := model.Find(fn)
		return row.Op == model.Stop || row.Op == model.StopAsk
	}, []string{"Stop", "StopActor"}}
	receiving = method{func(fn *types.Func) bool {
		return fn.FullName() == "("+stateType+").Received"
	}, []string{"Received"}}
)

// uses reports whether a function of the program names a method. It is looked for once.
func (p *Program) uses(known **bool, m method) bool {
	if *known == nil {
		does := slices.ContainsFunc(p.load.Functions(), func(fn *ssa.Function) bool { return !wraps(fn) && m.in(fn) })
		*known = &does
	}
	return **known
}

// wraps reports whether a function only passes a call of an interface's method on. That call counts.
func wraps(fn *ssa.Function) bool { return strings.HasPrefix(fn.Synthetic, "wrapper") }

// in reports whether a function calls the method, or has it as a value.
func (m method) in(fn *ssa.Function) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if call, ok := in.(ssa.CallInstruction); ok {
				if of := call.Common().Method; of != nil && slices.Contains(m.named, of.Name()) {
					return true
				}
			}
			for _, v := range in.Operands(nil) {
				if m.refers(*v) {
					return true
				}
			}
		}
	}
	return false
}

// refers reports whether a value is the method.
func (m method) refers(v ssa.Value) bool {
	fn, ok := v.(*ssa.Function)
	if !ok {
		return false
	}
	of, ok := fn.Object().(*types.Func)
	return ok && m.is(of)
}

// owed counts messages that have to be handled before an end is reached that is of interest.
func (f *searcher) owed() (n int) {
	w := f.w
	if !f.result.ends || !w.wrong(trace.Orphan) || !w.wrong(trace.Panic) {
		return 0
	}
	w.pool.Each(func(i int32) {
		if w.tr.Messages[i].Kind == trace.User {
			n++
		}
	})
	return n
}
