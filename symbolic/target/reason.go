package target

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file says why an exhausted search is no proof that there is no way: a handler does what is not modelled, or a bound of its exploration has cut something.

// doubt notes a reason, once.
func (l *library) doubt(pos token.Pos, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if pos.IsValid() {
		text = l.e.loaded.Position(pos) + ": " + text
	}
	if !slices.Contains(l.reasons, text) {
		l.reasons = append(l.reasons, text)
	}
}

// modelled are the operations of events of which the search knows everything.
var modelled = map[string]bool{"send": true, "request": true, "forward": true, "respond": true, "spawn": true, "unhandled": true, "choose": true, "fail": true, "become": true}

// doubts notes what a handler does that may lead to ways that the search does not see.
func (l *library) doubts(h *handler) {
	if h.sum.Defect != "" {
		l.doubt(h.fn.Pos(), "%s", h.sum.Defect)
	}
	var cuts []string
	for why := range h.sum.Cuts {
		cuts = append(cuts, why)
	}
	slices.Sort(cuts)
	for _, why := range cuts {
		l.doubt(h.fn.Pos(), "%s of %s: cut: %s", h.fn.Name(), typeText(h.msg), why)
	}
	for _, p := range h.sum.Paths {
		for _, m := range p.Marks {
			if m.Kind == exec.Havoc {
				l.doubt(m.Pos, "%s", m.What)
			}
		}
		for i := range p.Events {
			if ev := &p.Events[i]; !modelled[ev.Op] && !(ev.Op == "stop" && ev.To == nil) {
				l.doubt(ev.Pos, "%s is not followed", ev.Op)
			} else if ev.Type == nil && roles[ev.Op] == message && !ev.Lost {
				l.doubt(ev.Pos, "a message whose type is not known")
			}
		}
		l.shares(h, p)
	}
}

// shares notes memory that several actors may have.
func (l *library) shares(h *handler, p *exec.Path) {
	for _, name := range p.Written {
		if _, held := h.held(name); !held {
			l.doubt(h.fn.Pos(), "%s writes %s, which is none of its actor's", h.fn.Name(), name)
		}
	}
	matters := map[*term.Term]bool{}
	for _, v := range term.Vars(seenOf(p)...) {
		matters[v] = true
	}
	for _, in := range p.Inputs {
		at, held := h.held(in.Var.Name)
		if held && matters[in.Var] && in.At != nil && behindPointer(in.At) {
			l.doubt(h.fn.Pos(), "%s looks at %s, which others may have too", h.fn.Name(), strings.TrimPrefix(at, state+"."))
		}
	}
}

// seenOf lists the terms by which others learn of what a path looks at, or which decide that it is taken.
func seenOf(p *exec.Path) (list []*term.Term) {
	for _, c := range p.PC {
		if !c.Given {
			list = append(list, c.Term)
		}
	}
	for _, ev := range p.Events {
		if ev.To != nil {
			list = append(list, ev.To)
		}
		for _, part := range ev.Flat {
			list = append(list, part.Term)
		}
	}
	return list
}

// behindPointer reports whether a place is behind a pointer, slice or map of the actor.
func behindPointer(at *exec.Place) bool {
	for p := at; p != nil && p.Up != nil; p = p.Up {
		switch p.Step {
		case exec.Deref:
			if p.Up.Up != nil {
				return true
			}
		case exec.Elem:
			if _, array := p.Up.Type.Underlying().(*types.Array); !array {
				return true
			}
		case exec.Under, exec.FreshKey, exec.FreshElem:
			return true
		}
	}
	return false
}

func typeText(t types.Type) string { return types.TypeString(t, (*types.Package).Name) }
