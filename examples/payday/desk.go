package payday

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Desk.
type Config struct {
	Till  int  // cents in the till on payday
	Fixed bool // bills are paid by rank
}

// Desk takes bills and pays them.
type Desk struct {
	root *actor.RootContext
	pid  *actor.PID
	till *till
}

// Open starts a desk in an actor system of its own.
func Open(cfg Config) (*Desk, error) {
	d := &Desk{root: actor.NewActorSystem().Root, till: &till{cents: cfg.Till, byRank: cfg.Fixed, bills: map[string]Bill{}, paid: map[string]bool{}}}
	var err error
	d.pid, err = d.root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return d.till }), "desk")
	if err != nil {
		return nil, fmt.Errorf("payday: start desk: %w", err)
	}
	return d, nil
}

// Owe hands in a bill.
func (d *Desk) Owe(b Bill) { d.root.Send(d.pid, b) }

// Pay makes this the payday.
func (d *Desk) Pay() { d.root.Send(d.pid, Payday{}) }

// Paid reports whether somebody got the money. Ask when the desk is at rest.
func (d *Desk) Paid(to string) bool { return d.till.paid[to] }

// till is the actor behind the desk.
type till struct {
	cents  int
	byRank bool
	bills  map[string]Bill // by creditor
	paid   map[string]bool
}

// Receive implements actor.Actor.
func (t *till) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Bill:
		t.bills[msg.To] = msg
	case Payday:
		if t.byRank {
			t.payByRank()
			return
		}
		for _, b := range t.bills { // in any order: who comes last may get nothing
			t.pay(b)
		}
	}
}

// payByRank pays what matters most first.
func (t *till) payByRank() {
	for _, b := range slices.SortedFunc(maps.Values(t.bills), func(a, b Bill) int { return cmp.Compare(a.Rank, b.Rank) }) {
		t.pay(b)
	}
}

// pay pays a bill that the till can bear.
func (t *till) pay(b Bill) {
	if b.Cents <= t.cents {
		t.cents -= b.Cents
		t.paid[b.To] = true
	}
}
