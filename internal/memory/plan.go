package memory

import (
	"fmt"
	"reflect"
	"unsafe"
)

// plan says what there is in the memory of one type.
type plan struct {
	size  uintptr
	pure  bool           // no pointers at all
	words []uintptr      // offsets of the pointers
	kinds []reflect.Kind // what each of them belongs to; Uintptr: to nothing that is followed
	rest  []span         // what is between them
	refs  []ref          // what to follow; a string's pointer is not among them
	never string         // what makes it impossible to save, "" if nothing
}

// span is a piece of an element.
type span struct{ from, to uintptr }

// ref is a reference at an offset.
type ref struct {
	off  uintptr
	kind reflect.Kind
	t    reflect.Type
	elem *plan // of a pointer or slice
}

const wordSize = unsafe.Sizeof(uintptr(0))

func (m *Memory) planOf(t reflect.Type) *plan {
	if p, ok := m.plans[t]; ok {
		return p
	}
	p := &plan{size: t.Size()}
	m.plans[t] = p // before its parts: a type may refer to itself
	m.add(p, t, 0)
	p.pure = len(p.words) == 0
	at := uintptr(0)
	for _, w := range p.words {
		if w > at {
			p.rest = append(p.rest, span{at, w})
		}
		at = w + wordSize
	}
	if at < p.size {
		p.rest = append(p.rest, span{at, p.size})
	}
	return p
}

// add adds what lies at an offset. Offsets come in ascending order.
func (m *Memory) add(p *plan, t reflect.Type, off uintptr) {
	if t.PkgPath() == "sync" && p.never == "" {
		p.never = fmt.Sprintf("a value of type %v", t)
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			m.add(p, f.Type, off+f.Offset)
		}
	case reflect.Array:
		for i := range t.Len() {
			m.add(p, t.Elem(), off+uintptr(i)*t.Elem().Size())
		}
	case reflect.String:
		p.word(off, reflect.String)
	case reflect.Interface:
		p.word(off, reflect.Interface)
		p.word(off+wordSize, reflect.Interface)
		p.refs = append(p.refs, ref{off: off, kind: t.Kind(), t: t})
	case reflect.Pointer:
		if m.opaque[t] {
			p.word(off, reflect.Uintptr)
		} else {
			p.word(off, reflect.Pointer)
			p.refs = append(p.refs, ref{off: off, kind: t.Kind(), t: t, elem: m.planOf(t.Elem())})
		}
	case reflect.Slice:
		p.word(off, t.Kind())
		p.refs = append(p.refs, ref{off: off, kind: t.Kind(), t: t, elem: m.planOf(t.Elem())})
	case reflect.Map, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		p.word(off, t.Kind())
		p.refs = append(p.refs, ref{off: off, kind: t.Kind(), t: t})
	}
}

func (p *plan) word(off uintptr, kind reflect.Kind) {
	p.words, p.kinds = append(p.words, off), append(p.kinds, kind)
}

// refAt gives the reference at an offset.
func (p *plan) refAt(off uintptr) *ref {
	for i := range p.refs {
		if p.refs[i].off == off {
			return &p.refs[i]
		}
	}
	return nil
}
