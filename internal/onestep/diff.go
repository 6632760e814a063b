package onestep

import (
	"fmt"
	"reflect"
)

// Differ compares values as reflect.DeepEqual does, but for functions, which are equal if they have the same code, NaN,
// which is equal to itself, and what Same knows. It names the first place where they differ.
type Differ struct {
	// Same compares values of types that count as a whole, such as references; ok is false for all others. Nil: there are
	// none.
	Same func(a, b reflect.Value) (same, ok bool)
	seen map[[2]uintptr]bool
}

// Diff gives the first difference, as in "s.Balance is 3, want 4", "" if there is none.
func (d *Differ) Diff(name string, got, want any) string {
	d.seen = map[[2]uintptr]bool{}
	return d.diff(name, reflect.ValueOf(got), reflect.ValueOf(want))
}

func (d *Differ) diff(name string, got, want reflect.Value) string {
	switch {
	case !got.IsValid() || !want.IsValid():
		if got.IsValid() == want.IsValid() {
			return ""
		}
		return fmt.Sprintf("%s is %s, want %s", name, text(got), text(want))
	case got.Type() != want.Type():
		return fmt.Sprintf("%s is %s of type %v, want %s of type %v", name, text(got), got.Type(), text(want), want.Type())
	}
	if d.Same != nil {
		if same, ok := d.Same(got, want); ok {
			return unless(same, name, got, want)
		}
	}
	switch got.Kind() {
	case reflect.Struct:
		for i := range got.NumField() {
			if s := d.diff(name+"."+got.Type().Field(i).Name, got.Field(i), want.Field(i)); s != "" {
				return s
			}
		}
		return ""
	case reflect.Array, reflect.Slice:
		return d.list(name, got, want)
	case reflect.Map:
		return d.table(name, got, want)
	case reflect.Pointer:
		return d.pointer(name, got, want)
	case reflect.Interface:
		if got.IsNil() || want.IsNil() {
			return unless(got.IsNil() == want.IsNil(), name, got, want)
		}
		return d.diff(name, got.Elem(), want.Elem())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return unless(got.Pointer() == want.Pointer(), name, got, want)
	case reflect.Float32, reflect.Float64:
		return unless(got.Float() == want.Float() || got.Float() != got.Float() &&
			want.Float() != want.Float(), name, got, want)
	}
	return unless(got.Equal(want), name, got, want)
}

func unless(same bool, name string, got, want reflect.Value) string {
	if same {
		return ""
	}
	return fmt.Sprintf("%s is %s, want %s", name, text(got), text(want))
}

func (d *Differ) list(name string, got, want reflect.Value) string {
	if got.Kind() == reflect.Slice && got.IsNil() != want.IsNil() && got.Len() == want.Len() {
		return unless(false, name, got, want)
	}
	if got.Len() != want.Len() {
		return fmt.Sprintf("%s has %d elements, want %d: %s, want %s", name, got.Len(), want.Len(), text(got), text(want))
	}
	for i := range got.Len() {
		if s := d.diff(fmt.Sprintf("%s[%d]", name, i), got.Index(i), want.Index(i)); s != "" {
			return s
		}
	}
	return ""
}

func (d *Differ) table(name string, got, want reflect.Value) string {
	if got.IsNil() != want.IsNil() {
		return unless(false, name, got, want)
	}
	if got.Len() != want.Len() {
		return fmt.Sprintf("%s has %d entries, want %d: %s, want %s", name, got.Len(), want.Len(), text(got), text(want))
	}
	for it := want.MapRange(); it.Next(); {
		v := got.MapIndex(it.Key())
		if !v.IsValid() {
			v = d.under(got, it.Key())
		}
		at := fmt.Sprintf("%s[%s]", name, text(it.Key()))
		if !v.IsValid() {
			return at + " is not there, want " + text(it.Value())
		}
		if s := d.diff(at, v, it.Value()); s != "" {
			return s
		}
	}
	return ""
}

// under finds an entry by a key that is equal as Differ compares, such as a reference that is a pointer.
func (d *Differ) under(m, key reflect.Value) reflect.Value {
	for it := m.MapRange(); it.Next(); {
		if d.diff("", it.Key(), key) == "" {
			return it.Value()
		}
	}
	return reflect.Value{}
}

func (d *Differ) pointer(name string, got, want reflect.Value) string {
	if got.IsNil() || want.IsNil() {
		return unless(got.IsNil() == want.IsNil(), name, got, want)
	}
	pair := [2]uintptr{got.Pointer(), want.Pointer()}
	if pair[0] == pair[1] || d.seen[pair] {
		return ""
	}
	d.seen[pair] = true
	return d.diff(name, got.Elem(), want.Elem())
}

// text writes a value that may be of a field that is not exported.
func text(v reflect.Value) string {
	switch {
	case !v.IsValid():
		return "nil"
	case v.Kind() == reflect.String:
		return fmt.Sprintf("%q", v.String())
	case v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Struct:
		return fmt.Sprintf("&%+v", v.Elem())
	}
	return fmt.Sprintf("%+v", v)
}
