package system

import (
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/trace"
)

// factorizer waits for two factors of a prime number. There are none, which a solver does not find out soon.
type factorizer struct{ found int }

type factors struct{ A, B uint64 }

func (f *factorizer) Receive(_ *actor.Context, msg any) {
	p, _ := msg.(factors)
	if p.A < 2 || p.B < 2 || p.A > 1<<31 || p.B > 1<<31 {
		return
	}
	if p.A*p.B == 1234567890123456817 {
		f.found++
	}
	if p.A*p.B == 1234567890123456799 {
		f.found++
	}
}

func factorized() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&factorizer{}), factors{1, 1}) })
}

// asking gives the program with a solver of so many steps a question, its start, and the block in which factors are
// found.
func asking(t *testing.T, steps int) (*Program, *Start, *ssa.BasicBlock) {
	t.Helper()
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	solver, err := solve.New(p.store, solve.Config{Engine: solve.Embedded, Steps: steps})
	if err != nil {
		t.Fatal(err)
	}
	p = New(p.load, p.store, solver)
	s := startOf(t, p, "factorized")
	for _, b := range s.Actors[0].Fn.Blocks {
		for _, in := range b.Instrs {
			if op, ok := in.(*ssa.BinOp); ok && op.Op.String() == "+" {
				return p, s, b
			}
		}
	}
	t.Fatal("it adds nothing")
	return nil, nil, nil
}

// TestWork: what executions may cost together is kept, though one question takes the solver longer than all else that
// they do. Questions of a probe are easy ones, whatever the solver may spend on others.
func TestWork(t *testing.T) {
	const most, easy = 20_000, easySteps * exec.HardStep
	p, s, _ := asking(t, 1000)
	b := Bounds{Steps: 4, Outside: 1, Runs: 60}
	all := p.Probe(t.Context(), s, nil, trace.Mailbox, b)
	if all.Work < 2*easy || all.Work > 1000*exec.HardStep || len(all.Cuts) > 0 {
		t.Errorf("without a bound: work %d, want some questions of %d; cuts %v", all.Work, easy, all.Cuts)
	}
	b.Work = most
	few := p.Probe(t.Context(), s, nil, trace.Mailbox, b)
	if few.Work > 2*most+easy || few.Runs == 0 || few.Complete() {
		t.Errorf("with a bound: work %d in %d executions, want at most %d; cuts %v", few.Work, few.Runs, 2*most+easy,
			few.Cuts)
	}
}

// TestSearchWork: the bound is one for all depths of a search, and values that are not found count as well.
func TestSearchWork(t *testing.T) {
	const most, hard = 20_000, 5 * exec.HardStep
	p, s, found := asking(t, 5)
	b := Bounds{Steps: 6, Outside: 6, Runs: 500, Config: Config{Work: most}}
	all := p.Search(t.Context(), s, nil, trace.Bag, b)
	if all.Work > 2*most+hard || all.Complete() {
		t.Errorf("work %d, want at most %d; cuts %v", all.Work, 2*most+hard, all.Cuts)
	}
	to := p.Search(t.Context(), s, []Goal{{Block: found}}, trace.Bag, b)
	if to.Ways[0] != nil || to.values < hard || to.values > 2*most || to.Complete() {
		t.Errorf("way %v, work %d of looking for values, want some, and at most %d; cuts %v", to.Ways[0], to.values,
			2*most, to.Cuts)
	}
}
