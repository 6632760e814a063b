package finding_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/internal/sketch"
)

func TestCycles(t *testing.T) {
	for _, c := range []struct {
		name, graph string
		want        string // all findings as a compiler would tell them; "" none
	}{
		{"the asked handler asks back", `
			actor A: x back
			actor B: y
			A x -> B y request blocking
			B y -> A back request blocking
		`, `
s.go:4: request-cycle: A waits for B to answer y, which needs A in turn
	s.go:4: A, handling x, asks B for y and waits
	s.go:5: B, handling y, asks A for back and waits`},
		{"a timeout ends it", `
			actor A: x back
			actor B: y
			A x -> B y request blocking timeout
			B y -> A back request blocking
		`, `
s.go:4: request-cycle: A waits for B to answer y, which needs A in turn; until a timeout ends it
	s.go:4: A, handling x, asks B for y and waits
	s.go:5: B, handling y, asks A for back and waits`},
		{"through a third, which gets the request passed on", `
			actor A: x back
			actor B: y
			actor C: y
			A x -> B y request blocking
			B y -> C y forward
			C y -> A back request blocking
		`, `
s.go:5: request-cycle: A waits for B to answer y, which needs A in turn
	s.go:5: A, handling x, asks B for y and waits
	s.go:6: B, handling y, passes it on to C
	s.go:7: C, handling y, asks A for back and waits`},
		{"two that ask each other in different handlers", `
			actor A: x get
			actor B: y get
			A x -> B get request blocking
			B y -> A get request blocking
		`, `
s.go:4: request-cycle: A waits for B to answer get, which may be waiting for A at that moment
	s.go:4: A, handling x, asks B for get and waits
	s.go:5: B, if it is handling y at that moment, asks A for get and waits`},
		{"itself", `
			actor A: x y
			A x -> A y request blocking
		`, `
s.go:3: request-cycle: A waits for A to answer y: an actor that asks itself waits for ever (other actors of its type may be asked)
	s.go:3: A, handling x, asks A for y and waits`},
		{"while starting", `
			actor A: x
			actor B: y
			A - -> B y request blocking
			B y -> A x request blocking
		`, `
s.go:4: request-cycle: A waits for B to answer y, which needs A in turn
	s.go:4: A, starting, asks B for y and waits
	s.go:5: B, handling y, asks A for x and waits`},
		{"passed on back to who waits", `
			actor A: x y
			actor B: y
			A x -> B y request blocking
			B y -> A y forward
		`, `
s.go:4: request-cycle: A waits for B to answer y, which needs A in turn
	s.go:4: A, handling x, asks B for y and waits
	s.go:5: B, handling y, passes it on to A`},
		{"not waiting is no cycle", `
			actor A: x back
			actor B: y
			A x -> B y request blocking
			B y -> A back request
		`, ""},
		{"a send is no cycle", `
			actor A: x back
			actor B: y
			A x -> B y request blocking
			B y -> A back send
		`, ""},
		{"forwarding something else is no cycle", `
			actor A: x z
			actor B: y z
			A x -> B y request blocking
			B z -> A z forward
		`, ""},
		{"the driver is never asked", `
			actor A: x
			env - -> A x request blocking
			A x -> env x request blocking
		`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			for _, f := range finding.Of(sketch.Parse(c.graph)).Findings {
				if f.Kind == finding.RequestCycle {
					got += "\n" + f.String()
				}
			}
			if got != c.want {
				t.Errorf("got%s\nwant%s", got, c.want)
			}
		})
	}
}

// A long cycle and a short one through the same request: the request is in the short one, the others in theirs (I1).
func TestEveryRequestOnACycleIsTold(t *testing.T) {
	r := finding.Of(sketch.Parse(`
		actor A: x back
		actor B: y
		actor C: z
		A x -> B y request blocking
		B y -> A back request blocking
		B y -> C z request blocking
		C z -> A back request blocking
	`))
	var all [][]int
	for _, f := range r.Findings {
		if f.Kind == finding.RequestCycle {
			all = append(all, f.Edges)
		}
	}
	if want := [][]int{{0, 1}, {2, 3, 0}}; !slices.EqualFunc(all, want, func(a, b []int) bool { return slices.Equal(a, b) }) {
		t.Errorf("cycles %v, want %v", all, want)
	}
}

// Against brute force: all walks of waiting, without repeating a handler.
func TestCyclesAgainstWalks(t *testing.T) {
	cyclic := 0
	for seed := range uint64(4000) {
		g := sketch.Random(rand.New(rand.NewPCG(seed, 11)))
		told := map[int]bool{}
		least := map[int]int{} // crossings of the simplest finding that a request is in
		for _, f := range finding.Of(g).Findings {
			if f.Kind != finding.RequestCycle {
				continue
			}
			n := crossings(f)
			for _, e := range f.Edges {
				if old, ok := least[e]; !told[e] || ok && n < old {
					least[e] = n
				}
				told[e] = true
			}
		}
		for i, e := range g.Edges {
			if !blocks(e) {
				continue
			}
			want := simplest(g, e.From, e.To, e.Message, nil)
			if (want >= 0) != told[i] || want >= 0 && least[i] > want {
				t.Fatalf("seed %d: request %d (%s): in a finding: %v with %d crossings; walks say %d", seed, i, e.Pos, told[i], least[i], want)
			}
			if want >= 0 {
				cyclic++
			}
		}
	}
	if cyclic < 500 {
		t.Errorf("only %d requests on cycles: the graphs are too sparse to tell anything", cyclic)
	}
}

func blocks(e *flow.Edge) bool { return e.Kind == flow.Request && e.Blocking && !e.From.Environment }

func crossings(f finding.Finding) int {
	n := 0
	for _, s := range f.Steps {
		n += strings.Count(s.Text, "at that moment")
	}
	return n
}

// simplest gives the fewest crossings of a walk from a handler to an actor, -1 if there is none.
func simplest(g *flow.Graph, goal, at *flow.Actor, message string, path []string) int {
	if at == goal {
		return 0
	}
	here := at.Name + ":" + message
	if slices.Contains(path, here) {
		return -1
	}
	best := -1
	for _, e := range g.Edges {
		cost := 0
		switch {
		case e.From != at:
			continue
		case blocks(e):
			if e.In != message {
				cost = 1
			}
		case e.Kind != flow.Forward || e.In != message:
			continue
		}
		if n := simplest(g, goal, e.To, e.Message, append(slices.Clone(path), here)); n >= 0 && (best < 0 || n+cost < best) {
			best = n + cost
		}
	}
	return best
}
