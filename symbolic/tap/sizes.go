package tap

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has the conditions on lengths of slices.
//
// Differs: the print bounds no length, so that two slices from outside may have lengths whose sum is negative. Here
// lengths are bounded by exec.MostElements. That is asked where an answer is accepted. Before, a length may be that
// of a slice which a handler makes of several.

// sized gives conditions with bounds on the lengths that are in them. The bounds hold always, so cores do not tell
// them.
func (e *Engine) sized(conds []*term.Term) []*term.Term {
	all := slices.Clip(conds)
	most := e.store.Int(indexSort, exec.MostElements)
	for _, c := range conds {
		for _, n := range e.lengthsIn(c) {
			for _, bound := range []*term.Term{e.store.SAtMost(e.store.Int(indexSort, 0), n), e.store.SAtMost(n, most)} {
				if !slices.Contains(all, bound) {
					all = append(all, bound)
				}
			}
		}
	}
	return all
}

// lengthsIn lists the lengths of slices that a term has, as variables and as what memory holds.
func (e *Engine) lengthsIn(t *term.Term) []*term.Term {
	known, ok := e.lengths[t]
	if ok {
		return known
	}
	for _, a := range t.Args {
		for _, n := range e.lengthsIn(a) {
			if !slices.Contains(known, n) {
				known = append(known, n)
			}
		}
	}
	if (t.Op == term.OpVar || t.Op == term.OpApply) && t.Sort == indexSort && strings.HasSuffix(t.Name, partLen) {
		known = append(slices.Clip(known), t)
	}
	e.lengths[t] = known
	return known
}
