package source

import (
	"context"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has targets in the functions of a driver's Config that judge executions: its invariants, and its final
// check.

// headOfJudge gives the target of the first line of a function that may judge: that it fails. It is nil where the line
// is none.
func (r *targetRun) headOfJudge(ctx context.Context, file string, line int) (*reachtest.Line, *target.Target) {
	for _, j := range r.lister(ctx).Judges() {
		if at := r.loaded.Fset.PositionFor(j.Fn.Pos(), false); at.Filename == file && at.Line == line {
			l := &reachtest.Line{Name: r.loaded.Position(j.Fn.Pos()), Block: j.Fn.Blocks[0], Kind: trace.Assertion.String()}
			return l, judgeTarget(j, l)
		}
	}
	return nil, nil
}

// inJudge gives the target of a line in a function that may judge, or in what it calls and no actor does. It is nil
// where the line is none.
func (r *targetRun) inJudge(ctx context.Context, at *reachtest.Line) *target.Target {
	l, fn := r.lister(ctx), at.Block.Parent()
	if l.Owner(fn) != "" {
		return nil
	}
	for _, j := range l.Judges() {
		if slices.Contains(j.Code, fn) {
			at.Pos = 0
			if at.Kind = ""; target.MakesError(at.Block) {
				at.Kind = trace.Assertion.String()
			}
			return judgeTarget(j, at)
		}
	}
	return nil
}

func judgeTarget(j target.Judge, at *reachtest.Line) *target.Target {
	return &target.Target{Goal: system.Goal{Block: at.Block, Check: j.Fn, Panic: at.Kind != ""}, Name: at.Name}
}

func (r *targetRun) lister(ctx context.Context) *target.Lister {
	return target.NewLister(ctx, r.loaded, r.system.Summaries())
}

// judgedBy lists the starts whose Config asks the function of a target. It notes how: after each step if one of them
// does so, else at the end.
func (r *targetRun) judgedBy(t *target.Target, at *reachtest.Line) (list []concern) {
	t.AtEnd = true
	for _, s := range r.starts {
		for _, c := range s.Checks {
			if fn := r.judge(c, t.Check).variant(at.Block.Parent()); fn != nil && c.Final == t.AtEnd {
				list = append(list, concern{start: s, fn: fn, check: c.Fn})
			} else if fn != nil && t.AtEnd {
				t.AtEnd, list = false, []concern{{start: s, fn: fn, check: c.Fn}}
			}
		}
	}
	if at.Kind != "" && t.AtEnd {
		at.Kind = trace.Environment.String()
	}
	return list
}

// judge is the code of a check if that is a function, or the same in another variant of its package, else no code.
func (r *targetRun) judge(c system.Check, fn *ssa.Function) *code {
	all := newCode(r.loaded)
	if c.Fn == fn || target.Variants(c.Fn, fn) {
		all.add(c.Fn)
	}
	return all
}

// unconcerned says why no driver leads to a target.
func (r *targetRun) unconcerned(t *target.Target, at *reachtest.Line) string {
	if t.Check == nil {
		return "no driver creates an actor that calls " + at.Block.Parent().Name()
	}
	why := "no driver was found whose Config has this function"
	for _, s := range r.starts {
		if s.Unchecked != "" {
			why += "; that of " + r.place(s.Driver) + " is not known: " + s.Unchecked
		}
	}
	return why
}
