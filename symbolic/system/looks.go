package system

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has the methods of State, which functions that judge are given: Actors, Text, Received and Like.
//
//	source:     internal/check/state.go
//	differs:    where a text depends on more than constants and numbers, any text is possible, and that is marked. A test
//	            sends all its messages before an invariant looks. Here those that come later are not known, so Received
//	            is marked in invariants
//	checked by: looks_test.go: the texts of compiled programs

// looks does what a method of State does, if it can. Else the result is marked as unknown.
func (w *world) looks(fn *types.Func, args []exec.Value) (v exec.Value, ok bool) {
	name, is := strings.CutPrefix(w.m.FullName(fn), "("+stateType+").")
	if !is {
		return nil, false
	}
	switch name {
	case "Actors":
		w.showsActors(args[1])
		return nil, true
	case "Text":
		if actor, known := w.m.Text(args[1]); known {
			return w.textOf(actor), true
		}
	case "Received":
		if actor, known := w.m.Text(args[1]); known {
			if list, known := w.received(actor); known {
				return w.m.Slice(types.Typ[types.String], list), true
			}
		}
	case "Like":
		text, one := w.m.Text(args[1])
		pattern, two := w.m.Text(args[2])
		if one && two {
			return w.store.Bool(render.Like(text, pattern)), true
		}
	}
	w.mark("State.%s", name)
	return nil, false
}

// find gives the actor of a name, -1 if there is none.
func (w *world) find(name string) int32 {
	for a := range w.tr.Actors {
		if w.tr.ActorName(int32(a)) == name {
			return int32(a)
		}
	}
	return -1
}

// textOf is State.Text.
func (w *world) textOf(name string) exec.Value {
	a := w.find(name)
	if a <= 0 || w.actors[a].stopped {
		return w.store.Text("")
	}
	return w.text(w.shown(w.actors[a]))
}

// text shows a value as findings do.
func (w *world) text(v exec.Value) *term.Term {
	text, ok := w.m.Shown(v, &exec.Shower{Depth: render.MaxDepth, Elements: render.MaxElements, String: render.MaxString,
		Entries: render.MaxEntries, Limit: check.TextLimit, Shorten: render.Shorten, Actor: w.refers})
	if !ok {
		return w.m.Unknown("text", types.Typ[types.String]).(*term.Term)
	}
	return text
}

// refers names the actor to which a reference refers, as it is shown.
func (w *world) refers(ref *term.Term, t types.Type) (name string, known bool) {
	_, pointer := types.Unalias(t).(*types.Pointer)
	switch n := exec.KnownActor(ref); {
	case n == 0 && pointer:
		return "nil", true
	case n == 0:
		return "nobody", true
	case n < 0 || n > len(w.actors):
		return "", false
	case !pointer:
		return w.tr.ActorName(int32(n - 1)), true
	default:
		id := w.actors[n-1].id
		return "&" + id, id != ""
	}
}

// received is State.Received. Messages from outside come before all that handlers send, since the test sends them
// first.
func (w *world) received(name string) (list []exec.Value, known bool) {
	a := w.find(name)
	asked := func(e exec.Event) bool { return e.Op == deadLetter && e.Kind == unasked }
	if a == 0 && !w.replay && slices.ContainsFunc(w.m.Path().Events, asked) {
		return nil, false // The test makes these messages requests, so the driver receives the answers.
	}
	if !w.natural && !w.replay {
		w.mark("how many messages from outside there are when an invariant asks for State.Received")
	}
	var messages []int32
	for i := range w.tr.Messages {
		m := &w.tr.Messages[i]
		if m.Receiver == a && (m.Kind == trace.User || m.Kind == trace.Answer || m.Kind == trace.Resolution) {
			messages = append(messages, int32(i))
		}
	}
	sentBy := func(i int32) int32 { return w.tr.Messages[i].SentBy }
	slices.SortStableFunc(messages, func(x, y int32) int { return cmp.Compare(sentBy(x), sentBy(y)) })
	for _, i := range messages {
		list = append(list, w.arrival(i))
	}
	return append(list, w.replies(a)...), true
}

// arrival tells of a message that an actor has received: what it is, who has sent it, and on which message.
func (w *world) arrival(i int32) *term.Term {
	m := &w.tr.Messages[i]
	text := []*term.Term{w.text(w.letters[i].msg)}
	if m.Sender != m.Receiver {
		text = append(text, w.store.Text(" from "+w.tr.ActorName(m.Sender)))
	}
	if m.SentBy >= 0 {
		if step := w.tr.Events[w.tr.StepOf(m.SentBy)].Step; step.Kind == trace.Deliver && step.Message >= 0 {
			text = append(text, w.store.Text(" on "), w.text(w.letters[step.Message].msg))
		}
	}
	return w.store.Concat(text...)
}

// replies tells of answers to Ask of native actors that are no messages: actor/host.go.
func (w *world) replies(a int32) (list []exec.Value) {
	for _, c := range w.calls {
		answered := c.future != nil && c.future.ready && c.callee >= 0 && c.request >= 0
		if w.driver.Proto || c.asker != a || !answered || c.answer >= 0 {
			continue
		}
		by := w.store.Text(" from " + w.tr.ActorName(c.callee) + " on ")
		list = append(list, w.store.Concat(w.text(c.future.value), by, w.text(w.letters[c.request].msg)))
	}
	return list
}
