package rehearse_test

import (
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/tests/uncontrolled"
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
		for i := range map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true} {
			// which of two is first is hardly random
			ctx.Send(to[i%2], note{})
			return
		}
	},
	"the order of a map in a message": func(ctx *actor.Context, to [2]actor.Ref) {
		text := ""
		for k := range map[string]bool{"a": true, "b": true, "c": true, "d": true, "e": true, "f": true,
			"g": true, "h": true} {
			text += k
		}
		ctx.Send(to[0], note{Text: text})
	},
	"a rare random number decides": func(ctx *actor.Context, to [2]actor.Ref) {
		if rand.IntN(100) == 0 {
			ctx.Send(to[0], note{})
		}
	},
	"a select decides": func(ctx *actor.Context, to [2]actor.Ref) {
		a, b := make(chan int, 1), make(chan int, 1)
		a <- 0
		b <- 1
		select {
		case n := <-a:
			ctx.Send(to[n], note{})
		case n := <-b:
			ctx.Send(to[n], note{})
		}
	},
	"a goroutine outlives its handler": func(ctx *actor.Context, to [2]actor.Ref) {
		go later.Add(1)
		ctx.Send(to[0], note{No: int(later.Load() % 2)})
	},
	"goroutines that are waited for": func(ctx *actor.Context, to [2]actor.Ref) {
		ctx.Send(to[0], note{No: lastOf(2)})
	},
	"memory behind a mutex": func(*actor.Context, [2]actor.Ref) {
		behind.Lock()
		behind.n++
		behind.Unlock()
	},
	"memory behind a mutex, and a message": func(ctx *actor.Context, to [2]actor.Ref) {
		behind.Lock()
		behind.n++
		ctx.Send(to[0], note{No: behind.n})
		behind.Unlock()
	},
}

// later counts what goroutines that outlive their handlers do.
var later atomic.Int64

// behind is memory of a package that all actors may share.
var behind struct {
	sync.Mutex
	n int
}

// lastOf starts n goroutines, waits for them, and gives the one that wrote last.
func lastOf(n int) (last int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range n {
		wg.Go(func() {
			mu.Lock()
			last = i
			mu.Unlock()
		})
	}
	wg.Wait()
	return last
}

// keeper keeps the last message.
type keeper struct{ last any }

func (k *keeper) Receive(_ *actor.Context, msg any) { k.last = msg }

// keepsSecret is a program with two actors that make the choice.
func keepsSecret(choice func(*actor.Context, [2]actor.Ref)) rehearse.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		to := [2]actor.Ref{ctx.SpawnNamed("left", &keeper{}), ctx.SpawnNamed("right", &keeper{})}
		for _, name := range []string{"chooser", "other"} {
			ctx.Send(ctx.SpawnNamed(name, actor.Func(func(ctx *actor.Context, _ any) { choice(ctx, to) })), deposit{})
		}
	})
}

// unseen are the hidden choices that a complete result may have, with what the result says of them. naive takes steps
// in all orders, so that memory between them is none of what it leaves out.
var unseen = map[string]uncontrolled.Word{
	"a rare random number decides": {Says: "32 executions went alike with others, and no more were tried"},
	"memory behind a mutex":        {Says: "package variables (make facts: rehearse facts)", Unless: "naive"},
}

// Hidden choices are noticed, be it by what is sent or only by what it holds: no result says complete without a word. A
// program without one is complete.
func TestHiddenChoices(t *testing.T) {
	judge := uncontrolled.Judge{Words: unseen,
		Explored: []string{"the order of a map decides", "the order of a map in a message", "a select decides"}}
	for name, choice := range secretive {
		judge.Check(t, name, keepsSecret(choice))
	}
	r, err := rehearse.Explore(rehearse.Config{},
		keepsSecret(func(ctx *actor.Context, to [2]actor.Ref) { ctx.Send(to[0], &note{No: 1}) }))
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
		{"the field No of note from Driver to counter held something else",
			actor.New(func(_ *rehearse.T, ctx *actor.Context) {
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

// TestWorkersSayAsMuch: a divided exploration says all that one process says of what it does not control.
func TestWorkersSayAsMuch(t *testing.T) {
	uncontrolled.CheckWorkers(t, func(always bool, does func()) rehearse.System {
		return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
			n := 0
			to := ctx.SpawnNamed("to", actor.Func(func(_ *actor.Context, msg any) {
				if n++; n == 1 && (always || msg == 3) {
					does()
				}
			}))
			for i := range 4 {
				ctx.Send(to, i)
			}
		})
	})
}
