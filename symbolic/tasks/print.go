package tasks

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Print writes the cases for people, in the order of [aPET13] section 2.2.1.
func (r *Result) Print(w io.Writer) {
	how := "complete"
	if r.Bounded() {
		how = "bounded"
	}
	fmt.Fprintf(w, "%s on %s: %d cases, %s\n", r.Actor, r.Message, len(r.Cases), how)
	if r.Hypothetical != "" {
		fmt.Fprintf(w, "  hypothetical: %s\n", r.Hypothetical)
	}
	for i, c := range r.Cases {
		fmt.Fprintf(w, "  case %d: %s\n", i+1, c.Verdict)
		c.print(w)
	}
	if r.Stuck > 0 {
		fmt.Fprintf(w, "  no case: %s (%d)\n", stuck, r.Stuck)
	}
	for _, why := range slices.Sorted(maps.Keys(r.Cuts)) {
		fmt.Fprintf(w, "  not followed: %s (%d)\n", why, r.Cuts[why])
	}
	if r.Unknown > 0 {
		fmt.Fprintf(w, "  the solver gave up %d questions: some cases may have no input\n", r.Unknown)
	}
	if r.Defect != "" {
		fmt.Fprintf(w, "  defect of rehearse: %s\n", r.Defect)
	}
}

func (c *Case) print(w io.Writer) {
	line := func(name string, parts []string) {
		if len(parts) > 0 {
			fmt.Fprintf(w, "    %-10s %s\n", name, strings.Join(parts, ", "))
		}
	}
	var sent, steps, marks, answers []string
	for _, s := range c.Steps {
		steps = append(steps, s.String())
	}
	for _, s := range c.Sent {
		to := fmt.Sprint(s.To)
		if s.To.Const() && s.To.Val == 0 {
			to = "nobody"
		}
		sent = append(sent, fmt.Sprintf("%s{%s} to %s", s.Message, strings.Join(equations(s.Fields), ", "), to))
	}
	for _, a := range c.Answers {
		answers = append(answers, a.String())
	}
	for _, m := range c.Marks {
		marks = append(marks, m.Kind.String()+": "+m.What)
	}
	line("if", c.conditions)
	line("queue", c.Queued)
	line("priorities", c.Priorities)
	line("order", steps)
	line("answers", answers)
	line("result", equations(c.Result))
	line("before", equations(c.Initial))
	line("after", equations(c.Final))
	line("sends", sent)
	line("stashed", c.Stashed)
	line("waits", c.Waiting)
	line("marks", marks)
	if c.Instance.Inputs == nil {
		line("example", []string{"none was found"})
		return
	}
	line("example", append(values(c.Instance.Inputs), append(values(c.Instance.Result), values(c.Instance.Final)...)...))
}

// String tells what has come of a request.
func (a *Answer) String() string {
	asked := fmt.Sprintf("%s to %s of %v", a.Name, a.Asked, a.From)
	switch {
	case a.How != Reply:
		return asked + ": " + a.How
	case len(a.Value) > 1:
		return asked + ": " + strings.Join(equations(a.Value), ", ")
	}
	return asked + ": a reply"
}

// equations writes terms under their names. A type goes without saying where the name of a value has it.
func equations(list []exec.Named) (s []string) {
	for _, n := range list {
		if !strings.HasSuffix(n.Name, "!type") {
			s = append(s, fmt.Sprintf("%s = %v", n.Name, n.Term))
		}
	}
	return s
}

func values(m map[string]term.Value) (s []string) {
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if !strings.HasSuffix(name, "!type") {
			s = append(s, fmt.Sprintf("%s = %v", name, m[name]))
		}
	}
	return s
}
