package gentest

import (
	"fmt"
	"go/types"
	"math"
	"slices"
	"strconv"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// maxLength bounds slices that are written down.
const maxLength = 64

// input makes the value of a place of the inputs. What the path has not looked at is zero.
func (w *world) input(name string, t types.Type) *value {
	key := name + " " + types.TypeString(t, nil)
	if v := w.first[key]; v != nil {
		return v
	}
	v := &value{typ: t}
	w.first[key] = v
	*v = *w.made(name, t)
	return v
}

func (w *world) made(name string, t types.Type) *value {
	if isReference(t) {
		if ref := w.vars[name+"!ref"]; ref != nil {
			return w.reference(t, w.model.Eval(ref).Uint(), ref)
		}
		return &value{typ: t}
	}
	if isNamed(t, "time", "Time") {
		return w.scalar(w.vars[name], t)
	}
	if p, ok := t.(*types.Pointer); ok && isNamed(p.Elem(), model.HollywoodPath, "Engine") {
		if ref := w.vars[name+"!ref"]; ref == nil || w.model.Eval(ref).Uint() == 0 {
			return &value{typ: t}
		}
		return &value{kind: refKind, typ: t, lit: "x.Engine()"}
	}
	if isNamed(t, model.GoAktPath, "ActorSystem") {
		if tag := w.vars[name+"!type"]; tag == nil || w.model.Eval(tag).Uint() == 0 {
			return &value{typ: t}
		}
		return &value{kind: refKind, typ: t, lit: "x.System()"}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return w.scalar(w.vars[name], t)
	case *types.Struct:
		v := &value{kind: structKind, typ: t}
		for i := range u.NumFields() {
			at := name + "." + u.Field(i).Name()
			if u.Field(i).Name() == "_" {
				at = fmt.Sprintf("%s._%d", name, i)
			}
			v.parts = append(v.parts, w.input(at, u.Field(i).Type()))
		}
		return v
	case *types.Array:
		return w.elements(name, t, u.Elem(), int(u.Len()))
	case *types.Slice:
		return w.slice(name, t, u.Elem())
	case *types.Map:
		return w.table(name, t, u)
	case *types.Pointer:
		return w.pointer(name, t, u.Elem())
	case *types.Interface:
		return w.face(name, t)
	}
	return w.other(name, t)
}

// other makes functions, and of what is not modelled nil.
func (w *world) other(name string, t types.Type) *value {
	ref := w.vars[name+"!ref"]
	if ref == nil {
		return &value{typ: t}
	}
	id := w.model.Eval(ref).Uint()
	if _, ok := t.Underlying().(*types.Signature); ok {
		return w.function(name, t, id)
	}
	if c, ok := t.Underlying().(*types.Chan); ok && id != 0 && c.Dir() == types.SendRecv {
		return &value{kind: callKind, typ: t, lit: "make"}
	}
	if id != 0 {
		fail("%s is a %s, which is not modelled", name, t)
	}
	return &value{typ: t}
}

// scalar makes the value of a term; nil is zero.
func (w *world) scalar(t *term.Term, typ types.Type) *value {
	if t == nil {
		return &value{typ: typ}
	}
	v := w.eval.value(t)
	if isNamed(typ, "time", "Time") {
		return &value{kind: callKind, typ: typ, lit: strconv.FormatInt(v.Int(), 10)}
	}
	of, ok := term.TypeOf(typ)
	if !ok {
		fail("a value of type %s, which is not modelled", typ)
	}
	return literal(of, v, typ)
}

func literal(of term.Type, v term.Value, typ types.Type) *value {
	lit := ""
	switch x := native(of, v).(type) {
	case bool:
		lit = strconv.FormatBool(x)
	case string:
		lit = strconv.Quote(x)
	case float32:
		lit = floatText(float64(x), 32)
	case float64:
		lit = floatText(x, 64)
	case uint64:
		lit = strconv.FormatUint(x, 10)
	default:
		lit = fmt.Sprint(x)
	}
	if lit == "0" || lit == "false" || lit == `""` {
		return &value{typ: typ}
	}
	return &value{kind: scalarKind, typ: typ, lit: lit}
}

func floatText(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "math.NaN()"
	case math.IsInf(f, 1):
		return "math.Inf(1)"
	case math.IsInf(f, -1):
		return "math.Inf(-1)"
	case f == 0 && math.Signbit(f):
		return "math.Copysign(0, -1)"
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

func (w *world) elements(name string, t, elem types.Type, n int) *value {
	v := &value{kind: listKind, typ: t}
	for i := range n {
		v.parts = append(v.parts, w.input(fmt.Sprintf("%s[%d]", name, i), elem))
	}
	return v
}

func (w *world) slice(name string, t, elem types.Type) *value {
	if null := w.vars[name+"!isNil"]; null != nil && w.model.Eval(null).Bool() {
		return &value{typ: t}
	}
	size, n := w.vars[name+"!len"], int64(0)
	if size != nil {
		n = w.model.Eval(size).Int()
	}
	switch {
	case n > maxLength:
		fail("%s has %d elements", name, n)
	case n == 0 && w.vars[name+"!isNil"] == nil:
		return &value{typ: t}
	}
	return w.elements(name, t, elem, int(n))
}

// table has the entries that the path looked for and found, and the further ones that it went through. It is nil only
// if the path asks.
func (w *world) table(name string, t types.Type, u *types.Map) *value {
	if w.nilMaps[name] {
		return &value{typ: t}
	}
	v, missing := &value{kind: mapKind, typ: t}, &value{}
	add := func(key, elem *value) {
		if v.find(key) < 0 {
			v.keys, v.parts = append(v.keys, key), append(v.parts, elem)
		}
	}
	for _, in := range w.path.Inputs {
		switch {
		case in.At.Name == name && in.Aspect == "!more":
			for i := range w.model.Eval(in.Var).Int() {
				add(w.input(fmt.Sprintf("%s!key%d", name, i), u.Key()), w.input(fmt.Sprintf("%s!elem%d", name, i), u.Elem()))
			}
		case in.At.Name == name && in.Aspect == "!isNil" && w.model.Eval(in.Var).Bool():
			return &value{typ: t}
		case in.At.Up != nil && in.At.Up.Name == name && in.At.Step == exec.Under && in.Aspect == "!has" &&
			w.model.Eval(in.Var).Bool():
			add(w.valueAtEnd(in.At.Key, u.Key()), w.input(in.At.Name, u.Elem()))
		case in.At.Up != nil && in.At.Up.Name == name && in.At.Step == exec.Under && in.Aspect == "!has":
			missing.keys = append(missing.keys, w.valueAtEnd(in.At.Key, u.Key()))
		}
	}
	if all := w.vars[name+"!size"]; all != nil {
		w.fillUp(v, missing, u, w.model.Eval(all).Int(), name)
	}
	return v
}

// fillUp adds entries that nobody looks at, until a map has so many as the path wants.
func (w *world) fillUp(v, missing *value, u *types.Map, n int64, name string) {
	if n > maxLength {
		fail("%s has %d entries", name, n)
	}
	of, _ := term.TypeOf(u.Key())
	for i := 0; int64(len(v.keys)) < n; i++ {
		at := term.TextValue(fmt.Sprintf("key%d", i))
		if of.Kind != term.StringKind {
			at = term.WordValue(of.Sort, uint64(i))
		}
		if key := literal(of, at, u.Key()); v.find(key) < 0 && missing.find(key) < 0 {
			v.keys, v.parts = append(v.keys, key), append(v.parts, &value{typ: u.Elem()})
		}
	}
}

// find gives the index of a key, -1 if there is none.
func (v *value) find(key *value) int {
	for i, k := range v.keys {
		if k.same(key) {
			return i
		}
	}
	return -1
}

// same compares keys of maps.
func (v *value) same(u *value) bool {
	if v.isZero() && u.isZero() {
		return true
	}
	if v.kind != u.kind || v.lit != u.lit || v.to != u.to || len(v.parts) != len(u.parts) {
		return false
	}
	for i := range v.parts {
		if !v.parts[i].same(u.parts[i]) {
			return false
		}
	}
	return v.kind != faceKind || types.Identical(v.parts[0].typ, u.parts[0].typ)
}

func (w *world) pointer(name string, t, elem types.Type) *value {
	if slices.ContainsFunc(w.path.Borrowed, func(at *exec.Place) bool { return at.Name == name }) && !isMessage(t) {
		return w.borrowed(name, t)
	}
	ref := w.vars[name+"!ref"]
	if ref == nil {
		return &value{typ: t}
	}
	id := w.model.Eval(ref).Uint()
	if id == 0 {
		return &value{typ: t}
	}
	// Two pointers of one identity and different types are two objects.
	key := objectKey(id, elem)
	if o := w.objects[key]; o != nil {
		return &value{kind: pointerKind, typ: t, to: o}
	}
	o := &object{}
	w.objects[key] = o
	at := name
	if _, ok := elem.Underlying().(*types.Struct); !ok {
		at += ".*"
	}
	if owner := w.owners[id]; owner != nil && types.Identical(owner.Type, elem) {
		at = owner.Name
	}
	o.val = w.input(at, elem)
	return &value{kind: pointerKind, typ: t, to: o}
}

func objectKey(id uint64, elem types.Type) string {
	return fmt.Sprint(id, " ", types.TypeString(elem, nil))
}

func (w *world) face(name string, t types.Type) *value {
	tag := w.vars[name+"!type"]
	if tag == nil {
		return &value{typ: t}
	}
	number := w.model.Eval(tag).Uint()
	if number == 0 {
		return &value{typ: t}
	}
	held := w.program.Type(number)
	u := t.Underlying().(*types.Interface)
	if w.program.IsOther(held) || !u.Empty() && !isError(t) && (held == nil || !types.Implements(held, u)) {
		return w.faked(name, t)
	}
	if held == nil {
		return w.anything(t)
	}
	label := types.TypeString(held, (*types.Package).Name)
	if isNamed(held, "errors", "errorString") {
		return w.newError(w.vars[name+".("+label+")"], t)
	}
	return &value{kind: faceKind, typ: t, parts: []*value{w.input(name+".("+label+")", held)}}
}

// anything makes a value that an interface without methods holds, of a type that the program does not know.
func (w *world) anything(t types.Type) *value {
	if isError(t) {
		return w.newError(nil, t)
	}
	empty := types.NewStruct(nil, nil)
	return &value{kind: faceKind, typ: t, parts: []*value{{kind: structKind, typ: empty}}}
}

func isError(t types.Type) bool {
	return types.Identical(t.Underlying(), types.Universe.Lookup("error").Type().Underlying())
}

// newError makes an error with a text, any if the path has not looked at it.
func (w *world) newError(text *term.Term, t types.Type) *value {
	said := "error"
	if text != nil {
		said = w.eval.value(text).Text
	}
	return &value{kind: callKind, typ: t, lit: fmt.Sprintf("errors.New(%q)", said)}
}
