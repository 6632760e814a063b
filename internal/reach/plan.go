// Package reach looks at the memory that values lead to.
//
//	plan.go     what there is in the memory of one type
//	hash.go     running hashes
//	places.go   pieces of memory that were met
//	region.go   the pieces of memory that a value leads to, and whether one was written
//	path.go     names of places in them
//	digest.go   what a value holds, wherever it lies, to be compared with what it holds in another execution
//	contents.go the contents of a whole execution
//	isolation.go, overlap.go, isolationreport.go  whether actors share memory
//
//	source:     ours
//	differs:    internal/memory saves memory and gives up where it cannot; this looks, and goes on behind what it cannot
//	            look at. internal/stateful compares up to the names of actors, and gives up where it cannot tell states
//	            apart.
//	assumes:    nobody writes while it looks; what a reference to an actor says never changes
//	cost:       one visit of each piece of memory; a slice without pointers is one piece
//	checked by: the tests of this package, against comparisons by package reflect
package reach

import (
	"reflect"
	"sync"
	"time"
	"unsafe"

	"github.com/rehearse-go/rehearse/explore"
)

// plan says what there is in the memory of one type. Offsets ascend.
type plan struct {
	typ   reflect.Type
	size  uintptr
	plain []span // numbers and the like
	refs  []ref  // what leads elsewhere
	seals []seal // what nobody can look into
}

type span struct{ from, to uintptr }

// ref is what leads elsewhere, at an offset.
type ref struct {
	off    uintptr
	typ    reflect.Type
	kind   reflect.Kind   // of typ; Map also of a sync.Map
	nature explore.Nature // not Opaque
	elem   *plan          // of a Pointer, Slice or Map
	key    *plan          // of a Map
}

// plans remembers the plans of types.
type plans struct {
	nature func(reflect.Type) explore.Nature // nil: all are Plain
	known  map[reflect.Type]*plan
}

const wordSize = unsafe.Sizeof(uintptr(0))

func (ps *plans) of(t reflect.Type) *plan {
	if p, ok := ps.known[t]; ok {
		return p
	}
	p := &plan{typ: t, size: t.Size()}
	if ps.known == nil {
		ps.known = map[reflect.Type]*plan{}
	}
	ps.known[t] = p // before its parts: a type may refer to itself
	ps.add(p, t, 0)
	return p
}

// pure reports whether the memory leads nowhere.
func (p *plan) pure() bool { return len(p.refs) == 0 }

// hashable reports whether all bytes count and lead nowhere.
func (p *plan) hashable() bool {
	return p.pure() && len(p.plain) == 1 && p.plain[0] == span{0, p.size}
}

// add adds what lies at an offset.
func (ps *plans) add(p *plan, t reflect.Type, off uintptr) {
	n := ps.natureOf(t)
	if n == explore.Opaque {
		ps.seal(p, t, off)
		return
	}
	if n == explore.Reference || n == explore.Secret {
		p.refs = append(p.refs, ref{off: off, typ: t, kind: t.Kind(), nature: n})
		return
	}
	switch k := t.Kind(); k {
	case reflect.Struct:
		ps.addStruct(p, t, off)
	case reflect.Array:
		for i := range t.Len() {
			ps.add(p, t.Elem(), off+uintptr(i)*t.Elem().Size())
		}
	case reflect.Pointer, reflect.Slice:
		p.refs = append(p.refs, ref{off: off, typ: t, kind: k, elem: ps.of(t.Elem())})
	case reflect.Map:
		p.refs = append(p.refs, ref{off: off, typ: t, kind: k, elem: ps.of(t.Elem()), key: ps.of(t.Key())})
	case reflect.String, reflect.Interface, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		p.refs = append(p.refs, ref{off: off, typ: t, kind: k})
	default:
		p.addPlain(span{off, off + t.Size()})
	}
}

func (p *plan) addPlain(s span) {
	if n := len(p.plain); n > 0 && p.plain[n-1].to == s.from {
		p.plain[n-1].to = s.to
		return
	}
	p.plain = append(p.plain, s)
}

func (ps *plans) addStruct(p *plan, t reflect.Type, off uintptr) {
	switch {
	case t == syncMap:
		p.refs = append(p.refs, ref{off: off, typ: t, kind: reflect.Map, elem: ps.of(anyType), key: ps.of(anyType)})
		return
	case t.PkgPath() == "sync/atomic" && t.NumField() == 3 && t.Field(0).Type.Kind() == reflect.Array &&
		t.Field(2).Type.Kind() == reflect.UnsafePointer:
		// An atomic.Pointer: an array of length 0 tells what it points to.
		ps.add(p, t.Field(0).Type.Elem(), off+t.Field(2).Offset)
		return
	}
	for i := range t.NumField() {
		if f := t.Field(i); !ps.ignores(t, i) {
			ps.add(p, f.Type, off+f.Offset)
		}
	}
}

// ignores reports whether a field does not count: in a protobuf message the one that asking for its size writes.
func (ps *plans) ignores(t reflect.Type, i int) bool {
	f := t.Field(i)
	return f.Name == "sizeCache" && f.Type.Kind() == reflect.Int32 && ps.natureOf(t.Field(0).Type) == explore.Opaque
}

var (
	anyType  = reflect.TypeFor[any]()
	syncMap  = reflect.TypeFor[sync.Map]()
	location = reflect.TypeFor[time.Location]()
)

// natureOf says how values of a type count.
func (ps *plans) natureOf(t reflect.Type) explore.Nature {
	if ps.nature != nil {
		if n := ps.nature(t); n != explore.Plain {
			return n
		}
	}
	base := t
	if t.Kind() == reflect.Pointer {
		base = t.Elem()
	}
	switch _, sealed := sealOf(base); {
	case sealed && t.Kind() == reflect.Pointer: // it leads to what nobody can look into
		return explore.Plain
	case sealed, base == location: // the local one is filled in when it is first used
	case base.PkgPath() == "sync" && base.Name() == "copyChecker": // which a Cond has, and holds its own address
	case silent[base.PkgPath()] && base.Kind() == reflect.Struct:
	default:
		return explore.Plain
	}
	return explore.Opaque
}

// header is how a slice lies in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// mapAt gives the map at an address; of a sync.Map a copy of its entries. at is where the map begins, for its identity.
func (r *ref) mapAt(p unsafe.Pointer) (m reflect.Value, at unsafe.Pointer) {
	if r.typ != syncMap {
		return reflect.NewAt(r.typ, p).Elem(), *(*unsafe.Pointer)(p)
	}
	entries := map[any]any{}
	(*sync.Map)(p).Range(func(k, v any) bool {
		entries[k] = v
		return true
	})
	return reflect.ValueOf(entries), p
}

// boxed gives the memory of the value in an interface at an address, nil if there is none. What an interface holds is
// never written: a copy serves.
func (ps *plans) boxed(r *ref, p unsafe.Pointer) (*plan, unsafe.Pointer) {
	if *(*unsafe.Pointer)(p) == nil {
		return nil, nil
	}
	v := reflect.NewAt(r.typ, p).Elem().Elem()
	c := reflect.New(v.Type())
	c.Elem().Set(v)
	return ps.of(v.Type()), c.UnsafePointer()
}

// hashPlain hashes what an element holds beside references.
func (p *plan) hashPlain(h uint64, at unsafe.Pointer) uint64 {
	for _, s := range p.plain {
		h = raw(h, unsafe.Add(at, s.from), s.to-s.from)
	}
	return h
}
