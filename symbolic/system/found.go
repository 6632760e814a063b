package system

import (
	"context"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// Found is what a search has found.
type Found struct {
	Ways []*Way         // of the goals, in their order; nil where there is none
	Runs int            // executions
	Work int            // of these, as Config.Work counts it
	Cuts map[string]int // executions that were not followed to their end, by reason

	Blocks map[*ssa.BasicBlock]bool // that some execution has visited after the driver had returned
	Panics map[token.Pos]bool       // places at which some execution has panicked, or failed a check

	// functions of the driver's Config that some execution has failed, and in which blocks it had been then
	Failed map[failure]bool

	Unmodelled []string // of what executions did that is not modelled: the first, with places

	Inexact bool // some execution did what is not modelled

	values int  // the work of looking for values of ways, beside Work
	judged bool // the functions of the Config were asked
	ends   bool // only ends of executions were of interest: see ends.go
	ended  bool // a run was not followed any further since it has reached a goal
}

func newFound(goals int) *Found {
	return &Found{Ways: make([]*Way, goals), Cuts: map[string]int{}, Blocks: map[*ssa.BasicBlock]bool{},
		Panics: map[token.Pos]bool{}, Failed: map[failure]bool{}}
}

// failure is a function of a Config that has failed, and a block that was visited; nil: any.
type failure struct {
	fn *ssa.Function
	at *ssa.BasicBlock
}

// The reasons of a search for not following an execution to its end.
const (
	cutSteps  = "more messages are handled than the bound allows"
	cutActors = "more actors are created than the bound allows"
	cutRuns   = "more executions than the bound allows"
	cutWork   = "more work than the bound allows"
	cutGoal   = "a goal is reached, with values that are not found"
)

// Complete reports whether everything within the bounds on messages and actors was executed, and all of it is modelled.
// It does not know whether the time was over.
func (f *Found) Complete() bool {
	for why := range f.Cuts {
		if why != cutSteps && why != cutActors {
			return false
		}
	}
	return !f.Inexact
}

// Short reports whether the bound on messages that are handled has ended an execution.
func (f *Found) Short() bool { return f.Cuts[cutSteps] > 0 }

// Reached reports whether some execution has reached a goal. It does not know for conditions on states, nor for ends of
// executions.
func (f *Found) Reached(g Goal) (yes, known bool) {
	switch {
	case g.Check != nil && !f.judged, f.ends && (g.Check == nil || !g.AtEnd):
		return false, false
	case g.Check != nil && g.Panic:
		return f.Failed[failure{g.Check, g.Block}], true
	case g.Check != nil:
		return f.Blocks[g.Block], true
	case g.AtEnd || len(g.After) > 0:
		return false, false
	case g.passes():
		return f.Blocks[g.Block], true
	case g.Panic && g.Pos.IsValid():
		return f.Panics[g.Pos], true
	}
	return len(f.Panics) > 0, g.Panic && g.Block == nil
}

func (f *Found) left() bool { return len(f.Ways) == 0 || f.open() > 0 }

// open counts the goals that have no way.
func (f *Found) open() (n int) {
	for _, w := range f.Ways {
		if w == nil {
			n++
		}
	}
	return n
}

// note keeps what a run has reached.
func (f *Found) note(path *exec.Path) {
	for _, b := range path.Blocks {
		f.Blocks[b] = true
	}
	if path.Exit == exec.Panic || path.Exit == exec.Assert {
		f.Panics[path.Pos] = true // the latter has no other record
	}
	for _, e := range path.Events {
		if e.Op == "fail" {
			f.Panics[e.Pos] = true
		}
	}
}

// fails keeps which check a run has failed.
func (f *Found) fails(w *world) {
	if w.broken == nil {
		return
	}
	f.Failed[failure{fn: w.broken.Fn}] = true
	for _, b := range w.m.Path().Blocks {
		f.Failed[failure{w.broken.Fn, b}] = true
	}
}

// fewUnmodelled bounds how many reasons are told.
const fewUnmodelled = 3

// unmodelled keeps what a run did that is not modelled.
func (f *Found) unmodelled(p *Program, path *exec.Path) {
	for _, m := range path.Marks {
		text := m.What
		if m.Pos.IsValid() {
			text = p.place(m.Pos) + ": " + text
		}
		if len(f.Unmodelled) < fewUnmodelled && !slices.Contains(f.Unmodelled, text) {
			f.Unmodelled = append(f.Unmodelled, text)
		}
	}
}

// over looks at a run that has come to its end.
func (f *searcher) over(ctx context.Context) {
	if f == nil || !f.open {
		return
	}
	path := f.w.m.Path()
	if f.cut == "" && f.beyond {
		f.cut = cutSteps
	}
	if f.cut != "" {
		f.result.Cuts[f.cut]++
	}
	f.result.note(path)
	f.result.fails(f.w)
	for _, pos := range f.panics {
		f.result.Panics[pos] = true
	}
	if path.Exit == exec.Refused && !expected[path.Why] {
		f.result.Cuts[path.Why]++
	}
	if !path.Exact() || f.w.marked {
		f.result.Inexact = true
		f.result.unmodelled(f.p, path)
	}
	for i, g := range f.goals {
		if f.result.Ways[i] != nil || !f.reaches(i, g, path) {
			continue
		}
		m, hard := f.p.model(ctx, path)
		f.result.values += exec.HardStep * hard
		if m != nil {
			plan := Plan{Steps: f.plan(), Model: f.w.model}
			f.result.Ways[i] = &Way{Start: f.start, Plan: plan, Path: path, Model: m, Outside: f.outside, Panics: len(f.panics),
				Async: f.w.async, Own: f.bounds.Sent, Order: f.w.order(), Marks: path.Marks}
		}
	}
	if !f.result.left() && len(f.goals) > 0 {
		f.stop()
	}
	if f.bounds.Work > 0 && f.result.values >= f.bounds.Work {
		f.result.Cuts[cutWork]++
		f.stop()
	}
}

// expected are the ends of runs that stand for no execution, or that the search has asked for.
var expected = map[string]bool{noActor: true, noConfig: true, atChoice: true, notAssumed: true}

// notAssumed is why a run ends with a message from outside for which what is assumed cannot hold.
const notAssumed = "what is assumed of messages excludes it"

// reaches reports whether a run has reached a goal.
func (f *searcher) reaches(i int, g Goal, path *exec.Path) bool {
	if len(g.After) > 0 {
		return f.after == i
	}
	return g.fails(f.w) || g.reached(path)
}
