package flow_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
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
