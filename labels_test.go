package rehearse

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/profile"
)

// Each standing of a pair, by a program that has it.
func TestStandingOfEveryKind(t *testing.T) {
	type a struct{}
	type b struct{}
	sends := func(messages ...any) System {
		return actor.New(func(_ *T, ctx *actor.Context) {
			to := ctx.SpawnNamed("to", &account{})
			for _, m := range messages {
				ctx.Send(to, m)
			}
		})
	}
	for name, c := range map[string]struct {
		cfg      Config
		programs []System
		want     profile.Standing
		first    string // of what was seen
	}{
		"seen in both orders": {Config{Strategy: "naive"}, []System{sends(a{}, b{})}, profile.Both, ""},
		"one execution, and nothing forces it": {Config{Strategy: "default"}, []System{sends(a{}, b{})},
			profile.OneWay, ""},
		"the model keeps the order": {Config{Strategy: "naive", Model: FIFO}, []System{sends(a{}, b{})},
			profile.Impossible, "rehearse.a"},
		"the model keeps the order, the other one": {Config{Strategy: "naive", Model: FIFO}, []System{sends(b{}, a{})},
			profile.Impossible, "rehearse.b"},
		"never by one actor in one execution": {Config{}, []System{sends(a{}), sends(b{})}, profile.Never, ""},
		"each order in a program, and none in both": {Config{Strategy: "naive", Model: FIFO},
			[]System{sends(a{}, b{}), sends(b{}, a{})}, profile.Both, ""},
	} {
		t.Run(name, func(t *testing.T) {
			folder(t)
			c.cfg.CoverProfile = "c.out"
			for _, p := range c.programs {
				if f, _ := try(t, c.cfg, p, env{}); f.failed {
					t.Fatal(f.text())
				}
			}
			p, err := profile.ReadFile("c.out")
			if err != nil {
				t.Fatal(err)
			}
			actors := p.Classify()
			if len(actors) != 1 || len(actors[0].Pairs) != 1 {
				t.Fatalf("%+v", actors)
			}
			got := actors[0].Pairs[0]
			if got.Standing != c.want || c.first != "" && got.First != c.first {
				t.Errorf("got %s, %s first; want %s, %s first", got.Standing, got.First, c.want, c.first)
			}
		})
	}
}
