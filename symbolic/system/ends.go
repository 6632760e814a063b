package system

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/trace"
)

// This file cuts executions of a search for final checks. These are asked at ends where no message is left, so all that are on their way have to be handled before: an execution
// with more of them than the bound on steps leaves is not followed.
//
//	assumes:    a message that is left at a natural end is a violation (Orphan), so that the final check is not asked there; no actor stops but by a panic, which is one, too
//	cost:       of the bank whose server takes its messages in order, 2,177 executions within 8 steps are left of more than 300,000, with vain.go
//	checked by: ends_test.go, against the search without; symbolic/target/judges_test.go, against brute force

// endsOnly reports whether only natural ends are of interest to goals, at which all messages are handled.
func (p *Program) endsOnly(s *Start, goals []Goal, b Bounds) bool {
	if len(goals) == 0 || b.order != nil || b.again || s.Driver.Proto || p.stops() {
		return false
	}
	return !slices.ContainsFunc(goals, func(g Goal) bool { return g.Check == nil || !g.AtEnd })
}

// stops reports whether the program has a function by which actors stop.
func (p *Program) stops() bool { return p.uses(&p.stopping, stopping) }

// asksReceived reports whether the program looks at State.Received.
func (p *Program) asksReceived() bool {
	return p.uses(&p.receiving, func(fn *ssa.Function) bool { return fn.Object() != nil && fn.String() == "("+stateType+").Received" })
}

// uses reports whether a function of the program names one that is wanted, which is looked for once.
func (p *Program) uses(known **bool, wanted func(*ssa.Function) bool) bool {
	if *known == nil {
		does := slices.ContainsFunc(p.load.Functions(), func(fn *ssa.Function) bool { return fn.Synthetic == "" && mentions(fn, wanted) })
		*known = &does
	}
	return **known
}

// mentions reports whether a function is wanted that is an operand of an instruction.
func mentions(fn *ssa.Function, wanted func(*ssa.Function) bool) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			for _, v := range in.Operands(nil) {
				if to, ok := (*v).(*ssa.Function); ok && wanted(to) {
					return true
				}
			}
		}
	}
	return false
}

// stopping reports whether a function of a framework has an actor stop.
func stopping(fn *ssa.Function) bool {
	of, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	row, _ := model.Find(of)
	return row.Op == model.Stop || row.Op == model.StopAsk
}

// owed counts messages that have to be handled before an end is reached that is of interest.
func (f *searcher) owed() (n int) {
	w := f.w
	if !f.result.ends || !w.wrong(trace.Orphan) || !w.wrong(trace.Panic) {
		return 0
	}
	w.pool.Each(func(i int32) {
		if w.tr.Messages[i].Class == trace.User {
			n++
		}
	})
	return n
}
