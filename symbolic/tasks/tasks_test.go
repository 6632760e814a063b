package tasks_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// loaded reads the programs of the paper once.
var loaded = sync.OnceValues(func() (*load.Program, error) {
	return summary.Load(load.Config{Dir: "../../subjects/apet", Patterns: []string{"."}, NoTests: true})
})

// program prepares the programs of the paper.
func program(t *testing.T) *tasks.Program {
	t.Helper()
	return prepared(t, loaded)
}

func prepared(t *testing.T, read func() (*load.Program, error)) *tasks.Program {
	t.Helper()
	p, err := read()
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	return tasks.New(t.Context(), p, store, solver)
}

// cases explores a handler, and fails if the cases are not sure.
func cases(t *testing.T, actor, message string, c tasks.Config) *tasks.Result {
	t.Helper()
	r, err := program(t).Cases(t.Context(), actor, message, c)
	if err != nil {
		t.Fatal(err)
	}
	if r.Defect != "" || r.Unknown > 0 {
		t.Fatalf("defect %q, %d unknown", r.Defect, r.Unknown)
	}
	for _, c := range r.Cases {
		if len(c.Marks) > 0 || c.Verdict != "returned" {
			t.Fatalf("a case is %q, with the marks %v", c.Verdict, c.Marks)
		}
	}
	return r
}

// told writes terms under their names.
func told(list []exec.Named) string {
	var s []string
	for _, n := range list {
		s = append(s, fmt.Sprintf("%s=%v", n.Name, n.Term))
	}
	return strings.Join(s, " ")
}

// terms writes the constraints of a case.
func terms(list []*term.Term) string {
	var s []string
	for _, t := range list {
		s = append(s, t.String())
	}
	return strings.Join(s, ", ")
}

// summed tells the cases: constraints, result, final state.
func summed(r *tasks.Result) (list []string) {
	for _, c := range r.Cases {
		list = append(list, fmt.Sprintf("%s: %v, %s", terms(c.Constraints), c.Result[len(c.Result)-1].Term, told(c.Final)))
	}
	return list
}

// TestSwitches: section 2.1.1, threshold 1 for loops and switches. The paper's v is the field of the object that doSum
// creates.
func TestSwitches(t *testing.T) {
	r := cases(t, "apet.Starter", "apet.DoSum", tasks.Config{Loops: 1, Switches: 1})
	want := []string{
		"msg.M > 0, msg.N == 0: 0, b.Value=b.Value apet.Summer1.Value=b.Value",
		"msg.M <= 0: b.Value, b.Value=b.Value apet.Summer1.Value=b.Value",
	}
	if got := summed(r); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !r.Bounded() || r.Cuts["more than 1 switches of apet.Summer1"] != 1 {
		t.Errorf("the cuts are %v, want one for the second task of the sum", r.Cuts)
	}
	for n := 1; n <= 4; n++ { // each depth of the recursion takes an activation and a resumption
		if r := cases(t, "apet.Starter", "apet.DoSum", tasks.Config{Switches: 2*n + 1}); len(r.Cases) != n+2 {
			t.Errorf("%d switches: %d cases, want %d", 2*n+1, len(r.Cases), n+2)
		}
	}
}

// TestPolicies: section 2.1.2. The published counts are those of polling; ours of ready, and of both with any next
// task.
func TestPolicies(t *testing.T) {
	for _, tt := range []struct {
		config                 tasks.Config
		cases, executions, cut int
		published              bool
		first                  string // "result, final state" of the first case
	}{
		{tasks.Config{Await: tasks.Polling}, 1, 1, 0, true, "0, c.A=2"},
		{tasks.Config{Await: tasks.Polling, Policy: tasks.LIFO}, 0, 0, 1, true, ""},
		{tasks.Config{Await: tasks.Polling, Policy: tasks.Priority}, 12, 12, 12, true, "0, c.A=1"},
		{tasks.Config{Await: tasks.Polling, Policy: tasks.Any}, 12, 12, 93, false, "0, c.A=2"},
		{tasks.Config{}, 1, 1, 0, false, "0, c.A=2"},
		{tasks.Config{Policy: tasks.LIFO}, 1, 1, 0, false, "0, c.A=1"},
		{tasks.Config{Policy: tasks.Priority}, 24, 12, 0, false, "0, c.A=1"},
		{tasks.Config{Policy: tasks.Any}, 12, 12, 0, false, "0, c.A=2"},
	} {
		tt.config.Switches = 4
		r := cases(t, "apet.Check", "apet.RunCheck", tt.config)
		if len(r.Cases) != tt.cases || r.Executions() != tt.executions || r.Cuts["more than 4 switches of apet.Check"] != tt.cut || r.Stuck != 0 {
			t.Errorf("%+v: %d cases, %d executions, cut %v, want %d, %d, %d", tt.config, len(r.Cases), r.Executions(), r.Cuts, tt.cases, tt.executions, tt.cut)
		}
		for i, got := range summed(r) {
			if i == 0 && got != ": "+tt.first {
				t.Errorf("%+v: the first case is %q, want %q", tt.config, got, tt.first)
			}
		}
	}
}

// TestPriorities: the twelve cases by the highest priority, and the two that section 2.2.1 prints.
func TestPriorities(t *testing.T) {
	r := cases(t, "apet.Check", "apet.RunCheck", tasks.Config{Loops: 1, Switches: 4, Await: tasks.Polling, Policy: tasks.Priority})
	first, states := map[string]int{}, map[string]string{}
	for _, c := range r.Cases {
		first[c.Priorities[0]]++
		states[strings.Join(c.Priorities, " ")] = fmt.Sprintf("%v %v %v", c.Instance.Result["result.(int)"], c.Instance.Inputs["c.A"], c.Instance.Final["c.A"])
	}
	if first["apet.OddEven"] != 6 || first["apet.ToOdd"] != 3 || first["apet.ToEven"] != 3 {
		t.Errorf("highest priorities %v, want 6 with OddEven, 3 with ToOdd, 3 with ToEven", first)
	}
	for order, want := range map[string]string{ // result, field before, field after
		"apet.ToOdd apet.ToEven apet.OddEven apet.RunCheck (await)": "0 0 2",
		"apet.ToEven apet.OddEven apet.RunCheck (await) apet.ToOdd": "0 0 1",
	} {
		if states[order] != want {
			t.Errorf("%s: %q, want %q", order, states[order], want)
		}
	}
}

// TestInterleavings: section 2.1.3, queue of 2. That of the third pruning is ours: the paper gives no number.
func TestInterleavings(t *testing.T) {
	for _, tt := range []struct {
		queue, pruning, cases int
		pool, one             string
	}{
		{0, 1, 0, "[]", ""},
		{2, 1, 12, "[apet.SetB apet.SetBC apet.SetC]", ": 35, p.B=30 p.C=80"},
		{2, 2, 5, "[apet.SetB apet.SetC]", "queued1.N > 0: queued1.N + 5, p.B=queued1.N p.C=queued2.N"},
		{2, 3, 3, "[apet.SetB]", "queued1.N > 0: queued1.N + 5, p.B=queued1.N p.C=40"},
	} {
		r := cases(t, "apet.Pruning", "apet.RunPruning", tasks.Config{Queue: tt.queue, Pruning: tt.pruning})
		if len(r.Cases) != tt.cases || fmt.Sprint(r.Pool) != tt.pool || r.Bounded() || r.Stuck == 0 {
			t.Errorf("queue %d, pruning %d: %d cases of %v, cuts %v, want %d of %s", tt.queue, tt.pruning, len(r.Cases), r.Pool, r.Cuts, tt.cases, tt.pool)
		}
		if tt.one != "" && !slices.Contains(summed(r), tt.one) {
			t.Errorf("pruning %d: %q is not among %q", tt.pruning, tt.one, summed(r))
		}
	}
}

// TestRefused: what cannot be explored is told.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		actor, message string
		config         tasks.Config
		want           string
	}{
		{"apet.None", "apet.Q", tasks.Config{}, "no actor apet.None"},
		{"apet.Summer", "apet.SetB", tasks.Config{}, "no case for apet.SetB: it has apet.Q, apet.Sum"},
		{"apet.Summer", "apet.Q", tasks.Config{Policy: "none"}, "no policy"},
		{"apet.Summer", "apet.Q", tasks.Config{Await: "none"}, "ready or polling"},
		{"apet.Summer", "apet.Q", tasks.Config{Pruning: 4}, "pruning is 1, 2 or 3"},
		{"apet.Summer", "apet.Q", tasks.Config{Queue: -1}, "negative"},
	} {
		_, err := program(t).Cases(t.Context(), tt.actor, tt.message, tt.config)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s on %s, %+v: %v, want %q", tt.actor, tt.message, tt.config, err, tt.want)
		}
	}
}
