package gentest

import (
	"cmp"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// source writes the statements of one test.
type source struct {
	names *names
	used  map[string]bool // variables
	lines []string
	actor string // the variable of what is tested
}

func newSource(n *names) *source { return &source{names: n, used: map[string]bool{}} }

func (s *source) add(format string, args ...any) {
	s.lines = append(s.lines, fmt.Sprintf(format, args...))
}

// variable gives a name that hides nothing.
func (s *source) variable(like string) string {
	base := identifier(like)
	base = strings.ToLower(base[:1]) + base[1:]
	name := base
	for i := 2; s.used[name] || s.names.taken[name]; i++ {
		name = fmt.Sprintf("%s%d", base, i)
	}
	s.used[name] = true
	return name
}

// count counts the pointers to each object of values, and gives the objects in the order in which they are met.
func count(list []*object, seen map[*value]bool, v *value) []*object {
	if seen[v] {
		return list
	}
	if v.kind != pointerKind {
		seen[v] = true
	}
	for _, p := range v.keys {
		list = count(list, seen, p)
	}
	for _, p := range v.parts {
		list = count(list, seen, p)
	}
	if v.to == nil || v.to.name != "" {
		return list
	}
	if v.to.uses++; v.to.uses == 1 {
		list = count(append(list, v.to), seen, v.to.val)
	}
	return list
}

// declare makes variables for what several pointers lead to, and for what is no struct, slice or map.
func (s *source) declare(like string, values ...*value) {
	var list []*object
	seen := map[*value]bool{}
	for _, v := range values {
		list = count(list, seen, v)
	}
	var shared []*object
	for _, o := range list {
		if o.name == "" && (o.uses > 1 || !literalKind(o.val)) {
			o.name = s.variable(like)
			shared = append(shared, o)
			s.add("%s := new(%s)", o.name, s.names.typ(o.val.typ))
		}
	}
	for _, o := range shared {
		if !o.val.isZero() {
			s.add("*%s = %s", o.name, s.expr(o.val, o.val.typ))
		}
	}
}

// literalKind reports whether & may stand before the source of a value.
func literalKind(v *value) bool {
	switch v.typ.Underlying().(type) {
	case *types.Struct, *types.Array:
		return v.kind == structKind || v.kind == listKind || v.kind == zeroKind
	case *types.Slice, *types.Map:
		return v.kind != zeroKind
	}
	return false
}

// expr writes a value where a static type is expected.
func (s *source) expr(v *value, static types.Type) string {
	text := s.plain(v)
	if !types.IsInterface(static) || types.IsInterface(v.typ) {
		return text
	}
	switch v.kind { // what has no type of its own
	case zeroKind, scalarKind:
		if b, ok := v.typ.(*types.Basic); ok &&
			(b.Kind() == types.Int || b.Kind() == types.String || b.Kind() == types.Bool) {
			return text
		}
		if _, ok := v.typ.Underlying().(*types.Struct); ok {
			return text
		}
		if _, ok := v.typ.Underlying().(*types.Array); ok {
			return text
		}
		if _, ok := v.typ.Underlying().(*types.Basic); ok || strings.HasPrefix(s.names.typ(v.typ), "*") {
			return conversion(s.names.typ(v.typ), text)
		}
		return conversion(s.names.typ(v.typ), text)
	case methodKind, variableKind, fakeKind:
		if _, ok := v.typ.Underlying().(*types.Signature); ok {
			return conversion(s.names.typ(v.typ), text)
		}
	}
	return text
}

func conversion(typ, text string) string {
	if strings.ContainsAny(typ[:1], "*<") || strings.HasPrefix(typ, "func") || strings.HasPrefix(typ, "chan") {
		typ = "(" + typ + ")"
	}
	return typ + "(" + text + ")"
}

func (s *source) plain(v *value) string {
	switch v.kind {
	case zeroKind:
		return s.zero(v.typ)
	case scalarKind:
		if n, err := strconv.ParseInt(v.lit, 10, 64); err == nil && isNamed(v.typ, "time", "Duration") {
			return s.duration(time.Duration(n))
		}
		if strings.HasPrefix(v.lit, "math.") {
			return s.names.imported("math", "math") + strings.TrimPrefix(v.lit, "math")
		}
		return v.lit
	case refKind, fakeKind:
		return v.lit
	case structKind:
		return s.structure(v)
	case listKind, mapKind:
		return s.composite(v)
	case pointerKind:
		if v.to.name != "" {
			return v.to.name
		}
		return "&" + s.plain(v.to.val)
	case faceKind:
		return s.expr(v.parts[0], v.typ)
	case variableKind:
		return s.names.variable(v.lit)
	case libraryKind:
		return s.library(v)
	case methodKind:
		return s.actor + "." + v.lit
	}
	return s.call(v)
}

// duration writes a duration as people do.
func (s *source) duration(d time.Duration) string {
	pkg := s.names.imported("time", "time")
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"},
		{time.Microsecond, "Microsecond"}} {
		switch n := d / unit.of; {
		case d == 0 || d%unit.of != 0:
		case n == 1:
			return pkg + "." + unit.name
		default:
			return fmt.Sprintf("%d*%s.%s", n, pkg, unit.name)
		}
	}
	return strconv.FormatInt(int64(d), 10)
}

// call writes what is made by a function.
func (s *source) call(v *value) string {
	switch {
	case isNamed(v.typ, "time", "Time"):
		return fmt.Sprintf("%s.Unix(0, %s)", s.names.imported("time", "time"), v.lit)
	case v.lit == "make":
		return "make(" + s.names.typ(v.typ) + ")"
	}
	return s.names.imported("errors", "errors") + strings.TrimPrefix(v.lit, "errors")
}

func (s *source) zero(t types.Type) string {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false"
		case u.Info()&types.IsString != 0:
			return `""`
		case u.Info()&types.IsNumeric != 0:
			return "0"
		}
	case *types.Struct, *types.Array:
		return s.names.typ(t) + "{}"
	}
	return "nil"
}

// structure writes the fields that are not zero.
func (s *source) structure(v *value) string {
	u := v.typ.Underlying().(*types.Struct)
	var fields []string
	for i, p := range v.parts {
		if p.isZero() {
			continue
		}
		f := u.Field(i)
		if f.Name() == "_" {
			continue
		}
		if !f.Exported() && f.Pkg().Path() != s.names.pkg.Path() {
			fail("the field %s of %s cannot be set here", f.Name(), v.typ)
		}
		fields = append(fields, f.Name()+": "+s.expr(p, f.Type()))
	}
	return s.names.typ(v.typ) + "{" + strings.Join(fields, ", ") + "}"
}

func (s *source) composite(v *value) string {
	var list []string
	switch u := v.typ.Underlying().(type) {
	case *types.Map:
		for i, k := range v.keys {
			list = append(list, s.expr(k, u.Key())+": "+s.expr(v.parts[i], u.Elem()))
		}
		slices.Sort(list)
	case *types.Slice:
		for _, p := range v.parts {
			list = append(list, s.expr(p, u.Elem()))
		}
	case *types.Array:
		for _, p := range v.parts {
			list = append(list, s.expr(p, u.Elem()))
		}
	}
	return s.names.typ(v.typ) + "{" + strings.Join(list, ", ") + "}"
}

// peers are the actors of a test, as variables.
type peers struct {
	source *source
	wide   map[uint64]string     // by identity
	exact  map[*term.Term]string // what the handler creates
	places map[uint64]string     // what to call an actor
	made   []string              // declarations
	child  map[uint64]string     // names of those that are children of the tested actor
	found  map[uint64]string     // names by which others are found
}

func (p *peers) name(id uint64, t *term.Term) string {
	if known, ok := p.exact[t]; ok {
		return known
	}
	if known, ok := p.wide[id]; ok {
		return known
	}
	place := p.places[id]
	if place == "" {
		place = "peer"
	}
	place = place[strings.LastIndexByte(place, '.')+1:]
	name := p.source.variable(place)
	p.wide[id] = name
	if child, is := p.child[id]; is {
		p.made = append(p.made, fmt.Sprintf("%s := x.Child(%q)", name, cmp.Or(child, name)))
		return name
	}
	p.made = append(p.made, fmt.Sprintf("%s := x.Peer(%q)", name, cmp.Or(p.found[id], name)))
	return name
}
