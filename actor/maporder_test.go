package actor_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	relation "github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// broadcaster sends in the order of a map. Most entries are of nobody, so that each order of the others is likely.
type broadcaster struct{ to map[int]actor.Ref }

func (b *broadcaster) Receive(ctx *actor.Context, _ any) {
	for n, to := range b.to {
		switch {
		case to == actor.Ref{}:
		case n == 6:
			ctx.Send(to, pong{})
		default:
			ctx.Send(to, hello{n})
		}
	}
}

// forwarder passes on each message.
type forwarder struct{ to actor.Ref }

func (f *forwarder) Receive(ctx *actor.Context, msg any) {
	if f.to != (actor.Ref{}) {
		ctx.Send(f.to, msg)
	}
}

// The programs of broadcasts: what the receivers do.
const (
	silentOnes  = iota // nothing
	toOne              // they send to one other actor
	toEachOther        // one sends to the other
	twoTypes           // nothing, but one gets two messages of different types
)

// broadcast is a program with a broadcaster and two receivers, to the first of which another one sends too.
func broadcast(kind int) program {
	return func(_ *explore.T, ctx *actor.Context) {
		sink := ctx.SpawnNamed("sink", &drained{})
		var a, b forwarder
		if kind == toOne {
			a.to, b.to = sink, sink
		}
		first := ctx.SpawnNamed("first", &a)
		if kind == toEachOther {
			b.to = first
		}
		at := [7]actor.Ref{0: first, 3: ctx.SpawnNamed("second", &b)}
		if kind == twoTypes {
			at[6] = first
		}
		to := map[int]actor.Ref{}
		for n, ref := range at {
			to[n] = ref
		}
		ctx.Send(ctx.SpawnNamed("broadcaster", &broadcaster{to}), ping{})
		ctx.Send(first, ping{})
	}
}

// classesUnder gives what each actor handles, in its order, in all executions under one seed of Go's choices, and how
// the exploration ended.
func classesUnder(t *testing.T, p program, c explore.Conditions) (map[string]bool, explore.Outcome) {
	t.Helper()
	classes := map[string]bool{}
	out, err := explore.Run(actor.New(p), search.NewNaive(), explore.Options{Conditions: c,
		Orders: relation.NewSends(c), Repeats: 16, Redraw: true,
		Repeat: func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) },
		After:  func(_ *explore.Counters, tr *trace.Trace) { classes[handledBy(tr)] = true }})
	if err != nil {
		t.Fatal(err)
	}
	return classes, out
}

// handledBy lists actors with what they have handled, by identity.
func handledBy(tr *trace.Trace) string {
	by := make([]string, len(tr.Actors))
	for i := range by {
		by[i] = tr.Actors[i].ID.String()
	}
	for i := range tr.Events {
		if s := &tr.Events[i].Step; s.Kind == trace.Deliver {
			by[s.Actor] += " " + s.ID.String()
		}
	}
	slices.Sort(by)
	return strings.Join(by, "\n")
}

// Sends to different receivers have the same identities in whatever order a map has them sent. Where the model keeps no
// order between them, all seeds of Go's choices explore the same, completely. Where it does, seeds may differ, and no
// result is complete.
func TestSendsInTheOrderOfAMap(t *testing.T) {
	needsChance(t)
	seeds := uint64(4)
	if os.Getenv("REHEARSE_TOY") != "" {
		seeds = 12
	}
	counts := true // whether the order counts, by model and kind
	for _, tt := range []struct {
		model trace.Model
		order [4]bool
	}{
		{trace.Bag, [4]bool{}},
		{trace.FIFO, [4]bool{twoTypes: counts}},
		{trace.Causal, [4]bool{toEachOther: counts, twoTypes: counts}},
		{trace.Mailbox, [4]bool{toEachOther: counts, twoTypes: counts}},
		{trace.MailboxSerial, [4]bool{twoTypes: counts}},
	} {
		for kind, counts := range tt.order {
			t.Run(fmt.Sprint(tt.model, kind), func(t *testing.T) {
				sendsInTheOrderOfAMap(t, tt.model, kind, counts, seeds)
			})
		}
	}
}

// sendsInTheOrderOfAMap explores under each seed; counts: the order counts. Where draws have numbers each order is
// explored, and there is no more to say.
func sendsInTheOrderOfAMap(t *testing.T, model trace.Model, kind int, counts bool, seeds uint64) {
	p, c := broadcast(kind), explore.Conditions{Model: model, Copy: true}
	if chance.Numbered() {
		c.Draws = 9
		if _, out := classesUnder(t, p, c); !out.Complete || out.Uncontrolled != "" || out.Drawn != "" {
			t.Errorf("each order is explored: %+v", out)
		}
		return
	}
	all, complete := map[string]bool{}, []map[string]bool{}
	differ, incomplete := false, false
	for seed := range seeds {
		c.Choices = seed
		got, out := classesUnder(t, p, c)
		differ = differ || seed > 0 && !maps.Equal(got, all)
		maps.Copy(all, got)
		if out.Complete {
			complete = append(complete, got)
		}
		incomplete = incomplete || !out.Complete
		if out.Diverged || out.Complete == (out.Uncontrolled != "" || out.Drawn != "") {
			t.Errorf("seed %d: %+v", seed, out)
		}
	}
	for _, got := range complete {
		if len(got) != len(all) {
			t.Errorf("a result is complete with %d of %d classes", len(got), len(all))
		}
	}
	if (differ || incomplete) && !counts {
		t.Error("the order counts")
	}
	if kind >= toEachOther && counts && (!differ || !incomplete) {
		t.Error("the order does not count")
	}
}

// spawner spawns a child for each key of a map, and sends it the key.
type spawner struct {
	keys  map[int]bool
	named bool
}

func (s *spawner) Receive(ctx *actor.Context, _ any) {
	for n := range s.keys {
		name := ""
		if s.named {
			name = fmt.Sprint("child", n)
		}
		ctx.Send(ctx.SpawnNamed(name, &drained{}), hello{n})
	}
}

// Children with names have the same identities in whatever order a map has them spawned. Others are numbered as they
// come.
func TestChildrenInTheOrderOfAMap(t *testing.T) {
	needsChance(t)
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		for _, named := range []bool{true, false} {
			alike := true
			c := explore.Conditions{Model: model, Copy: true}
			usual := keysOfChildren(t, named, c)
			for c.Choices = range uint64(8) {
				alike = alike && maps.Equal(keysOfChildren(t, named, c), usual)
			}
			if alike != named {
				t.Errorf("%v: children with names %v have the same keys under all seeds %v", model, named, alike)
			}
		}
	}
}

// keysOfChildren gives what the children of a spawner are sent, by identity, in all executions under one seed of Go's
// choices.
func keysOfChildren(t *testing.T, named bool, c explore.Conditions) map[string]bool {
	t.Helper()
	p := func(_ *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(&spawner{map[int]bool{1: true, 2: true, 3: true}, named}), ping{})
	}
	keys := map[string]bool{}
	_, err := explore.Run(actor.New(p), search.NewNaive(),
		explore.Options{Conditions: c, After: func(_ *explore.Counters, tr *trace.Trace) {
			for i := range tr.Messages {
				m := &tr.Messages[i]
				keys[fmt.Sprint(m.ID, tr.Actors[m.Receiver].ID, m.Value)] = true
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}
