package effects

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// kind says what memory an object is.
type kind uint8

const (
	instance kind = iota // the actor: its struct, or what its function captures
	message              // the message being handled, with all that it leads to
	fresh                // allocated in this run of the handler
	fixed                // a package variable that nobody changes
	closure              // a function with what it captures
	context              // what the framework gave the handler
)

// object is memory that a handler may reach.
type object struct {
	kind    kind
	id      int
	fn      *ssa.Function  // closure
	holds   map[string]val // what was stored in it: of fresh ones by field, "" for all of it
	capture []val          // closure

	sequence bool // a fresh one that is a function over what it holds
}

// ref is a reference to an object, or into it. Paths tell apart only the parts of the actor and the fields of fresh
// objects.
type ref struct {
	obj    *object
	path   string
	behind bool // behind a reference that was read at path, not the actor's own memory
	copied bool // no reference itself: a copy of the struct or array at path holds references
}

// val is what a value may be: the references that it is or holds and, of an interface, its dynamic types.
type val struct {
	refs    []ref
	dyn     []types.Type
	hidden  bool // there may be dynamic types that are not in dyn
	arrives bool // it is the message itself, in the interface in which it arrived, or nothing yet
	set     bool // it is something at all
}

func (v *val) add(o val) (changed bool) {
	for _, r := range o.refs {
		if !slices.Contains(v.refs, r) {
			v.refs = append(v.refs, r)
			changed = true
		}
	}
	for _, t := range o.dyn {
		if !slices.ContainsFunc(v.dyn, func(u types.Type) bool { return same(t, u) }) {
			v.dyn = append(v.dyn, t)
			changed = true
		}
	}
	if o.hidden && !v.hidden {
		v.hidden, changed = true, true
	}
	if o.set {
		if arrives := o.arrives && (v.arrives || !v.set); arrives != v.arrives || !v.set {
			v.arrives, v.set, changed = arrives, true, true
		}
	}
	return changed
}

// same reports whether two types are one. A package that was loaded with and without its tests has each of its types
// twice.
func same(t, u types.Type) bool {
	return types.Identical(t, u) || types.TypeString(t, nil) == types.TypeString(u, nil)
}

// key is equal for equal arguments of a function.
func (v *val) key() string {
	parts := make([]string, 0, len(v.refs)+len(v.dyn))
	for _, r := range v.refs {
		parts = append(parts, fmt.Sprintf("%d%s%t%t", r.obj.id, r.path, r.behind, r.copied))
	}
	for _, t := range v.dyn {
		parts = append(parts, types.TypeString(t, nil))
	}
	slices.Sort(parts)
	return strings.Join(parts, "+") + fmt.Sprint(v.hidden, v.arrives)
}

// only is a value without dynamic types.
func only(refs ...ref) val { return val{refs: refs, set: true} }

// depth bounds access paths, so that there are finitely many.
const depth = 3

// part is the reference to a field, or with "[]" an element, of what r refers to.
func (r ref) part(name string) ref {
	switch r.obj.kind {
	case instance:
		if strings.Count(r.path, ".")+strings.Count(r.path, "[]") < depth {
			if r.path != "" && name != "[]" {
				name = "." + name
			}
			r.path += name
		}
	case fresh:
		if r.path == "" && name != "[]" {
			r.path = name
		}
	}
	return r
}

// parts is part for all references of an address.
func (v val) parts(name string) val {
	out := val{set: v.set, hidden: v.hidden}
	for _, r := range v.refs {
		out.add(only(r.part(name)))
	}
	return out
}

// pieces is what a part of a struct or an array, which is no address, may hold. Of a copy of the actor's memory it is
// that of the part, else any of what the whole holds.
func (v val) pieces(name string, t types.Type) val {
	out := val{set: v.set, hidden: true}
	for _, r := range v.refs {
		if r.copied {
			r = r.part(name)
			r.copied = isWhole(t)
		}
		out.add(only(r))
	}
	return out
}

// isWhole reports whether values of a type have parts that can be references.
func isWhole(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}

// without forgets what only interfaces have.
func (v val) without() val { return val{refs: v.refs, set: true} }

// holdsReferences reports whether a value of the type may lead to memory, functions included.
func holdsReferences(t types.Type) bool { return model.MayLead(t, true) }
