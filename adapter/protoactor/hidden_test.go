package protoactor_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/internal/tests/uncontrolled"
)

// outlives is state that one execution leaves to the next, and later what goroutines do that outlive their handlers.
var (
	outlives int
	later    atomic.Int64
	locked   struct {
		sync.Mutex
		n int
	}
)

// hiddenChoices are programs that make a choice of their own in a handler, which may send to others.
var hiddenChoices = map[string]func(ctx actor.Context, to [4]*actor.PID){
	"a package counter decides": func(ctx actor.Context, to [4]*actor.PID) {
		if outlives++; outlives%7 == 0 {
			ctx.Send(to[0], ping{})
		}
	},
	"a package counter in a message": func(ctx actor.Context, to [4]*actor.PID) {
		outlives++
		ctx.Send(to[0], ping{outlives})
	},
	"a random receiver": func(ctx actor.Context, to [4]*actor.PID) { ctx.Send(to[rand.IntN(4)], ping{}) },
	"a rare random number decides": func(ctx actor.Context, to [4]*actor.PID) {
		if rand.IntN(100) == 0 {
			ctx.Send(to[0], ping{})
		}
	},
	"the order of a map decides": func(ctx actor.Context, to [4]*actor.PID) {
		for _, pid := range byNumber(to) {
			ctx.Send(pid, ping{})
			return
		}
	},
	"the order of a map in a message": func(ctx actor.Context, to [4]*actor.PID) {
		text := 0
		for n := range byNumber(to) {
			text = 10*text + n
		}
		ctx.Send(to[0], ping{text})
	},
	"a goroutine outlives its handler": func(ctx actor.Context, to [4]*actor.PID) {
		go later.Add(1)
		ctx.Send(to[0], ping{})
	},
	"goroutines that are waited for": func(ctx actor.Context, to [4]*actor.PID) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		last := 0
		for n := range to {
			wg.Go(func() {
				mu.Lock()
				last = n
				mu.Unlock()
			})
		}
		wg.Wait()
		ctx.Send(to[0], ping{last})
	},
	"memory behind a mutex": func(actor.Context, [4]*actor.PID) {
		locked.Lock()
		locked.n++
		locked.Unlock()
	},
	"memory behind a mutex, and a message": func(ctx actor.Context, to [4]*actor.PID) {
		locked.Lock()
		locked.n++
		ctx.Send(to[0], ping{locked.n})
		locked.Unlock()
	},
}

// unseen are the hidden choices that a complete result may have, with what the result says of them. naive takes steps
// in all orders, so that memory between them is none of what it leaves out.
var unseen = map[string]uncontrolled.Word{
	"a rare random number decides": {Says: "went alike with others, and no more were tried"},
	"memory behind a mutex":        {Says: "package variables (make facts: rehearse facts)", Unless: "naive"},
}

// Hidden choices are noticed: no result says complete without a word.
func TestHiddenChoices(t *testing.T) {
	judge := uncontrolled.Judge{
		Config:     rehearse.Config{Model: rehearse.Bag},
		Strategies: []string{"auto", "naive", "source"},
		Excused:    func(r rehearse.Result) bool { return r.Reason == "budget" },
		Words:      unseen,
		Explored:   []string{"the order of a map decides", "the order of a map in a message"},
	}
	for name, choice := range hiddenChoices {
		judge.Check(t, name, chooser(choice))
	}
}
