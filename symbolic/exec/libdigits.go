package exec

import (
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has functions of texts that are not constant, but put together of constants and numbers. A number is
// expanded only where somebody looks into the text: then its sign is decided, and behind that there are digits alone.
// So most texts, which nobody looks into, cost nothing.
//
//	assumes:    a text that holds anything else, such as one of a message, is left to uninterpreted functions
//	checked by: TestMadeTexts, against Go's own results on random texts and numbers

// Functions of numbers that give texts.
const (
	decimalFunction = "strconv.Itoa"   // of a signed number
	digitsFunction  = "strconv.digits" // of an unsigned number: nothing but digits, one at least
)

// either tries one after the other.
func either(first, second library) library {
	return func(r *run, fn *types.Func, sig *types.Signature, args []Value) (Value, bool) {
		if v, ok := first(r, fn, sig, args); ok {
			return v, true
		}
		return second(r, fn, sig, args)
	}
}

// itoa writes a number with base 10.
func itoa(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	if len(args) > 1 {
		if base := args[1].(*term.Term); !base.Const() || base.Value().Int() != 10 {
			return nil, false
		}
	}
	return r.decimal(args[0].(*term.Term)), true
}

// decimal is the text of a signed number of 64 bits.
func (r *run) decimal(n *term.Term) *term.Term {
	if n.Const() {
		return r.store.Text(strconv.FormatInt(n.Value().Int(), 10))
	}
	return r.store.Apply(decimalFunction, term.String, n)
}

// digits is the text of an unsigned number of 64 bits.
func (r *run) digits(n *term.Term) *term.Term {
	if n.Const() {
		return r.store.Text(strconv.FormatUint(n.Value().Uint(), 10))
	}
	return r.store.Apply(digitsFunction, term.String, n)
}

// pieces gives what a text is put together of: constants and digits. It decides the signs of numbers. It fails, before
// that, if there is anything else in the text.
func (r *run) pieces(t *term.Term) (list []*term.Term, ok bool) {
	parts := partsOf(t)
	for _, p := range parts {
		if !p.Const() && !isNumber(p) {
			return nil, false
		}
	}
	var signed []*term.Term
	for _, p := range parts {
		if !isCall(p, decimalFunction) {
			signed = append(signed, p)
			continue
		}
		n := p.Args[0]
		if r.truth(r.store.SLess(n, r.int(0))) {
			signed, n = append(signed, r.store.Text("-")), r.store.Neg(n)
		}
		signed = append(signed, r.digits(n))
	}
	if t = r.store.Concat(signed...); t.Op == term.OpConcat { // constants beside each other are one
		return t.Args, true
	}
	return []*term.Term{t}, true
}

func isCall(t *term.Term, function string) bool { return t.Op == term.OpApply && t.Name == function }

// hasDigit reports whether a text may be found within digits, or reach into them.
func hasDigit(s string) bool { return s == "" || strings.ContainsAny(s, "0123456789") }

// splitPieces cuts pieces where a separator is, which is without digits, so that it stands in constants alone.
func splitPieces(pieces []*term.Term, sep string, text func(string) *term.Term) (parts [][]*term.Term) {
	parts = [][]*term.Term{nil}
	for _, p := range pieces {
		if !p.Const() {
			parts[len(parts)-1] = append(parts[len(parts)-1], p)
			continue
		}
		for i, s := range strings.Split(p.Value().Text, sep) {
			if i > 0 {
				parts = append(parts, nil)
			}
			parts[len(parts)-1] = append(parts[len(parts)-1], text(s))
		}
	}
	return parts
}

// fieldPieces cuts pieces where there is space.
func fieldPieces(pieces []*term.Term, _ string, text func(string) *term.Term) (parts [][]*term.Term) {
	var field []*term.Term
	end := func() {
		if len(field) > 0 {
			parts, field = append(parts, field), nil
		}
	}
	for _, p := range pieces {
		if !p.Const() {
			field = append(field, p)
			continue
		}
		for s := p.Value().Text; s != ""; {
			c, size := utf8.DecodeRuneInString(s)
			if unicode.IsSpace(c) {
				end()
			} else {
				field = append(field, text(s[:size]))
			}
			s = s[size:]
		}
	}
	end()
	return parts
}

// madeParts makes a slice of the parts of a text that is put together.
func madeParts(cut func(pieces []*term.Term, sep string, text func(string) *term.Term) [][]*term.Term) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		pieces, sep, ok := r.made(args)
		if !ok {
			return nil, false
		}
		var elems []Value
		for _, part := range cut(pieces, sep, r.store.Text) {
			elems = append(elems, r.store.Concat(part...))
		}
		return r.newSlice(types.Typ[types.String], elems, len(elems)), true
	}
}

// made gives the pieces of the first argument, and what is looked for, which is in no digits.
func (r *run) made(args []Value) (pieces []*term.Term, sep string, ok bool) {
	if len(args) > 1 {
		t := args[1].(*term.Term)
		if !t.Const() || hasDigit(t.Value().Text) {
			return nil, "", false
		}
		sep = t.Value().Text
	}
	pieces, ok = r.pieces(args[0].(*term.Term))
	return pieces, sep, ok
}

// cutMade is strings.Cut.
func cutMade(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	pieces, sep, ok := r.made(args)
	if !ok {
		return nil, false
	}
	parts := splitPieces(pieces, sep, r.store.Text)
	before := r.store.Concat(parts[0]...)
	var behind []*term.Term
	for i, part := range parts[1:] {
		if i > 0 {
			behind = append(behind, r.store.Text(sep))
		}
		behind = append(behind, part...)
	}
	return Tuple{before, r.store.Concat(behind...), r.store.Bool(len(parts) > 1)}, true
}

// containsMade is strings.Contains.
func containsMade(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	pieces, sep, ok := r.made(args)
	if !ok {
		return nil, false
	}
	return r.store.Bool(len(splitPieces(pieces, sep, r.store.Text)) > 1), true
}

// prefixMade is strings.HasPrefix, where a constant that is long enough is in front, or where the prefix goes on with
// what is no digit.
func prefixMade(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	pieces, prefix, ok := r.made(args)
	if !ok {
		return nil, false
	}
	front := ""
	if pieces[0].Const() {
		front = pieces[0].Value().Text
	}
	return r.store.Bool(strings.HasPrefix(front, prefix)), true
}

// suffixMade is strings.HasSuffix, as prefixMade is.
func suffixMade(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	pieces, suffix, ok := r.made(args)
	if !ok {
		return nil, false
	}
	back := ""
	if end := pieces[len(pieces)-1]; end.Const() {
		back = end.Value().Text
	}
	return r.store.Bool(strings.HasSuffix(back, suffix)), true
}

// countMade is strings.Count.
func countMade(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	pieces, sep, ok := r.made(args)
	if !ok {
		return nil, false
	}
	return r.int(len(splitPieces(pieces, sep, r.store.Text)) - 1), true
}

// trimMade is strings.TrimSpace.
func trimMade(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	pieces, _, ok := r.made(args)
	if !ok {
		return nil, false
	}
	pieces = slices.Clone(pieces)
	if first := pieces[0]; first.Const() {
		pieces[0] = r.store.Text(strings.TrimLeftFunc(first.Value().Text, unicode.IsSpace))
	}
	if end := len(pieces) - 1; pieces[end].Const() {
		pieces[end] = r.store.Text(strings.TrimRightFunc(pieces[end].Value().Text, unicode.IsSpace))
	}
	return r.store.Concat(pieces...), true
}

// joins is strings.Join of a slice whose length is known.
func joins(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	s := r.mustSlice(args[0])
	if s.mem.Obj != nil && s.len < 0 {
		return nil, false
	}
	var all []*term.Term
	for i, e := range r.elems(s) {
		if i > 0 {
			all = append(all, args[1].(*term.Term))
		}
		all = append(all, r.force(e).(*term.Term))
	}
	return r.store.Concat(all...), true
}

// atoiMade reads a number from digits, perhaps behind a sign.
func atoiMade(r *run, fn *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	pieces, _, ok := r.made(args)
	if !ok {
		return nil, false
	}
	text, sign := args[0], ""
	for i, p := range pieces {
		if p.Const() && !mayBeNumber(p.Value().Text, i == 0) {
			return Tuple{r.int(0), r.noNumber(fn, text)}, true
		}
	}
	if pieces[0].Const() && len(pieces) == 2 {
		sign, pieces = pieces[0].Value().Text, pieces[1:]
	}
	if len(pieces) != 1 || pieces[0].Const() || sign != "" && sign != "+" && sign != "-" {
		return nil, false
	}
	n, least := pieces[0].Args[0], r.store.Int(term.Word64, math.MinInt64)
	if sign == "-" && r.truth(r.store.Not(r.store.ULess(least, n))) {
		return Tuple{r.store.Neg(n), Face{}}, true
	}
	if sign != "-" && r.truth(r.store.ULess(n, least)) {
		return Tuple{n, Face{}}, true
	}
	edge := int64(math.MaxInt64)
	if sign == "-" {
		edge = math.MinInt64
	}
	return Tuple{r.store.Int(term.Word64, edge), r.noNumber(fn, text)}, true
}

// mayBeNumber reports whether a text may be a part of a number with base 10, which may begin with a sign.
func mayBeNumber(s string, first bool) bool {
	if first && s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	return strings.Trim(s, "0123456789") == ""
}

// noNumber is the error of a text that is no number, or none that fits. Why is not told here.
func (r *run) noNumber(fn *types.Func, text Value) Value {
	t := fn.Pkg().Scope().Lookup("NumError").Type()
	e := &Struct{Type: t}
	for f := range structOf(t).Fields() {
		var v Value = r.store.Text(fn.Name())
		switch f.Name() {
		case "Num":
			v = text
		case "Err":
			v = &Lazy{at: r.unknownRoot(r.outside("NumError"), f.Type())}
		}
		e.Fields = append(e.Fields, v)
	}
	return Face{types.NewPointer(t), Ptr{Obj: r.alloc(t, e)}}
}
