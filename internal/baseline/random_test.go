package baseline_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Random programs of actors that know each other by what they hold and what they are told, with their calls and
// effects: those of internal/tests/toy know each other by name.

// acquainted is such a program: a handler for each type of actor and of message.
type acquainted struct {
	handlers [3][3]handling
	actors   []int    // kinds
	knows    [][2]int // by actor: whom P and Q refer to
	driver   []opening
}

type opening struct{ message, to, about int }

type handling struct {
	add, look, keep bool // add to F0 or F1; look at the other one; keep whom the message is about
	second          bool // F1, and Q
	sends           []sending
	calls, effects  bool // they are declared
}

// sending is a send to one of P, Q, the one the message is about, and the actor itself, about another of those.
type sending struct {
	message, to, about int
	odd                bool // only if F1 is odd
}

// running is the program that is explored: behaviours that refer to it would be saved with it before each step.
var running *acquainted

type core struct {
	F0, F1 int
	P, Q   actor.Ref
}

type (
	k0   core
	k1   core
	k2   core
	body struct {
		who   actor.Ref
		value int
	}
	m0 body
	m1 body
	m2 body
)

func (k *k0) Receive(ctx *actor.Context, msg any) { (*core)(k).handle(0, ctx, msg) }
func (k *k1) Receive(ctx *actor.Context, msg any) { (*core)(k).handle(1, ctx, msg) }
func (k *k2) Receive(ctx *actor.Context, msg any) { (*core)(k).handle(2, ctx, msg) }

func message(i int, b body) any {
	return []any{m0(b), m1(b), m2(b)}[i]
}

func (k *core) handle(kind int, ctx *actor.Context, msg any) {
	var i int
	var b body
	switch msg := msg.(type) {
	case m0:
		i, b = 0, body(msg)
	case m1:
		i, b = 1, body(msg)
	case m2:
		i, b = 2, body(msg)
	}
	h := &running.handlers[kind][i]
	mine, other, kept := &k.F0, &k.F1, &k.P
	if h.second {
		mine, other, kept = &k.F1, &k.F0, &k.Q
	}
	if h.add {
		*mine = (*mine*3 + b.value + 1) % 17
		if h.look {
			*mine += *other
		}
	}
	if h.keep {
		*kept = b.who
	}
	for _, s := range h.sends {
		them := []actor.Ref{k.P, k.Q, b.who, ctx.Self()}
		if to := them[s.to]; to != (actor.Ref{}) && (!s.odd || k.F1%2 == 1) {
			ctx.Send(to, message(s.message, body{them[s.about], k.F0}))
		}
	}
}

func randomAcquainted(seed uint64) *acquainted {
	r := rand.New(rand.NewPCG(seed, 0x616371))
	chance := func(n int) bool { return r.IntN(n) == 0 }
	p := &acquainted{}
	for k := range p.handlers {
		for m := range p.handlers[k] {
			h := &p.handlers[k][m]
			*h = handling{add: !chance(3), look: chance(4), keep: chance(4), second: chance(2), calls: !chance(6),
				effects: !chance(6)}
			for range min(2-m, r.IntN(3)) {
				h.sends = append(h.sends, sending{m + 1 + r.IntN(2-m), r.IntN(4), r.IntN(4), chance(5)})
			}
		}
	}
	actors := 2 + r.IntN(2)
	for range actors {
		p.actors = append(p.actors, r.IntN(3))
		p.knows = append(p.knows, [2]int{r.IntN(actors+1) - 1, r.IntN(actors+1) - 1})
	}
	for range 3 + r.IntN(2) {
		p.driver = append(p.driver, opening{r.IntN(2), r.IntN(actors), r.IntN(actors)})
	}
	return p
}

// build makes the program; its end is what the actors hold.
func (p *acquainted) build(t *explore.T, ctx *actor.Context) func() string {
	refs, cores := make([]actor.Ref, len(p.actors)), make([]*core, len(p.actors))
	t.SetUp(func() {
		for i, kind := range p.actors {
			c := &core{}
			cores[i] = c
			refs[i] = ctx.Spawn([]actor.Behavior{(*k0)(c), (*k1)(c), (*k2)(c)}[kind])
		}
		for i, knows := range p.knows {
			for j, ref := range []*actor.Ref{&cores[i].P, &cores[i].Q} {
				if knows[j] >= 0 {
					*ref = refs[knows[j]]
				}
			}
		}
	})
	for _, o := range p.driver {
		ctx.Send(refs[o.to], message(o.message, body{who: refs[o.about]}))
	}
	return func() string {
		var b strings.Builder
		for _, c := range cores {
			fmt.Fprint(&b, *c, " ")
		}
		return b.String()
	}
}

// conditions are what is declared of the program under a delivery model.
func (p *acquainted) conditions(model trace.Model) explore.Conditions {
	c := explore.Conditions{Model: model}
	for k := range p.handlers {
		for m := range p.handlers[k] {
			h := &p.handlers[k][m]
			actor, message := fmt.Sprintf("k%d", k), fmt.Sprintf("m%d", m)
			if h.calls {
				c.Calls = append(c.Calls, trace.Caller{Actor: actor, Message: message, May: h.may()})
			}
			if h.effects {
				e := trace.Effect{Actor: actor, Message: message, Sends: len(h.sends) > 0}
				e.Reads, e.Writes = h.accesses()
				c.Effects = append(c.Effects, e)
			}
		}
	}
	return c
}

func (h *handling) may() (may []trace.MaySend) {
	for _, s := range h.sends {
		for k := range 3 {
			c := trace.MaySend{Actor: fmt.Sprintf("k%d", k), Message: fmt.Sprintf("m%d", s.message)}
			if s.odd {
				c.Depth = 1
			}
			if !slices.Contains(may, c) {
				may = append(may, c)
			}
		}
	}
	return may
}

func (h *handling) accesses() (reads, writes []string) {
	mine, other, kept := "F0", "F1", "P"
	if h.second {
		mine, other, kept = "F1", "F0", "Q"
	}
	if h.add {
		writes = append(writes, mine)
		if h.look {
			reads = append(reads, other)
		}
	}
	if h.keep {
		writes = append(writes, kept)
	}
	for _, s := range h.sends {
		reads = append(reads, "F0")
		if s.odd {
			reads = append(reads, "F1")
		}
		for _, who := range []int{s.to, s.about} {
			if who < 2 {
				reads = append(reads, []string{"P", "Q"}[who])
			}
		}
	}
	return reads, writes
}
