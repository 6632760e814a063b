package solve

import (
	"fmt"
	"strings"

	"github.com/go-air/gini/z"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Of a function only this is known: equal arguments give equal results. Most pairs of calls never come close to
// breaking that, so it is demanded only of those that a model shows to break it, once each, for good.

// lemma is something that holds of all values and that the circuits do not say yet.
type lemma struct {
	key   string                   // tells lemmas apart
	state func(b *blaster) []z.Lit // the clause
}

// about makes a lemma of a rule about terms; what says the rest that it is about.
func about(rule string, what any, state func(b *blaster) []z.Lit, terms ...*term.Term) lemma {
	key := fmt.Sprintf("%s %q", rule, what)
	for _, t := range terms {
		key += fmt.Sprint(" ", t.ID)
	}
	return lemma{key, state}
}

// add demands a lemma. It reports false if that was done before.
func (b *blaster) add(l lemma) bool {
	if b.done[l.key] {
		return false
	}
	b.done[l.key] = true
	b.Clause(l.state(b)...)
	return true
}

// equal is the literal for two terms having one value.
func (b *blaster) equal(x, y *term.Term) z.Lit { return b.Equal(b.word(x), b.word(y)) }

// same is the literal for a string being that constant.
func (b *blaster) same(t *term.Term, text string) z.Lit {
	return b.Equal(b.word(t), b.Word(textBits, b.text(text)))
}

// snapshot is what a model of the SAT solver says about the terms of a query, read at once: adding a clause takes the
// model away.
type snapshot map[*term.Term]uint64

// read gives the bits of terms and of their arguments.
func (b *blaster) read(list []*term.Term) snapshot {
	s := snapshot{}
	for _, t := range list {
		s[t] = b.Read(b.word(t))
		for _, a := range t.Args {
			if w, ok := b.words[a]; ok {
				s[a] = b.Read(w)
			}
		}
	}
	return s
}

// brokenCalls gives the pairs of calls that break functional consistency.
func brokenCalls(calls []*term.Term, s snapshot) []lemma {
	var broken []lemma
	first := map[string]*term.Term{}
	for _, t := range calls {
		var key strings.Builder
		key.WriteString(t.Signature())
		for _, a := range t.Args {
			fmt.Fprintf(&key, " %x", s[a])
		}
		other := first[key.String()]
		if other == nil {
			first[key.String()] = t
			continue
		}
		if s[other] != s[t] {
			broken = append(broken, congruent(other, t))
		}
	}
	return broken
}

// congruent demands that two calls with equal arguments have equal results.
func congruent(x, y *term.Term) lemma {
	return about("equal arguments", "", func(b *blaster) []z.Lit {
		clause := []z.Lit{b.equal(x, y)}
		for i := range x.Args {
			clause = append(clause, b.equal(x.Args[i], y.Args[i]).Not())
		}
		return clause
	}, x, y)
}

// value reads a value from bits; texts gives strings by identity.
func value(sort term.Sort, bits uint64, texts map[uint64]string) term.Value {
	if sort == term.String {
		return term.TextValue(texts[bits])
	}
	return term.Value{Sort: sort, Bits: bits}
}

// model makes a model of a snapshot.
func (q *query) model(s snapshot, texts map[uint64]string) *term.Model {
	m := &term.Model{Vars: map[*term.Term]term.Value{}, Funcs: map[string][]term.Entry{}}
	for _, v := range q.vars {
		m.Vars[v] = value(v.Sort, s[v], texts)
	}
	seen := map[string]bool{}
	for _, t := range q.calls {
		args := make([]term.Value, len(t.Args))
		for i, a := range t.Args {
			args[i] = value(a.Sort, s[a], texts)
		}
		if row := fmt.Sprint(t.Signature(), args); !seen[row] {
			seen[row] = true
			m.Funcs[t.Signature()] = append(m.Funcs[t.Signature()], term.Entry{Args: args, Result: value(t.Sort, s[t], texts)})
		}
	}
	return m
}
