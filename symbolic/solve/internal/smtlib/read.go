package smtlib

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Expr is an expression that a solver printed: an atom, or a list.
type Expr struct {
	Atom string // as printed, "" for a list
	List []Expr
}

// maxNesting bounds lists in lists: what solvers print about values is flat.
const maxNesting = 100

// Parse reads expressions.
func Parse(s string) ([]Expr, error) {
	p := &parser{rest: s}
	list, err := p.list(0)
	if err != nil {
		return nil, err
	}
	if p.rest != "" {
		return nil, fmt.Errorf("smtlib: %q is closed without being opened", clip(s))
	}
	return list, nil
}

type parser struct{ rest string }

// list reads up to a closing parenthesis, which it leaves, or the end.
func (p *parser) list(depth int) ([]Expr, error) {
	list := []Expr{}
	for {
		p.rest = strings.TrimLeft(p.rest, " \t\r\n")
		switch {
		case p.rest == "" || p.rest[0] == ')':
			return list, nil
		case p.rest[0] == '(':
			if depth == maxNesting {
				return nil, fmt.Errorf("smtlib: more than %d lists in lists", maxNesting)
			}
			p.rest = p.rest[1:]
			inner, err := p.list(depth + 1)
			if err != nil {
				return nil, err
			}
			if p.rest == "" {
				return nil, fmt.Errorf("smtlib: a list is not closed")
			}
			p.rest = p.rest[1:]
			list = append(list, Expr{List: inner})
		default:
			atom, err := p.atom()
			if err != nil {
				return nil, err
			}
			list = append(list, Expr{Atom: atom})
		}
	}
}

// atom reads a symbol, a number or a quoted string; a quote in a string is doubled.
func (p *parser) atom() (string, error) {
	if p.rest[0] != '"' {
		end := strings.IndexAny(p.rest, " \t\r\n()\"")
		if end < 0 {
			end = len(p.rest)
		}
		atom := p.rest[:end]
		p.rest = p.rest[end:]
		return atom, nil
	}
	for i := 1; i < len(p.rest); i++ {
		if p.rest[i] != '"' {
			continue
		}
		if i+1 < len(p.rest) && p.rest[i+1] == '"' {
			i++
			continue
		}
		atom := p.rest[:i+1]
		p.rest = p.rest[i+1:]
		return atom, nil
	}
	return "", fmt.Errorf("smtlib: a string is not closed")
}

// Value reads a value of that sort.
func (e Expr) Value(s term.Sort) (term.Value, error) {
	ok := false
	var v term.Value
	switch s.Kind {
	case term.BoolKind:
		v, ok = term.BoolValue(e.Atom == "true"), e.Atom == "true" || e.Atom == "false"
	case term.WordKind:
		var w uint64
		var n int
		if w, n, ok = e.word(); ok {
			v, ok = term.WordValue(s, w), n == int(s.Bits)
		}
	case term.FloatKind:
		v, ok = e.float(s)
	case term.StringKind:
		var t string
		t, ok = unquote(e.Atom)
		v = term.TextValue(t)
	}
	if !ok {
		return v, fmt.Errorf("smtlib: %s is no value of %v", e, s)
	}
	return v, nil
}

// word reads #x0f, #b0101 and (_ bv10 8), with the number of bits.
func (e Expr) word() (v uint64, width int, ok bool) {
	if len(e.List) == 3 && e.List[0].Atom == "_" && strings.HasPrefix(e.List[1].Atom, "bv") {
		v, err := strconv.ParseUint(e.List[1].Atom[2:], 10, 64)
		width, err2 := strconv.Atoi(e.List[2].Atom)
		return v, width, err == nil && err2 == nil
	}
	if len(e.Atom) < 3 || e.Atom[0] != '#' {
		return 0, 0, false
	}
	base, each := 2, 1
	if e.Atom[1] == 'x' {
		base, each = 16, 4
	}
	v, err := strconv.ParseUint(e.Atom[2:], base, 64)
	return v, each * len(e.Atom[2:]), err == nil && (e.Atom[1] == 'x' || e.Atom[1] == 'b')
}

// float reads (fp sign exponent significand) and (_ NaN 8 24), (_ +oo 8 24), (_ -zero 8 24) and their like.
func (e Expr) float(s term.Sort) (term.Value, bool) {
	if len(e.List) != 4 {
		return term.Value{}, false
	}
	if e.List[0].Atom == "_" {
		special := map[string]float64{"NaN": math.NaN(), "+oo": math.Inf(1), "-oo": math.Inf(-1), "+zero": 0,
			"-zero": math.Copysign(0, -1)}
		f, ok := special[e.List[1].Atom]
		return term.FloatValue(s, f), ok
	}
	whole, total := uint64(0), 0
	for _, part := range e.List[1:] {
		v, n, ok := part.word()
		if !ok || bits.Len64(v) > n {
			return term.Value{}, false
		}
		whole = whole<<n | v
		total += n
	}
	f := math.Float64frombits(whole)
	if s.Bits == 32 {
		f = float64(math.Float32frombits(uint32(whole)))
	}
	return term.FloatValue(s, f), e.List[0].Atom == "fp" && total == int(s.Bits)
}

// unquote reads a string. A character beyond those of bytes is none of ours.
func unquote(atom string) (string, bool) {
	if len(atom) < 2 || atom[0] != '"' || atom[len(atom)-1] != '"' {
		return "", false
	}
	s := strings.ReplaceAll(atom[1:len(atom)-1], `""`, `"`)
	var b strings.Builder
	for s != "" {
		c, rest, ok := character(s)
		if !ok || c > 255 {
			return "", false
		}
		b.WriteByte(byte(c))
		s = rest
	}
	return b.String(), true
}

// character reads one character: itself, \u{...}, \uXXXX, or \xXX as older solvers print it.
func character(s string) (c uint64, rest string, ok bool) {
	digits, skip := "", 0
	switch {
	case strings.HasPrefix(s, `\u{`):
		end := strings.IndexByte(s, '}')
		if end < 0 {
			return 0, "", false
		}
		digits, skip = s[3:end], end+1
	case strings.HasPrefix(s, `\u`) && len(s) >= 6:
		digits, skip = s[2:6], 6
	case strings.HasPrefix(s, `\x`) && len(s) >= 4:
		digits, skip = s[2:4], 4
	default:
		return uint64(s[0]), s[1:], true
	}
	c, err := strconv.ParseUint(digits, 16, 32)
	return c, s[skip:], err == nil
}

func (e Expr) String() string {
	if e.Atom != "" {
		return e.Atom
	}
	parts := make([]string, len(e.List))
	for i, x := range e.List {
		parts[i] = x.String()
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// clip shortens what a solver printed for a message.
func clip(s string) string {
	if s = strings.TrimSpace(s); len(s) > 200 {
		s = s[:200] + "..."
	}
	return s
}
