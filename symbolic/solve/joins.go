package solve

import (
	"slices"
	"strings"

	"github.com/go-air/gini/z"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Concatenations: what follows from their text, demanded where a model breaks it. The rules do not decide all equations
// of words, and need not: what they leave open is found out when the model is evaluated, and is unknown then.

// aligned is what to assume first of concatenations of as many parts: equal ones have equal parts. Else most models of
// "a"+x == "a"+y+z and the like cannot be spelt, and the rules below do not say why.
func (b *blaster) aligned(q *query) []z.Lit {
	var lits []z.Lit
	for i, c := range q.joins {
		for _, d := range q.joins[:i] {
			if len(c.Args) != len(d.Args) {
				continue
			}
			same := make([]z.Lit, len(c.Args))
			for k := range c.Args {
				same[k] = b.equal(c.Args[k], d.Args[k])
			}
			lits = append(lits, b.And(b.equal(c, d), b.All(same).Not()).Not())
		}
	}
	return lits
}

// brokenJoins gives the lemmas about concatenations that a model breaks.
func (b *blaster) brokenJoins(q *query, id, size snapshot) []lemma {
	var broken []lemma
	for i, c := range q.joins {
		if l, ok := b.brokenJoin(c, id, size); ok {
			broken = append(broken, l)
		}
		for _, d := range q.joins[:i] {
			if l, ok := brokenPair(c, d, id); ok {
				broken = append(broken, l)
			}
		}
	}
	return broken
}

// brokenJoin looks at one concatenation.
func (b *blaster) brokenJoin(c *term.Term, id, size snapshot) (lemma, bool) {
	var pieces []string // as long as parts are constants
	var full []int      // parts that are not empty
	for i, p := range c.Args {
		if id[p] != 0 {
			full = append(full, i)
		}
		if len(pieces) == i && id[p] < uint64(len(b.names)) {
			pieces = append(pieces, b.names[id[p]])
		}
	}
	known := id[c] < uint64(len(b.names))
	switch {
	case len(pieces) == len(c.Args) && !(known && b.names[id[c]] == strings.Join(pieces, "")):
		return joinOfConstants(c, pieces), true
	case len(full) == 1 && id[c.Args[full[0]]] != id[c]:
		return joinOfOne(c, full[0]), true
	case known:
		return b.brokenPiece(c, b.names[id[c]], id, size)
	}
	return lemma{}, false
}

// joinOfConstants demands that the concatenation of constants is one.
func joinOfConstants(c *term.Term, pieces []string) lemma {
	return about("parts are constants", pieces, func(b *blaster) []z.Lit {
		clause := []z.Lit{b.same(c, strings.Join(pieces, ""))}
		for i, p := range c.Args {
			clause = append(clause, b.same(p, pieces[i]).Not())
		}
		return clause
	}, c)
}

// joinOfOne demands that a concatenation with empty strings is the part that is not empty.
func joinOfOne(c *term.Term, full int) lemma {
	return about("other parts are empty", []int{full}, func(b *blaster) []z.Lit {
		clause := []z.Lit{b.equal(c, c.Args[full])}
		for i, p := range c.Args {
			if i != full {
				clause = append(clause, b.same(p, "").Not())
			}
		}
		return clause
	}, c)
}

// brokenPiece looks at a concatenation that equals a constant: its parts are pieces of that.
func (b *blaster) brokenPiece(c *term.Term, whole string, id, size snapshot) (lemma, bool) {
	at := 0
	for i, p := range c.Args {
		n := int(size[p])
		if at+n > len(whole) {
			return lemma{}, false
		}
		if k := id[p]; k >= uint64(len(b.names)) || b.names[k] != whole[at:at+n] {
			return piece(c, whole, i, at, n), true
		}
		at += n
	}
	return lemma{}, false
}

// piece demands of one part that it is the piece of the constant which the lengths of the parts up to it say.
func piece(c *term.Term, whole string, part, at, n int) lemma {
	return about("piece of a constant", []any{whole, part, at, n}, func(b *blaster) []z.Lit {
		before := b.Word(lengthBits, 0)
		for _, p := range c.Args[:part] {
			before = b.AddScaled(before, b.length(p), 1)
		}
		return []z.Lit{b.same(c, whole).Not(), b.Equal(before, b.Word(lengthBits, uint64(at))).Not(),
			b.Equal(b.length(c.Args[part]), b.Word(lengthBits, uint64(n))).Not(), b.same(c.Args[part], whole[at:at+n])}
	}, c)
}

// brokenPair compares concatenations of as many parts.
func brokenPair(c, d *term.Term, id snapshot) (lemma, bool) {
	if len(c.Args) != len(d.Args) {
		return lemma{}, false
	}
	var differ []int
	for i := range c.Args {
		if id[c.Args[i]] != id[d.Args[i]] {
			differ = append(differ, i)
		}
	}
	switch {
	case len(differ) == 0 && id[c] != id[d]:
		return congruent(c, d), true
	case len(differ) == 1 && id[c] == id[d]:
		return cancelled(c, d, differ[0]), true
	}
	return lemma{}, false
}

// cancelled demands that equal concatenations with all parts but one equal have that one equal.
func cancelled(c, d *term.Term, but int) lemma {
	return about("other parts are equal", []int{but}, func(b *blaster) []z.Lit {
		clause := []z.Lit{b.equal(c, d).Not()}
		for i := range c.Args {
			if same := b.equal(c.Args[i], d.Args[i]); i == but {
				clause = append(clause, same)
			} else {
				clause = append(clause, same.Not())
			}
		}
		return clause
	}, c, d)
}

// fullParts are those of a concatenation that are not empty.
func fullParts(c *term.Term, id snapshot) []*term.Term {
	return slices.DeleteFunc(slices.Clone(c.Args), func(t *term.Term) bool { return id[t] == 0 })
}
