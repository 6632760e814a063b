package reproduce

import (
	"fmt"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/published"
	"github.com/rehearse-go/rehearse/trace"
)

// Count is what one exploration of ours counted.
type Count struct {
	States     int // nodes of the explored graph, the first one included
	Deliveries int // its edges
	Executions int // paths to a state in which nothing can be delivered
	Depth      int // deliveries of the longest path
	Seconds    float64
	Megabytes  float64 // most memory that the heap's objects took, looked at between executions
}

// comparing is a strategy that compares states.
type comparing interface {
	States() int // visited
	Finals() int // those in which nothing can be delivered
	Depth() int  // steps of the longest path, as it counts them
}

// strategyOf gives the name of the strategy that does what the row's exploration did.
func strategyOf(r *published.Row) string {
	switch {
	case r.Step == "big":
		return "stateful/literal/big"
	case r.Step == "little", r.Reduction == "actor":
		return "stateful/literal"
	case r.Reduction == "jpf":
		return "stateful/generic/literal"
	case r.Reduction == "none":
		return "naive"
	case r.Order != "":
		return r.Reduction + "/" + r.Order
	}
	return r.Reduction
}

func modelOf(r *published.Row) (trace.Model, error) {
	if r.Model == "" {
		return trace.Bag, nil
	}
	return trace.ParseModel(r.Model)
}

// explored runs a program to the end of the search. It is complete, or there is an error.
func explored(p program, s explore.Strategy, model trace.Model) (Count, error) {
	var c Count
	m := meter{}
	begin := time.Now()
	out, err := explore.Run(p.make(), s, explore.Options{Conditions: explore.Conditions{Model: model}, After: func(_ *explore.Counters, tr *trace.Trace) {
		c.Depth = max(c.Depth, deliveries(tr))
		m.look()
	}})
	if err != nil {
		return c, fmt.Errorf("%s with %s: %w", p.name, s.Name(), err)
	}
	if !out.Complete {
		return c, fmt.Errorf("%s with %s: the search is not complete (%s)", p.name, s.Name(), out.Reason)
	}
	c.Executions, c.Deliveries, c.States = out.Executions, out.Deliveries, out.Deliveries+1
	if s, ok := s.(comparing); ok {
		// The tables count every arrival at a final state: it is where a path ends, and is not compared.
		c.States, c.Depth = s.States()-s.Finals()+out.Executions, s.Depth()
	}
	c.Seconds, c.Megabytes = time.Since(begin).Seconds(), m.most()
	return c, nil
}

// deliveries counts the deliveries of the explored part of an execution.
func deliveries(tr *trace.Trace) int {
	n := 0
	for i := tr.Explored; i < len(tr.Events); i++ {
		if e := &tr.Events[i]; !e.Auto && e.Step.Kind.Handles() {
			n++
		}
	}
	return n
}

// meter looks at the heap now and then: reading it takes longer than an execution.
type meter struct {
	sample [1]metrics.Sample
	calls  int
	bytes  uint64
}

const often = 1000 // executions between two looks

func (m *meter) look() {
	if m.calls++; m.calls%often == 1 {
		m.read()
	}
}

func (m *meter) read() {
	m.sample[0].Name = "/memory/classes/heap/objects:bytes"
	metrics.Read(m.sample[:])
	m.bytes = max(m.bytes, m.sample[0].Value.Uint64())
}

// most is in megabytes.
func (m *meter) most() float64 {
	m.read()
	return float64(m.bytes) / (1 << 20)
}

// value gives the number that a column of the tables counts.
func (c *Count) value(r *published.Row, column string) float64 {
	switch column {
	case "states":
		if r.Table == "3.3" {
			return float64(c.States - 1) // without the first
		}
		return float64(c.States)
	case "deliveries":
		return float64(c.Deliveries)
	case "executions", "paths", "classes":
		return float64(c.Executions)
	case "transitions":
		return float64(c.Deliveries + setUpTransitions(r))
	case "depth":
		return float64(c.Depth - 1)
	case "seconds":
		return c.Seconds
	case "megabytes":
		return c.Megabytes
	}
	panic("reproduce: a table has a column " + column + " that nothing counts")
}

// setUpTransitions are the edges before the first delivery, which the tables count: one leads to the state in which the
// exploration starts; leader's initialisation takes two more for each process.
func setUpTransitions(r *published.Row) int {
	if strings.HasPrefix(r.Subject, "leader") {
		return 7
	}
	return 1
}
