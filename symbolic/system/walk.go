package system

import (
	"context"
	"go/types"
	"math/rand/v2"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes whole programs in one order a run. Chains of many messages have few orders that matter, and a
// search that goes through all of them from the beginning comes to none of these ends. An order that is made by chance
// does.
//
//	source:     orders by priorities that change at random: [PCT]; ours takes an actor for a thread
//	differs:    priorities change with a chance of one in eight at each step, and not at so many steps of the whole
//	invariants: I1 one number of an order and one start give the same run
//	cost:       an execution of the driver, and of up to so many handlers
//	checked by: walk_test.go: what walks reach, compiled programs reach; order 0 is the default one

// Walk executes a driver with all that it sends, and no other message from outside, in the order of a number. 0 is the
// default order, others are made by chance. Decisions on what is not known are tried one after the other, up to
// Bounds.Runs. It gives a way for each goal that is reached: a run ends at the first one. Without goals it goes on to
// the end, and tells what it has reached.
func (p *Program) Walk(ctx context.Context, s *Start, order int, goals []Goal, model trace.Model, b Bounds) *Found {
	b.Sent = true
	return p.walk(ctx, s, order, goals, model, b)
}

// Wander executes a driver and, in place of what it sends, messages from outside of the start's shapes, with values
// that are not known. Chance decides orders, by the number, which messages come when, and which outcome a decision has:
// it is one path of what Search goes through.
func (p *Program) Wander(ctx context.Context, s *Start, order int, goals []Goal, model trace.Model, b Bounds) *Found {
	b.Sent, b.Runs = false, 1
	b.chance = rand.New(rand.NewPCG(uint64(order), 1))
	return p.walk(ctx, s, order, goals, model, b)
}

func (p *Program) walk(ctx context.Context, s *Start, order int, goals []Goal, model trace.Model, b Bounds) *Found {
	b = b.defaults()
	b.again, b.easy, b.order = true, true, &order
	found := newFound(len(goals))
	p.searchTo(ctx, s, goals, ownModel(s, model), b, b.Steps, found)
	return found
}

// Probe sends up to Bounds.Outside messages, with values that are not known, the next one when nothing else can happen.
// All that follows happens in the default order. It gives a way for each goal that is reached: a run ends at the first
// one. Without goals it goes on to the end, and tells what it has reached.
func (p *Program) Probe(ctx context.Context, s *Start, goals []Goal, model trace.Model, b Bounds) *Found {
	b = b.defaults()
	b.again, b.easy, b.order = true, true, new(int)
	found := newFound(len(goals))
	p.searchTo(ctx, s, goals, ownModel(s, model), b, b.Steps, found)
	return found
}

// ownModel gives a model, that of the start's driver where none is named.
func ownModel(s *Start, model trace.Model) trace.Model {
	if model != trace.DefaultModel {
		return model
	}
	return s.Driver.OwnModel()
}

// walk picks the steps of a run: of orders with an even number the first by the actors' priorities, of odd ones any.
type walk struct {
	order      int
	chance     *rand.Rand
	priorities map[int32]uint32
}

func newWalk(order int) *walk {
	return &walk{order, rand.New(rand.NewPCG(uint64(order), 0)), map[int32]uint32{}}
}

// sends decides which of so many messages from outside comes now, -1 for none. Where something else can happen, a
// message comes seldom.
func (o *walk) sends(shapes int, busy bool) int {
	if shapes == 0 || busy && o.chance.IntN(6) > 0 {
		return -1
	}
	return o.chance.IntN(shapes)
}

// pick picks one of the open steps.
func (o *walk) pick(steps []trace.Step, open []int) int {
	list := make([]trace.Step, len(open))
	for i, at := range open {
		list[i] = steps[at]
	}
	switch {
	case o.order == 0:
		return open[trace.First(list)]
	case o.order%2 == 1 || list[0].Kind == trace.Choose:
		return open[o.chance.IntN(len(open))]
	}
	if o.chance.IntN(8) == 0 {
		o.priorities[list[o.chance.IntN(len(list))].Actor] = o.chance.Uint32()
	}
	best := 0
	for i := range list {
		if a, b := o.priority(list[i].Actor), o.priority(list[best].Actor); a > b || a == b && list[i].Before(&list[best]) {
			best = i
		}
	}
	return open[best]
}

func (o *walk) priority(actor int32) uint32 {
	p, ok := o.priorities[actor]
	if !ok {
		p = o.chance.Uint32()
		o.priorities[actor] = p
	}
	return p
}

// likely gives the actors in the order in which a reference that is not known is compared with theirs. Each comparison
// holds with a chance of one half, so the last of many actors would be meant by none. An execution by chance takes
// them in an order by chance, and first those that have a case for the message.
func (w *world) likely(msg exec.Value) []*agent {
	if w.chance == nil {
		return w.actors
	}
	list := slices.Clone(w.actors)
	w.chance.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if msg == nil {
		return list
	}
	typ := w.typed(msg)
	other := func(a *agent) int {
		if typ != nil && a.index > 0 && w.hasCase(a, typ) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b *agent) int { return other(a) - other(b) })
	return list
}

// hasCase reports whether an actor has a case for messages of a type, as far as the program's handlers are known.
func (w *world) hasCase(a *agent, typ types.Type) bool {
	fn, _ := w.method(a.value, "Receive")
	return fn != nil && slices.ContainsFunc(w.p.handlers, func(h summary.Handler) bool {
		return h.Fn == fn && h.Message != nil && types.Identical(h.Message, typ)
	})
}
