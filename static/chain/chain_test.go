package chain_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/chain"
	"github.com/rehearse-go/rehearse/static/internal/sketch"
)

// show writes a chain with what each send is under.
func show(c chain.Chain) string {
	s := name(c.From)
	for _, call := range c.Calls {
		s += fmt.Sprintf(" %d %s", call.Conditions, name(call.To))
	}
	return s
}

func name(h chain.Handler) string { return h.Actor.Name + ":" + h.Message }

// The call facts that [ASTS] has of its programs, in the words of /subjects: method, what it may call, under how many
// conditions.
func TestCallsOfPapers(t *testing.T) {
	for _, c := range []struct{ name, graph, want string }{
		{"Fib", `
			actor Fib: fib res
			Fib fib -> Fib res send if 1
			Fib fib -> Fib fib send if 1
			Fib fib -> Fib fib send if 1
			Fib res -> Fib res send if 2
		`, "Fib:fib[Fib:res 1, Fib:fib 1] Fib:res[Fib:res 2]"},
		{"Pi", `
			actor Master: start sum
			actor Worker: intervals stop
			Master start -> Worker intervals request if 1
			Worker intervals -> Master sum respond
			Master sum -> Worker stop send if 2
		`, "Master:start[Worker:intervals 1] Master:sum[Worker:stop 2] Worker:intervals[Master:sum 0] Worker:stop[]"},
	} {
		f := chain.Of(sketch.Parse(c.graph))
		var got []string
		for _, m := range f.Methods {
			var calls []string
			for _, call := range m.Calls {
				calls = append(calls, fmt.Sprintf("%s %d", name(call.To), call.Conditions))
			}
			got = append(got, name(m.Handler)+"["+strings.Join(calls, ", ")+"]")
		}
		if s := strings.Join(got, " "); s != c.want || !f.Complete {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

func TestFewestConditions(t *testing.T) {
	f := chain.Of(sketch.Parse(`
		actor A: x
		actor B: y
		A x -> B y send if 3
		A x -> B y send if 1
		A x -> B y send if 2
	`))
	a, b := f.Methods[0].Handler, f.Methods[1].Handler
	got, known := f.Calls(a)
	if want := (chain.Call{To: b, Conditions: 1, Edge: 1}); !known || len(got) != 1 || got[0] != want {
		t.Errorf("calls %v, want %v", got, want)
	}
	if _, known := f.Calls(chain.Handler{Actor: a.Actor, Message: "other"}); known {
		t.Error("a handler that does not exist is known")
	}
}

// A creation calls what the new actor does by itself, and only that.
func TestCreation(t *testing.T) {
	f := chain.Of(sketch.Parse(`
		actor A: go
		actor B: actor.Started x
		env - -> A go send
		A go -> B - create if 1
		A go -> B - watch
		B - -> A go send
	`))
	var got []string
	for _, m := range f.Methods {
		if m.Actor.Name == "A" {
			for _, c := range m.Calls {
				got = append(got, name(c.To))
			}
		}
	}
	if want := []string{"B:", "B:actor.Started"}; !slices.Equal(got, want) {
		t.Errorf("A:go calls %q, want %q", got, want)
	}
}

func TestPartial(t *testing.T) {
	if chain.Of(sketch.Parse("partial a.go:1: no types\nactor A: x")).Complete {
		t.Error("facts of a partial graph are complete")
	}
}

// Inner handlers differ, but the ends of a chain may be among them: [ASTS] Example 4 has the chain of three Fib::res.
func TestChainsComeBack(t *testing.T) {
	f := chain.Of(sketch.Parse(`
		actor Fib: fib res
		Fib fib -> Fib res send
		Fib fib -> Fib fib send if 1
		Fib res -> Fib res send if 2
	`))
	fib, res := f.Methods[0].Handler, f.Methods[1].Handler
	for _, c := range []struct {
		from, to chain.Handler
		want     []string
	}{
		{res, res, []string{"Fib:res 2 Fib:res", "Fib:res 2 Fib:res 2 Fib:res"}},
		{res, fib, nil},
		{fib, res, []string{"Fib:fib 0 Fib:res", "Fib:fib 1 Fib:fib 0 Fib:res", "Fib:fib 0 Fib:res 2 Fib:res", "Fib:fib 1 Fib:fib 0 Fib:res 2 Fib:res"}},
	} {
		chains, all := f.Between(c.from, c.to, 100)
		var got []string
		for _, c := range chains {
			got = append(got, show(c))
		}
		if !all || !slices.Equal(got, c.want) {
			t.Errorf("%s to %s: %q %v, want %q", name(c.from), name(c.to), got, all, c.want)
		}
	}
}

// By brute force: all sequences of calls of any length, filtered by the definition.
func TestBetweenAgainstDefinition(t *testing.T) {
	found := 0
	for seed := range uint64(150) {
		g := sketch.Random(rand.New(rand.NewPCG(seed, 7)))
		f := chain.Of(g)
		for _, from := range f.Methods {
			for _, to := range f.Methods {
				want := map[string]bool{}
				byDefinition(f, to.Handler, chain.Chain{From: from.Handler}, want)
				chains, all := f.Between(from.Handler, to.Handler, 1<<20)
				for i, c := range chains {
					if !want[show(c)] {
						t.Fatalf("seed %d: %s is no chain, or comes twice", seed, show(c))
					}
					delete(want, show(c))
					if i > 0 && before(c, chains[i-1]) {
						t.Fatalf("seed %d: %s comes after %s", seed, show(c), show(chains[i-1]))
					}
				}
				if len(want) > 0 || !all {
					t.Fatalf("seed %d: missing %v, all %v", seed, want, all)
				}
				found += len(chains)
			}
		}
	}
	if found < 500 {
		t.Errorf("only %d chains: the graphs are too sparse to tell anything", found)
	}
}

func before(a, b chain.Chain) bool {
	return len(a.Calls) < len(b.Calls) || len(a.Calls) == len(b.Calls) && a.Conditions() < b.Conditions()
}

// byDefinition tries every call, and looks at the inner handlers of the whole each time.
func byDefinition(f *chain.Facts, to chain.Handler, c chain.Chain, out map[string]bool) {
	if n := len(c.Calls); n > 0 {
		seen := map[chain.Handler]bool{}
		for _, call := range c.Calls[:n-1] {
			if seen[call.To] {
				return
			}
			seen[call.To] = true
		}
		if c.Calls[n-1].To == to {
			out[show(c)] = true
		}
	}
	last := c.From
	if n := len(c.Calls); n > 0 {
		last = c.Calls[n-1].To
	}
	calls, _ := f.Calls(last)
	for _, call := range calls {
		byDefinition(f, to, chain.Chain{From: c.From, Calls: append(slices.Clone(c.Calls), call)}, out)
	}
}

// A graph with 2^20 chains is not listed, and that is said.
func TestBetweenGivesUp(t *testing.T) {
	var text strings.Builder
	for i := range 21 {
		fmt.Fprintf(&text, "actor A%d: x y\n", i)
	}
	for i := range 20 {
		for _, in := range []string{"x", "y"} {
			for _, out := range []string{"x", "y"} {
				fmt.Fprintf(&text, "A%d %s -> A%d %s send\n", i, in, i+1, out)
			}
		}
	}
	g := sketch.Parse(text.String())
	f := chain.Of(g)
	ends := [2]chain.Handler{{Actor: g.Actors[0], Message: "x"}, {Actor: g.Actors[20], Message: "x"}}
	if chains, all := f.Between(ends[0], ends[1], 5); len(chains) != 5 || all {
		t.Errorf("%d chains, all %v: want 5 of more", len(chains), all)
	}
	if chains, all := f.Between(ends[0], ends[1], 1<<30); len(chains) == 0 || all {
		t.Errorf("%d chains, all %v: want some of more", len(chains), all)
	}
	if chains, all := f.Between(ends[1], ends[0], 5); len(chains) != 0 || !all {
		t.Errorf("%d chains back, all %v: want none", len(chains), all)
	}
}
