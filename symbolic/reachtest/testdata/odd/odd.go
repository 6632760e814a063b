// Package odd has actors whose drivers are written in many ways.
package odd

import (
	"math/big"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Job is a message.
type Job struct {
	N    int
	Text string
	Back actor.Ref
}

// Pair is another one.
type Pair struct{ A, B Job }

// Worker does nothing.
type Worker struct{ Seen int }

// Receive implements actor.Behavior.
func (w *Worker) Receive(_ *actor.Context, msg any) {
	if m, ok := msg.(Job); ok && m.N == 7 {
		w.Seen++
	}
}

// Post sends a job.
func Post(ctx *actor.Context, to actor.Ref, n int, text string) error {
	ctx.Send(to, Job{N: n, Text: text})
	return nil
}

// Hire makes a worker and gives it a job.
func Hire(ctx *actor.Context) actor.Ref {
	w := ctx.SpawnNamed("hired", &Worker{})
	ctx.Send(w, Job{N: 1})
	return w
}

// Batch is a message with several parts.
type Batch struct{ Jobs []Job }

// PostAll sends a batch of one.
func PostAll(ctx *actor.Context, to actor.Ref, n int) {
	ctx.Send(to, Batch{[]Job{{N: n, Text: "all"}}})
}

// list is a message that other packages cannot name.
type list struct {
	items []int
	n     int
}

// Deliver sends a list.
func Deliver(ctx *actor.Context, to actor.Ref, items []int, n int) { ctx.Send(to, list{items, n}) }

// System has a worker.
func System(jobs int, names ...string) *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		w := ctx.SpawnNamed("w", &Worker{})
		for range jobs {
			ctx.Send(w, Job{Text: names[0]})
		}
	})
}

// Sum is a message with a number of any size.
type Sum struct{ Of *big.Int }

// Adder adds numbers.
type Adder struct {
	total  big.Int
	gained int
}

// Receive implements actor.Behavior.
func (a *Adder) Receive(_ *actor.Context, msg any) {
	if m, ok := msg.(Sum); ok {
		if m.Of.Sign() > 0 {
			a.gained++
			return
		}
		a.total.Add(&a.total, m.Of)
	}
}
