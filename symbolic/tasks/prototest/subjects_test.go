package prototest

import (
	"math/rand/v2"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/symbolic/tasks/prototest/programs"
)

var subjects = []subject{
	{dir: "programs", actor: "programs.Till", message: "programs.Pay", recv: "t",
		make: func(rng *rand.Rand) actor.Actor {
			return &programs.Till{Balance: small(rng), Paid: small(rng), Bank: somebody(rng), Limit: limit(rng)}
		},
		msg: pay,
		queued: map[string]func(*rand.Rand) any{
			"programs.Set":  set,
			"programs.Set2": func(rng *rand.Rand) any { return programs.Set2{N: small(rng)} },
		},
		answers: []any{0, 1, 2, 3, nil, "text"}, queue: 2},
	{dir: "programs", actor: "programs.Clerk", message: "programs.Pay", recv: "c",
		make: func(rng *rand.Rand) actor.Actor {
			return &programs.Clerk{Balance: small(rng), Bank: somebody(rng), Limit: limit(rng)}
		},
		msg:     pay,
		queued:  map[string]func(*rand.Rand) any{"programs.Set": set},
		answers: []any{0, 1, 2, nil}, queue: 1},
	{dir: "programs", actor: "programs.Pair", message: "programs.Both", recv: "p",
		make: func(rng *rand.Rand) actor.Actor {
			return &programs.Pair{Last: small(rng), Sum: small(rng), First: somebody(rng), Next: somebody(rng)}
		},
		msg:     func(rng *rand.Rand) any { return programs.Both{N: small(rng)} },
		queued:  map[string]func(*rand.Rand) any{"programs.Set": set},
		answers: []any{0, 1, 2, nil}, queue: 1},
	{dir: "programs", actor: "programs.Desk", message: "programs.Pay", recv: "d",
		make: func(rng *rand.Rand) actor.Actor {
			return &programs.Desk{Busy: rng.IntN(4) == 0, Total: small(rng), Bank: somebody(rng)}
		},
		msg: pay,
		queued: map[string]func(*rand.Rand) any{
			"programs.Set":  set,
			"programs.Set2": func(rng *rand.Rand) any { return programs.Set2{N: small(rng)} },
		},
		answers: []any{0, 1, 2, nil}, queue: 1},
	boss("Add", func(n int) any { return programs.Add{N: n} }),
	boss("Deep", func(n int) any { return programs.Deep{N: n} }),
	boss("Self", func(n int) any { return programs.Self{N: n} }),
	boss("Tell", func(n int) any { return programs.Tell{N: n} }),
	boss("Pass", func(n int) any { return programs.Pass{N: n} }),
	boss("Pipes", func(n int) any { return programs.Pipes{N: n} }).with(func(b *programs.Boss) {
		// a nil PID panics on the goroutine of whoever completes the future
		if b.Peer == nil {
			b.Peer = pid("bank")
		}
	}),
	boss("Twice", func(n int) any { return programs.Twice{N: n} }),
	boss("Breaks", func(n int) any { return programs.Breaks{N: n} }),
	boss("Waits", func(n int) any { return programs.Waits{N: n} }),
	boss("Unknown", func(n int) any { return programs.Unknown{N: n} }),
}

func pay(rng *rand.Rand) any { return programs.Pay{N: small(rng)} }
func set(rng *rand.Rand) any { return programs.Set{N: small(rng)} }

// boss is a handler of programs.Boss.
func boss(message string, make func(n int) any) subject {
	return subject{dir: "programs", actor: "programs.Boss", message: "programs." + message, recv: "b",
		make: func(rng *rand.Rand) actor.Actor {
			return &programs.Boss{Sum: small(rng), Peer: somebody(rng), Other: somebody(rng)}
		},
		msg:     func(rng *rand.Rand) any { return make(rng.IntN(9) - 2) },
		queued:  map[string]func(*rand.Rand) any{"programs.Result": func(rng *rand.Rand) any { return programs.Result{N: small(rng)} }},
		answers: []any{0, 1, 2, nil}}
}

// with mends the states of a subject.
func (s subject) with(mend func(*programs.Boss)) subject {
	make := s.make
	s.make = func(rng *rand.Rand) actor.Actor {
		b := make(rng).(*programs.Boss)
		mend(b)
		return b
	}
	return s
}
