package reach

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// violation tells of a region of another owner that a step has changed.
func (l *Looker) violation(event, message int32, s spot) trace.Violation {
	o, e := &l.owners[s.owner], &l.tr.Events[event]
	r := &o.regions[s.region]
	off, known := r.Changed(o.shots[s.region].copy)
	addr := r.Start() + off
	path := pathOf(o.regions, s.region, off, known)
	name, typ := l.place(o, path)
	writer := l.tr.ActorName(e.Step.Actor)
	v := trace.Violation{Kind: trace.Isolation, Event: int(event), Actor: writer,
		ActorType: l.tr.Actors[e.Step.Actor].Type.Name,
		Site:      typ + numbers.ReplaceAllString(path, "[...]")}
	doing := "in the step: " + l.tr.StepName(e.Step)
	if message >= 0 {
		v.MessageType = l.tr.Messages[message].Type.Name
		doing = "while handling " + trace.ShortType(v.MessageType)
	}
	if mine := l.mine(e.Step.Actor, message, addr); mine != "" {
		v.Text = fmt.Sprintf("%s and %s are the same memory; %s wrote it %s", mine, name, writer, doing)
	} else {
		v.Text = fmt.Sprintf("%s was written by %s %s, which has not got it from its own value or message (a function, a "+
			"package variable?)", name, writer, doing)
	}
	return v
}

var numbers = regexp.MustCompile(`\[\d+\]`)

// place names a place in the memory of an owner, for people, and gives the type of the owner.
func (l *Looker) place(o *owner, path string) (name, typ string) {
	if !o.message {
		return l.tr.ActorName(o.index) + path, l.tr.Actors[o.index].Type.Name
	}
	msg := &l.tr.Messages[o.index]
	name = "the message " + l.tr.MessageName(o.index) + " to " + l.tr.ActorName(msg.Receiver)
	if path != "" {
		name = strings.TrimPrefix(path, ".") + " of " + name
	}
	return name, msg.Type.Name
}

// mine names the memory at an address as the actor of a step reaches it, or the message that it handled, "" if neither
// does.
func (l *Looker) mine(actor, message int32, addr uintptr) string {
	for _, k := range []key{{false, actor}, {true, message}} {
		slot, ok := l.slots[k]
		if !ok || k.index < 0 {
			continue
		}
		o := &l.owners[slot]
		if i, off := find(o.regions, addr); i >= 0 {
			name, _ := l.place(o, pathOf(o.regions, i, off, true))
			return name
		}
	}
	return ""
}

// seal tells of values in a region that another owner reaches too, and into which nobody can look.
func (l *Looker) seal(s spot) {
	o := &l.owners[s.owner]
	for _, in := range o.regions[s.region].Sealed() {
		path := pathOf(o.regions, s.region, in.Off, true)
		name, typ := l.place(o, path)
		site := in.Type + " at " + typ + numbers.ReplaceAllString(path, "[...]")
		if l.sealed[site] != "" {
			continue
		}
		other := l.other(s.owner, in.Addr)
		if other == "" {
			continue // the region overlaps elsewhere
		}
		if l.sealed == nil {
			l.sealed = map[string]string{}
		}
		l.sealed[site] = fmt.Sprintf("the %s at %s which is %s too", in.Type, name, other)
		if in.Decides && l.decided == "" {
			l.decided = fmt.Sprintf("%s and %s are the same %s, into which nobody can look", other, name, in.Type)
		}
	}
}

// other names an address by another owner that reaches it, "" if there is none.
func (l *Looker) other(than int32, addr uintptr) string {
	for _, s := range l.overlap.shared {
		o := &l.owners[s.owner]
		if r := &o.regions[s.region]; s.owner != than && !o.gone && r.Start() <= addr && addr < r.End() {
			name, _ := l.place(o, pathOf(o.regions, s.region, addr-r.Start(), true))
			return name
		}
	}
	return ""
}
