package system

import (
	"maps"
	"os"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/trace"
)

// walked executes a driver in one order.
func walked(t *testing.T, p *Program, s *Start, order int, goals []Goal, model trace.Model) *Found {
	t.Helper()
	f := p.Walk(t.Context(), s, order, goals, model, Bounds{Steps: 100, Actors: 100, Runs: 4})
	if len(f.Cuts) > 0 {
		t.Errorf("%v, order %d: cuts %v", model, order, f.Cuts)
	}
	return f
}

// someModels are two, or all of them with REHEARSE_TOY.
func someModels() []trace.Model {
	if os.Getenv("REHEARSE_TOY") != "" {
		return models
	}
	return []trace.Model{trace.Bag, trace.Mailbox}
}

// walkers are the programs that are walked through: two, or all with REHEARSE_TOY.
func walkers() []string {
	names := []string{"twinBank", "twinServer"}
	if os.Getenv("REHEARSE_TOY") != "" {
		names = append(names, "twinBarber", "twinLostSub")
	}
	return names
}

// What a walk reaches, some execution reaches, and the default order is that of the first execution of an exploration.
// The same number is the same order.
func TestWalk(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	for _, name := range walkers() {
		s := startOf(t, p, name)
		for _, model := range someModels() {
			all := p.everything(t, s, model, Bounds{Steps: 1000, Actors: 100, Runs: 1000, Sent: true}.defaults())
			_, path, err := p.Run(t.Context(), s.Driver, model, Config{})
			if err != nil {
				t.Fatal(err)
			}
			first := newFound(0)
			first.note(path)
			reached := map[*ssa.BasicBlock]bool{}
			for order := range 12 {
				f := walked(t, p, s, order, nil, model)
				if order == 0 && !maps.Equal(f.Blocks, first.Blocks) {
					t.Errorf("%s, %v: %d blocks in the default order, want %d", name, model, len(f.Blocks), len(first.Blocks))
				}
				if again := walked(t, p, s, order, nil, model); !maps.Equal(f.Blocks, again.Blocks) || f.Runs != 1 {
					t.Errorf("%s, %v, order %d: another time it is another execution", name, model, order)
				}
				maps.Copy(reached, f.Blocks)
			}
			for b := range reached {
				if !all.Blocks[b] && !first.Blocks[b] { // the driver's are among the latter
					t.Errorf("%s, %v: no execution reaches %s of %s", name, model, b, b.Parent())
				}
			}
			if 10*len(reached) < 9*len(all.Blocks) {
				t.Errorf("%s, %v: twelve orders reach %d of %d blocks", name, model, len(reached), len(all.Blocks))
			}
		}
	}
}

// A walk to a goal ends there, and its way has the messages of the driver.
func TestWalkWay(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	s := startOf(t, p, "twinChameneos")
	blocks := walked(t, p, s, 0, nil, trace.Bag).Blocks
	all := slices.Collect(maps.Keys(blocks))
	slices.SortFunc(all, func(a, b *ssa.BasicBlock) int { return int(a.Parent().Pos()-b.Parent().Pos())*1000 + a.Index - b.Index })
	longest := 0
	for _, b := range all {
		w := walked(t, p, s, 0, []Goal{{Block: b}}, trace.Bag).Ways[0]
		if w == nil {
			t.Errorf("%s of %s is reached, and there is no way to it", b, b.Parent())
			continue
		}
		if !w.Own || len(w.Outside) > 0 || len(w.Order) != len(w.Plan.Steps) {
			t.Errorf("own %v, %d messages from outside, an order of %d for %d steps", w.Own, len(w.Outside), len(w.Order), len(w.Plan.Steps))
		}
		longest = max(longest, len(w.Order))
	}
	if longest < 6 {
		t.Errorf("the longest way has %d steps", longest)
	}
}

// What chance comes to, the search that goes through everything comes to, too. The same number is the same execution.
func TestWander(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	for _, name := range walkers() {
		s := startOf(t, p, name)
		for _, model := range someModels() {
			b := Bounds{Steps: 3, Outside: 2, Actors: 100, Runs: 20000, Asked: true}
			all := p.everything(t, s, model, b.defaults())
			if !all.Complete() {
				t.Fatalf("%s, %v: cuts %v", name, model, all.Cuts)
			}
			reached := map[*ssa.BasicBlock]bool{}
			for order := range 40 {
				f := p.Wander(t.Context(), s, order, nil, model, b)
				if again := p.Wander(t.Context(), s, order, nil, model, b); !maps.Equal(f.Blocks, again.Blocks) || f.Runs != 1 || again.Runs != 1 {
					t.Errorf("%s, %v, %d: another time it is another execution", name, model, order)
				}
				maps.Copy(reached, f.Blocks)
			}
			// of set-up: nothing comes from outside
			before := p.Wander(t.Context(), s, 0, nil, model, Bounds{Steps: 1, Actors: 100}).Blocks
			for b := range reached {
				if !all.Blocks[b] && !before[b] {
					t.Errorf("%s, %v: the search does not reach %s of %s", name, model, b, b.Parent())
				}
			}
			for b := range all.Blocks {
				if !reached[b] {
					t.Logf("%s, %v: chance does not reach %s of %s", name, model, b, b.Parent())
				}
			}
			if 10*len(reached) < 9*len(all.Blocks) {
				t.Errorf("%s, %v: chance reaches %d blocks, the search %d", name, model, len(reached), len(all.Blocks))
			}
		}
	}
}
