package adapter

import (
	"reflect"
	"testing"
)

// The parts of a Runtime stand from the ground up: each refers to parts before it only, and each has all that it refers
// to.
func TestParts(t *testing.T) {
	r := newRuntime(new(System))
	v := reflect.ValueOf(r).Elem()
	before := map[reflect.Type]reflect.Value{}
	for i := range v.NumField() {
		part := v.Field(i)
		for f := range part.NumField() {
			field := part.Type().Field(f)
			if field.Type.Kind() != reflect.Pointer || !partOf(v.Type(), field.Type.Elem()) {
				continue
			}
			other, ok := before[field.Type.Elem()]
			switch {
			case !ok:
				t.Errorf("%s refers to %s, which does not stand before it", part.Type().Name(), field.Type.Elem().Name())
			case part.Field(f).Pointer() != other.Addr().Pointer():
				t.Errorf("%s has no %s, or that of another Runtime", part.Type().Name(), field.Type.Elem().Name())
			}
		}
		before[part.Type()] = part
	}
}

// partOf reports whether a type is that of a part.
func partOf(runtime, t reflect.Type) bool {
	_, ok := runtime.FieldByName(t.Name())
	return ok
}
