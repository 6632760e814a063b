package exec

import (
	"go/types"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file makes the inputs of a handler: the actor, the context, and the message.

// receive makes the message. Nobody sends a nil pointer of some type.
func (r *run) receive() {
	t := r.entry.Message
	if t == nil {
		r.message = r.input(root("msg", types.NewInterfaceType(nil, nil)))
		return
	}
	r.message = Face{t, r.there(root("msg", t))}
}

// there makes a pointer of the inputs that is not nil; what is no pointer is an input like others.
func (r *run) there(at *Place) Value {
	if _, ok := at.Type.Underlying().(*types.Pointer); !ok || isReference(at.Type) {
		return r.input(at)
	}
	p := &InputPtr{at: at, ref: r.variable(at, aspectRef, sortReference)}
	r.named[at.key()] = p
	r.assume(r.store.Not(r.isZero(p.ref)))
	r.discover(p)
	return p
}

// handed makes what a framework hands to a handler.
func (r *run) handed(i int, name string, t types.Type) Value {
	switch {
	case i == 0 && r.entry.Fn.Signature.Recv() != nil:
		return r.there(root(name, t))
	case isFrameworkContext(t):
		return &Opaque{Type: t, Name: contextName, ref: r.store.Uint(sortReference, made-1)}
	case types.IsInterface(t) && !isNamed(t, "context", "Context"): // of functions that are actors of GoAkt
		return r.message
	}
	return r.input(root(name, t))
}

// isFrameworkContext reports whether a type is what handlers act through.
func isFrameworkContext(t types.Type) bool { return model.Context(t) != "" }
