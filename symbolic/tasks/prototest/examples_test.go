package prototest

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/deadlock"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes the cases of an example, whose types of actors are its own: they are taken from an execution of
// it.

// actors gives the types of the actors that a program starts, by name.
func actors(t *testing.T, start func(*actor.ActorSystem) error) map[string]reflect.Type {
	t.Helper()
	found := map[string]reflect.Type{}
	sys := protoactor.System(func(t *explore.T) {
		if err := start(newSystem()); err != nil {
			t.Fatal(err)
		}
	})
	o := explore.Options{Conditions: explore.Conditions{Model: trace.MailboxSerial}, Check: &check.Checker{Final: func(s check.State) error {
		s.Actors(func(_, typ string, value any) bool {
			found[typ] = reflect.TypeOf(value)
			return true
		})
		return nil
	}}}
	if _, err := explore.Run(sys, &strategy{pick: func(*trace.Trace, []trace.Step) int { return 0 }}, o); err != nil {
		t.Fatal(err)
	}
	return found
}

// made makes an actor of a type whose fields are not ours to set otherwise.
func made(typ reflect.Type, fields map[string]any) actor.Actor {
	v := reflect.New(typ.Elem())
	for path, x := range fields {
		f := v.Elem()
		for name := range strings.SplitSeq(path, ".") {
			f = f.FieldByName(name)
		}
		if x := reflect.ValueOf(x); x.IsValid() {
			reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Set(x)
		}
	}
	return v.Interface().(actor.Actor)
}

var items = []string{"lamp", "desk"}

func item(rng *rand.Rand) string { return items[rng.IntN(len(items))] }

// stock is what an inventory has of each item; sometimes nil.
func stock(rng *rand.Rand) map[string]int {
	if rng.IntN(6) == 0 {
		return nil
	}
	m := map[string]int{}
	for _, name := range items {
		if rng.IntN(2) == 0 {
			m[name] = small(rng)
		}
	}
	return m
}

// offices are the handlers of examples/deadlock that ask others: one blocks, one stays open, and the inventory asks
// back.
func offices(types map[string]reflect.Type) []subject {
	const dir = "../../../examples/deadlock"
	orders := func(prefix string) func(rng *rand.Rand, typ reflect.Type) actor.Actor {
		return func(rng *rand.Rand, typ reflect.Type) actor.Actor {
			fields := map[string]any{prefix + "inventory": somebody(rng), prefix + "timeout": limit(rng), prefix + "book": &deadlock.Book{}}
			if rng.IntN(6) == 0 {
				fields[prefix+"book"] = (*deadlock.Book)(nil)
			}
			var waiting []deadlock.Place
			for range rng.IntN(3) {
				waiting = append(waiting, deadlock.Place{Order: "old", Item: item(rng), Count: small(rng)})
			}
			fields[prefix+"waiting"] = waiting
			return made(typ, fields)
		}
	}
	place := func(rng *rand.Rand) any { return deadlock.Place{Order: "new", Item: item(rng), Count: small(rng)} }
	reserved := []any{deadlock.Reserved{OK: true}, deadlock.Reserved{}, 3, nil}
	open, blocked, inventory := types["deadlock.openOrders"], types["deadlock.orders"], types["deadlock.inventory"]
	return []subject{
		{dir: dir, actor: "deadlock.openOrders", message: "deadlock.Place", recv: "o", msg: place, answers: reserved,
			make: func(rng *rand.Rand) actor.Actor { return orders("orders.")(rng, open) }},
		{dir: dir, actor: "deadlock.orders", message: "deadlock.Place", recv: "o", msg: place, answers: reserved,
			make: func(rng *rand.Rand) actor.Actor { return orders("")(rng, blocked) }},
		{dir: dir, actor: "deadlock.inventory", message: "deadlock.Delivery", recv: "i", answers: []any{deadlock.Backlog{Count: 1}, deadlock.Backlog{Count: 4}, "no", nil},
			msg: func(rng *rand.Rand) any { return deadlock.Delivery{Item: item(rng), Count: small(rng)} },
			make: func(rng *rand.Rand) actor.Actor {
				return made(inventory, map[string]any{"orders": somebody(rng), "timeout": limit(rng), "free": stock(rng), "aside": stock(rng)})
			}},
	}
}

// TestExamples: the cases of an example, executed by it.
func TestExamples(t *testing.T) {
	types := map[string]reflect.Type{}
	for _, fixed := range []bool{false, true} {
		for name, typ := range actors(t, func(sys *actor.ActorSystem) error {
			_, err := deadlock.Open(sys, deadlock.Config{Fixed: fixed, Timeout: time.Second})
			return err
		}) {
			types[name] = typ
		}
	}
	rng := rand.New(rand.NewPCG(7, 8))
	for _, s := range offices(types) {
		p := program(t, s.dir)
		var all executions
		for _, timers := range []tasks.Timers{tasks.Quiescent, tasks.Async} {
			c := tasks.Config{Timers: timers}
			r, err := p.Cases(t.Context(), s.actor, s.message, c)
			if err != nil || r.Bounded() {
				t.Fatal(err, r.Cuts, r.Defect)
			}
			for range 3 {
				all.add(s.executed(t, rng, p, c, r, 6))
			}
		}
		t.Logf("%s on %s: %+v", s.actor, s.message, all)
		if all.executed < 50 {
			t.Errorf("%s: only %d executions", s.actor, all.executed)
		}
	}
}
