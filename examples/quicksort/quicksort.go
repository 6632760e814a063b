// Package quicksort sorts numbers with a tree of actors, after the program quicksort of [Basset11].
package quicksort

import (
	"slices"

	"github.com/asynkron/protoactor-go/actor"
)

// Messages.
type (
	order struct { // "sort" in the paper
		caller *actor.PID // nobody at the top
		values []int
	}
	done struct{ values []int }
)

// Result takes the sorted numbers. The topmost actor alone writes it; read it when all is at rest.
type Result struct{ Values []int }

// Tree is a tree of sorters that has only its root yet.
type Tree struct {
	system *actor.ActorSystem
	top    *actor.PID
}

// New plants a tree.
func New(system *actor.ActorSystem, result *Result) Tree {
	return Tree{system, system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &sorter{result: result} }))}
}

// Sort sorts the numbers.
func (t Tree) Sort(values []int) { t.system.Root.Send(t.top, order{values: slices.Clone(values)}) }

// sorter splits what it is to sort between two children, and joins what they return.
type sorter struct {
	caller *actor.PID
	first  []int
	seen   bool
	result *Result // of the topmost one
}

// Receive implements actor.Actor.
func (s *sorter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case order:
		s.caller = msg.caller
		left, right := split(msg.values)
		if right == nil {
			s.finish(ctx, left)
			return
		}
		for _, part := range [][]int{left, right} {
			child := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &sorter{} }))
			ctx.Send(child, order{ctx.Self(), part})
		}
	case done:
		if !s.seen {
			s.first, s.seen = msg.values, true
			return
		}
		lower, upper := s.first, msg.values
		if lower[0] > upper[0] {
			lower, upper = upper, lower
		}
		s.finish(ctx, slices.Concat(lower, upper))
	}
}

func (s *sorter) finish(ctx actor.Context, values []int) {
	if s.caller != nil {
		ctx.Send(s.caller, done{values})
		return
	}
	s.result.Values = values
}

// split gives the numbers below and above the first. The numbers equal to it stand in for an empty side, else they join
// the shorter one. If all are equal there is no right side.
func split(a []int) (left, right []int) {
	var less, equal, greater []int
	for _, v := range a {
		switch {
		case v < a[0]:
			less = append(less, v)
		case v > a[0]:
			greater = append(greater, v)
		default:
			equal = append(equal, v)
		}
	}
	switch {
	case len(less) == 0 && len(greater) == 0:
		return equal, nil
	case len(less) == 0:
		return equal, greater
	case len(greater) == 0:
		return less, equal
	case len(less) < len(greater):
		return append(less, equal...), greater
	}
	return less, append(greater, equal...)
}
