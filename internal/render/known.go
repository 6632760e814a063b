package render

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// known prints the types whose fields are not what people want to read.
func known(v reflect.Value) (string, bool) {
	t := v.Type()
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return time.Duration(v.Int()).String(), true
	case t == reflect.TypeFor[time.Time]():
		return clock(v), true
	case t == reflect.TypeFor[time.Location]():
		return "Location", true
	case t.Kind() == reflect.Struct && t.PkgPath() == "sync/atomic":
		return atomicValue(v)
	case t.Kind() == reflect.Struct && t.Name() == "PID" && v.FieldByName("Id").Kind() == reflect.String:
		// The reference of a framework's actor: its name, not the cached process behind it.
		return v.FieldByName("Id").String(), true
	case t.Kind() == reflect.Struct && t.Name() == "PID":
		if name, ok := nameInPath(v.FieldByName("path")); ok {
			return name, true
		}
	}
	return text(v)
}

// nameInPath is the name in the path of a reference, whose fields are the actor itself.
func nameInPath(path reflect.Value) (string, bool) {
	if path.Kind() != reflect.Interface || path.IsNil() {
		return "", false
	}
	p := path.Elem()
	if p.Kind() != reflect.Pointer || p.IsNil() || p.Elem().Kind() != reflect.Struct {
		return "", false
	}
	name := p.Elem().FieldByName("name")
	return name.String(), name.Kind() == reflect.String
}

// actor names a reference to a native actor (actor.Ref: its index plus one, which says nothing to people).
func (p *printer) actor(v reflect.Value) (string, bool) {
	t := v.Type()
	if p.name == nil || t.Kind() != reflect.Struct || t.Name() != "Ref" ||
		!strings.HasSuffix(t.PkgPath(), "/rehearse/actor") {
		return "", false
	}
	n := v.FieldByName("n")
	if !n.IsValid() || !n.CanInt() || n.Int() < 1 {
		return "nobody", true
	}
	return p.name(int32(n.Int() - 1)), true
}

// clock prints a time also where its methods may not be called. It knows the two layouts of time.Time. With the
// monotonic clock 33 bits of wall are seconds since 1885 and ext is the monotonic reading. Else ext is seconds since
// year 1.
func clock(v reflect.Value) string {
	if v.CanInterface() {
		return v.Interface().(time.Time).UTC().Format(time.RFC3339Nano)
	}
	wall, ext := v.FieldByName("wall"), v.FieldByName("ext")
	if !wall.CanUint() || !ext.CanInt() {
		return "Time"
	}
	const since1885 = 59453308800 // seconds from year 1 to 1885
	const unix = 62135596800      // seconds from year 1 to 1970
	seconds, nanoseconds := ext.Int(), int64(wall.Uint()&(1<<30-1))
	if wall.Uint()>>63 != 0 {
		seconds = since1885 + int64(wall.Uint()<<1>>31)
	}
	return time.Unix(seconds-unix, nanoseconds).UTC().Format(time.RFC3339Nano)
}

// atomicValue prints what an atomic holds; an atomic.Pointer or Value would need a load.
func atomicValue(v reflect.Value) (string, bool) {
	f := v.FieldByName("v")
	switch {
	case !f.IsValid():
	case v.Type().Name() == "Bool":
		return fmt.Sprint(f.Uint() != 0), true
	case f.CanInt():
		return fmt.Sprint(f.Int()), true
	case f.CanUint():
		return fmt.Sprint(f.Uint()), true
	}
	return "atomic", true
}

// text calls Error or String where that is safe.
func text(v reflect.Value) (s string, ok bool) {
	if !v.CanInterface() || v.Kind() == reflect.Interface || isNil(v) {
		return "", false
	}
	t := v.Type()
	standard := t.Kind() == reflect.Pointer && (t.Elem().PkgPath() == "errors" || t.Elem().PkgPath() == "fmt")
	if t.Kind() == reflect.Pointer && !standard {
		return "", false
	}
	defer func() {
		// A method that panics on this value is no reason to lose the report: print its fields.
		if recover() != nil {
			s, ok = "", false
		}
	}()
	switch x := v.Interface().(type) {
	case error:
		s = x.Error()
	case fmt.Stringer:
		s = x.String()
	default:
		return "", false
	}
	if strings.Contains(s, "0x") && !strings.Contains(s, " ") {
		return "", false // it looks like an address
	}
	return Shorten(s, MaxString), true
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.IsNil()
	}
	return false
}
