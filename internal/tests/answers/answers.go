// Package answers asks the relation of package causal all that it can answer about random executions, and sums that up.
// The sums are goldens: nearly each change of an answer changes one of them. It is for tests.
//
//	checked by: causal has the definitions; that an order which was cut and grew again answers the same is checked here
package answers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/trace"
)

// Sums are those of the executions of some programs.
type Sums struct{ once, again answers }

// Add asks about so many random executions of a program.
func (s *Sums) Add(sys explore.System, c explore.Conditions, seed uint64, executions int) error {
	o, sends := causal.For(c), causal.NewSends(c)
	ask := &asking{Strategy: sample.NewRandom(seed), asks: func(x explore.Execution, tr *trace.Trace) {
		accepts := causal.AcceptanceOf(x)
		o.Truncate(0)
		o.Extend(tr, len(tr.Events))
		s.once.of(o, c.Model, tr, accepts)
		o.Truncate(o.Len() / 2)
		o.Extend(tr, len(tr.Events))
		s.again.of(o, c.Model, tr, accepts)
		if sends == nil {
			return // the model has none
		}
		sends.Add(tr)
		for i := range tr.Actors {
			s.once.count("order of sends counts", sends.Counts(tr.Actors[i].ID))
		}
	}}
	_, err := explore.Run(sys, ask, explore.Options{Conditions: c, Budget: explore.Budget{Executions: executions}})
	return err
}

// Lines gives the sums, each behind a name.
func (s *Sums) Lines(name string) (lines []string) {
	for what, n := range s.once.values {
		lines = append(lines, fmt.Sprintf("%s, %s: %d", name, what, n))
		if other, known := s.again.values[what]; known && other != n {
			lines = append(lines, fmt.Sprintf("%s, %s: %d after a cut", name, what, other))
		}
	}
	return lines
}

// Check compares with the lines of a file.
func Check(t interface {
	Helper()
	Errorf(string, ...any)
}, lines []string, file string) {
	t.Helper()
	slices.Sort(lines)
	want := strings.Split(strings.TrimSpace(file), "\n")
	for _, line := range lines {
		if !slices.Contains(want, line) {
			t.Errorf("%s", line)
		}
	}
	if len(lines) != len(want) {
		t.Errorf("%d sums, want %d", len(lines), len(want))
	}
}

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
	model  trace.Model
	tr     *trace.Trace
	values map[string]int
}

func (a *answers) add(name string, n int) {
	if a.values == nil {
		a.values = map[string]int{}
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
func (a *answers) foot(name string, f causal.Footprint) {
	for _, x := range f {
		n := int(x.Object.Lo % 997)
		if x.Write {
			n += 1000
		}
		a.add(name, n)
	}
}

// of asks about all events and messages of an execution.
func (a *answers) of(o *causal.Order, model trace.Model, tr *trace.Trace, accepts causal.Acceptance) {
	a.model, a.tr = model, tr
	end := int32(o.Len())
	vague := func(e, m int32) (ok, known bool) { // some cannot be told
		ok, known = accepts(e, m)
		return ok, known && (e+m)%3 != 0
	}
	for e := range end {
		o.Races(e, accepts, a.races("races"))
		o.Races(e, nil, a.races("races where nobody tells"))
		o.Races(e, vague, a.races("races where not all is told"))
		a.event(o, e, accepts)
		for i := range e {
			a.pair(o, i, e)
		}
	}
	for _, until := range []int32{end / 3, end / 2, end} {
		o.Pending(until, func(m int32) {
			a.add("pending", int(1+m))
			o.RacesOfPending(m, until, accepts, a.races("races of pending ones"))
			o.RacesOfPending(m, until, nil, a.races("the same, where nobody tells"))
			o.RacesOfPending(m, until, vague, a.races("the same, where not all is told"))
		})
		common := o.Common(until, end, bitset.Packed{})
		common.Each(0, func(e int32) bool { a.add("common", int(1+e)); return true })
	}
	a.messages(o, end, accepts)
	a.add("keys", int(o.Key().Lo%997))
}

// races counts races under a name, of which it says that some cannot be reversed.
func (a *answers) races(name string) func(i int32) bool {
	return func(i int32) bool {
		a.add(name, int(1+i))
		return i%3 != 2 // it cannot be moved there
	}
}

// event asks about one event.
func (a *answers) event(o *causal.Order, e int32, accepts causal.Acceptance) {
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
	a.accesses(o, e)
}

// pair asks about two events, of which i was before e.
func (a *answers) pair(o *causal.Order, i, e int32) {
	a.count("depends", o.DependsOn(e, o.Footprint(nil, i)))
	a.count("reordered", o.Reorders(i, e))
	a.count("in order", o.InOrder(i, e))
	a.count("in order", o.InOrder(int32(o.First())+i, int32(o.First())+e+2))
	a.count("in order", o.InOrder(int32(o.First())+e, i))
	a.count("on the chain", o.OnChain(i, e, o.Step(e).Actor))
	a.count("collide", o.Collide(i, i+1, e, e+1))
}

// accesses asks for footprints without an order.
func (a *answers) accesses(o *causal.Order, e int32) {
	at := int32(o.First()) + e
	a.foot("footprints without an order", causal.Accesses{}.Of(a.model, a.tr, at, at+1, nil))
	everything := causal.Accesses{}.Written(a.model, a.tr, at, func(x trace.ID) { a.add("written", int(x.Lo%997)) })
	a.count("writes everything", everything)
	if o.Head(e) == e {
		objects, everything := causal.Accesses{}.Expected(a.model, a.tr, o.Step(e), nil)
		for _, x := range objects {
			a.add("expected", int(x.Lo%997))
		}
		a.count("everything is expected", everything)
	}
}

func (a *answers) messages(o *causal.Order, end int32, accepts causal.Acceptance) {
	for actor := range int32(len(a.tr.Actors)) {
		a.add("last steps", int(o.Last(actor)))
		a.count("stopped", o.Stopped(actor))
	}
	o.Pending(end, func(m int32) {
		o.EachBeforeOnChain(m, func(u, _ int32) bool { a.add("before on the chain", int(1+u)); return u%5 != 1 })
		a.count("could pass", o.CouldPass(m, accepts))
	})
	for m := range int32(len(a.tr.Messages)) {
		a.add("arrivals", int(o.Arrival(m)))
		a.foot("taking", o.Handling(m))
		a.count("declared", o.Declares(m))
		for e := range end {
			if o.Message(m).Kind.Handled() {
				a.count("kept back", o.KeepsBack(e, m))
			}
			if msg := o.Message(m); o.Actor(e) != msg.Receiver || o.Arrival(m) < 0 || !msg.Kind.Handled() {
				continue
			}
			a.count("fixed", o.Fixed(e, m))
			a.count("would take", o.WouldTake(e, e, m, accepts))
			a.count("accepted", o.Accepts(e, m, accepts))
			if o.Message(m).SentBy >= 0 && o.Step(e).Kind == trace.Deliver {
				a.count("ordered", o.Ordered(o.Step(e).Message, m))
			}
		}
	}
}
