package causal

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// asking is a strategy that asks about each of its executions while what actors accept is known.
type asking struct {
	explore.Strategy
	x    explore.Execution
	asks func(x explore.Execution, tr *trace.Trace)
}

func (a *asking) Open(x explore.Execution) { a.x = x }
func (a *asking) Close()                   {}
func (a *asking) Learn(tr *trace.Trace, cut bool) {
	a.Strategy.Learn(tr, cut)
	a.asks(a.x, tr)
}

// answers sums up what an order answers. A name says of what a number is the sum.
type answers struct {
	names  []string
	values map[string]int
}

func (a *answers) add(name string, n int) {
	if _, known := a.values[name]; !known {
		a.names = append(a.names, name)
	}
	a.values[name] += n
}

func (a *answers) count(name string, holds bool) {
	n := 0
	if holds {
		n = 1
	}
	a.add(name, n)
}

// foot adds a number that tells most footprints apart.
func (a *answers) foot(name string, f Footprint) {
	for _, x := range f {
		n := int(x.Object.Lo % 997)
		if x.Write {
			n += 1000
		}
		a.add(name, n)
	}
}

// of asks about all events and messages of an execution.
func (a *answers) of(o *Order, accepts Acceptance) {
	end := int32(o.Len())
	races := func(name string) func(i int32) bool {
		return func(i int32) bool {
			a.add(name, int(1+i))
			return i%3 != 2 // it cannot be moved there
		}
	}
	for e := range end {
		o.Races(e, accepts, races("races"))
		o.EachDirect(e, func(p int32) { a.add("direct", int(1+p)) })
		o.EachCollision(e, func(u, _ int32) bool { a.add("collisions", int(1+u)); return u%4 != 3 })
		o.EachForeign(e, func(u int32) { a.add("foreign", int(1+u)) })
		o.CancelledFirings(e, func(m int32) { a.add("cancelled firings", int(1+m)) })
		o.Past(e).Each(0, func(p int32) bool { a.add("past", int(p)); return true })
		o.Upto(e).Each(0, func(p int32) bool { a.add("past of parts", int(p)); return true })
		a.add("parents", int(o.Parent(e)))
		a.add("own", int(o.Own(e)))
		a.add("heads", int(o.Head(e)))
		a.count("passing", o.Passing(e, accepts))
		a.count("sends only", o.SendsOnly(e))
		a.count("advances", o.Barrier(e))
		a.count("system steps", o.SystemStep(e))
		a.count("free replies", o.FreeReply(e))
		a.count("shares", o.Shares(e))
		a.count("strays", o.Strays(e))
		a.foot("footprints", o.Footprint(nil, e))
		if o.Takes(e) {
			a.foot("taken again", o.Repeating(e))
		}
		for i := range e {
			a.count("reordered", o.Reorders(i, e))
			a.count("in order", o.InOrder(i, e))
			a.count("on the chain", o.OnChain(i, e, o.Step(e).Actor))
			a.count("collide", o.Collide(i, i+1, e, e+1))
		}
	}
	a.messages(o, end, accepts, races)
	a.add("keys", int(o.Key().Lo%997))
}

func (a *answers) messages(o *Order, end int32, accepts Acceptance, races func(string) func(int32) bool) {
	o.Pending(end, func(m int32) {
		a.add("pending", int(1+m))
		o.RacesOfPending(m, end, accepts, races("races of pending ones"))
		o.EachBeforeOnChain(m, func(u, _ int32) bool { a.add("before on the chain", int(1+u)); return true })
		a.count("could pass", o.CouldPass(m, accepts))
	})
	for m := range int32(len(o.tr.Messages)) {
		a.add("arrivals", int(o.Arrival(m)))
		a.foot("taking", o.Handling(m))
		a.count("declared", o.Declares(m))
		for e := range end {
			if msg := o.Message(m); o.Actor(e) != msg.Receiver || o.Arrival(m) < 0 || !msg.Kind.Handled() {
				continue
			}
			a.count("fixed", o.Fixed(e, m))
			a.count("kept back", o.KeepsBack(e, m))
			a.count("would take", o.WouldTake(e, e, m, accepts))
			a.count("accepted", o.Accepts(e, m, accepts))
			if o.Message(m).SentBy >= 0 && o.Step(e).Kind == trace.Deliver {
				a.count("ordered", o.Ordered(o.Step(e).Message, m))
			}
		}
	}
}

//go:embed testdata/sums.txt
var sums string

// TestCounts: sums of all that orders of random executions answer, under each model. Whoever changes one says why. What
// is right the definitions know (order_test.go). An order that was cut and grew again answers the same.
func TestCounts(t *testing.T) {
	losses, err := trace.ParseFaults("all:2")
	if err != nil {
		t.Fatal(err)
	}
	dense, effects := toy.Full, toy.Full
	dense.Dense, effects.Effects = true, true
	features := []toy.Features{toy.Full, dense, toy.Answers, effects}
	var lines []string
	for _, model := range toy.Models {
		all, again := &answers{values: map[string]int{}}, &answers{values: map[string]int{}}
		for seed := range uint64(160) {
			p := toy.Random(50_000+seed, features[seed%4])
			c := explore.Conditions{Model: model, Timers: toy.TimerModes[seed/4%2], Effects: p.Effects()}
			if seed%3 == 0 {
				c.Faults = losses
			}
			o, sends := For(c), NewSends(c)
			s := &asking{Strategy: sample.NewRandom(seed), asks: func(x explore.Execution, tr *trace.Trace) {
				o.Truncate(0)
				o.Extend(tr, len(tr.Events))
				all.of(o, AcceptanceOf(x))
				o.Truncate(o.Len() / 2)
				o.Extend(tr, len(tr.Events))
				again.of(o, AcceptanceOf(x))
				if sends == nil {
					return // the model has none
				}
				sends.Add(tr)
				for i := range tr.Actors {
					all.count("order of sends counts", sends.Counts(tr.Actors[i].ID))
				}
			}}
			twice := explore.Options{Conditions: c, Budget: explore.Budget{Executions: 2}}
			if _, err := explore.Run(toy.NewSystem(p), s, twice); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range again.names {
			if all.values[name] != again.values[name] {
				t.Errorf("%v, %s: %d, and %d after a cut", model, name, all.values[name], again.values[name])
			}
		}
		for name, n := range all.values {
			lines = append(lines, fmt.Sprintf("%v, %s: %d", model, name, n))
		}
	}
	slices.Sort(lines)
	want := strings.Split(strings.TrimSpace(sums), "\n")
	for _, line := range lines {
		if !slices.Contains(want, line) {
			t.Error(line)
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d sums, want %d", len(lines), len(want))
	}
}
