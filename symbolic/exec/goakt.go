package exec

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has what is different in GoAkt: actors that are meant by name, children, and whom a reference stops.

// isChild notes what holds of one of the children that GoAkt gives: it is an actor, and none that was given before, nor
// their parent.
func (r *run) isChild(at *Place, ref *term.Term) {
	if at.Up == nil || at.Up.Up != nil || at.Up.Name != "children" ||
		!isNamed(pointerTo(at.Type), model.GoAktPath, "PID") {
		return
	}
	for _, other := range append(r.children, r.store.Uint(sortReference, 0),
		r.variable(root("self", nil), aspectRef, sortReference)) {
		r.assume(r.store.Not(r.store.Equal(ref, other)))
	}
	r.children = append(r.children, ref)
}

// foundChild is one of the actor's children in GoAkt, which goes by a name, or nobody. The event tells the name.
func (r *run) foundChild(c *operating) Value {
	res := c.sig.Results()
	name := r.termOf(c.args[1])
	ref := r.variable(root(r.outside(c.fn.Name()), res.At(0).Type()), aspectRef, sortReference)
	if name == nil || r.truth(r.isZero(ref)) {
		ref = r.store.Uint(sortReference, 0)
		return results(c.sig, func(i int, t types.Type) Value {
			if i == 0 {
				return ref
			}
			err := r.input(root(r.outside(c.fn.Name())+".error", t))
			r.assume(r.store.Not(r.faceNil(err)))
			return err
		})
	}
	r.assume(r.store.Not(r.store.Equal(name, r.store.Text(""))))
	r.assume(r.store.Not(r.store.Equal(ref, r.variable(root("self", nil), aspectRef, sortReference))))
	r.path.Events = append(r.path.Events, Event{Op: "child", To: ref, Name: name, Pos: r.pos()})
	return results(c.sig, func(i int, t types.Type) Value {
		if i == 0 {
			return ref
		}
		return Face{}
	})
}

// nobody is no actor, and an error that says why.
func (r *run) nobody(c *operating) Value {
	return results(c.sig, func(i int, t types.Type) Value {
		if i == 0 {
			return r.store.Uint(sortReference, 0)
		}
		err := r.input(root(r.outside(c.fn.Name())+".error", t))
		r.assume(r.store.Not(r.faceNil(err)))
		return err
	})
}

// foundOr is whom GoAkt finds by a name, or nobody and an error. Who is there is nothing that the actor decides.
func (r *run) foundOr(c *operating, ref *term.Term) Value {
	r.mark(Env, "who goes by a name")
	if r.truth(r.isZero(ref)) {
		return r.nobody(c)
	}
	if name := r.termOf(c.arg(c.row.Name)); name != nil {
		r.path.Events = append(r.path.Events, Event{Op: "found", To: ref, Name: name, Pos: r.pos()})
	}
	return results(c.sig, func(i int, _ types.Type) Value {
		if i == 0 {
			return ref
		}
		return Face{}
	})
}

// nameless reports whether a new actor has no name, which GoAkt refuses.
func (r *run) nameless(c *operating) bool {
	name := r.termOf(c.arg(c.row.Name))
	return name != nil && r.truth(r.store.Equal(name, r.store.Text("")))
}

// stopped is whom GoAkt is to stop: whom the call names, or of whose reference it is a method. nil is the actor itself.
func (r *run) stopped(c *operating, to *term.Term) *term.Term {
	switch {
	case c.row.To < 0:
		to = r.receiver(c)
	case c.row.To == 0 && model.Context(c.fn.Signature().Recv().Type()) == "":
		if to = r.reference(c.args[0]); r.truth(r.isZero(to)) {
			r.throw(nilDereference)
		}
	}
	if to != nil && r.truth(r.store.Equal(to, r.variable(root("self", nil), aspectRef, sortReference))) {
		return nil
	}
	return to
}

// receiver is whom a message is for. In GoAkt a name may say that.
func (r *run) receiver(c *operating) *term.Term {
	if c.row.To < 0 && c.row.Framework == model.GoAkt {
		r.mark(Env, "who goes by a name")
		return r.store.Apply("reference", sortReference, r.terms(c.args[c.row.Name:c.row.Name+1])...)
	}
	return r.reference(c.arg(c.row.To))
}
