package flow_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

const relays = `package relays
` + protoactor + `
type relay struct{ to *actor.PID }
func (r *relay) Receive(ctx actor.Context) { if _, ok := ctx.Message().(ping); ok { ctx.Send(r.to, pong{}) } }
type one struct{}
func (one) Receive(ctx actor.Context) {}
type two struct{}
func (two) Receive(ctx actor.Context) {}
func relayed(sink actor.Actor) {
	root := actor.NewActorSystem().Root
	to := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return sink }))
	from := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &relay{to} }))
	root.Send(from, ping{})
}
`

// What is read together is not driven together: what one test creates the actors of another do not reach, though they
// are of the same types.
func TestConfigurations(t *testing.T) {
	dir, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	variants := map[string]struct {
		tests string
		want  []string
	}{
		"one test of both": {`
func TestBoth(*testing.T) { relayed(one{}); relayed(two{}) }
`, []string{"environment ping relay", "relay pong one", "relay pong two"}},
		"a test of each": {`
func TestOne(*testing.T) { relayed(one{}) }
func TestTwo(*testing.T) { start(&chosen) }
func start(sink *actor.Actor) { *sink = two{}; relayed(*sink) }
var chosen actor.Actor
`, []string{"environment ping relay", "relay pong one", "relay pong two"}},
		"one test that sends, one that does not": {`
func TestOne(*testing.T) { relayed(one{}) }
func TestTwo(*testing.T) {
	root := actor.NewActorSystem().Root
	sink := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return two{} }))
	root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &relay{sink} }))
}
`, []string{"environment ping relay", "relay pong one"}},
	}
	// A package for each, of one program: loading takes longer than an analysis.
	config, names := load.Config{Dir: dir, Overlay: map[string][]byte{}}, slices.Sorted(maps.Keys(variants))
	for i, name := range names {
		place := fmt.Sprint("relays", i)
		config.Patterns = append(config.Patterns, "./"+place)
		config.Overlay[filepath.Join(dir, place, "relays.go")] = []byte(relays)
		config.Overlay[filepath.Join(dir, place, "relays_test.go")] = []byte("package relays\nimport (\n\"testing\"\n\"github.com/asynkron/protoactor-go/actor\"\n)\nvar _ actor.Actor\n" +
			variants[name].tests)
	}
	p, err := config.Load()
	whole(t, p, err)
	for i, name := range names {
		c := variants[name]
		g, err := flow.Build(only(p, fmt.Sprint("github.com/rehearse-go/rehearse/examples/relays", i)), flow.Config{})
		if err != nil || len(g.Partial) > 0 {
			t.Fatal(err, g.Partial)
		}
		var got []string
		for _, e := range g.Edges {
			if e.Message != "" {
				got = append(got, short(e.From.Name)+" "+short(e.Message)+" "+short(e.To.Name))
			}
		}
		slices.Sort(got)
		if !slices.Equal(slices.Compact(got), c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		apart(t, only(p, fmt.Sprint("github.com/rehearse-go/rehearse/examples/relays", i)), g)
		for _, a := range g.Actors {
			for _, h := range a.Handlers {
				for _, i := range h.Sends {
					if e := g.Edges[i]; e.From != a || e.In != h.Message {
						t.Errorf("%s: handler %s of %s has an edge of another", name, h.Message, a.Name)
					}
				}
			}
		}
	}
}

// apart has each entry by itself: a graph is the union of theirs.
func apart(t *testing.T, p *load.Program, g *flow.Graph) {
	t.Helper()
	got := map[string]bool{}
	for _, entry := range flow.Entries(p) {
		alone, err := flow.Build(p, flow.Config{Entry: entry})
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(got, edges(alone))
	}
	if want := edges(g); !maps.Equal(got, want) {
		t.Errorf("the entries by themselves: %v, together: %v", got, want)
	}
}

func edges(g *flow.Graph) map[string]bool {
	all := map[string]bool{}
	for _, e := range g.Edges {
		for _, label := range append(e.Labels, "") {
			all[fmt.Sprint(e.From.Name, e.Kind, e.Message, e.In, e.To.Name, e.Pos, label)] = true
		}
	}
	return all
}

// What is done before the tests of another package, such as a variable of it that makes actors, no test does. What
// is done before those of its own package, and of what it imports, it does.
func TestLinked(t *testing.T) {
	dir, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	config := load.Config{Dir: dir, Overlay: map[string][]byte{}, Patterns: []string{"./linked0", "./linked1"}}
	add := func(file, source string) { config.Overlay[filepath.Join(dir, file)] = []byte(source) }
	add("linked0/relays.go", strings.Replace(relays, "relays", "linked0", 1)+"\nvar Made = made(one{})\n"+
		"func made(a actor.Actor) bool { relayed(a); return true }\nfunc Make() { relayed(two{}) }\n")
	add("linked0/relays_test.go", "package linked0\nimport \"testing\"\nfunc TestOf0(*testing.T) {}\n")
	add("linked1/linked1.go", "package linked1\n")
	add("linked1/linked1_test.go", `package linked1_test
import ("testing"; "github.com/rehearse-go/rehearse/examples/linked0")
var _ = linked0.Made
func init() { linked0.Make() }
func TestOf1(*testing.T) {}
`)
	p, err := config.Load()
	whole(t, p, err)
	want := map[string]string{"TestOf0": "one relay", "TestOf1": "one relay two"}
	for _, entry := range flow.Entries(p) {
		g, err := flow.Build(p, flow.Config{Entry: entry})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, a := range g.Actors {
			if !a.Environment {
				got = append(got, short(a.Name))
			}
		}
		if got := strings.Join(got, " "); got != want[entry.Name()] {
			t.Errorf("%s: %s, want %s", entry.Name(), got, want[entry.Name()])
		}
		delete(want, entry.Name())
		if _, err := flow.Build(only(p, "none"), flow.Config{Entry: entry}); err == nil {
			t.Errorf("%s enters a program without it", entry.Name())
		}
	}
	if len(want) > 0 {
		t.Errorf("no entries: %v", want)
	}
}
