package facts

import (
	"reflect"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file watches what messages hold, where they are handed over and not copied.
//
// A declared handler reads the fields that are declared and its message. So a step that changes what a message holds
// may not be moved past the step that handles the message. The search knows that only if the two depend on each other
// for another reason, which is known before either happens. The changing step is one of the receiver, and nothing is
// declared of it, or it meets what is declared of the handling (docs/decisions/0015).
//
//	source:     ours
//	assumes:    what a message holds when the step that sends it is over is what was sent
//	invariants: I1 in an execution without an error, whoever changes what a message holds depends on who handles it
//	cost:       a look at each message that holds pointers and whose handling is declared, after each step
//	checked by: effects_test.go and effects_random_test.go of adapter/protoactor
//	checked by: adapter/protoactor/effects_random_test.go: random programs that share what messages lead to

// mail is the messages whose handling is declared.
type mail struct {
	letters []letter
	fresh   int // those from here on were sent in the step that runs
	flat    map[reflect.Type]bool
}

// letter is one of them.
type letter struct {
	message int32
	of      *trace.Effect
	value   reflect.Value
	image   Image
}

func (m *mail) reset() { m.letters, m.fresh = m.letters[:0], 0 }

// Sent is called for each message that is sent and not copied.
func (j *Judge) Sent(message int32) {
	of := j.Of(message)
	if of == nil {
		return
	}
	v := reflect.ValueOf(j.tr.Messages[message].Value)
	if v.IsValid() && !j.isFlat(v.Type()) {
		j.mail.letters = append(j.mail.letters, letter{message: message, of: of, value: v})
	}
}

// Delivered is called when set-up is over: what was handled then is handled in one order only.
func (j *Judge) Delivered(pending func(message int32) bool) {
	kept := j.mail.letters[:0]
	for _, l := range j.mail.letters {
		if pending(l.message) {
			kept = append(kept, l)
		}
	}
	j.mail.letters, j.mail.fresh = kept, min(j.mail.fresh, len(kept))
}

// Settle is called after each step, when its event is judged.
func (j *Judge) Settle(event int32) error {
	e := &j.tr.Events[j.tr.StepOf(event)] // what was chosen in it has no message
	for i := range j.mail.letters[:j.mail.fresh] {
		l := &j.mail.letters[i]
		now := j.sight.image(l.value)
		if now.Same(l.image) {
			continue
		}
		l.image = now
		if !j.mayChange(e, l) {
			return inapplicable(l.of, handlerOf(j.tr, l.message),
				"what a "+trace.ShortType(j.tr.Messages[l.message].Type.Name)+" holds was changed after it was sent, by "+
					j.tr.StepName(e.Step)+" (messages are handed over and not copied: send one that nobody changes)")
		}
	}
	for i := j.mail.fresh; i < len(j.mail.letters); i++ {
		j.mail.letters[i].image = j.sight.image(j.mail.letters[i].value)
	}
	j.mail.fresh = len(j.mail.letters)
	return nil
}

// mayChange reports whether the step of an event depends on the one that handles a message, whatever that message
// holds.
func (j *Judge) mayChange(e *trace.Event, l *letter) bool {
	switch {
	case e.Step.Kind == trace.Advance || e.Step.Message == l.message && e.Step.Kind == trace.Deliver:
		return true
	case e.Step.Actor != j.tr.Messages[l.message].Receiver:
		return false
	}
	return e.Effect == nil || e.Effect.Meets(l.of)
}

// isFlat reports whether a value of the type leads to no memory that could be changed: what stands for an actor never
// changes.
func (j *Judge) isFlat(t reflect.Type) bool {
	flat, known := j.mail.flat[t]
	if known {
		return flat
	}
	switch flat = true; {
	case j.Nature != nil && j.Nature(t) != explore.Plain:
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			flat = flat && j.isFlat(t.Field(i).Type)
		}
	case t.Kind() == reflect.Array:
		flat = j.isFlat(t.Elem())
	default:
		flat = t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String
	}
	if j.mail.flat == nil {
		j.mail.flat = map[reflect.Type]bool{}
	}
	j.mail.flat[t] = flat
	return flat
}
