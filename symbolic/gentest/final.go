package gentest

import (
	"fmt"
	"go/types"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// valueAtEnd makes a value of the path, as it is in the end.
func (w *world) valueAtEnd(v exec.Value, t types.Type) *value {
	s := w.path.Look(v)
	switch s.Kind {
	case exec.UntouchedShape:
		if s.Place == nil {
			return &value{typ: t}
		}
		return w.ended(w.input(s.Place.Name, s.Place.Type))
	case exec.ScalarShape:
		if isReference(t) {
			return w.reference(t, w.eval.value(s.Term).Uint(), s.Term)
		}
		return w.scalar(s.Term, t)
	case exec.StructShape:
		n := &value{kind: structKind, typ: t}
		for i, f := range s.Parts {
			n.parts = append(n.parts, w.valueAtEnd(f, t.Underlying().(*types.Struct).Field(i).Type()))
		}
		return n
	case exec.ListShape:
		return w.toldList(s, t)
	case exec.OpenShape:
		return w.toldOpen(s, t)
	case exec.MapShape:
		return w.toldMap(s, t)
	case exec.PointerShape:
		return w.toldPointer(s, t)
	case exec.InterfaceShape:
		if len(s.Parts) == 0 {
			return &value{typ: t}
		}
		return &value{kind: faceKind, typ: t, parts: []*value{w.valueAtEnd(s.Parts[0], s.Type)}}
	case exec.FunctionShape:
		if s.Fn == nil {
			return &value{typ: t}
		}
		return w.functionValue(t, s.Fn)
	}
	fail("a %s that is not modelled", t)
	return nil
}

func (w *world) toldPointer(s exec.Shape, t types.Type) *value {
	if len(s.Parts) == 0 {
		return &value{typ: t}
	}
	elem := t.Underlying().(*types.Pointer).Elem()
	if isNamed(elem, "errors", "errorString") {
		return w.toldError(s.Parts[0], t)
	}
	o := w.last[s.At]
	if o == nil {
		o = &object{}
		w.last[s.At] = o
		o.val = w.valueAtEnd(s.Parts[0], elem)
	}
	return &value{kind: pointerKind, typ: t, to: o}
}

// toldError makes an error: a package variable, or one with a text.
func (w *world) toldError(v exec.Value, t types.Type) *value {
	text := w.path.Look(v).Term
	if text != nil && text.Op == term.OpApply && text.Name == "error.text" {
		return &value{kind: variableKind, typ: t, lit: text.Args[0].Value().Text}
	}
	if text == nil {
		fail("an error whose text is not known")
	}
	return &value{kind: callKind, typ: t, lit: fmt.Sprintf("errors.New(%q)", w.eval.value(text).Text)}
}

// wasNil reports whether a slice or map of the inputs is nil in the beginning.
func (w *world) wasNil(s exec.Shape, t types.Type) bool {
	if s.Term != nil && w.eval.value(s.Term).Bool() {
		return true
	}
	return s.Place != nil && w.input(s.Place.Name, s.Place.Type).kind == zeroKind
}

func (w *world) toldList(s exec.Shape, t types.Type) *value {
	if len(s.Parts) == 0 && s.At != nil && w.wasNil(s, t) {
		return &value{typ: t}
	}
	n := &value{kind: listKind, typ: t}
	for _, e := range s.Parts {
		n.parts = append(n.parts, w.valueAtEnd(e, s.Type))
	}
	return n
}

func (w *world) toldOpen(s exec.Shape, t types.Type) *value {
	before := w.input(s.Place.Name, s.Place.Type)
	if s.Rest == 0 && before.kind == zeroKind {
		return &value{typ: t}
	}
	elem := t.Underlying().(*types.Slice).Elem()
	changed := map[int]exec.Value{}
	for i, k := range s.Keys {
		changed[k.(int)] = s.Parts[i]
	}
	n := &value{kind: listKind, typ: t}
	for i, e := range before.parts {
		if v, ok := changed[i]; ok {
			n.parts = append(n.parts, w.valueAtEnd(v, elem))
		} else {
			n.parts = append(n.parts, w.ended(e))
		}
	}
	for _, v := range s.Parts[len(s.Keys):] {
		n.parts = append(n.parts, w.valueAtEnd(v, elem))
	}
	return n
}

func (w *world) toldMap(s exec.Shape, t types.Type) *value {
	if s.Place != nil && w.wasNil(s, t) {
		return &value{typ: t}
	}
	m, ok := t.Underlying().(*types.Map)
	if !ok { // sync.Map, which is executed as one
		fail("what is in a %s at the end", t)
	}
	n, gone := &value{kind: mapKind, typ: t}, &value{}
	for i, k := range s.Keys {
		key := w.valueAtEnd(k, m.Key())
		if w.eval.value(s.Has[i]).Bool() {
			n.keys, n.parts = append(n.keys, key), append(n.parts, w.valueAtEnd(s.Parts[i], m.Elem()))
		} else {
			gone.keys = append(gone.keys, key)
		}
	}
	if s.Place != nil {
		before := w.input(s.Place.Name, s.Place.Type)
		for i, k := range before.keys {
			if n.find(k) < 0 && gone.find(k) < 0 {
				n.keys, n.parts = append(n.keys, k), append(n.parts, w.ended(before.parts[i]))
			}
		}
	}
	return n
}

// ended gives a part of the inputs that the path has not changed. Pointers in it may lead to what it has changed.
func (w *world) ended(v *value) *value {
	if v.kind == pointerKind {
		return &value{kind: pointerKind, typ: v.typ, to: w.endedObject(v)}
	}
	if len(v.parts) == 0 {
		return v
	}
	n := *v
	n.parts = nil
	for _, p := range v.parts {
		n.parts = append(n.parts, w.ended(p))
	}
	return &n
}

func (w *world) endedObject(v *value) *object {
	if o := w.after[v.to]; o != nil {
		return o
	}
	elem := v.typ.Underlying().(*types.Pointer).Elem()
	for id, at := range w.owners {
		if !types.Identical(at.Type, elem) || w.objects[objectKey(id, elem)] != v.to {
			continue
		}
		now, key, ok := w.path.Of(func(t *term.Term) uint64 { return w.model.Eval(t).Uint() }, id)
		if !ok {
			continue
		}
		o := w.last[key]
		if o == nil {
			o = &object{}
			w.last[key], w.after[v.to] = o, o
			o.val = w.valueAtEnd(now, elem)
		}
		w.after[v.to] = o
		return o
	}
	o := &object{}
	w.after[v.to] = o
	o.val = w.ended(v.to.val)
	return o
}
