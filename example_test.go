package rehearse_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

type (
	deposit  struct{ Amount int }
	withdraw struct{ Amount int }
)

// account must not be overdrawn.
type account struct{ Balance int }

func (a *account) Receive(_ *actor.Context, msg any) {
	switch m := msg.(type) {
	case deposit:
		a.Balance += m.Amount
	case withdraw:
		a.Balance -= m.Amount
	}
}

// bank sends a deposit and a withdrawal without waiting in between.
func bank() rehearse.System {
	return actor.New(func(t *rehearse.T, ctx *actor.Context) {
		a := ctx.SpawnNamed("account", &account{})
		ctx.Send(a, deposit{50})
		ctx.Send(a, withdraw{20})
	})
}

// solvent is checked after every step.
var solvent = rehearse.Invariant{Name: "solvent", Holds: func(s rehearse.State) (err error) {
	s.Actors(func(name, _ string, value any) bool {
		if a, ok := value.(*account); ok && a.Balance < 0 {
			err = errors.New(name + " is overdrawn")
		}
		return true
	})
	return err
}}

// In a test, Check fails with the shortest schedule and saves it.
func ExampleCheck() {
	_ = func(t *testing.T) {
		rehearse.Check(t, rehearse.Config{Invariants: []rehearse.Invariant{solvent}}, bank())
	}
	// Output:
}

// Explore goes on after a violation and gives what it found as values.
func ExampleExplore() {
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Seed: 1, Invariants: []rehearse.Invariant{solvent}},
		bank())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Executions, "executions, complete:", r.Complete)
	for _, f := range r.Findings {
		fmt.Println(f.Violation.Text)
		fmt.Println(f.Culprit)
	}
	// Output:
	// 2 executions, complete: true
	// invariant solvent does not hold: account is overdrawn
	// withdraw from Driver before deposit from Driver at account breaks; the other way round it passes.
}

// A delivery model says which orders there are: where channels keep their order, this program is right.
func ExampleConfig() {
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Seed: 1, Model: rehearse.FIFO,
		Invariants: []rehearse.Invariant{solvent}}, bank())
	fmt.Println(r)
	fmt.Println(err)
	// Output:
	// complete: 1 execution, 2 deliveries, 32 repeats (strategy naive, budget 1000x, seed 1, model fifo, timers quiescent)
	// <nil>
}
