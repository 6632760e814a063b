package cases

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// This file writes cases for people.

// print writes a case.
func (c CaseReport) print(w io.Writer, what string, assume []string) {
	verdict := c.Verdict
	if c.Why != "" {
		verdict += ": " + c.Why
	}
	if c.Where != "" {
		verdict += " (" + c.Where + ")"
	}
	if len(assume) > 0 {
		verdict += ", assuming " + strings.Join(assume, ", ")
	}
	fmt.Fprintf(w, "  %s %s: %s\n", what, c.Name, verdict)
	line := func(label string, list ...string) {
		if text := strings.Join(list, ", "); text != "" {
			fmt.Fprintf(w, "    %-11s%s\n", label, text)
		}
	}
	line("if", c.Conditions...)
	line("kept", c.Kept...)
	line("accepted", c.Accepted...)
	line("queued", c.Queued...)
	line("priorities", c.Priorities...)
	line("order", c.Order...)
	line("answers", c.Answers...)
	line("waiting", c.Waiting...)
	line("stashed", c.Stashed...)
	for _, d := range c.Does {
		line("does", d)
	}
	line("after", changed(c.Final)...)
	line("result", symbolic(c.Result)...)
	if c.Reached != nil {
		c.Reached.print(line)
	} else {
		line("example", examples(c.Inputs)...)
		line("then", examples(append(c.Result,
			slices.DeleteFunc(slices.Clone(c.Final), func(v ValueReport) bool { return v.Term == "" })...))...)
	}
	line("no example", c.NoInstance)
	line("assumed", c.StateAssumed)
	line("executed", c.Confirmed)
	for _, m := range c.Marks {
		line("mark", m)
	}
}

// print writes how a state comes about.
func (r *ReachedReport) print(line func(string, ...string)) {
	if r.Start != "" {
		line("made by", r.Start+" ("+r.Where+")")
	}
	for i, b := range r.Before {
		line("before", fmt.Sprintf("%s, msg%d", b, i+1))
	}
	line("example", examples(r.Inputs)...)
}

// examples writes values under names.
func examples(list []ValueReport) (texts []string) {
	for _, v := range list {
		if v.Value != "" {
			texts = append(texts, v.Name+" = "+v.Value)
		}
	}
	return texts
}

// changed writes what is another one than before.
func changed(list []ValueReport) (texts []string) {
	for _, v := range list {
		if v.Term != "" {
			texts = append(texts, v.Name+" = "+v.Term)
		}
	}
	return texts
}

// symbolic writes terms under names.
func symbolic(list []ValueReport) (texts []string) {
	for _, v := range list {
		t := v.Term
		if t == "" {
			t = v.Name
		}
		texts = append(texts, v.Name+" = "+t)
	}
	return texts
}
