package protoactor_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// box is memory that messages lead to.
type box struct{ n int }

// The messages of random programs, handed over by pointer.
type (
	parcel struct {
		n, hops int
		box     *box
	}
	first  parcel
	second parcel
	third  parcel
)

// parcelOf gives the parcel that a message is, and its number.
func parcelOf(m any) (*parcel, int) {
	switch m := m.(type) {
	case *first:
		return (*parcel)(m), 0
	case *second:
		return (*parcel)(m), 1
	case *third:
		return (*parcel)(m), 2
	}
	return nil, -1
}

func (p parcel) as(kind int) any {
	switch kind {
	case 0:
		return (*first)(&p)
	case 1:
		return (*second)(&p)
	}
	return (*third)(&p)
}

var kinds = []string{"first", "second", "third"}

// A drawer is an actor of a random program: it does what the script says.
type drawer struct {
	A, B  int
	Kept  *box
	peers *[]*actor.PID
	acts  *[3][]act
}

// An act is a part of a handler. Which fields it accesses follows from what it is.
type act struct {
	what string // "set", "keep", "poke", "look", "spoil", "send", "reply"
	from byte   // field that is read: A, B, or 0
	to   byte   // field that is written
	kind int    // of what is sent, -1: it depends on the message
	peer int
	box  byte // of what is sent: new, the message's (m), the kept one (k)
}

func (d *drawer) field(name byte) *int {
	if name == 'B' {
		return &d.B
	}
	return &d.A
}

// add changes a field, whatever it was: a write that changes nothing nobody sees, and it may be one that counts in
// another order.
func (d *drawer) add(name byte, v int) {
	f := d.field(name)
	*f = 3**f + v + 1
}

// value mixes what an act reads.
func (d *drawer) value(a *act, p *parcel) int {
	v := p.n
	if a.from != 0 {
		v += 2 * *d.field(a.from)
	}
	return (v + 1) % 5
}

// Receive implements actor.Actor.
func (d *drawer) Receive(ctx actor.Context) {
	p, kind := parcelOf(ctx.Message())
	if p == nil {
		return
	}
	for i := range d.acts[kind] {
		d.do(ctx, &d.acts[kind][i], p)
	}
}

func (d *drawer) do(ctx actor.Context, a *act, p *parcel) {
	v := d.value(a, p)
	switch a.what {
	case "set":
		d.add(a.to, v)
	case "keep":
		d.Kept = p.box
	case "poke":
		if d.Kept != nil {
			d.Kept.n = v
		}
	case "look":
		d.add(a.to, v+p.box.n)
	case "spoil":
		p.box.n = v
	case "send":
		if p.hops == 0 {
			return
		}
		b := &box{v}
		if a.box == 'm' {
			b = p.box
		} else if a.box == 'k' && d.Kept != nil {
			b = d.Kept
		}
		kind := a.kind
		if kind < 0 {
			kind = 1 + p.n%2
		}
		ctx.Request((*d.peers)[a.peer%len(*d.peers)], parcel{v, p.hops - 1, b}.as(kind))
	case "reply":
		if ctx.Sender() != nil && p.hops > 0 {
			ctx.Respond(parcel{v, 0, &box{v}}.as(a.kind))
		}
	}
}

// effect is what acts are declared to do.
func effect(kind int, acts []act) trace.Effect {
	e := trace.Effect{Actor: "drawer", Message: kinds[kind], Reads: []string{"peers", "acts"}}
	for _, a := range acts {
		if a.from != 0 {
			e.Reads = append(e.Reads, string(a.from))
		}
		switch {
		case a.what == "set" || a.what == "look":
			e.Writes = append(e.Writes, string(a.to))
		case a.what == "keep" || a.what == "poke":
			e.Writes = append(e.Writes, "Kept")
		case a.what == "send" || a.what == "reply":
			e.Replies = (e.Replies || !e.Sends) && a.what == "reply"
			e.Sends = true
			if a.box == 'k' {
				e.Reads = append(e.Reads, "Kept")
			}
		}
	}
	return e
}

// deeds draws what the drawers do, all alike, so that one type has one effect.
func deeds(r *rand.Rand, shares bool) *[3][]act {
	field := func() byte { return "AB"[r.IntN(2)] }
	var acts [3][]act
	for k := range acts {
		for range 1 + r.IntN(2) {
			a := act{what: []string{"set", "set", "look", "send", "send", "keep", "poke", "spoil", "reply"}[r.IntN(9)], to: field(), kind: r.IntN(3), peer: r.IntN(6), box: 'n'}
			if !shares && (a.what == "keep" || a.what == "poke" || a.what == "spoil") {
				a.what = "set"
			}
			if r.IntN(2) == 0 {
				a.from = field()
			}
			if shares {
				a.box = "nmk"[r.IntN(3)]
			}
			acts[k] = append(acts[k], a)
		}
	}
	return &acts
}

// A post is a message that the test sends.
type post struct{ to, kind, n, box int }

// plan is a random program.
type plan struct {
	acts    *[3][]act
	drawers int
	posts   []post
	hops    int  // how often what was sent may lead to more
	shares  bool // posts have boxes in common
}

// drawn is a random program of two or three drawers and a few messages to them, of which some may share a box.
func drawn(seed uint64, shares bool) (p *agree.Program, effects trace.Effects) {
	r := rand.New(rand.NewPCG(seed, 1))
	x := plan{acts: deeds(r, shares), drawers: 2 + r.IntN(2), hops: 1 + r.IntN(2), shares: shares}
	for range 3 {
		x.posts = append(x.posts, post{r.IntN(x.drawers), r.IntN(3), r.IntN(3), r.IntN(2)})
	}
	return x.program()
}

// questions is a random program of drawers that ask the first one, which answers and may set something.
func questions(seed uint64) (p *agree.Program, effects trace.Effects) {
	r := rand.New(rand.NewPCG(seed, 2))
	x := plan{acts: &[3][]act{{{what: "send", kind: -1, box: 'n'}, {what: "set", to: 'A'}}}, drawers: 4, hops: 2}
	for kind := 1; kind < 3; kind++ {
		field := func() byte { // mostly another one for each
			if r.IntN(5) == 0 {
				return "BA"[kind-1]
			}
			return "AB"[kind-1]
		}
		if r.IntN(3) > 0 {
			x.acts[kind] = append(x.acts[kind], act{what: "set", from: field(), to: field()})
		}
		x.acts[kind] = append(x.acts[kind], act{what: "reply", from: field()})
	}
	for client := 1; client < 4; client++ {
		x.posts = append(x.posts, post{client, 0, r.IntN(4), 0})
	}
	return x.program()
}

// program makes it, with what is declared of it.
func (x plan) program() (p *agree.Program, effects trace.Effects) {
	for k := range x.acts {
		effects = append(effects, effect(k, x.acts[k]))
	}
	var last []*drawer
	sys := protoactor.System(func(t *explore.T) {
		peers := []*actor.PID{}
		last = nil
		s := protoactor.NewActorSystem()
		t.SetUp(func() {
			for range x.drawers {
				d := &drawer{peers: &peers, acts: x.acts}
				last = append(last, d)
				peers = append(peers, s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return d })))
			}
		})
		boxes := []*box{{1}, {2}}
		for _, m := range x.posts {
			b := &box{m.n}
			if x.shares {
				b = boxes[m.box]
			}
			s.Root.Send(peers[m.to], parcel{m.n, x.hops, b}.as(m.kind))
		}
	})
	state := func() string {
		var b strings.Builder
		for _, d := range last {
			kept := 0
			if d.Kept != nil {
				kept = d.Kept.n
			}
			fmt.Fprint(&b, d.A, d.B, kept, ";")
		}
		return b.String()
	}
	return &agree.Program{System: sys, State: state, Limit: 3000,
		Conditions: explore.Conditions{Horizon: time.Minute, Blocked: 10 * time.Second}}, effects
}

// ends are those that a strategy comes to, with effects or without.
func ends(p *agree.Program, strategy string, model trace.Model, effects trace.Effects) (*agree.Shown, error) {
	p.Conditions.Model, p.Conditions.Effects = model, effects
	return p.Show(strategy)
}

// Random programs whose messages share no memory: with what is declared of their handlers, less is executed, and it
// comes to the same ends.
func TestEffectsOfRandomPrograms(t *testing.T) {
	without := func(seed uint64) (*agree.Program, trace.Effects) { return drawn(seed, false) }
	if n := savedBy(t, without, trace.Bag, trace.FIFO, trace.Causal); n <= 0 {
		t.Errorf("%d executions were saved", n)
	}
	n := savedBy(t, questions, trace.FIFO)
	if t.Logf("%d executions of programs that answer were saved", n); n <= 0 {
		t.Errorf("%d executions of programs that answer were saved", n)
	}
}

// savedBy compares the strategies with and without effects on random programs.
func savedBy(t *testing.T, draw func(uint64) (*agree.Program, trace.Effects), models ...trace.Model) (saved int) {
	t.Helper()
	for seed := range uint64(randomPrograms) {
		for _, model := range models {
			p, effects := draw(seed)
			all, err := ends(p, "naive", model, nil)
			if err != nil {
				t.Fatalf("%d, %v: %v", seed, model, err)
			}
			if !all.Complete {
				continue
			}
			for _, strategy := range []string{"source", "optimal", "reverse", "select"} {
				without, err := ends(p, strategy, model, nil)
				with, errs := ends(p, strategy, model, effects)
				switch err = errors.Join(err, errs); {
				case err != nil:
					t.Errorf("%d, %v, %s: %v", seed, model, strategy, err)
				case !slices.Equal(with.Ends(), all.Ends()):
					t.Errorf("%d, %v, %s: with effects it comes to %q, there is %q", seed, model, strategy, with.Ends(), all.Ends())
				case strategy != "select" && with.Executions > without.Executions:
					t.Errorf("%d, %v, %s: %d executions with effects, %d without", seed, model, strategy, with.Executions, without.Executions)
				}
				if strategy == "optimal" { // select leaves something else out where nothing is declared
					saved += without.Executions - with.Executions
				}
			}
		}
	}
	return saved
}

// Random programs whose messages lead to memory that actors keep, change and send on: either somebody says so, or what
// is declared can be relied on as far as the program can be reduced at all.
func TestEffectsOfSharedMessages(t *testing.T) {
	told, kept := 0, 0
	for seed := range uint64(6 * randomPrograms) {
		for _, model := range []trace.Model{trace.Bag, trace.FIFO} {
			p, effects := drawn(seed, true)
			all, err := ends(p, "naive", model, nil)
			without, errs := ends(p, "optimal", model, nil)
			if err = errors.Join(err, errs); err != nil || !all.Complete || !slices.Equal(without.Ends(), all.Ends()) {
				continue // actors share memory so that no reduction is right about it
			}
			with, err := ends(p, "optimal", model, effects)
			switch {
			case err != nil && strings.Contains(err.Error(), "was changed after it was sent"):
				told++
			case err != nil && strings.Contains(err.Error(), "changed the field Kept"):
				told++
			case err != nil:
				t.Errorf("%d, %v: %v", seed, model, err)
			case !slices.Equal(with.Ends(), all.Ends()):
				t.Errorf("%d, %v: nobody says anything, and with effects it comes to %q, there is %q", seed, model, with.Ends(), all.Ends())
			case with.Executions < without.Executions:
				kept++
			}
		}
	}
	t.Logf("sharing was noticed %d times, and effects were relied on %d times", told, kept)
	if told == 0 || kept == 0 {
		t.Errorf("sharing was noticed %d times, and effects were relied on %d times", told, kept)
	}
}

// A write that is left out of what is declared is noticed.
func TestEffectsLeftOut(t *testing.T) {
	caught := 0
	for seed := range uint64(randomPrograms) {
		p, effects := drawn(seed, false)
		for i := range effects {
			if len(effects[i].Writes) == 0 {
				continue
			}
			less := slices.Clone(effects)
			less[i].Writes, less[i].Origin, less[i].At, less[i].Announced = nil, "facts:7", "drawer.go:1", []string{"protoactor_test.first", "protoactor_test.second", "protoactor_test.third"}
			all, err := ends(p, "naive", trace.Bag, nil)
			with, errs := ends(p, "optimal", trace.Bag, less)
			var inapplicable *explore.Inapplicable
			switch {
			case err != nil:
				t.Fatalf("%d: %v", seed, err)
			case errs == nil && all.Complete && !slices.Equal(with.Ends(), all.Ends()):
				t.Errorf("%d: nobody says that %s writes %v, and it comes to %q, there is %q", seed, less[i].Message, effects[i].Writes, with.Ends(), all.Ends())
			case errs != nil && (errors.As(errs, &inapplicable) || !strings.Contains(errs.Error(), "a broken fact: the handler of protoactor_test."+less[i].Message)):
				t.Errorf("%d: %v", seed, errs)
			case errs != nil:
				caught++
			}
		}
	}
	if caught < randomPrograms {
		t.Errorf("%d were noticed", caught)
	}
}

// randomPrograms is how many are drawn; 2,000 were, when this was written.
const randomPrograms = 4
