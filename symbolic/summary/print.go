package summary

import (
	"fmt"
	"go/token"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// Print writes a summary for people.
func (p *Program) Print(w io.Writer, s *Summary) {
	p.PrintLine(w, s)
	for i, path := range s.Paths {
		p.path(w, i+1, path)
	}
	for _, piece := range s.Pieces {
		fmt.Fprintf(w, "  %s: %s\n", piece.name(), (&Summary{Result: piece.Result}).verdict())
		for i, path := range piece.Paths {
			p.path(w, i+1, path)
		}
	}
	if s.Defect != "" {
		fmt.Fprintf(w, "  defect of rehearse: %s\n", s.Defect)
	}
	for _, why := range slices.Sorted(maps.Keys(s.Cuts)) {
		fmt.Fprintf(w, "  not followed: %s (%d)\n", why, s.Cuts[why])
	}
}

// PrintLine writes which handler it is, and how much the summary is worth.
func (p *Program) PrintLine(w io.Writer, s *Summary) {
	fmt.Fprintf(w, "%s on %s%s: %s\n", s.Actor, s.Name(), p.at(s.Pos), s.verdict())
}

// verdict says in a few words how much the summary is worth.
func (s *Summary) verdict() string {
	n := fmt.Sprintf("%d paths", len(s.Paths))
	if len(s.Paths) == 1 {
		n = "1 path"
	}
	exact, complete := "exact", "complete"
	if !s.Exact() {
		exact = "inexact"
	}
	if !s.Complete() {
		complete = "cut"
	}
	return fmt.Sprintf("%s, %s, %s", n, exact, complete)
}

func (p *Program) path(w io.Writer, n int, path *exec.Path) {
	fmt.Fprintf(w, "  path %d\n", n)
	for _, c := range path.PC {
		if c.Given {
			continue
		}
		fmt.Fprintf(w, "    if %s%s\n", p.exec.Readable(c.Term), p.at(c.Pos))
	}
	for _, e := range path.Events {
		fmt.Fprintf(w, "    %s\n", p.event(e))
	}
	for _, o := range path.Out {
		fmt.Fprintf(w, "    %s = %v\n", o.Name, o.Term)
	}
	fmt.Fprintf(w, "    %s%s%s%s\n", path.Exit, after(path.Why), panicValue(path.Told), p.at(path.Pos))
	for _, m := range path.Marks {
		fmt.Fprintf(w, "    %s: %s%s\n", m.Kind, m.What, p.at(m.Pos))
	}
}

// panicValue writes what panic was called with, where that is a number or a text.
func panicValue(flat []exec.Named) string {
	if len(flat) == 2 && strings.HasPrefix(flat[1].Name, "value.(") {
		return fmt.Sprintf("(%v)", flat[1].Term)
	}
	return ""
}

func after(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

func (p *Program) event(e exec.Event) string {
	var b strings.Builder
	b.WriteString(e.Op)
	if e.Type != nil {
		b.WriteString(" " + model.MessageName(e.Type))
	}
	switch {
	case e.Lost:
		b.WriteString(" to nobody")
	case e.To != nil:
		fmt.Fprintf(&b, " to %v", e.To)
	}
	for i, f := range e.Flat {
		sep := ", "
		if i == 0 {
			sep = " with "
		}
		fmt.Fprintf(&b, "%s%s = %v", sep, f.Name, f.Term)
	}
	return b.String() + p.at(e.Pos)
}

// at gives a place in brackets.
func (p *Program) at(pos token.Pos) string {
	if at := p.load.Position(pos); at != "" {
		return " (" + at + ")"
	}
	return ""
}
