package exec_test

import (
	"fmt"
	"go/types"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// double runs a function twice, in tasks that wait once before, in each order.
type double struct {
	entry *exec.Entry
	order string
	note  func(string)
}

func (d *double) Operate(*exec.Machine, exec.Operation) (exec.Value, bool) { return nil, false }

func (d *double) Run(m *exec.Machine) []exec.Value {
	p := m.There("p", d.entry.Fn.Params[0].Type())
	tasks := make([]*exec.Task, 2)
	for i := range tasks {
		tasks[i] = m.Start(func() {
			m.Suspend()
			m.Call(d.entry.Fn, p, m.Input(fmt.Sprintf("n%d", i), types.Typ[types.Int]))
		})
	}
	for len(tasks) > 0 {
		i := m.Pick(len(tasks))
		d.order += fmt.Sprint(i)
		if m.Resume(tasks[i]) {
			tasks = slices.Delete(tasks, i, i+1)
		}
	}
	d.note(d.order)
	return []exec.Value{p}
}

// TestDriver: two tasks of two segments each are executed in all six orders. Conditions and picks share one prefix of
// decisions.
func TestDriver(t *testing.T) {
	source := "package p\n\ntype S struct{ a int }\n\nfunc F(s *S, n int) {\n\tif n > 0 {\n\t\ts.a = 2*s.a + n\n\t}\n}\n"
	p := loaded(t, source)
	store := term.NewStore()
	entry := exec.Entry{Fn: p.Packages[0].SSA.Func("F")}
	orders := map[string]int{}
	entry.Driver = func() exec.Driver {
		return &double{entry: &entry, note: func(order string) { orders[order]++ }}
	}
	result := exec.New(p).Explore(t.Context(), store, newSolver(t, store), entry, exec.Config{})
	if result.Defect != "" || len(result.Paths) != 24 || len(orders) != 6 {
		t.Fatalf("%d paths of the orders %v, want 24 of 6; %s", len(result.Paths), orders, result.Defect)
	}
	finals := map[string]int{}
	for _, path := range result.Paths {
		for _, out := range path.Out {
			finals[out.Term.String()]++
		}
	}
	var counts []int
	for _, n := range finals {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	if !slices.Equal(counts, []int{3, 3, 6, 6}) {
		t.Errorf("the final states are %v, want those of n0 and n1 alone, six times each, and of both in each order, three times each", finals)
	}
}
