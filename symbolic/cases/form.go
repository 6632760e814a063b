package cases

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file writes the symbolic form of a case as lines that may stand in a comment of Go, beside an instance of it.

const (
	formWidth = 110 // of a line, in characters
	formMost  = 480 // of what is behind one label: of longer ones the length is told
)

// Form gives the symbolic form of a case, as terms over the names of inputs. It says what its inputs have in common,
// what is done, and the state and the result in the end. It has nothing of the instance, and no lines of the source, so
// it stays as long as the case does. Each line is printable, without what could end a comment.
func (p *Program) Form(c *Case, config Config) []string {
	f := &form{}
	r := p.reported(c)
	f.add("if", append(slices.Clone(r.Conditions), without(r.Kept, r.Conditions)...)...)
	f.add("accepted", without(r.Accepted, []string{"true"})...)
	f.add("priority", r.Priorities...)
	for _, e := range c.Deeds() {
		f.add("does", p.deed(c, e))
	}
	f.add("waiting", r.Waiting...)
	f.add("stashed", r.Stashed...)
	f.add("after", p.after(c))
	f.add("result", p.named(c, c.Result)...)
	if c.Verdict != Returned || len(config.Assume) > 0 {
		f.add("ends", ending(c, config.Assume))
	}
	for i, m := range c.Marks {
		if !slices.ContainsFunc(c.Marks[:i], func(o exec.Mark) bool { return o.Kind == m.Kind && o.What == m.What }) {
			f.add("inexact", fmt.Sprintf("%v: %s", m.Kind, m.What))
		}
	}
	return f.lines
}

// ending tells how a case ends, and under which assumptions.
func ending(c *Case, assume []string) string {
	text := c.Verdict.String()
	if c.Why != "" && c.Why != "panic" {
		text += ": " + c.Why
	}
	if len(assume) > 0 {
		text += ", assuming " + strings.Join(assume, ", ")
	}
	return text
}

// without lists texts that are not among others.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(s string) bool { return slices.Contains(others, s) })
}

// after writes the state in the end: what has changed, and what was only looked at.
func (p *Program) after(c *Case) string {
	var changed, same []string
	for _, n := range c.Final {
		switch text := p.equation(c, n); {
		case n.Name == c.Target.self():
		case text == "":
			same = append(same, p.Text(c, p.store.Var(n.Name, n.Term.Sort)))
		default:
			changed = append(changed, text)
		}
	}
	texts := []string{strings.Join(changed, ", "), ""}
	if same = slices.Compact(same); len(same) > 0 {
		texts[1] = strings.Join(same, ", ") + " as before"
	}
	return strings.Trim(strings.Join(texts, "; "), "; ")
}

// named writes terms under names.
func (p *Program) named(c *Case, list []exec.Named) (texts []string) {
	for _, n := range list {
		text := p.equation(c, n)
		if text == "" {
			text = p.Text(c, n.Term)
		}
		texts = append(texts, text)
	}
	return texts
}

// equation writes a term under its name, "" if it is the name.
func (p *Program) equation(c *Case, n exec.Named) string {
	v := p.store.Var(n.Name, n.Term.Sort)
	if v == n.Term {
		return ""
	}
	name := p.Text(c, v)
	if path, isNil := strings.CutSuffix(name, " == nil"); isNil {
		name = map[bool]string{true: path, false: "(" + name + ")"}[n.Term.Const()]
	}
	return name + " = " + p.valueOf(c, n)
}

// valueOf writes a term, with names where it is an identity.
func (p *Program) valueOf(c *Case, n exec.Named) string {
	i := strings.LastIndexByte(n.Name, '!')
	if i < 0 || !n.Term.Const() {
		return p.Text(c, n.Term)
	}
	name, number := "", n.Term.Val
	switch n.Name[i:] {
	case "!isNil":
		return map[uint64]string{0: "not nil", 1: "nil"}[number]
	case "!type":
		name = p.typeOf(number)
	case "!ref":
		name = p.identity(number)
	default:
		return p.Text(c, n.Term)
	}
	switch {
	case number == 0:
		return "nil"
	case name == "":
		return "#" + strconv.FormatUint(number, 10)
	}
	return name
}

// deed writes something that is done to actors.
func (p *Program) deed(c *Case, e exec.Event) string {
	text := e.Op
	if e.Op == "spawn" && e.To != nil {
		text = p.Text(c, e.To) + " = " + text
	}
	if m := p.messageText(c, e); m != "" {
		text += " " + m
	}
	if e.Name != nil {
		text += " as " + p.Text(c, e.Name)
	}
	if e.Delay != nil {
		text += " after " + p.delay(c, e.Delay)
	}
	switch {
	case e.Op == "spawn":
	case e.Lost:
		text += " to nobody"
	case e.To == nil:
	case slices.Contains([]string{"stop", "watch", "unwatch", "await"}, e.Op):
		text += " " + p.Text(c, e.To)
	default:
		text += " to " + p.Text(c, e.To)
	}
	return text
}

// delay writes a number of nanoseconds.
func (p *Program) delay(c *Case, t *term.Term) string {
	if t.Const() {
		return time.Duration(t.Value().Int()).String()
	}
	return p.Text(c, t)
}

// messageText writes a message, or the state of a new actor, as a literal. What is zero is left out.
func (p *Program) messageText(c *Case, e exec.Event) string {
	name := e.Kind
	if e.Type != nil {
		name = model.MessageName(e.Type)
	}
	var list []string
	for _, n := range e.Flat {
		field := fieldName(p.Text(c, p.store.Var(n.Name, n.Term.Sort)))
		switch {
		case n.Name == "msg!ref" && n.Term.Const():
		case field == "":
			list = append(list, p.valueOf(c, n))
		case zero(n):
		default:
			list = append(list, field+": "+p.valueOf(c, n))
		}
	}
	switch whole := len(e.Flat) == 1 && e.Flat[0].Name == "msg"; {
	case name == "":
		return strings.Join(list, ", ")
	case whole:
		return name + "(" + list[0] + ")"
	case len(list) > 0:
		return name + "{" + strings.Join(list, ", ") + "}"
	}
	return name
}

// zero reports whether a part of a message is what Go has there by itself.
func zero(n exec.Named) bool {
	return n.Term.Const() && n.Term.Sort.Kind == term.StringKind && n.Term.Value().Text == "" ||
		n.Term.Const() && n.Term.Sort.Kind != term.StringKind && n.Term.Val == 0 && !strings.HasSuffix(n.Name, "!isNil") ||
		n.Term.True() && strings.HasSuffix(n.Name, "!isNil")
}

var messagePath = regexp.MustCompile(`\bmsg\b\.?`)

// fieldName drops the message from the name of a part of it, "" if it is the whole message.
func fieldName(name string) string {
	at := messagePath.FindStringIndex(name)
	if at == nil {
		return name
	}
	return name[:at[0]] + name[at[1]:]
}

// form is the lines of a case.
type form struct{ lines []string }

// add writes a label with a list behind it, in as many lines as that takes.
func (f *form) add(label string, list ...string) {
	text := commented(strings.Join(list, ", "))
	if text == "" {
		return
	}
	if n := utf8.RuneCountInString(text); n > formMost {
		text = string([]rune(text)[:formMost]) + fmt.Sprintf(" ... (%d characters, all of them by -v)", n)
	}
	head := fmt.Sprintf("%-9s", label)
	for _, line := range folded(text, formWidth) {
		f.lines = append(f.lines, head+line)
		head = strings.Repeat(" ", 11)
	}
}

// folded breaks a text at spaces.
func folded(text string, width int) (lines []string) {
	line := ""
	for w := range strings.SplitSeq(text, " ") {
		if line != "" && utf8.RuneCountInString(line+" "+w) > width {
			lines, line = append(lines, line), w
			continue
		}
		line = strings.TrimPrefix(line+" "+w, " ")
	}
	return append(lines, line)
}

// commented writes a text so that a comment of Go can hold it, of any kind. Control characters, those that change the
// direction of writing, and the end of a comment are written as Go writes them in strings.
func commented(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(text[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case !unicode.IsPrint(r):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		case r == '/' && i > 0 && text[i-1] == '*':
			b.WriteString(`\x2f`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
