package effects

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/model"
)

// This file says which messages a handler of a framework has no case for. Handlers of native actors report them
// themselves (Context.Unhandled).
//
//	source:     ours
//	assumes:    a message that changes nothing and brings about nothing is not handled, unless a case or a default clause
//	            names it; that it is printed or logged is nothing
//	invariants: I1 where a handler may do anything with a message of no case, it is not said to ignore it
//	cost:       one look at the instructions that such a message leads to
//	checked by: matched_test.go

// anyBehavior is why a case may be none: the actor may have another behaviour at that time.
const anyBehavior = "its behaviour changes, and a case in any of its behaviours counts"

// matched gives what an actor has cases for. rest is what it does with messages of no case; each are the types that it
// was analysed for.
func (a *analysis) matched(x *kindOfActor, rest *handler, cases []types.Type, each []*handler) (m facts.Matched) {
	if x.framework == facts.Native || len(cases) == 0 && !rest.asks && rest.unknown == "" && x.lost == "" {
		return m // without a case, whatever comes is meant
	}
	for _, t := range cases {
		m.Cases = append(m.Cases, model.MessageName(t))
	}
	m.Cases = sorted(m.Cases)
	switch {
	case x.twice:
		m.Unclear = "several types of actors have this name"
	case x.lost != "":
		m.Unclear = x.lost
	case rest.defaults() || rest.anything:
	case rest.asks:
		return byType(m, rest, each)
	case rest.unmatched() != "":
		m.Unclear = rest.unmatched()
	default:
		m.Ignores = true
		if rest.stacked {
			m.Unclear = anyBehavior
		}
	}
	return m
}

// unmatched says why a message without a case may have been handled all the same, "" if it was not.
func (h *handler) unmatched() string {
	if does := h.does(); h.unknown == "" && does != "" {
		return "whatever the message, its handler " + does
	}
	return h.unknown
}

// does says what a handler does that somebody may notice, "" if it only reads.
func (h *handler) does() string {
	switch {
	case len(h.writes) > 0:
		return "writes " + h.written()[0]
	case len(h.sends) > 0:
		return "sends"
	case len(h.spawns) > 0:
		return "creates actors"
	case h.becoming:
		return "changes its behaviour"
	case h.stops:
		return "stops"
	case h.blocks:
		return "waits"
	case h.shares:
		return "writes into the message"
	}
	for _, what := range keys(h.other) {
		if what != beyond[model.Clock] && what != beyond[model.Random] {
			return "does more (" + what + ")"
		}
	}
	return ""
}

// defaults reports whether a type switch over the message that a handler comes to has a default clause.
func (h *handler) defaults() bool {
	for _, f := range h.frames {
		at := f.casesOfMessage()
		if len(at) > 0 && f.fn.Syntax() != nil && hasDefault(f.fn.Syntax(), at) {
			return true
		}
	}
	return false
}

// casesOfMessage gives the places of the comparisons of the message with types that a function comes to.
func (f *frame) casesOfMessage() map[token.Pos]bool {
	at := map[token.Pos]bool{}
	for i, b := range f.fn.Blocks {
		if i > 0 && !slices.ContainsFunc(b.Preds, func(p *ssa.BasicBlock) bool { return f.edges[[2]*ssa.BasicBlock{p, b}] }) {
			continue
		}
		for _, instr := range b.Instrs {
			if a, ok := instr.(*ssa.TypeAssert); ok && f.get(a.X).arrives {
				at[a.Pos()] = true
			}
		}
	}
	return at
}

// hasDefault reports whether a type switch has a default clause beside one of the cases.
func hasDefault(fn ast.Node, cases map[token.Pos]bool) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		sw, ok := n.(*ast.TypeSwitchStmt)
		if !ok {
			return !found
		}
		ours, rest := false, false
		for _, clause := range sw.Body.List {
			c := clause.(*ast.CaseClause)
			ours, rest = ours || cases[c.Case], rest || c.List == nil
		}
		found = found || ours && rest
		return !found
	})
	return found
}
