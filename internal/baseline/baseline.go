// Package baseline holds the published partial-order reductions for actor programs, to the letter of their published
// counts.
//
//	baseline.go    this file: the algorithms by name, and where they are sound
//	search.go      the depth-first search that they share: an explore.Strategy that repeats its path, or keeps it
//	node.go        a state on the path: what is enabled there, what is to be explored
//	collide.go     steps of different actors that depend on each other, which the sources do not have
//	race.go        which earlier states an event, or a message that it sent, concerns
//	persistent.go  persistent sets: the actor that causes the race is added
//	dcute.go       dCUTE: the race delays, and the next actor in the order is taken
//	trans.go       TransDPOR: at most one actor is added while one is explored
//	sleepset.go    sleep sets
//	select.go      select: TransDPOR with the actor and task selection of [ASTS]
//	mark.go        task selection
//
// At a state an actor is chosen, by the order that is given, and all its enabled messages are explored. That suffices
// unless a message to the same actor could have been sent without what the actor did there; a race, seen when it is
// sent. The algorithms differ in what else they explore at that state then.
//
//	source:     [Basset11] 2.7 (figures 2.4 and 2.5) and 4.3.3; [SA06]; [TransDPOR12] as [ASTS] section 3 recasts it;
//	            [FG05]
//	differs:    what figures and prose leave open is settled by the counts: see race.go, node.go and sleepset.go. Steps
//	            that depend on each other although their actors differ (a system message overtakes, a stop makes dead
//	            letters) race too; the sources have no such steps. After an execution that was cut before its end,
//	            everything is explored along its path, since the races of what was cut are not known. T.Choose explores
//	            every value. Under the mailbox models, and with injected faults, the algorithms are refused.
//	assumes:    a delivery model under which a step of one actor takes nothing away from another but as internal/causal
//	            says: bag, fifo, causal; the program makes no choice of its own (checked: Divergence)
//	invariants: I1 nodes[i] was reached by the choices of nodes[:i]
//	            I2 what a node has explored, asleep included, covers every class of executions from there when it is left
//	            I3 an execution that ends naturally is of a class of its own under persistent+sleep
//	cost:       one node a step; all events of the target are looked at for each message sent
//	checked by: tables_test.go (all 384 counts of [Basset11] tables 4.1 and 4.2, and some of 3.1 and 3.2), twin_test.go
//	            (brute force)
package baseline

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/trace"
)

// NewPersistent makes the reduction by persistent sets.
func NewPersistent(o order.Order) *Search { return newSearch("persistent", o, persistent{}, false) }

// NewPersistentSleep makes the reduction by persistent sets and sleep sets.
func NewPersistentSleep(o order.Order) *Search {
	return newSearch("persistent+sleep", o, persistent{}, true)
}

// NewDCUTE makes the reduction of dCUTE.
func NewDCUTE(o order.Order) *Search { return newSearch("dcute", o, dcute{}, false) }

// NewTrans makes the reduction of TransDPOR.
func NewTrans(o order.Order) *Search { return newSearch("trans", o, trans{}, false) }

// reduction is what the algorithms differ in.
type reduction interface {
	// race is told that at n, whose actor is being explored, another actor has to be tried too; a is one that will do.
	race(n *node, a int32)
	// collision is the same for a race between steps of different actors, which the sources do not know.
	collision(n *node, a int32)
	// more adds to what n has to explore, which is done otherwise; false: nothing.
	more(n *node) bool
}

// relation is what depends on what: the sources know no declared effects, but for task selection.
func (s *Search) relation(c explore.Conditions) *causal.Order {
	if s.selects != nil && s.selects.heeds() {
		return causal.For(c)
	}
	return causal.New(c.Model, c.Timers)
}

// Bind refuses the mailbox models and injected faults.
func (s *Search) Bind(e explore.Env) error {
	c := e.Conditions
	if c.Faults.On() {
		return fmt.Errorf("strategy %s does not inject faults: the bound on their number would make steps of "+
			"different actors depend on each other, which the published algorithm does not know; switch faults off, "+
			"or use the strategy naive", s.Name())
	}
	switch c.Model {
	case trace.Bag, trace.FIFO, trace.Causal:
		s.hb = s.relation(c)
		return order.Bind(s.order, e)
	}
	return fmt.Errorf("strategy %s does not fit the delivery model %s: its dependency, as published, is that of "+
		"deliveries to one actor, and there the order of sends to a mailbox counts too; use the model bag, fifo or "+
		"causal, or the strategy optimal",
		s.Name(), c.Model)
}
