package guide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// happening is a step of an execution as the twin sees it: all that an entry may name, in full.
type happening struct {
	kind                 string // receive, timer, choose, fault or ""
	actor, message, from string
	sent, set            int // among the messages of this type from this sender to this actor; among the timers alone
	value                string
}

// fullName is the name of an actor with its number, whether it shares the name or not.
func fullName(tr *trace.Trace, a int32) string {
	base := func(a int32) string {
		if n := tr.Actors[a].Name; n != "" {
			return n
		}
		return trace.ShortType(tr.Actors[a].Type.Name)
	}
	n := 0
	for b := range tr.Actors[:a+1] {
		if base(int32(b)) == base(a) {
			n++
		}
	}
	return fmt.Sprintf("%s#%d", base(a), n)
}

// happenings are the steps of an execution.
func happenings(tr *trace.Trace) (list []happening) {
	for i := tr.Explored; i < len(tr.Events); i++ {
		s := &tr.Events[i].Step
		h := happening{actor: fullName(tr, s.Actor)}
		if s.Message >= 0 {
			msg := &tr.Messages[s.Message]
			h.message, h.from, h.actor = msg.Type.Name, fullName(tr, msg.Sender), fullName(tr, msg.Receiver)
			for k := range tr.Messages[:s.Message+1] {
				if o := &tr.Messages[k]; o.Type == msg.Type && o.Sender == msg.Sender && o.Receiver == msg.Receiver &&
					int(o.SentBy) >= tr.Explored {
					h.sent++
					if o.Kind == trace.Timeout {
						h.set++
					}
				}
			}
		}
		switch {
		case s.Kind == trace.Choose:
			h.kind, h.value = "choose", strconv.Itoa(int(s.Value))
		case s.Kind == trace.Fault:
			h.kind, h.value = "fault", s.Fault().String()
		case s.Kind.Handles() && tr.Messages[s.Message].Kind == trace.Timeout:
			h.kind = "timer"
		case s.Kind.Handles():
			h.kind = "receive"
		}
		list = append(list, h)
	}
	return list
}

// entry names a happening in full; false if no entry does.
func (h happening) entry() (trace.OrderEntry, bool) {
	switch h.kind {
	case "choose":
		return trace.OrderEntry{Actor: h.actor, Choose: h.value}, true
	case "fault":
		e := trace.OrderEntry{Actor: h.actor, Fault: h.value}
		if h.value == "drop" || h.value == "duplicate" || h.value == "crash-losing" {
			e.Message, e.From = h.message, h.from
		}
		return e, true
	case "timer":
		return trace.OrderEntry{Actor: h.actor, Timer: h.message, Sent: h.set}, true
	case "receive":
		return trace.OrderEntry{Actor: h.actor, Message: h.message, From: h.from, Sent: h.sent}, true
	}
	return trace.OrderEntry{}, false
}

// named is the definition: whether an entry names a happening, of which so many have come before (nth counts from 0).
func named(e trace.OrderEntry, h happening, nth int) bool {
	switch {
	case e.Actor != h.actor || e.Nth > 0 && e.Nth != nth+1:
		return false
	case e.Choose != "":
		return h.kind == "choose" && e.Choose == h.value
	case e.Fault != "":
		return h.kind == "fault" && e.Fault == h.value && (e.Message == "" || e.Message == h.message) &&
			(e.From == "" || e.From == h.from)
	case e.Timer != "":
		return h.kind == "timer" && e.Timer == h.message && (e.Sent == 0 || e.Sent == h.set)
	}
	return (h.kind == "receive" || h.kind == "timer") && e.Message == h.message && (e.From == "" || e.From == h.from) &&
		(e.Sent == 0 || e.Sent == h.sent)
}

// follows is the definition of following an order, on a whole execution.
func follows(o trace.Order, list []happening) bool {
	at := 0
	counts := make([]int, len(o))
	for _, h := range list {
		if at == len(o) {
			return true
		}
		first := -1
		for e := at; e < len(o) && first < 0; e++ {
			if named(o[e], h, counts[e]) {
				first = e
			}
		}
		for e := range o {
			bare := o[e]
			bare.Nth, bare.Sent = 0, 0
			if named(bare, h, 0) && h.kind != "choose" && h.kind != "fault" {
				counts[e]++
			}
		}
		switch {
		case first == at:
			at++
		case first > at, h.kind == "fault":
			return false
		}
	}
	return at == len(o)
}

// run follows an order in a toy program.
func run(p *toy.Program, c explore.Conditions, o trace.Order, budget int) (*Strategy, *trace.Trace, error) {
	g := New(o)
	var last *trace.Trace
	out, err := explore.Run(toy.NewSystem(p), g, explore.Options{Conditions: c, Budget: explore.Budget{Executions: budget},
		After: func(_ *explore.Counters, tr *trace.Trace) { last = tr.Clone() }})
	if err != nil {
		return g, last, err
	}
	return g, last, g.Err(out.Reason)
}

// everyCase calls f for random programs under all models and timer modes, with and without faults.
func everyCase(t *testing.T, programs int, f func(name string, r *rand.Rand, p *toy.Program, c explore.Conditions)) {
	for _, model := range toy.Models {
		for _, timers := range toy.TimerModes {
			for _, faults := range []string{"off", "all:2"} {
				fs, err := trace.ParseFaults(faults)
				if err != nil {
					t.Fatal(err)
				}
				for seed := range uint64(programs) {
					p := toy.Random(seed, toy.Full)
					name := fmt.Sprintf("seed %d under %s, timers %s, faults %s\n%s", seed, model, timers, faults, p)
					f(name, rand.New(rand.NewPCG(seed, 7)), p, explore.Conditions{Model: model, Timers: timers, Faults: fs})
				}
			}
		}
	}
}

// receives are those of each actor, in their order.
func receives(list []happening) map[string]string {
	m := map[string]string{}
	for _, h := range list {
		if h.kind == "receive" || h.kind == "timer" {
			m[h.actor] += fmt.Sprintf("%s from %s [%d]; ", h.message, h.from, h.sent)
		}
	}
	return m
}

// What an execution received, named in full, is an order that can be followed, and leads to the same receives; seldom
// to others besides, which the execution did not have: a message that its receiver refused to the end, say, may be
// received in between.
func TestExecutionsAreFollowed(t *testing.T) {
	followed, tries, most, more := 0, 0, 0, 0
	everyCase(t, 60, func(name string, r *rand.Rand, p *toy.Program, c explore.Conditions) {
		var list []happening
		_, err := explore.Run(toy.NewSystem(p), sample.NewRandom(r.Uint64()),
			explore.Options{Conditions: c, Budget: explore.Budget{Executions: 1},
				After: func(_ *explore.Counters, tr *trace.Trace) { list = happenings(tr) }})
		if err != nil {
			t.Fatal(err)
		}
		var o trace.Order
		for _, h := range list {
			if e, ok := h.entry(); ok {
				o = append(o, e)
			}
		}
		if len(o) == 0 {
			return
		}
		if err := o.Validate(c.Faults); err != nil {
			t.Fatalf("%s%v", name, err)
		}
		g, tr, err := run(p, c, o, 1000)
		if err != nil {
			t.Fatalf("%s%s\n%v", name, text(o), err)
		}
		got, want := receives(happenings(tr)), receives(list)
		if !follows(o, happenings(tr)) {
			t.Fatalf("%s%s\nreceived %v\nwant %v", name, text(o), got, want)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			more++
		}
		followed, tries, most = followed+1, tries+g.tries, max(most, g.tries)
	})
	t.Logf("%d orders followed in %d tries, at most %d; %d with other receives besides", followed, tries, most, more)
	if followed < 1000 || more*100 > followed {
		t.Errorf("%d of %d orders led to other receives besides", more, followed)
	}
}

func text(o trace.Order) string {
	var lines []string
	for _, e := range o {
		lines = append(lines, e.String())
	}
	return strings.Join(lines, "\n")
}

// An order can be followed if and only if there is an execution that follows it.
func TestAgreesWithEnumeration(t *testing.T) {
	const limit = 300
	can, cannot, tries, skipped, programs := 0, 0, 0, 0, toy.Scale(t, 50)
	everyCase(t, programs, func(name string, r *rand.Rand, p *toy.Program, c explore.Conditions) {
		var all [][]happening
		naive := search.NewNaive()
		out, err := explore.Run(toy.NewSystem(p), naive,
			explore.Options{Conditions: c, Budget: explore.Budget{Executions: limit},
				After: func(_ *explore.Counters, tr *trace.Trace) { all = append(all, happenings(tr)) }})
		if err != nil {
			t.Fatal(err)
		}
		if !out.Complete || len(all) < 2 {
			skipped++
			return
		}
		for range 4 {
			o := randomOrder(r, all)
			if len(o) == 0 {
				continue
			}
			want := slices.ContainsFunc(all, func(list []happening) bool { return follows(o, list) })
			g, tr, err := run(p, c, o, 20*limit)
			tries += g.tries
			if g.err != nil {
				t.Fatalf("%s%s\n%v", name, text(o), err)
			}
			if (err == nil) != want || err == nil && !follows(o, happenings(tr)) {
				t.Fatalf("%s%s\nfollowed: %v, there is one: %v\n%v", name, text(o), err == nil, want, err)
			}
			if want {
				can++
			} else {
				cannot++
			}
		}
	})
	t.Logf("%d orders that can be followed, %d that cannot, %d tries; %d programs passed over", can,
		cannot, tries, skipped)
	if can < 10*programs || cannot < 10*programs {
		t.Errorf("too few: %d, %d", can, cannot)
	}
}

// randomOrder names some steps of an execution, some of them in another order, or less exactly.
func randomOrder(r *rand.Rand, all [][]happening) (o trace.Order) {
	for _, h := range all[r.IntN(len(all))] {
		e, ok := h.entry()
		if !ok || r.IntN(2) == 0 {
			continue
		}
		if e.Sent > 0 && r.IntN(4) == 0 {
			e.Nth = 1 + r.IntN(2)
		}
		o = append(o, e)
	}
	if len(o) > 1 && r.IntN(2) == 0 {
		i := r.IntN(len(o) - 1)
		o[i], o[i+1] = o[i+1], o[i]
	}
	return o
}
