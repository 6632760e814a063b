package explain

import (
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// This file swaps advances of the clock with the steps around them. A request that times out need not meet its answer
// at any actor: all that is in another order then is the moment when time passed.

// clock swaps each advance that was a choice with what came after it, with what comes while it is held back, and with
// what came before it, nearest first.
func (s *finder) clock(g *graph, try func(*swap) bool) error {
	for a := int32(len(g.tr.Events)) - 1; a >= int32(g.tr.Explored); a-- {
		if !g.isPassing(a) {
			continue
		}
		for _, next := range []func(*graph, int32, func(*swap) bool) (bool, error){s.later, s.meanwhile, s.earlier} {
			if more, err := next(g, a, try); err != nil || !more {
				return err
			}
		}
	}
	return nil
}

// isPassing reports whether the event is an advance of the clock that was a choice.
func (g *graph) isPassing(e int32) bool {
	return g.movable(e) && g.tr.Events[e].Step.Kind == trace.Advance
}

// letsTimePass reports whether the execution has such an advance.
func (g *graph) letsTimePass() bool {
	for e := range g.tr.Events {
		if g.isPassing(int32(e)) {
			return true
		}
	}
	return false
}

// later takes what came after the advance a before it.
func (s *finder) later(g *graph, a int32, try func(*swap) bool) (more bool, err error) {
	for e := a + 1; e < int32(len(g.tr.Events)); e++ {
		if swapsWithTime(g, e) {
			if more, err := s.try(g.swapOf(a, e), g.before(a, e), try); err != nil || !more {
				return false, err
			}
		}
	}
	return true, nil
}

// meanwhile holds the advance a back until nothing else is possible. Where that passes there is a first step behind
// which time may pass. Named is that one, or the last one before it that the failing execution has, too.
func (s *finder) meanwhile(g *graph, a int32, try func(*swap) bool) (more bool, err error) {
	if s.replays >= s.limit {
		return true, nil
	}
	held, err := s.execute(g.heldBack(a))
	if err != nil || len(held.Violations) > 0 {
		return err == nil, err
	}
	p, advance := newGraph(held.Trace), g.tr.Events[a].Step.ID
	var last *swap
	for e := a; e < int32(len(p.tr.Events)) && p.tr.Events[e].Step.ID != advance && s.replays < s.limit; e++ {
		w := &swap{first: advance, second: p.tr.Events[e].Step.ID, from: g.tr, run: held}
		if !swapsWithTime(p, e) || !w.happened(s.failing, s.cut) {
			continue
		}
		last = w
		b := &builder{}
		b.events(p, func(o int32) bool { return o <= e })
		b.event(g, a)
		r, err := s.execute(b.forced)
		if err != nil {
			return false, err
		}
		if r.With(s.key) == nil {
			break
		}
	}
	if last == nil || !last.swapped() {
		return true, nil
	}
	s.swapped++
	return try(last), nil
}

// earlier takes the advance a before what came before it.
func (s *finder) earlier(g *graph, a int32, try func(*swap) bool) (more bool, err error) {
	for e := a - 1; e >= int32(g.tr.Explored); e-- {
		if swapsWithTime(g, e) {
			if more, err := s.try(g.swapOf(e, a), g.before(e, a), try); err != nil || !more {
				return false, err
			}
		}
	}
	return true, nil
}

// swapsWithTime reports whether it is worth naming the event next to an advance: a handler ran, or a message got into a
// mailbox.
func swapsWithTime(g *graph, e int32) bool {
	k := g.tr.Events[e].Step.Kind
	return g.movable(e) && (k.Handles() || k == trace.Send)
}

// samePassing reports whether an advance that both executions have ends at the same time in both: otherwise another
// timer fires. Moments that differ by less than a microsecond are the same, because an adapter lets a nanosecond pass
// after every step.
func samePassing(a, b *trace.Trace, id trace.ID) bool {
	x, y := timeOf(a, id), timeOf(b, id)
	return x < 0 || y < 0 || (x-y).Abs() < time.Microsecond
}

// timeOf is when the advance ended, negative if the execution has no such advance.
func timeOf(tr *trace.Trace, id trace.ID) time.Duration {
	e := slices.IndexFunc(tr.Events, func(e trace.Event) bool { return e.Step.ID == id && e.Step.Kind == trace.Advance })
	if e < 0 {
		return -1
	}
	return tr.Events[e].Time
}
