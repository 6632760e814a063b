package reach

import (
	"reflect"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Contents are what all messages of an execution hold, and all actors at its end.
type Contents struct{ units []unit } // messages first, in the order of their sending

// unit is what an actor or a message holds: a digest for each field of a struct, else one.
type unit struct {
	id     trace.ID
	index  int32 // of the message, or of the actor
	actor  bool
	fields []uint64
	typ    reflect.Type // the struct, nil if it is none
}

// Reader takes in contents. The zero value is ready. It remembers what it knows of types.
type Reader struct{ d digester }

// Contents takes in those of an execution that is at its end; nil if its System does not tell what values mean.
func (r *Reader) Contents(x explore.Execution) explore.Contents {
	in, ok := x.(explore.Inspector)
	if !ok {
		return nil
	}
	tr := x.Trace()
	r.d.nature = in.Nature
	r.d.actor = func(v any) uint64 {
		a, name := in.ActorOf(v)
		if a < 0 {
			return text(3, name)
		}
		return mix(tr.Actors[a].ID.Hi, tr.Actors[a].ID.Lo)
	}
	c := &Contents{}
	for m := range tr.Messages {
		// A task holds what only the system understands.
		if msg := &tr.Messages[m]; msg.Kind != trace.Task && !msg.GoesOn && msg.Value != nil {
			c.units = append(c.units, r.unit(unit{id: msg.ID, index: int32(m)}, msg.Value))
		}
	}
	for a := range tr.Actors {
		if v := x.State(int32(a)); v != nil {
			c.units = append(c.units, r.unit(unit{id: tr.Actors[a].ID, index: int32(a), actor: true}, v))
		}
	}
	return c
}

// unit takes in what a value holds.
func (r *Reader) unit(u unit, v any) unit {
	ps := &r.d.plans
	p, at := ps.boxed(&ref{typ: anyType}, unsafe.Pointer(&v))
	if p.typ.Kind() == reflect.Pointer && len(p.refs) == 1 && p.refs[0].nature == explore.Plain &&
		p.refs[0].elem.typ.Kind() == reflect.Struct {
		if to := *(*unsafe.Pointer)(at); to != nil {
			p, at = p.refs[0].elem, to
		}
	}
	if p.typ.Kind() != reflect.Struct || ps.natureOf(p.typ) != explore.Plain {
		u.fields = []uint64{r.d.of(p, at)}
		return u
	}
	u.typ = p.typ
	for i := range p.typ.NumField() {
		f, h := p.typ.Field(i), uint64(0)
		if !ps.ignores(p.typ, i) {
			h = r.d.of(ps.of(f.Type), unsafe.Add(at, f.Offset))
		}
		u.fields = append(u.fields, h)
	}
	return u
}

// Differ names the first thing that a message or an actor of both executions holds in one of them and not in the other,
// "" if there is none.
func (c *Contents) Differ(other explore.Contents, tr *trace.Trace) string {
	known := map[trace.ID]*unit{}
	units := other.(*Contents).units
	for i := range units {
		known[units[i].id] = &units[i]
	}
	for i := range c.units {
		u := &c.units[i]
		if o := known[u.id]; o != nil {
			if what := u.differ(o, tr); what != "" {
				return what
			}
		}
	}
	return ""
}

func (u *unit) differ(o *unit, tr *trace.Trace) string {
	if u.typ != o.typ || len(u.fields) != len(o.fields) {
		return u.name(tr)
	}
	for i := range u.fields {
		switch {
		case u.fields[i] == o.fields[i]:
		case u.typ == nil:
			return u.name(tr)
		default:
			return "the field " + u.typ.Field(i).Name + " of " + u.name(tr)
		}
	}
	return ""
}

func (u *unit) name(tr *trace.Trace) string {
	if u.actor {
		return tr.ActorName(u.index)
	}
	return tr.MessageName(u.index) + " to " + tr.ActorName(tr.Messages[u.index].Receiver)
}
