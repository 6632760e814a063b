// Package order holds the orders in which a reduction tries actors. Which actor is tried first changes how much a
// reduction prunes, never what it finds.
//
//	order.go    what an order is, and orders by name
//	age.go      ECA, LCA: by creation
//	queue.go    FIFO, LIFO: by the time of sending
//	count.go    LDM, HDM: by the number of deliverable messages
//	average.go  HMS: by the messages sent in the past
//	reach.go    SGR: by the graph of sends
//	stable.go   STABLE: by what is proven of actors ([ASTS]), with chains.go, refs.go, state.go, judge.go and rank.go
//	auto.go     auto: the guidelines of the source, by what the first execution shows
//
//	source:     [Basset11] section 4.2
//	differs:    what the source leaves open (ties, what history counts, how a relation that is not transitive sorts) is
//	            settled by the counts of its tables 4.1 and 4.2, all of which come out
//	checked by: tables_test.go in internal/baseline, with all published counts
package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Order ranks the actors of a state. An order that learns does so in Actors, so a search calls it once for each state,
// when it visits the state first, the final ones included. It is never told of backtracking.
type Order interface {
	// Name is the name by which the order is asked for.
	Name() string
	// Actors appends each actor that has an enabled step once, the one to be tried first first. No steps: the state is
	// final.
	Actors(into []int32, tr *trace.Trace, enabled []trace.Step) []int32
}

// Observer is an Order that settles after the first execution.
type Observer interface {
	// Observe looks at the record of the first execution. It reports whether the order ranks otherwise from now on: then a
	// search whose counts are to be those of the order starts anew.
	Observe(tr *trace.Trace) bool
}

// Seer is an Order that looks at more than the record: a search that uses it hands on what it is told itself.
type Seer interface {
	explore.Binder
	// Open is called when an execution begins or goes on from an earlier state.
	Open(x explore.Execution)
}

// Bind tells an order what it is used for if it wants to know.
func Bind(o Order, e explore.Env) error {
	if s, ok := o.(Seer); ok {
		return s.Bind(e)
	}
	return nil
}

// Open tells an order of an execution if it wants to know.
func Open(o Order, x explore.Execution) {
	if s, ok := o.(Seer); ok {
		s.Open(x)
	}
}

var table = []struct {
	name string
	doc  string
	make func() Order
}{
	{"auto", "ECA for a pipeline, LCA for divide and conquer, else FIFO, by what the first execution shows",
		func() Order { return newAuto() }},
	{"ECA", "earliest created actor first", func() Order { return eca{} }},
	{"LCA", "latest created actor first", func() Order { return lca{} }},
	{"FIFO", "the actor with the oldest message first", func() Order { return &fifo{} }},
	{"LIFO", "the actor with the youngest message first", func() Order { return &lifo{} }},
	{"LDM", "fewest deliverable messages first", func() Order { return &count{sign: 1, name: "LDM"} }},
	{"HDM", "most deliverable messages first", func() Order { return &count{sign: -1, name: "HDM"} }},
	{"HMS", "most messages sent per message received first", func() Order { return &average{} }},
	{"SGR", "actors whose messages may lead to others' first, by the graph of all sends so far",
		func() Order { return newReach() }},
	{"STABLE", "actors first to which no other can send before, else those to which little may be sent, by declared " +
		"calls and by references", newStable},
}

// New makes the order of that name, upper or lower case; "" is auto.
func New(name string) (Order, error) {
	if name == "" {
		name = "auto"
	}
	for _, r := range table {
		if strings.EqualFold(r.name, name) {
			return r.make(), nil
		}
	}
	return nil, fmt.Errorf("unknown order of actors %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Names lists the orders.
func Names() []string {
	names := make([]string, len(table))
	for i, r := range table {
		names[i] = r.name
	}
	return names
}

// Doc gives a line about each order.
func Doc() string {
	var b strings.Builder
	for _, r := range table {
		fmt.Fprintf(&b, "  %-6s %s\n", r.name, r.doc)
	}
	return b.String()
}

// Steps appends the enabled steps in the order of their actors; those of one actor stay in the order in which they are
// given.
func Steps(into []trace.Step, actors []int32, enabled []trace.Step) []trace.Step {
	for _, a := range actors {
		for i := range enabled {
			if enabled[i].Actor == a {
				into = append(into, enabled[i])
			}
		}
	}
	return into
}

// byAge appends the actors with enabled steps, the oldest first: where all orders begin.
func byAge(into []int32, enabled []trace.Step) []int32 {
	own := into[len(into):]
	for i := range enabled {
		if a := enabled[i].Actor; !slices.Contains(own, a) {
			own = append(own, a)
		}
	}
	slices.Sort(own)
	return append(into, own...)
}

// keyed sorts actors by a number, ties by age.
type keyed struct{ keys []int }

// actors adds the actors with an enabled step, those with the least key first, and the oldest first among equals.
func (k *keyed) actors(into []int32, enabled []trace.Step, key func(actor int32) int) []int32 {
	from := len(into)
	into = byAge(into, enabled)
	own := into[from:]
	k.keys = k.keys[:0]
	for _, a := range own {
		k.keys = append(k.keys, key(a))
	}
	// Insertion: few actors, no allocation, stable.
	for i := 1; i < len(own); i++ {
		for j := i; j > 0 && k.keys[j] < k.keys[j-1]; j-- {
			own[j], own[j-1] = own[j-1], own[j]
			k.keys[j], k.keys[j-1] = k.keys[j-1], k.keys[j]
		}
	}
	return into
}
