package dpor

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: rankings by an order of actors.
//
//	invariants: a ranking decides what is explored first, and not what is explored: any will do
//	checked by: shuffled_test.go; twin_test.go, in several orders of actors

// byActor ranks steps by an order of actors; of one actor's steps the first in the default order comes first.
type byActor struct {
	order  order.Order
	actors []int32
}

// ByActor makes a ranking of an order of actors.
func ByActor(o order.Order) Ranking { return &byActor{order: o} }

// bind and open hand on to an order that looks at more than the record what the search is told.
func bind(rank Ranking, e explore.Env) error {
	if b, ok := rank.(*byActor); ok {
		return order.Bind(b.order, e)
	}
	return nil
}

func open(rank Ranking, x explore.Execution) {
	if b, ok := rank.(*byActor); ok {
		order.Open(b.order, x)
	}
}

// named adds the order of actors to the name of a strategy.
func named(strategy string, rank Ranking) string {
	if b, ok := rank.(*byActor); ok {
		return strategy + "/" + b.order.Name()
	}
	return strategy
}

// Rank is Ranking.
func (b *byActor) Rank(tr *trace.Trace, enabled []trace.Step) []int {
	b.actors = b.order.Actors(b.actors[:0], tr, enabled)
	ranked := make([]int, 0, len(enabled))
	for _, a := range b.actors {
		from := len(ranked)
		for i := range enabled {
			if enabled[i].Actor != a {
				continue
			}
			at := len(ranked)
			ranked = append(ranked, i)
			for ; at > from && enabled[i].Before(&enabled[ranked[at-1]]); at-- {
				ranked[at] = ranked[at-1]
			}
			ranked[at] = i
		}
	}
	return ranked
}
