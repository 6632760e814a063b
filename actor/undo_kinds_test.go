package actor_test

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// This file takes steps back of actors that wait for futures, watch each other, or save their own state.

// asksAndAwaits asks with one message and awaits with another, so that the reply may come before and after the wait
// begins.
type asksAndAwaits struct {
	to     actor.Ref
	future *actor.Future
	got    []int
}

func (a *asksAndAwaits) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case ping:
		a.future = ctx.Ask(a.to, ping{})
		ctx.Send(ctx.Self(), pong{})
	case pong:
		v, _ := ctx.Await(a.future)
		a.got = append(a.got, v.(hello).N)
	}
}

type replier struct{ n int }

func (r *replier) Receive(ctx *actor.Context, _ any) {
	r.n++
	ctx.Reply(hello{r.n})
}

// A future that was ready is not ready where one goes back to.
func TestUndoFutures(t *testing.T) {
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(&asksAndAwaits{to: ctx.Spawn(&replier{})}), ping{})
	})
	for seed := range uint64(5) {
		shuttled(t, fmt.Sprint("seed ", seed), sys, bag, seed, 20)
	}
}

// watcher watches when told, and notes the end.
type watcher struct {
	who  actor.Ref
	seen int
}

func (w *watcher) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case ping:
		ctx.Watch(w.who)
	case actor.Terminated:
		w.seen++
	}
}

type mortal struct{ messages int }

func (m *mortal) Receive(ctx *actor.Context, msg any) {
	m.messages++
	if _, last := msg.(pong); last {
		ctx.Stop()
	}
}

// A request to watch is pending again where one goes back to, and answered when its receiver stops. Under mailbox the
// message by which it stops may pass the request, which was handled in the execution before.
func TestUndoWatches(t *testing.T) {
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		m := ctx.Spawn(&mortal{})
		ctx.Send(ctx.Spawn(&watcher{who: m}), ping{})
		ctx.Send(m, ping{})
		ctx.Send(m, pong{})
	})
	for _, c := range []explore.Conditions{bag, mailbox} {
		for seed := range uint64(5) {
			shuttled(t, fmt.Sprint(c.Model, " seed ", seed), sys, c, seed, 20)
		}
	}
}

// saver keeps a function, which cannot be saved, but says itself how to.
type saver struct {
	n    int
	next func(int) int
}

func (s *saver) Receive(ctx *actor.Context, msg any) {
	if s.n = s.next(s.n); s.n < 4 {
		ctx.Send(ctx.Self(), msg)
	}
}

func (s *saver) Snapshot() any { return s.n }

func (s *saver) Restore(state any) { s.n = state.(int) }

func savers(plain bool) *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		step := 1
		s := &saver{next: func(n int) int { return n + step }}
		var b actor.Behavior = s
		if plain {
			b = struct{ actor.Behavior }{s}
		}
		r := ctx.Spawn(b)
		ctx.Send(r, ping{})
		ctx.Send(r, pong{})
	})
}

// What cannot be saved runs from the start, unless it saves itself.
func TestUndoSnapshotter(t *testing.T) {
	if n, short := shuttled(t, "own", savers(false), bag, 1, 20); n != 19 || short > 0 {
		t.Errorf("%d of 19 executions went on from the middle", n)
	}
	if n, _ := shuttled(t, "plain", savers(true), bag, 1, 20); n > 0 {
		t.Errorf("%d executions went on from the middle, although a function cannot be restored", n)
	}
}
