package solve

import (
	"fmt"
	"strings"

	"github.com/go-air/gini/z"

	"github.com/rehearse-go/rehearse/symbolic/solve/internal/circuit"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// A string is an identity and a length. Equal identities are equal strings, different ones different strings; constants
// are numbered, "" is 0. What follows from being text is demanded where a model breaks it, as for functions: the rules
// sameLength to concatenated.

// lengthBits is the width of a length: no machine has longer strings.
const lengthBits = 47

// shortText and longText bound the lengths of strings in models: people can read the first, beyond the second no string
// is made.
const shortText, longText = 1 << 6, 1 << 16

// lengthsTried are the widths of lengths that are tried, one after the other, where a model has longer strings.
var lengthsTried = [...]int{6, 10, 16}

// length gives the length of a string.
func (b *blaster) length(t *term.Term) circuit.Word {
	if w, ok := b.size[t]; ok {
		return w
	}
	var w circuit.Word
	switch t.Op {
	case term.OpConst:
		w = b.Word(lengthBits, uint64(len(t.Name)))
	case term.OpIf:
		w = b.Choose(b.lit(t.Args[0]), b.length(t.Args[1]), b.length(t.Args[2]))
	case term.OpConcat:
		sum := b.Word(lengthBits+8, 0)
		for _, p := range t.Args {
			sum = b.AddScaled(sum, b.Extend(b.length(p), lengthBits+8, b.True.Not()), 1)
		}
		b.Clause(b.zero(sum[lengthBits:])) // of parts that are longer together there is no string
		w = sum[:lengthBits]
	default:
		w = b.Input(lengthBits)
	}
	b.size[t] = w
	if t.Op != term.OpConst {
		b.Clause(b.zero(w).Not(), b.same(t, ""))
	}
	return w
}

// addLengths gives all strings of a query a length, before solving: it adds clauses.
func (b *blaster) addLengths(q *query) {
	for _, t := range q.texts {
		b.length(t)
	}
}

// readLengths reads lengths from the solver's last model.
func (b *blaster) readLengths(q *query) snapshot {
	s := snapshot{}
	for _, t := range q.texts {
		s[t] = b.Read(b.length(t))
	}
	return s
}

// short is what to assume for strings whose lengths have few bits.
func (b *blaster) short(q *query, bits int) []z.Lit {
	var lits []z.Lit
	for _, t := range q.texts {
		for _, high := range b.length(t)[bits:] {
			lits = append(lits, high.Not())
		}
	}
	return lits
}

// brokenTexts gives the lemmas that a model breaks.
func (b *blaster) brokenTexts(q *query, id, size snapshot) []lemma {
	var broken []lemma
	first := map[uint64]*term.Term{}
	for _, t := range q.texts {
		if k := id[t]; k < uint64(len(b.names)) {
			if size[t] != uint64(len(b.names[k])) {
				broken = append(broken, constLength(t, b.names[k]))
			}
		} else if other := first[k]; other == nil {
			first[k] = t
		} else if size[other] != size[t] {
			broken = append(broken, sameLength(other, t))
		}
	}
	if len(broken) > 0 { // what follows reads lengths
		return broken
	}
	return b.brokenJoins(q, id, size)
}

// constLength demands that a string which equals a constant has its length.
func constLength(t *term.Term, text string) lemma {
	return about("length of a constant", text, func(b *blaster) []z.Lit {
		return []z.Lit{b.same(t, text).Not(), b.Equal(b.length(t), b.Word(lengthBits, uint64(len(text))))}
	}, t)
}

// sameLength demands that equal strings have equal lengths.
func sameLength(x, y *term.Term) lemma {
	return about("equal lengths", "", func(b *blaster) []z.Lit {
		return []z.Lit{b.equal(x, y).Not(), b.Equal(b.length(x), b.length(y))}
	}, x, y)
}

// spell gives a text for every identity. It fails, with the reason, where it finds none.
func (b *blaster) spell(q *query, id, size snapshot) (map[uint64]string, string) {
	p := &speller{q: q, id: id, size: size, texts: map[uint64]string{}, used: map[string]bool{}, busy: map[uint64]bool{}}
	for k, name := range b.names {
		p.texts[uint64(k)] = name
		p.used[name] = true
	}
	for _, t := range q.texts {
		if !p.spell(id[t]) {
			return nil, "strings of " + p.why
		}
	}
	return p.texts, ""
}

// speller makes texts up.
type speller struct {
	q        *query
	id, size snapshot
	texts    map[uint64]string
	used     map[string]bool
	busy     map[uint64]bool
	why      string
}

// spell finds a text for an identity: that of a concatenation from its parts, any other a new one.
func (p *speller) spell(k uint64) bool {
	if _, ok := p.texts[k]; ok {
		return true
	}
	if p.busy[k] {
		p.why = "a concatenation that is part of itself"
		return false
	}
	p.busy[k] = true
	for _, c := range p.q.joins {
		full := fullParts(c, p.id)
		if p.id[c] != k || len(full) < 2 {
			continue
		}
		joined := ""
		for _, t := range full {
			if !p.spell(p.id[t]) {
				return false
			}
			joined += p.texts[p.id[t]]
		}
		p.texts[k], p.used[joined] = joined, true
		return true
	}
	return p.invent(k)
}

// invent gives an identity a text that no other has, of the length that the model says.
func (p *speller) invent(k uint64) bool {
	length := 1
	for _, t := range p.q.texts {
		if n, ok := p.size[t]; ok && p.id[t] == k {
			if n > longText {
				p.why = fmt.Sprintf("%d bytes", n)
				return false
			}
			length = int(n)
			break
		}
	}
	for n := range len(p.used) + 1 {
		text := numeral(n, length)
		if text == "" && !(length == 1 && len(p.size) == 0) {
			p.why = fmt.Sprintf("%d bytes, more than were tried", length)
			return false
		}
		if text == "" { // the length does not matter
			text = "s" + fmt.Sprint(n)
		}
		if !p.used[text] {
			p.texts[k], p.used[text] = text, true
			return true
		}
	}
	return false
}

// numeral writes n with letters as digits, "" if it does not fit into the length.
func numeral(n, length int) string {
	digits := []byte(strings.Repeat("a", length))
	for i := length - 1; i >= 0 && n > 0; i-- {
		digits[i] = byte('a' + n%26)
		n /= 26
	}
	if n > 0 {
		return ""
	}
	return string(digits)
}
