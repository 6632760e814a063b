package exec

import (
	"strconv"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file compares texts that are put together of constants and numbers. A constant has one way to be read as such
// a text, and two texts of one form are equal if their numbers are.
//
//	assumes:    a digit never follows a number. Such texts, and those of other parts, are left to the solver
//	checked by: TestMadeTexts

// sameMade gives the condition that two texts are equal; false if it does not know.
func (r *run) sameMade(x, y *term.Term) (*term.Term, bool) {
	switch {
	case x.Sort != term.String || x == y || x.Const() && y.Const():
		return nil, false
	case x.Const():
		return r.reads(x.Value().Text, partsOf(y))
	case y.Const():
		return r.reads(y.Value().Text, partsOf(x))
	}
	return r.sameForm(partsOf(x), partsOf(y))
}

// partsOf gives what a text is put together of.
func partsOf(t *term.Term) []*term.Term {
	if t.Op == term.OpConcat {
		return t.Args
	}
	return []*term.Term{t}
}

// isNumber reports whether a text is that of a number.
func isNumber(t *term.Term) bool { return isCall(t, decimalFunction) || isCall(t, digitsFunction) }

// readable reports whether parts are constants and numbers, and where each number ends can be seen.
func readable(parts []*term.Term) bool {
	for i, p := range parts {
		switch {
		case p.Const():
		case !isNumber(p):
			return false
		case i+1 < len(parts) && (!parts[i+1].Const() || isDigit(parts[i+1].Value().Text[0])):
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// reads gives the condition that a constant is the text of parts.
func (r *run) reads(text string, parts []*term.Term) (*term.Term, bool) {
	if !readable(parts) {
		return nil, false
	}
	var all []*term.Term
	for _, p := range parts {
		n := 0
		if p.Const() {
			if n = len(p.Value().Text); len(text) < n || text[:n] != p.Value().Text {
				return r.store.Bool(false), true
			}
		} else {
			if isCall(p, decimalFunction) && text != "" && text[0] == '-' {
				n++
			}
			for n < len(text) && isDigit(text[n]) {
				n++
			}
			is := r.spells(p, text[:n])
			if is.False() {
				return is, true
			}
			all = append(all, is)
		}
		text = text[n:]
	}
	if text != "" {
		return r.store.Bool(false), true
	}
	return r.store.And(all...), true
}

// spells gives the condition that the text of a number is a constant.
func (r *run) spells(number *term.Term, text string) *term.Term {
	sort := number.Args[0].Sort
	if isCall(number, decimalFunction) {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
			return r.store.Equal(number.Args[0], r.store.Int(sort, n))
		}
	} else if n, err := strconv.ParseUint(text, 10, 64); err == nil && strconv.FormatUint(n, 10) == text {
		return r.store.Equal(number.Args[0], r.store.Uint(sort, n))
	}
	return r.store.Bool(false)
}

// sameForm compares texts with the same constants and numbers at the same places.
func (r *run) sameForm(xs, ys []*term.Term) (*term.Term, bool) {
	if len(xs) != len(ys) || !readable(xs) || !readable(ys) {
		return nil, false
	}
	var all []*term.Term
	for i, x := range xs {
		y := ys[i]
		switch {
		case x == y:
		case x.Const() || y.Const() || x.Name != y.Name:
			return nil, false
		default:
			all = append(all, r.store.Equal(x.Args[0], y.Args[0]))
		}
	}
	return r.store.And(all...), true
}
