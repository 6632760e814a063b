package protoactor_test

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
)

// stamp is a message that holds all that may differ by itself from one execution to the next.
type stamp struct {
	At     time.Time
	Sender *actor.PID
	Seen   map[string]int
	Random int
}

// What a message holds is compared when an execution is repeated: a random number shows; the clock, which is virtual,
// references to actors and the order of a map do not.
func TestVariedContents(t *testing.T) {
	send := func(random func() int) rehearse.System {
		return chooser(func(ctx actor.Context, to [4]*actor.PID) {
			ctx.Send(to[1], &stamp{time.Now(), ctx.Self(), map[string]int{"a": 1, "b": 2, "c": 3}, random()})
		})
	}
	for _, strategy := range []string{"naive", "auto", "random"} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: strategy}, send(rand.Int))
		if err != nil || r.Complete || r.Diverged || r.Varied != "" || !strings.HasPrefix(r.Drawn, "the field Random of stamp from chooser to receiver1") {
			t.Errorf("%s: error %v, %s", strategy, err, r)
		}
		r, err = rehearse.Explore(rehearse.Config{Strategy: strategy}, send(func() int { return 1 }))
		if err != nil || r.Varied != "" || r.Drawn != "" || r.Complete != (strategy != "random") {
			t.Errorf("%s: error %v, %s", strategy, err, r)
		}
	}
}
