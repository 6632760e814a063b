package exec

import (
	"fmt"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file makes the texts by which findings show values: what package render prints of compiled ones. They are put
// together of constants and numbers, so that functions of texts know what is in them. Maps are in shownmap.go.
//
//	source:     internal/render
//	differs:    truth values alone are decided for a text. One that would need more, or is too long, is not known
//	checked by: symbolic/system/check_test.go: the texts of compiled programs

// Shower says how values are shown.
type Shower struct {
	Depth, Elements, String, Entries int // bounds, as package render has them
	Limit                            int // of the whole text, in characters

	Shorten func(text string, limit int) string
	Actor   func(ref *term.Term, t types.Type) (name string, known bool)
}

// Shown gives the text of a value in an interface; false if it is not known.
func (m *Machine) Shown(v Value, how *Shower) (*term.Term, bool) {
	s := &showing{Shower: how, r: m.r}
	s.value(v, nil, how.Depth, true)
	if s.unknown || s.longest > how.Limit {
		return nil, false
	}
	return m.r.store.Concat(s.parts...), true
}

// showing is one text that is being made.
type showing struct {
	*Shower
	r       *run
	parts   []*term.Term
	longest int // characters that there are at most
	unknown bool
	path    []shownAt // pointers that are being followed
}

// shownAt is where a pointer, slice or map leads.
type shownAt struct {
	to     Ptr
	length int
	table  *Map
	typ    types.Type
}

// same reports whether two lead to one place, as values of one type.
func (at shownAt) same(o shownAt) bool {
	return at.to.same(o.to) && at.table == o.table && at.length == o.length && types.Identical(at.typ, o.typ)
}

func (s *showing) print(text string) {
	text = s.Shorten(text, math.MaxInt32)
	s.parts = append(s.parts, s.r.store.Text(text))
	s.longest += len([]rune(text))
}

// number prints a number of any size.
func (s *showing) number(n *term.Term, t types.Type) {
	text := s.r.digits
	if typ, _ := term.TypeOf(t); !typ.Unsigned {
		text = s.r.decimal
	}
	s.digits(text(s.r.wide(n, t)))
}

// digits prints what is a constant, or the digits of a number.
func (s *showing) digits(text *term.Term) {
	s.parts = append(s.parts, text)
	if s.longest += longestNumber; text.Const() {
		s.longest += len(text.Value().Text) - longestNumber
	}
}

// longestNumber is how many characters a number of 64 bits has at most.
const longestNumber = len("-9223372036854775808")

// value prints a value of a type; nil stands for an interface, which has the type with it. Where exported fields
// alone lead to a value, render may ask it for its text.
func (s *showing) value(v Value, t types.Type, depth int, exported bool) {
	v = settled(v)
	if l, ok := v.(*Lazy); ok {
		v = settled(s.r.force(l))
	}
	if f, ok := v.(Face); ok {
		if f.Type == nil {
			s.print("nil")
			return
		}
		s.value(f.Val, f.Type, depth, exported)
		return
	}
	switch {
	case s.unknown:
	case t == nil:
		s.unknown = true // an interface that nobody has looked into
	case isReference(t):
		s.actor(v, t)
	case isNamed(t, "time", "Duration") && isConst(v):
		s.print(time.Duration(v.(*term.Term).Value().Int()).String())
	case isTime(t) || exported && ownText(t) || special(t):
		s.unknown = true
	default:
		s.kind(v, t, depth, exported)
	}
}

// actor prints a reference to an actor.
func (s *showing) actor(v Value, t types.Type) {
	ref, ok := v.(*term.Term)
	if !ok {
		s.unknown = true
		return
	}
	name, ok := s.Actor(ref, t)
	s.unknown = s.unknown || !ok
	s.print(name)
}

// stringer is fmt.Stringer.
var stringer = func() *types.Interface {
	text := types.NewTuple(types.NewVar(0, nil, "", types.Typ[types.String]))
	method := types.NewFunc(0, nil, "String", types.NewSignatureType(nil, nil, nil, nil, text, false))
	return types.NewInterfaceType([]*types.Func{method}, nil).Complete()
}()

// ownText reports whether values of a type say by themselves how they are shown. Of pointers those to errors of the
// standard library do.
func ownText(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		n, ok := types.Unalias(p.Elem()).(*types.Named)
		return ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "errors" || n.Obj().Pkg().Path() == "fmt")
	}
	return types.Implements(t, stringer) || types.Implements(t, errorFace)
}

func isConst(v Value) bool {
	t, ok := v.(*term.Term)
	return ok && t.Const()
}

// special reports whether package render has a text of its own for a type, which this file has not.
func special(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return false
	}
	if n.TypeArgs().Len() > 0 {
		return true
	}
	pkg := n.Obj().Pkg()
	return pkg != nil && (pkg.Path() == "time" || pkg.Path() == "sync/atomic")
}

// kind prints a value by what kind of type it has.
func (s *showing) kind(v Value, t types.Type, depth int, exported bool) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		s.basic(v, t, u)
	case *types.Struct:
		s.fields(v, t, u, depth, exported)
	case *types.Array:
		if a, ok := v.(*Array); ok {
			s.list(a.Elems, u.Elem(), depth, exported)
			return
		}
		s.unknown = true
	case *types.Pointer:
		s.pointer(v, t, u.Elem(), depth, exported)
	case *types.Slice:
		s.slice(v, t, u.Elem(), depth, exported)
	case *types.Map:
		s.table(v, t, u, depth, exported)
	case *types.Signature:
		f, ok := v.(Func)
		s.unknown = s.unknown || !ok
		s.print(map[bool]string{true: "nil", false: "func"}[ok && f.null()])
	default:
		s.unknown = true
	}
}

func (s *showing) basic(v Value, t types.Type, b *types.Basic) {
	n, ok := v.(*term.Term)
	switch {
	case !ok:
		s.unknown = true
	case b.Info()&types.IsBoolean != 0:
		s.print(strconv.FormatBool(s.r.truth(n)))
	case b.Info()&types.IsInteger != 0:
		s.number(n, t)
	case b.Info()&types.IsFloat != 0 && n.Const():
		typ, _ := term.TypeOf(t)
		s.print(strconv.FormatFloat(n.Value().Float(), 'g', -1, int(typ.Sort.Bits)))
	case b.Info()&types.IsString != 0:
		s.quoted(n)
	default:
		s.unknown = true
	}
}

// quoted prints a string that is put together of constants and numbers, in quotes.
func (s *showing) quoted(t *term.Term) {
	parts, longest := partsOf(t), 0
	s.print(`"`)
	for _, p := range parts {
		switch {
		case p.Const():
			text := p.Value().Text
			longest += len([]rune(text))
			if len(parts) == 1 {
				text, longest = s.Shorten(text, s.String), 0
			}
			quoted := strconv.Quote(s.Shorten(text, math.MaxInt32))
			s.print(quoted[1 : len(quoted)-1])
		case isNumber(p):
			s.digits(p)
			longest += longestNumber
		default:
			s.unknown = true
		}
	}
	s.unknown = s.unknown || longest > s.String
	s.print(`"`)
}

// within prints what a pointer, slice or map leads to, unless it is on the way to itself.
func (s *showing) within(at shownAt, follow func()) {
	for _, o := range s.path {
		if o.same(at) && (at.length > 0 || !isSlice(at.typ)) {
			s.print("<cycle>")
			return
		}
	}
	s.path = append(s.path, at)
	follow()
	s.path = s.path[:len(s.path)-1]
}

func isSlice(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

func (s *showing) pointer(v Value, t, elem types.Type, depth int, exported bool) {
	p, ok := v.(Ptr)
	switch {
	case !ok:
		s.unknown = true
	case p.Obj == nil:
		s.print("nil")
	default:
		s.within(shownAt{to: p, typ: t}, func() {
			s.print("&")
			s.value(s.r.load(p), held(elem), depth, exported)
		})
	}
}

// held gives the type of a variable, nil if it holds interfaces.
func held(t types.Type) types.Type {
	if types.IsInterface(t) {
		return nil
	}
	return t
}

func (s *showing) slice(v Value, t, elem types.Type, depth int, exported bool) {
	sl, ok := v.(Slice)
	switch {
	case !ok || sl.mem.Obj != nil && (sl.len < 0 || sl.mem.Obj.at != nil):
		s.unknown = true
	case sl.mem.Obj == nil:
		s.print("nil")
	default:
		s.within(shownAt{to: sl.mem.at(sl.off), length: sl.len, typ: t}, func() {
			if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 {
				s.unknown = true
				return
			}
			s.list(s.r.elems(sl), elem, depth, exported)
		})
	}
}

func (s *showing) list(elems []Value, elem types.Type, depth int, exported bool) {
	s.elements("[", "]", " ", len(elems), depth, func(i int) { s.value(elems[i], held(elem), depth-1, exported) })
}

// elements prints the first of some elements, and how many there are more.
func (s *showing) elements(left, right, between string, n, depth int, element func(i int)) {
	if n > 0 && depth <= 0 {
		s.print(left + "…" + right)
		return
	}
	s.print(left)
	for i := range n {
		if i > 0 {
			s.print(between)
		}
		if i == s.Elements {
			s.print(fmt.Sprintf("… %d more", n-i))
			break
		}
		if element(i); s.unknown {
			return
		}
	}
	s.print(right)
}

func (s *showing) fields(v Value, t types.Type, u *types.Struct, depth int, exported bool) {
	of, ok := v.(*Struct)
	if !ok {
		s.unknown = true
		return
	}
	var shown []int
	for i := range u.NumFields() {
		if !noise(t, u, i) {
			shown = append(shown, i)
		}
	}
	name := ""
	if n, ok := types.Unalias(t).(*types.Named); ok {
		name = n.Obj().Name()
	}
	s.elements(name+"{", "}", " ", len(shown), depth, func(i int) {
		f := u.Field(shown[i])
		s.print(f.Name() + ":")
		s.value(of.Fields[shown[i]], held(f.Type()), depth-1, exported && f.Exported())
	})
}

// noise reports fields that are not shown, as package render has them.
func noise(t types.Type, u *types.Struct, i int) bool {
	f := u.Field(i)
	ft := f.Type()
	for {
		p, ok := types.Unalias(ft).(*types.Pointer)
		if !ok {
			break
		}
		ft = p.Elem()
	}
	name, pkg := named(ft)
	_, own := named(t)
	_, is := ft.Underlying().(*types.Struct)
	switch {
	case f.Name() == "_", pkg == "sync":
		return true
	case is && pkg != own && slices.Contains([]string{"ActorSystem", "RootContext", "EventStream", "Logger"}, name):
		return true
	case name == "MessageState" && strings.HasSuffix(pkg, "protobuf/internal/impl"):
		return true
	case f.Name() == "sizeCache" || f.Name() == "unknownFields":
		first, _ := named(u.Field(0).Type())
		return first == "MessageState"
	}
	return false
}

// named gives the name of a type and the path of its package, empty for those without.
func named(t types.Type) (name, pkg string) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return "", ""
	}
	if n.Obj().Pkg() != nil {
		pkg = n.Obj().Pkg().Path()
	}
	return n.Obj().Name(), pkg
}
