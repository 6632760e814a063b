package stateful

import (
	"fmt"
	"reflect"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// types remembers what is known of Go types. It serves all executions of a search.
type types struct {
	known map[reflect.Type]*typeInfo
	names map[uint64]reflect.Type // by hash
}

type typeInfo struct {
	hash    uint64
	nature  explore.Nature
	pointed bool // values may hold pointers, so that they cannot be sorted as keys
}

// of gives what is known of t, asking x when t is met first.
func (ts *types) of(t reflect.Type, x explore.Inspector) (*typeInfo, error) {
	if info := ts.known[t]; info != nil {
		return info, nil
	}
	if ts.known == nil {
		ts.known, ts.names = map[reflect.Type]*typeInfo{}, map[uint64]reflect.Type{}
	}
	name := fullName(t)
	info := &typeInfo{hash: trace.HashString(name), nature: x.Nature(t)}
	info.pointed = t.Kind() == reflect.Pointer || info.nature == explore.Plain && holdsPointers(t)
	if other, taken := ts.names[info.hash]; taken {
		return nil, fmt.Errorf("two types are called %s (%v and %v), so that their values cannot be told apart: give one "+
			"another name", name, t, other)
	}
	ts.known[t], ts.names[info.hash] = info, t
	return info, nil
}

// fullName names a type with the whole path of its package.
func fullName(t reflect.Type) string {
	if t.Name() != "" {
		return t.PkgPath() + "." + t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + fullName(t.Elem())
	case reflect.Slice:
		return "[]" + fullName(t.Elem())
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), fullName(t.Elem()))
	case reflect.Map:
		return "map[" + fullName(t.Key()) + "]" + fullName(t.Elem())
	case reflect.Struct:
		s := "struct{"
		for i := range t.NumField() {
			f := t.Field(i)
			s += f.PkgPath + "." + f.Name + " " + fullName(f.Type) + fmt.Sprintf("%q;", f.Tag)
		}
		return s + "}"
	}
	return t.String() // interfaces, functions and channels: their values are not compared by their static type
}

// holdsPointers reports whether values of a type of map keys may hold pointers.
func holdsPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Array:
		return holdsPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsPointers(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
