package toy

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rehearse-go/rehearse/trace"
)

// now gives the register that the handler works on.
func (a *actor) now() *int { return &a.state[a.at] }

// registers says which registers the handler accesses, if that is not only the first.
func (h *Handler) registers() string {
	s := ""
	if h.Register > 0 {
		s += fmt.Sprintf(" register %d", h.Register)
	}
	if h.Look > 0 {
		s += fmt.Sprintf(" looks at %d", (h.Register+h.Look)%Registers)
	}
	if h.Peek {
		s += " peeks"
	}
	if h.Declared {
		s += " declared"
	}
	return s
}

// constrained reports whether messages may be refused. What decides about that is declared nowhere.
func (b Behaviour) constrained() bool {
	return slices.ContainsFunc(b, func(h Handler) bool { return h.Refuse >= 0 })
}

// declares reports whether the handler is declared. One that does more than change its register and send cannot be.
func (p *Program) declares(kind, message int) bool {
	h := &p.Kinds[kind][message]
	return h.Declared && !p.Kinds[kind].constrained() &&
		!slices.ContainsFunc(h.Ops, func(op Op) bool { return op.Kind > Answer })
}

// sends reports whether a handler that is declared may send, be it an answer to a call.
func (p *Program) sends(kind, message int) bool {
	called := func(op Op) bool { return op.Kind == Call && op.Message == message }
	sends := len(p.Kinds[kind][message].Ops) > 0 || slices.ContainsFunc(p.Driver, called)
	for _, beh := range p.Kinds {
		for _, h := range beh {
			sends = sends || slices.ContainsFunc(h.Ops, called)
		}
	}
	return sends
}

// Effects is what is declared of the program's handlers.
func (p *Program) Effects() trace.Effects {
	var all trace.Effects
	for k, beh := range p.Kinds {
		for m := range beh {
			if p.declares(k, m) {
				e := beh[m].effect(fmt.Sprintf("K%d", k), fmt.Sprintf("M%d", m))
				e.Sends = p.sends(k, m)
				all = append(all, e)
			}
		}
	}
	return all
}

func (h *Handler) effect(actor, message string) trace.Effect {
	e := trace.Effect{Actor: actor, Message: message}
	own := strconv.Itoa(h.Register)
	if h.Peek {
		e.Reads = append(e.Reads, own)
		return e
	}
	e.Writes = append(e.Writes, own)
	if h.Look > 0 {
		e.Reads = append(e.Reads, strconv.Itoa((h.Register+h.Look)%Registers))
	}
	return e
}

// account notes in event e, in which the handler of a message ran, what is declared of it.
func (x *execution) account(e int32, kind, typ int) {
	ev := &x.tr.Events[e]
	if !ev.Completed || !x.cond.HeedsEffects() || x.tr.Messages[ev.Step.Message].Kind != trace.User {
		return
	}
	ev.Effect = x.cond.Effects.Of(x.sys.kinds[kind], x.sys.messages[typ])
}

// ChecksEffects is explore.EffectChecker: declarations are made from the handlers.
func (*System) ChecksEffects() {}
