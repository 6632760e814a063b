package causal

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// pick is a choice as it is known in other executions.
type pick struct {
	step, actor, first trace.ID
	kind               trace.Kind
}

// picksOf gives the choices of an execution, by macro-steps, with the event of each; what the system did by itself is
// left out.
func picksOf(o *Order, tr *trace.Trace) (macros [][]pick, heads []int32) {
	for e := range int32(len(tr.Events)) {
		ev := &tr.Events[e]
		if ev.Auto || ev.Step.Kind == trace.Start {
			continue
		}
		p := pick{step: ev.Step.ID, actor: tr.Actors[ev.Step.Actor].ID, kind: ev.Step.Kind}
		if ev.Released >= 0 {
			p.first = tr.Messages[ev.Released].ID
		}
		if o.Head(e) != e {
			macros[len(macros)-1] = append(macros[len(macros)-1], p)
			continue
		}
		macros, heads = append(macros, []pick{p}), append(heads, e)
	}
	return macros, heads
}

// follower executes given choices, once.
type follower struct {
	picks   []pick
	next    int
	started bool
	lost    bool // a choice was not possible
}

func (*follower) Name() string { return "follower" }

func (f *follower) Start() bool {
	was := f.started
	f.started = true
	return !was
}

func (f *follower) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if f.next == len(f.picks) {
		f.lost = true
		return explore.Choice{Index: -1}
	}
	p := f.picks[f.next]
	f.next++
	i := slices.IndexFunc(enabled, func(s trace.Step) bool {
		return s.ID == p.step || p.kind == trace.Send && s.Kind == trace.Send && tr.Actors[s.Actor].ID == p.actor
	})
	f.lost = f.lost || i < 0
	return explore.Choice{Index: i, First: p.first}
}

func (*follower) Learn(*trace.Trace, bool) {}
func (*follower) Complete() bool           { return true }

// commuting counts swaps of neighbouring steps.
type commuting struct{ swapped, own, other int }

// swap executes an execution again, once for each two neighbouring steps, with these the other way round. Independent
// ones are possible too, and make an execution of the same class; dependent ones make one of another class, if they are
// possible.
func (c *commuting) swap(t *testing.T, cond explore.Conditions, p *toy.Program, tr *trace.Trace) {
	o := For(cond)
	o.Extend(tr, len(tr.Events))
	macros, heads := picksOf(o, tr)
	class, key := toy.ClassKey(cond.Model, tr), o.Key()
	for k := 0; k+1 < len(heads); k++ {
		if int(heads[k+1]) != int(heads[k])+len(macros[k]) {
			continue // the clock advanced between them
		}
		order := slices.Clone(macros)
		order[k], order[k+1] = order[k+1], order[k]
		f := &follower{picks: slices.Concat(order...)}
		explored(t, p, f, cond, 2, func(again *trace.Trace) {
			q := For(cond)
			q.Extend(again, len(again.Events))
			same := !f.lost && toy.ClassKey(cond.Model, again) == class
			switch independent := !o.Before(heads[k], heads[k+1]); {
			case independent && (!same || q.Key() != key):
				t.Fatalf("%v: %s and then %s are independent, and do not commute\n%s", cond, tr.StepName(*o.Step(heads[k])), tr.StepName(*o.Step(heads[k+1])), p)
			case !independent && (same || !f.lost && q.Key() == key):
				t.Fatalf("%v: %s and then %s are dependent, and commute\n%s", cond, tr.StepName(*o.Step(heads[k])), tr.StepName(*o.Step(heads[k+1])), p)
			case independent:
				c.swapped++
				if o.own(heads[k], heads[k+1]) {
					c.own++
				}
			case !f.lost:
				c.other++
			}
		})
	}
}

// Neighbouring steps commute iff they are independent.
func TestNeighboursCommute(t *testing.T) {
	c := commuting{}
	walks(t, func(_ string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		c.swap(t, explore.Conditions{Model: model, Timers: timers}, p, tr)
	})
	t.Log(c.swapped, "swaps of independent steps,", c.other, "possible ones of dependent steps")
	if c.swapped < 1000 || c.other < 500 {
		t.Errorf("%d and %d swaps say little", c.swapped, c.other)
	}
}
