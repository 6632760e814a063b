package actor

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/rehearse-go/rehearse/trace"
)

// This file holds handlers to what is declared of them (explore.Conditions.Effects). What a handler changes and what it does is seen; what
// it reads is not.
//
//	source:     ours
//	assumes:    nobody but the actor changes what its behaviour reaches; what a handler reads is declared
//	invariants: an event has an Effect only if its step was found to keep to it
//	cost:       a copy of the actor's state for each declared step, and a comparison of both
//	checked by: effects_test.go

// effect is what the running handler is declared to do.
type effect struct {
	of     *trace.Effect // nil: nothing
	actor  *Context
	event  int32
	stash  int
	before Behavior // a copy
}

// ChecksEffects is explore.EffectChecker.
func (*System) ChecksEffects() {}

// declare looks for what is declared of the handler that is about to run. An actor that has another behaviour than at first, or of which a
// released task may resume, is known to nobody.
func (m *machine) declare(c *Context, message int32) {
	m.effect = effect{}
	msg := &m.tr.Messages[message]
	if msg.Class != trace.User {
		return
	}
	of := m.effects.Of(m.tr.Actors[c.index].Type, msg.Type)
	if of == nil || len(c.previous)+len(c.tasks) > 0 {
		return
	}
	m.effect = effect{of: of, actor: c, event: m.event, stash: len(c.stash)}
	if err := m.declarable(c, of); err != nil {
		m.breach(err.Error())
		return
	}
	m.effect.before = cloneBehavior(c.behavior)
}

// declarable says why an effect cannot be one of this actor.
func (m *machine) declarable(c *Context, of *trace.Effect) error {
	if c.accepter != nil {
		return fmt.Errorf("is declared, but its actor has constraints (Accepts), which may read any field; leave out all effects of actors of this type")
	}
	if pkg := packageOf(c.behavior); of.Package != "" && pkg != of.Package {
		return fmt.Errorf("is that of package %s, of which the facts tell nothing", pkg)
	}
	t := reflect.Indirect(reflect.ValueOf(c.behavior)).Type()
	if t.Kind() != reflect.Struct {
		return fmt.Errorf("is declared, but its actor is a %s, which has no fields to tell apart; make it a struct, or leave out the effect", t)
	}
	for _, name := range slices.Concat(of.Reads, of.Writes) {
		if _, ok := t.FieldByName(name); !ok {
			return fmt.Errorf("is declared to access %s, which is no field of %s", name, t)
		}
	}
	return nil
}

// breach ends the exploration with what the handler did against its declaration.
func (m *machine) breach(what string) {
	msg := m.tr.Events[m.effect.event].Step.Message
	who := fmt.Sprintf("the handler of %s by %s", m.tr.Messages[msg].Type.Name, m.tr.Actors[m.effect.actor.index].Type.Name)
	switch of := m.effect.of; {
	case m.err != nil:
	case of.Origin != "":
		// Whoever reads it cannot mend a declaration: there is none.
		did, _, _ := strings.Cut(strings.ReplaceAll(what, "declared", "announced"), ";")
		m.err = fmt.Errorf("a broken fact: %s (%s) %s. %s says otherwise, and what rests on it would be wrong: "+
			"explore without facts (-facts=off, Config.Facts) and report this", who, of.At, did, of.Origin)
	default:
		m.err = fmt.Errorf("Config.Effects: %s %s", who, what)
	}
	m.effect = effect{}
}

// packageOf is the import path of a behaviour's type. Test files of another package name have a path of their own in the compiler only.
func packageOf(b Behavior) string {
	t := reflect.TypeOf(b)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath()
}

// choosesDeclared ends the execution if a declared handler chooses a value.
func (m *machine) choosesDeclared() {
	if m.effect.of != nil && m.running == m.effect.actor {
		m.breach("chooses a value, which no declared handler may; leave out the effect")
		m.halt()
	}
}

// judgeEffect compares what the step that is over did with what was declared.
func (m *machine) judgeEffect() {
	of, e := m.effect.of, &m.tr.Events[m.effect.event]
	if did := m.did(e); did != "" {
		m.breach(did + ", which no declared handler may; leave out the effect")
		return
	}
	if len(e.Sent) > 0 && !of.Sends {
		m.breach("sent " + m.tr.Messages[e.Sent[0]].Type.Name + " and is not declared to; set Sends")
		return
	}
	for _, s := range e.Sent {
		if name := m.tr.Messages[s].Type.Name; of.Origin != "" && !slices.Contains(of.Announced, name) {
			m.breach("sent " + name + " and is not declared to; set Sends")
			return
		}
	}
	if did := m.changed(); did != "" {
		m.breach(did)
		return
	}
	e.Effect = of
	m.effect = effect{}
}

// did names what the step did beyond changing fields and sending, "" if it did nothing of the kind.
func (m *machine) did(e *trace.Event) string {
	c := m.effect.actor
	panicked := slices.ContainsFunc(e.Incidents, func(in trace.Incident) bool { return in.Kind == trace.Panic })
	switch {
	case c.cur != nil:
		return "waits"
	case len(e.Created) > 0:
		return "creates actors"
	case c.stopping && !panicked:
		return "stops its actor"
	case e.Changes:
		return "changes its behaviour"
	case len(e.Cancelled) > 0:
		return "cancels a timer"
	case len(c.stash) != m.effect.stash:
		return "stashes messages or takes them back"
	}
	for _, s := range e.Sent {
		switch m.tr.Messages[s].Class {
		case trace.User, trace.Answer:
		case trace.Timeout:
			return "sets a timer"
		default:
			return "sends a system message"
		}
	}
	return ""
}

// changed names a field that the step changed without being declared to write it, "" if there is none.
func (m *machine) changed() string {
	before, after := fieldsOf(m.effect.before), fieldsOf(m.effect.actor.behavior)
	for i := range before.NumField() {
		name := before.Type().Field(i).Name
		if slices.Contains(m.effect.of.Writes, name) || reflect.DeepEqual(contents(before.Field(i)), contents(after.Field(i))) {
			continue
		}
		if again := fieldsOf(cloneBehavior(m.effect.before)); !reflect.DeepEqual(contents(before.Field(i)), contents(again.Field(i))) {
			return "is declared, but whether it changes the field " + name + " cannot be seen: that holds functions, channels or the like, " +
				"no copy of which is equal to it; add it to Writes"
		}
		return "changed the field " + name + " and is not declared to; add it to Writes"
	}
	return ""
}

// fieldsOf gives the struct behind a behaviour, in memory whose fields can be looked at.
func fieldsOf(b Behavior) reflect.Value {
	v := reflect.ValueOf(b)
	if v.Kind() == reflect.Pointer {
		return v.Elem()
	}
	at := reflect.New(v.Type()).Elem()
	at.Set(v)
	return at
}

// contents gives the value of a field, unexported ones too.
func contents(f reflect.Value) any {
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface()
}
