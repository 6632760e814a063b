package solve

import "github.com/rehearse-go/rehearse/symbolic/term"

// query lists what a conjunction is made of, each once, arguments first.
type query struct {
	conds   []*term.Term
	vars    []*term.Term
	calls   []*term.Term // of functions
	texts   []*term.Term // all of sort string
	joins   []*term.Term // concatenations
	lengths bool         // lengths of strings matter
	floats  bool         // some term is a float
	hard    bool         // there are products, or quotients by what is no constant
	loose   string       // what the circuits do not follow exactly, if anything
}

// queries remembers what each condition is made of, since most are asked again with others.
type queries map[*term.Term]*query

// of joins what the conditions are made of.
func (qs queries) of(conds []*term.Term) *query {
	all := &query{conds: conds}
	seen := map[*term.Term]bool{}
	add := func(to *[]*term.Term, list []*term.Term) {
		for _, t := range list {
			if !seen[t] {
				seen[t] = true
				*to = append(*to, t)
			}
		}
	}
	for _, c := range conds {
		q := qs[c]
		if q == nil {
			q = dissect(c)
			qs[c] = q
		}
		add(&all.vars, q.vars)
		add(&all.calls, q.calls)
		all.lengths = all.lengths || q.lengths
		all.floats = all.floats || q.floats
		all.hard = all.hard || q.hard
		if all.loose == "" {
			all.loose = q.loose
		}
	}
	clear(seen) // a variable may be a string too
	for _, c := range conds {
		add(&all.texts, qs[c].texts)
	}
	for _, t := range all.texts {
		if t.Op == term.OpConcat {
			all.joins = append(all.joins, t)
		}
	}
	return all
}

// dissect looks at one condition.
func dissect(c *term.Term) *query {
	q := &query{}
	term.Walk(func(t *term.Term) {
		switch t.Op {
		case term.OpVar:
			q.vars = append(q.vars, t)
		case term.OpApply:
			q.calls = append(q.calls, t)
		case term.OpLen, term.OpConcat:
			q.lengths = true
		case term.OpMul:
			q.hard = true
		case term.OpSDiv, term.OpUDiv, term.OpSRem, term.OpURem:
			q.hard = q.hard || !t.Args[1].Const()
		case term.OpTextLess:
			q.loose = "the order of strings"
		case term.OpFAdd, term.OpFSub, term.OpFMul, term.OpFDiv, term.OpSToF, term.OpUToF, term.OpFToS, term.OpFToU, term.OpFToF:
			q.loose = "arithmetic of floats"
		}
		switch t.Sort.Kind {
		case term.StringKind:
			q.texts = append(q.texts, t)
		case term.FloatKind:
			q.floats = true
		}
	}, c)
	return q
}

// inputs lists the terms whose bits a snapshot needs.
func (q *query) inputs() []*term.Term {
	list := append([]*term.Term(nil), q.vars...)
	list = append(list, q.calls...)
	return append(list, q.texts...)
}
