package prototest

import (
	"os"
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has programs whose actors panic, and are restarted by the default supervision.

// life is told of what happens to an actor.
type life struct{ what int }

// frail panics at some notes. Its instances count for themselves.
type frail struct {
	log  *actor.PID
	seen int
	kids int
}

func (f *frail) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		ctx.Send(f.log, life{1})
		for range f.kids {
			ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &frail{log: f.log} }))
		}
	case *actor.Restarting:
		ctx.Send(f.log, life{2 + f.seen})
	case *actor.Stopping:
		ctx.Send(f.log, life{20})
	case *actor.Stopped:
		ctx.Send(f.log, life{30})
	case *actor.Terminated:
		ctx.Send(f.log, life{40})
	case note:
		if f.seen++; m.n == 0 {
			ctx.Send(ctx.Self(), note{5})
			panic("no")
		}
		ctx.Send(f.log, life{50 + f.seen})
	}
}

// overseer has a frail child, and is not told of its failures.
type overseer struct {
	log   *actor.PID
	child *actor.PID
}

func (b *overseer) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		b.child = ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &frail{log: b.log, kids: 2} }))
	case note:
		ctx.Send(b.child, m)
		if m.n == 9 {
			ctx.Stop(b.child)
		}
	}
}

func keeper() *actor.Props {
	return actor.PropsFromFunc(func(ctx actor.Context) {
		if m, ok := ctx.Message().(life); ok && m.what == 51 {
			logged()
		}
	})
}

func logged() {}

// wholeRestarts has an actor of the root that panics, twice, and one of another actor, with children of its own.
func wholeRestarts() explore.System {
	return protoactor.System(func(t *explore.T) {
		root := newSystem().Root
		log := root.SpawnPrefix(keeper(), "log")
		f := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &frail{log: log} }))
		b := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &overseer{log: log} }))
		for _, n := range []int{1, 0, 2, 0, 3} {
			root.Send(f, note{n})
			root.Send(b, note{n})
		}
		root.Send(b, note{9})
	})
}

// brittle panics when it is restarted, and when it begins anew.
type brittle struct{ times *int }

func (b *brittle) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		if *b.times++; *b.times == 2 {
			panic("again")
		}
	case *actor.Restarting:
		if *b.times == 2 {
			*b.times++
			panic("not now")
		}
	case note:
		panic("no")
	}
}

func wholeBrittle() explore.System {
	return protoactor.System(func(t *explore.T) {
		root := newSystem().Root
		times := 0
		b := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &brittle{&times} }))
		root.Send(b, note{1})
		f := root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if m, ok := ctx.Message().(note); ok && m.n == 0 {
				panic("a function")
			}
		}))
		root.Send(f, note{0})
		root.Send(f, note{1})
		root.Stop(f)
	})
}

// renewed sends one note, by which an actor panics that has made itself another one. Its instances begin with a number.
func renewed(first int) explore.System {
	return protoactor.System(func(t *explore.T) {
		root := newSystem().Root
		log := root.SpawnPrefix(keeper(), "log")
		root.Send(root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &frail{log: log, seen: first} })), note{0})
	})
}

func renewedFrom0() explore.System { return renewed(0) }

func renewedFrom1() explore.System { return renewed(1) }

// restartModels are both models, by default that of the framework.
func restartModels() []trace.Model {
	if os.Getenv("REHEARSE_TOY") == "" {
		return []trace.Model{trace.Mailbox}
	}
	return []trace.Model{trace.Bag, trace.Mailbox}
}

// The new instance handles what the mailbox had when the old one panicked, and counts from the beginning.
func TestSearchBehindRestart(t *testing.T) {
	l, p := wholeProgram(t)
	for _, pkg := range l.Packages {
		for name, make := range map[string]func() explore.System{"renewedFrom0": renewedFrom0, "renewedFrom1": renewedFrom1} {
			fn := pkg.SSA.Func(name)
			if fn == nil {
				continue
			}
			s, err := p.Start(t.Context(), p.DriversOf(fn)[0], system.Config{})
			if err != nil {
				t.Fatal(err)
			}
			for _, model := range restartModels() {
				found := p.Search(t.Context(), s, []system.Goal{{Block: pkg.SSA.Func("logged").Blocks[0]}}, model, system.Bounds{Steps: 6, Sent: true})
				if is, want := found.Ways[0] != nil, logs(t, make(), model); is != want || want != (name == "renewedFrom0") || !found.Complete() {
					t.Errorf("%s, %v: found %v, want %v; complete %v, %v", name, model, is, want, found.Complete(), found.Cuts)
				}
			}
		}
	}
}

// logs reports whether the compiled program sends what has itself logged, in any order.
func logs(t *testing.T, s explore.System, model trace.Model) (is bool) {
	t.Helper()
	out, err := explore.Run(s, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: model, Horizon: time.Minute}, Budget: explore.Budget{Executions: 20_000},
		After: func(_ *explore.Counters, tr *trace.Trace) {
			is = is || slices.ContainsFunc(tr.Messages, func(m trace.Message) bool { return m.Value == life{51} })
		}})
	if err != nil || !out.Complete {
		t.Fatalf("%v: not all orders were executed: %v, %+v", model, err, out)
	}
	return is
}
