package system

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/trace"
)

// This file writes what has happened as an order by names, which the compiled program can follow.

// order lists what actors have received since set-up, timeouts, and values that were chosen. What a guide fills in by
// itself, releases and answers to calls that block, is left out.
func (w *world) order() (list trace.Order) {
	for i := range w.tr.Events {
		if i < w.tr.Explored || !w.over { // set-up
			continue
		}
		s := &w.tr.Events[i].Step
		switch {
		case s.Kind == trace.Choose:
			list = append(list, trace.OrderEntry{Actor: w.ordered(s.Actor), Choose: fmt.Sprint(s.Value)})
		case (s.Kind == trace.Deliver || s.Kind == trace.Resume) && s.Message >= 0:
			if e, ok := w.entry(s.Message); ok {
				list = append(list, e)
			}
		}
	}
	return list
}

// entry names the receive of a message.
func (w *world) entry(message int32) (e trace.OrderEntry, ok bool) {
	msg, x := &w.tr.Messages[message], &w.letters[message]
	e.Actor = w.ordered(msg.Receiver)
	switch {
	case msg.EndsCall:
		e.Timeout = true
		return e, true
	case msg.Kind == trace.Timeout:
		e.Timer = trace.ShortType(msg.Type.Name)
		e.Sent = w.nth(message)
		return e, true
	case msg.Kind == trace.User:
	case msg.Kind == trace.Task:
		// the answer for which a handler has given up the actor: what is handled before it goes on may matter
	case msg.Kind == trace.System && x.kind != startedKind && x.kind != resumeKind:
	default:
		return e, false
	}
	e.Message, e.From = trace.ShortType(msg.Type.Name), w.ordered(msg.Sender)
	if w.model == trace.Bag {
		e.Sent = w.nth(message)
	}
	return e, true
}

// ordered names an actor. The first of its type has a number where the program may create another one, in what is
// filled in.
func (w *world) ordered(a int32) string {
	name, ty := w.tr.ActorName(a), w.tr.Actors[a].Type
	if a == 0 || w.driver.Proto || w.tr.Actors[a].Name != "" || strings.Contains(name, "#") ||
		!w.p.boxedOutside(w.body.Fn)[ty.Name] {
		return name
	}
	return name + "#1"
}

// boxedOutside gives the names of the types of which a function other than the driver makes actors, or something else
// behind an interface. It also gives the names of functions other than the driver that make actors of functions.
func (p *Program) boxedOutside(driver *ssa.Function) map[string]bool {
	if p.boxed[driver] != nil {
		return p.boxed[driver]
	}
	found := map[string]bool{}
	for _, fn := range p.load.Functions() {
		if within(fn, driver) {
			continue
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.MakeInterface:
					found[model.TypeName(in.X.Type())] = true
				case *ssa.MakeClosure:
					found[model.FunctionName(in.Fn.(*ssa.Function))] = true
				}
			}
		}
	}
	if p.boxed == nil {
		p.boxed = map[*ssa.Function]map[string]bool{}
	}
	p.boxed[driver] = found
	return found
}

// within reports whether a function is another one, or is written in it.
func within(fn, in *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn == in {
			return true
		}
	}
	return false
}

// nth tells which of the messages that look alike to an order, in the order of sending, a message is; 0 if there is
// one.
func (w *world) nth(message int32) int {
	last := &w.tr.Messages[message]
	var alike []int32
	for i := range w.tr.Messages {
		msg := &w.tr.Messages[i]
		if msg.Sender == last.Sender && msg.Receiver == last.Receiver && int(msg.SentBy) >= w.tr.Explored &&
			msg.Type == last.Type && !msg.EndsCall &&
			(msg.Kind == last.Kind || last.Kind != trace.Timeout) {
			alike = append(alike, int32(i))
		}
	}
	if len(alike) < 2 {
		return 0
	}
	return slices.Index(alike, message) + 1
}
