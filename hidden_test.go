package rehearse_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

// outlives is state that one execution leaves to the next.
var outlives int

// note is a message whose contents decide nothing.
type note struct {
	Text string
	No   int
}

// secretive are programs that make a choice of their own in the handler of one actor, which may send to two others.
var secretive = map[string]func(ctx *actor.Context, to [2]actor.Ref){
	"a package counter decides": func(ctx *actor.Context, to [2]actor.Ref) {
		if outlives++; outlives%7 == 0 {
			ctx.Send(to[0], note{})
		}
	},
	"a package counter in a message": func(ctx *actor.Context, to [2]actor.Ref) {
		outlives++
		ctx.Send(to[0], note{No: outlives})
	},
	"a random receiver":          func(ctx *actor.Context, to [2]actor.Ref) { ctx.Send(to[rand.IntN(2)], note{}) },
	"a random number in a field": func(ctx *actor.Context, to [2]actor.Ref) { ctx.Send(to[0], &note{No: rand.Int()}) },
	"the order of a map decides": func(ctx *actor.Context, to [2]actor.Ref) {
		for i := range map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true} { // which of two is first is hardly random
			ctx.Send(to[i%2], note{})
			return
		}
	},
	"the order of a map in a message": func(ctx *actor.Context, to [2]actor.Ref) {
		text := ""
		for k := range map[string]bool{"a": true, "b": true, "c": true, "d": true, "e": true, "f": true, "g": true, "h": true} {
			text += k
		}
		ctx.Send(to[0], note{Text: text})
	},
}

// keeper keeps the last message.
type keeper struct{ last any }

func (k *keeper) Receive(_ *actor.Context, msg any) { k.last = msg }

func keepsSecret(choice func(*actor.Context, [2]actor.Ref)) rehearse.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		to := [2]actor.Ref{ctx.SpawnNamed("left", &keeper{}), ctx.SpawnNamed("right", &keeper{})}
		ctx.Send(ctx.SpawnNamed("chooser", actor.Func(func(ctx *actor.Context, _ any) { choice(ctx, to) })), deposit{})
	})
}

// Hidden choices are noticed, be it by what is sent or only by what it holds: no result says complete. A program without one is complete.
func TestHiddenChoices(t *testing.T) {
	for name, choice := range secretive {
		for _, strategy := range []string{"auto", "naive", "optimal", "reverse"} {
			for seed := range uint64(10) {
				r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Seed: seed + 1}, keepsSecret(choice))
				if err != nil || r.Complete || !r.Diverged && r.Varied == "" && r.Drawn == "" {
					t.Errorf("%s, %s: error %v, %s", name, strategy, err, r)
				}
			}
		}
	}
	r, err := rehearse.Explore(rehearse.Config{}, keepsSecret(func(ctx *actor.Context, to [2]actor.Ref) { ctx.Send(to[0], &note{No: 1}) }))
	if err != nil || !r.Complete {
		t.Errorf("error %v, %s", err, r)
	}
}

// What differs is named, by field, wherever it is: in a message that nobody keeps, or in an actor that no message told.
func TestVariedContents(t *testing.T) {
	for _, tt := range []struct { // a worker process comes across them in the same order
		want string
		sys  rehearse.System
	}{
		{"the field No of note from Driver to counter held something else", actor.New(func(_ *rehearse.T, ctx *actor.Context) {
			outlives++
			ctx.Send(ctx.SpawnNamed("counter", &ledger{}), &note{No: outlives})
		})},
		{"the field Balance of counter held something else", actor.New(func(_ *rehearse.T, ctx *actor.Context) {
			outlives++
			ctx.Send(ctx.SpawnNamed("counter", &ledger{Balance: outlives}), note{})
		})},
		{"int from Driver to counter held", actor.New(func(_ *rehearse.T, ctx *actor.Context) {
			outlives++
			ctx.Send(ctx.SpawnNamed("counter", &ledger{}), outlives)
		})},
	} {
		for _, workers := range []int{1, 2} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Workers: workers}, tt.sys)
			if err != nil || r.Complete || r.Diverged || !strings.Contains(r.String(), tt.want) {
				t.Errorf("error %v, %d workers\ngot  %s\nwant %s", err, workers, r, tt.want)
			}
		}
	}
}
