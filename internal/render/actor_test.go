package render_test

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/sample"
)

type nothing struct{}

func (nothing) Receive(*actor.Context, any) {}

// References to native actors are printed by name, also behind unexported fields and in maps.
func TestNativeReferences(t *testing.T) {
	type book struct {
		owner, nobody actor.Ref
		known         map[actor.Ref]int
	}
	var got string
	sys := actor.New(func(_ *explore.T, c *actor.Context) {
		a, b := c.SpawnNamed("Ann", nothing{}), c.SpawnNamed("Bob", nothing{})
		got = render.ValueNamed(&book{owner: b, known: map[actor.Ref]int{b: 1, a: 2}}, 200,
			func(n int32) string { return fmt.Sprintf("#%d", n) })
	})
	if _, err := explore.Run(sys, &sample.DefaultOrder{},
		explore.Options{Conditions: explore.Conditions{Model: sys.DefaultModel(), MaxSteps: 100}}); err != nil {
		t.Fatal(err)
	}
	if want := "&book{owner:#2 nobody:nobody known:map[#1:2 #2:1]}"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
