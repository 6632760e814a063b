package finding_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/internal/sketch"
)

// told gives findings as one line each: position, kind, text.
func told(r *finding.Report) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s %s: %s", f.Pos, f.Kind, f.Text))
	}
	return out
}

func TestFindings(t *testing.T) {
	for _, c := range []struct {
		name, graph string
		want        []string
	}{
		{"nothing wrong", `
			actor A: x
			actor B: y
			env - -> A - create
			env - -> A x send
			A x -> B - create
			A x -> B y send
		`, nil},
		{"a handler that nobody's sends reach", `
			actor A: x
			actor B: x y
			env - -> A - create
			env - -> B - create
			env - -> A x send
			env - -> B y send
		`, []string{"s.go:3 unused-handler: nobody sends x to B; it goes to A only"}},
		{"a message that nobody sends, handled twice", `
			actor A: x
			actor B: x
			env - -> A - create
			env - -> B - create
		`, []string{"s.go:2 unsent-message: nobody sends x, which A handles"}},
		{"a send without a handler", `
			actor A: x
			actor B: y
			env - -> A - create
			env - -> B - create
			env - -> A x send
			env - -> B y send
			A x -> B z send
			A x -> B z send
		`, []string{
			"s.go:8 unhandled-send: z goes to B, which has no branch for it (s.go:3)",
			"s.go:9 unhandled-send: z goes to B, which has no branch for it (s.go:3)",
		}},
		{"two places, one of which is right", `
			actor A: x
			actor B: y
			actor C: z
			env - -> A - create
			env - -> B - create
			env - -> C - create
			env - -> A x send
			env - -> B y send
			A x -> B z send
			A x -> C z send
		`, []string{"s.go:10 unhandled-send: z goes to B, which has no branch for it (s.go:3)"}},
		{"a branch for all others takes it", `
			actor A default: x
			env - -> A - create
			env - -> A x send
			env - -> A z send
		`, nil},
		{"who passes on what it does not know handles it", `
			actor A: x
			actor B: x z
			env - -> A - create
			env - -> B - create
			env - -> A x send
			env - -> A z send
			env - -> B x send
			A z -> B z forward
		`, nil},
		{"the environment takes everything", `
			actor A: x
			env - -> A - create
			env - -> A x request
			A x -> env anything respond
		`, nil},
		{"an answer goes to who waits for it, not to a handler", `
			actor A: x
			actor B: y
			env - -> A - create
			env - -> B - create
			env - -> A x send
			A x -> B y request blocking timeout
			B y -> A answer respond future
		`, nil},
		{"an answer to a request that does not wait needs a handler", `
			actor A: x
			actor B: y
			env - -> A - create
			env - -> B - create
			env - -> A x send
			A x -> B y request
			B y -> A answer respond
		`, []string{"s.go:8 unhandled-send: answer goes to A, which has no branch for it (s.go:2)"}},
		{"what frameworks send and take themselves", `
			actor A: actor.Started actor.Terminated x
			env - -> A - create
			env - -> A x send
			A x -> A actor.PoisonPill send
			A x -> A - watch
		`, nil},
		{"a type that nobody creates: one finding, not one for each of its handlers", `
			actor A: x y
		`, []string{"s.go:2 unused-actor: nobody creates an actor of type A"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := finding.Of(sketch.Parse(c.graph))
			if got := told(r); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			if len(r.Missed) > 0 {
				t.Errorf("missed %v in a complete graph", r.Missed)
			}
		})
	}
}

// What middleware has an actor handle in the place of what has come needs no sender.
func TestMadeByMiddleware(t *testing.T) {
	g := sketch.Parse(`
		actor A: x y
		actor B: z
		env - -> A - create
		env - -> B - create
		env - -> A x send
		env - -> B y send
	`)
	for _, a := range g.Actors {
		switch a.Name {
		case "A":
			a.Made = []string{"y"}
		case "B":
			a.Made = []string{"z"}
		}
	}
	if got := told(finding.Of(g)); len(got) != 1 || !strings.Contains(got[0], "y goes to B, which has no branch") {
		t.Errorf("found %q", got)
	}
}

func TestUnsentStepsNameAllHandlers(t *testing.T) {
	r := finding.Of(sketch.Parse("actor A: x\nactor B: x\nenv - -> A - create\nenv - -> B - create"))
	want := []finding.Step{{Pos: "s.go:1", Text: "A handles it here"}, {Pos: "s.go:2", Text: "B handles it here"}}
	if len(r.Findings) != 1 || !slices.Equal(r.Findings[0].Steps, want) {
		t.Errorf("got %+v, want the steps %v", r.Findings, want)
	}
}

// At one place: two edges of the same position.
func TestUnhandledOfOnePlace(t *testing.T) {
	g := sketch.Parse("actor A: x\nactor B:\nactor C:\nactor D: z\nenv - -> A x send\nA x -> B z send\nA x -> C z send\nA x -> D z send\nA x -> B z send")
	for _, e := range g.Edges {
		e.Pos = "a.go:7"
	}
	var got []finding.Finding
	for _, f := range finding.Of(g).Findings {
		if f.Kind == finding.Unhandled {
			got = append(got, f)
		}
	}
	want := "a.go:7: unhandled-send: z goes to 2 types of actors that have no branch for it; it may go to D too, where there is one" +
		"\n\ts.go:2: B has none\n\ts.go:3: C has none"
	if len(got) != 1 || got[0].String() != want || !slices.Equal(got[0].Edges, []int{1, 2, 4}) {
		t.Errorf("got %v, want %s", got, want)
	}
}

// What is missing may send what seems unsent, and cannot undo a cycle.
func TestPartialGraphsAreDoubted(t *testing.T) {
	r := finding.Of(sketch.Parse(`
		partial b.go:7: no source
		actor A: x
		actor B: y
		A x -> B y request blocking
		B y -> A x request blocking
		A x -> B z send
		actor C: u
	`))
	doubted := map[finding.Kind]bool{}
	for _, f := range r.Findings {
		doubted[f.Kind] = len(f.Doubt) > 0
		if has := strings.Contains(f.String(), "unreliable: the graph is partial"); has != doubted[f.Kind] {
			t.Errorf("%s: does not say what is doubted", f)
		}
	}
	for kind, want := range map[finding.Kind]bool{finding.RequestCycle: false, finding.Unhandled: true, finding.UnusedActor: true} {
		if got, found := doubted[kind]; !found || got != want {
			t.Errorf("%s: found %v, doubted %v, want %v", kind, found, got, want)
		}
	}
	if !slices.Equal(r.Missed, []finding.Kind{finding.RequestCycle, finding.Unhandled}) {
		t.Errorf("missed %v", r.Missed)
	}
}
