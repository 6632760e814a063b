package facts

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file and two more hold handlers to what is declared of them (explore.Conditions.Effects), whatever System runs
// them. What a handler changes and what it does is seen; what it reads is not.
//
//	judge.go    one step: before the handler, after it; what is said of one that did something else
//	mail.go     messages whose contents actors share
//	image.go    whether memory holds what it held
//
//	source:     the reads and writes of tasks of [ASTS]; how they are checked is ours
//	assumes:    nobody but the actor changes what its value reaches, messages excepted; what a handler reads is declared
//	invariants: an event has an Effect only if its step was found to keep to it
//	cost:       two looks at the fields that are not declared to be written, for each declared step
//	checked by: the tests of packages actor and adapter/protoactor, for each of what a handler may do

// Judge holds the steps of one System to what is declared, one at a time. The zero value knows of no declarations.
type Judge struct {
	// Nature says how values count, as explore.Inspector does; nil: all by their contents.
	Nature func(reflect.Type) explore.Nature

	effects *trace.EffectIndex
	tr      *trace.Trace
	of      *trace.Effect // of the step that runs, nil: nothing is declared of it
	event   int32
	fields  *fields // those of its actor that it may not write
	before  []Image // of them
	known   map[aim]*fields
	sight   sight
	mail    mail
}

// aim is an effect with the type of an actor that it may be one of.
type aim struct {
	of  *trace.Effect
	typ reflect.Type
}

// fields are those that a handler may not write.
type fields struct {
	index []int
	err   error // the effect cannot be one of the type
}

// Reset begins an execution that tr records.
func (j *Judge) Reset(c *explore.Conditions, tr *trace.Trace) {
	j.tr, j.of = tr, nil
	j.mail.reset()
	j.sight.nature = j.Nature
	if !c.HeedsEffects() {
		j.effects, j.known = nil, nil
	} else if j.effects == nil || !j.effects.Is(c.Effects) {
		j.effects, j.known = c.Effects.Index(), nil
	}
}

// On reports whether anything is declared that counts.
func (j *Judge) On() bool { return j.effects != nil }

// Of gives what is declared of the handling of a message, nil if nothing is.
func (j *Judge) Of(message int32) *trace.Effect {
	msg := &j.tr.Messages[message]
	if j.effects == nil || msg.Kind != trace.User {
		return nil
	}
	return j.effects.Of(j.tr.Actors[msg.Receiver].Type, msg.Type)
}

// Holding reports whether a declared step runs.
func (j *Judge) Holding() bool { return j.of != nil }

// Begin is called before a handler runs of which an effect is declared, with the value of its actor. The error says
// that the effect cannot be one of this actor.
func (j *Judge) Begin(of *trace.Effect, event int32, value any) error {
	j.of, j.event = of, event
	if j.fields = j.fieldsOf(aim{of, reflect.TypeOf(value)}); j.fields.err != nil {
		return j.Breach(j.fields.err.Error())
	}
	v := structOf(value)
	j.before = j.before[:0]
	for _, i := range j.fields.index {
		j.before = append(j.before, j.sight.image(open(v.Field(i))))
	}
	return nil
}

// fieldsOf gives what is known of an effect and a type, of which there are few.
func (j *Judge) fieldsOf(a aim) *fields {
	f := j.known[a]
	if f != nil {
		return f
	}
	t := a.typ
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if f = (&fields{err: declarable(a.of, t)}); f.err == nil {
		for i := range t.NumField() {
			if !slices.Contains(a.of.Writes, t.Field(i).Name) {
				f.index = append(f.index, i)
			}
		}
	}
	if j.known == nil {
		j.known = map[aim]*fields{}
	}
	j.known[a] = f
	return f
}

// declarable says why an effect cannot be one of an actor of a type.
func declarable(of *trace.Effect, t reflect.Type) error {
	// Test files of another package name have a path of their own in the compiler only.
	if t != nil && of.Package != "" && t.PkgPath() != of.Package {
		return fmt.Errorf("is that of package %s, of which the facts tell nothing", t.PkgPath())
	}
	if t == nil || t.Kind() != reflect.Struct {
		return fmt.Errorf("is declared, but its actor is a %v, which has no fields to tell apart; make it a struct, or "+
			"leave out the effect", t)
	}
	for _, name := range slices.Concat(of.Reads, of.Writes) {
		if _, ok := t.FieldByName(name); !ok {
			return fmt.Errorf("is declared to access %s, which is no field of %s", name, t)
		}
	}
	return nil
}

// End is called when the step that Begin was called for is over and recorded, with the value of its actor. An event
// that kept to what was declared is told so.
func (j *Judge) End(own Own, value any) error {
	j.toLastDraw()
	e := &j.tr.Events[j.event]
	if did := j.did(e, own); did != "" {
		return j.Exceeds(did)
	}
	if did := j.sent(e); did != "" {
		return j.Breach(did)
	}
	if did := j.replied(e); did != "" {
		return j.Inapplicable(did)
	}
	if did := j.changed(value); did != "" {
		return j.Breach(did)
	}
	if own.Beyond != "" {
		return j.Inapplicable(own.Beyond)
	}
	e.Effect = j.of
	j.of = nil
	return nil
}

// toLastDraw goes to the event in which a step has recorded what it did: that of the last thing that Go chose before it
// ran.
func (j *Judge) toLastDraw() {
	for next := j.event + 1; int(next) < len(j.tr.Events) && j.tr.Events[next].Step.Kind == trace.Draw; next++ {
		j.event = next
	}
}

// Exceeds is the breach of a handler that does what none may of which anything is declared.
func (j *Judge) Exceeds(did string) error {
	return j.Breach(did + ", which no declared handler may; leave out the effect")
}

// Drop says that nothing counts as declared of the step that runs.
func (j *Judge) Drop() { j.of = nil }

// Breach is the error that the handler that runs does something that it is not declared to. Nothing of it is judged any
// more.
func (j *Judge) Breach(what string) error {
	who, of := j.who(), j.of
	j.of = nil
	if of.Origin == "" {
		return fmt.Errorf("Config.Effects: %s %s", who, what)
	}
	// Whoever reads it cannot mend a declaration: there is none.
	did, _, _ := strings.Cut(strings.ReplaceAll(what, "declared", "announced"), ";")
	return fmt.Errorf("a broken fact: %s (%s) %s. %s says otherwise, and what rests on it would be wrong: "+
		"explore without facts (-facts=off, Config.Facts) and report this", who, of.At, did, of.Origin)
}

// Inapplicable is the error that the effect of the step that runs cannot be relied on here. Who declared it is told; a
// fact can be left out.
func (j *Judge) Inapplicable(why string) error {
	who, of := j.who(), j.of
	j.of = nil
	return inapplicable(of, who, why)
}

func inapplicable(of *trace.Effect, who, why string) error {
	if of.Origin != "" {
		return &explore.Inapplicable{Actor: of.Actor, Message: of.Message, Why: why}
	}
	return errors.New("Config.Effects: " + who + " is declared, but " + why + "; leave out the effect")
}

// InapplicableAll is the error that no effect can be relied on.
func (j *Judge) InapplicableAll(why string) error {
	if j.effects.Declared() {
		return errors.New("Config.Effects: effects are declared, but " + why + "; leave them out")
	}
	return &explore.Inapplicable{Why: why}
}

// who names the handler that runs.
func (j *Judge) who() string { return handlerOf(j.tr, j.tr.Events[j.tr.StepOf(j.event)].Step.Message) }

func handlerOf(tr *trace.Trace, message int32) string {
	msg := &tr.Messages[message]
	return "the handler of " + msg.Type.Name + " by " + tr.Actors[msg.Receiver].Type.Name
}

// Own is what a System knows of a step beyond its record.
type Own struct {
	Waits   bool   // the handler is not over
	Stops   bool   // it has its actor stop
	Asks    bool   // it makes a call that it does not wait for
	Stashes bool   // it puts messages aside or takes them back
	Timed   bool   // it sets or cancels a timer
	Beyond  string // "", or why what it is declared to do is not all that counts
}

// did names what the step did beyond changing fields and sending, "" if it did nothing of the kind.
func (j *Judge) did(e *trace.Event, own Own) string {
	panicked := slices.ContainsFunc(e.Incidents, func(in trace.Incident) bool { return in.Kind == trace.Panic })
	switch {
	case own.Waits:
		return "waits"
	case len(e.Created) > 0:
		return "creates actors"
	case (own.Stops || len(e.Stopped) > 0) && !panicked:
		return "stops its actor"
	case e.Changes:
		return "changes its behaviour"
	case own.Asks:
		return "makes a call"
	case len(e.Cancelled) > 0:
		return "cancels a timer"
	case own.Stashes:
		return "stashes messages or takes them back"
	case own.Timed:
		return "sets a timer"
	}
	for _, s := range e.Sent {
		switch j.tr.Messages[s].Kind {
		case trace.User, trace.Answer:
		case trace.Timeout:
			return "sets a timer"
		default:
			return "sends a system message"
		}
	}
	return ""
}

// sent names a message that the step sent without being declared to, "" if there is none.
func (j *Judge) sent(e *trace.Event) string {
	for _, s := range e.Sent {
		name := j.tr.Messages[s].Type.Name
		if !j.of.Sends || j.of.Origin != "" && !slices.Contains(j.of.Announced, name) {
			return "sent " + name + " and is not declared to; set Sends"
		}
	}
	return ""
}

// replied names a message that a step sent to somebody else than the sender of its message although it only replies, ""
// if there is none. A request may have been handed on, or say where the reply is to go: that the handler replies is
// true.
func (j *Judge) replied(e *trace.Event) string {
	if !j.of.Replies {
		return ""
	}
	from := j.tr.Messages[e.Step.Message].Sender
	for _, s := range e.Sent {
		if m := &j.tr.Messages[s]; m.Receiver != from {
			return "it only replies, and its " +
				trace.ShortType(m.Type.Name) + " goes to " + j.tr.ActorName(m.Receiver) + ", where " + j.tr.ActorName(from) +
				" has sent the message"
		}
	}
	return ""
}

// changed names a field that the step changed without being declared to write it, "" if there is none.
func (j *Judge) changed(value any) string {
	if j.fieldsOf(aim{j.of, reflect.TypeOf(value)}) != j.fields {
		return "changed the type of its actor and is not declared to; leave out the effect"
	}
	v := structOf(value)
	for n, i := range j.fields.index {
		after := j.sight.image(open(v.Field(i)))
		if after.Same(j.before[n]) && !after.Blind {
			continue
		}
		switch name := v.Type().Field(i).Name; {
		case !after.Same(j.before[n]):
			return "changed the field " + name + " and is not declared to; add it to Writes"
		default:
			return "is declared, but whether it changes the field " + name +
				" cannot be seen: that holds functions, channels or the like, " +
				"behind which nobody looks; add it to Writes"
		}
	}
	return ""
}

// structOf gives the struct that a value is or points to, in memory whose fields can be looked at. SUBTLE: a struct
// that is no pointer cannot change its fields, only what they lead to; a copy leads to the same.
func structOf(value any) reflect.Value {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	return addressable(v)
}
