package reachtest

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/render"
)

// This file has tests assert what comes of them: what each actor holds in the end, and what the driver received. The
// texts are those of the real program, in the execution that follows the order; package check makes them (State.Text,
// State.Received).
//
//	what is asserted: actors that have not stopped, also those that handlers create; answers to the driver and messages
//	                  to it; messages to actors that are functions
//	what is not:      what a function captures; texts that differ each time in more than some of their parts, or are
//	                  long; further actors. A comment in the test lists them

// pin is a text that is the same whenever the order is followed.
type pin struct {
	actor  string
	got    bool // the texts are messages that it received; else what it holds
	texts  []string
	always bool // it was the same in all other orders that were explored
}

// most is how many actors one test asserts, longestState how many bytes what one holds may have.
const (
	most         = 32
	longestState = 320
)

// final writes Config.Final, with the driver's own, "" if it has none: it writes down what there is, or asserts what
// was written down before; "" where there is neither.
func (w *writer) final(test, own string) string {
	var body string
	switch {
	case w.record:
		body = fmt.Sprintf("%s(%q, s)\n", statesOf, test)
	case w.budget == "" && len(w.pins) > 0:
		body = w.assertions()
	}
	switch {
	case body == "" && own == "":
		return ""
	case body == "":
		return "Final: " + own
	}
	end := "return nil\n"
	if own != "" {
		end = fmt.Sprintf("return %s(s)\n", paren(own))
	}
	return fmt.Sprintf("Final: func(s %s.State) error {\n%s%s}", w.names.Imported(ours, "rehearse"), body, end)
}

// paren puts a function literal into parentheses, so that it can be called where it stands.
func paren(fn string) string {
	if strings.HasPrefix(fn, "func") {
		return "(" + fn + ")"
	}
	return fn
}

// assertions writes the statements that compare.
func (w *writer) assertions() string {
	fm := w.names.Imported("fmt", "fmt")
	var b strings.Builder
	if rows := w.rows(false, func(p pin) string { return quoted(p.texts[0]) }); rows != "" {
		differ := "got != x.holds"
		if strings.Contains(rows, render.Any) {
			differ = "!s.Like(got, x.holds)"
		}
		fmt.Fprintf(&b, "for _, x := range []struct{ actor, holds string }{\n%s} {\nif got := s.Text(x.actor); %s {\n"+
			"return %s.Errorf(\"%%s holds %%s in the end, want %%s\", x.actor, got, x.holds)\n}\n}\n", rows, differ, fm)
	}
	list := func(p pin) string {
		var texts []string
		for _, t := range p.texts {
			texts = append(texts, quoted(t))
		}
		return "[]string{" + strings.Join(texts, ", ") + "}"
	}
	if rows := w.rows(true, list); rows != "" {
		equal := "Equal(got, x.received"
		if strings.Contains(rows, render.Any) {
			equal = "EqualFunc(got, x.received, s.Like"
		}
		fmt.Fprintf(&b, "for _, x := range []struct {\nactor string\nreceived []string\n}{\n%s} {\nif got := s.Received(x.actor); !%s.%s) {\n"+
			"return %s.Errorf(\"%%s received %%q, want %%q\", x.actor, got, x.received)\n}\n}\n", rows, w.names.Imported("slices", "slices"), equal, fm)
	}
	return b.String()
}

// rows writes a table of assertions. Those that other orders do not share come last, behind a comment.
func (w *writer) rows(got bool, want func(pin) string) string {
	var b strings.Builder
	for _, always := range []bool{true, false} {
		begun := !w.explored
		for _, p := range w.pins {
			if p.got != got || p.always != always && w.explored || always && !w.explored {
				continue
			}
			if !begun {
				b.WriteString(map[bool]string{true: "// In all orders that were explored.\n",
					false: "// In this order; another one ends otherwise.\n"}[always])
				begun = true
			}
			fmt.Fprintf(&b, "{%q, %s},\n", p.actor, want(p))
		}
	}
	return b.String()
}

// unasserted is a comment that lists what is not asserted, "" if there is nothing.
func (w *writer) unasserted() string {
	if len(w.without) == 0 || w.record || w.budget != "" {
		return ""
	}
	return "// Not asserted: " + strings.Join(w.without, "; ") + ".\n"
}

// quoted writes a text as a string literal, as one that is easy to read where there is one.
func quoted(s string) string {
	if strings.ContainsAny(s, `"\`) && strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// pinned has a test assert what its executions have in common.
func (w *writer) pinned(l *statesLog) {
	w.pins, w.without, w.explored = nil, nil, false
	left := 0
	for _, k := range l.keys {
		text, same := l.same(k)
		name, got := strings.CutPrefix(k, gotPrefix)
		switch {
		case got && text == "" && same: // nothing came
		case !same:
			w.without = append(w.without, fmt.Sprintf("what %s %s, which differs each time", name,
				map[bool]string{true: "received", false: "holds"}[got]))
		case !got && text == function:
			w.without = append(w.without, "what "+name+" holds, which is a function")
		case len(text) > longestState*(1+3*bit(got)):
			w.without = append(w.without, fmt.Sprintf("what %s %s, which is long", name,
				map[bool]string{true: "received", false: "holds"}[got]))
		case len(w.pins) == most:
			left++
		case got:
			w.pins = append(w.pins, pin{actor: name, got: true, texts: strings.Split(text, "\n")})
		default:
			w.pins = append(w.pins, pin{actor: name, texts: []string{text}})
		}
	}
	if left > 0 {
		w.without = append(w.without, fmt.Sprintf("%d more actors", left))
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// compare notes which assertions hold in all orders that were explored.
func (w *writer) compare(l *statesLog) {
	if len(l.keys) == 0 {
		return
	}
	w.explored = true
	for i, p := range w.pins {
		k := p.actor
		if p.got {
			k = gotPrefix + k
		}
		w.pins[i].always = l.like(k, p.texts)
	}
}

// oftener are the flags of go test that have tests executed more often before what comes of them is asserted. What
// differs by chance, such as the order of a map, differs then. Each runs twenty times, half of them on one processor,
// and Go chooses by other random numbers each time.
var oftener = []string{"-count=5", "-cpu=1,2"}

// choicesVariable is the variable of the environment that has Go choose otherwise in each Check.
const choicesVariable = "REHEARSE_TEST_CHOICES"

// pins has tests that end without a finding assert what comes of them. Those that fail then, or do not execute their
// target any more, go without.
func pins(outcomes []*Outcome, jobs []Job, path string,
	attempt func(jobs []Job, flags ...string) ([]*Outcome, error)) error {
	var list []Job
	var at []int
	for i, j := range jobs {
		if o := outcomes[i]; j.Test.Wanted.Pin && o.Covered && o.Finding == nil {
			list, at = append(list, j), append(at, i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	first, err := readStates(path)
	if err != nil {
		return err
	}
	os.Remove(path) // messages may be requests since
	if _, err := attempt(list, oftener...); err != nil {
		return err
	}
	logs, err := readStates(path)
	if err != nil {
		return err
	}
	for _, j := range list {
		if l := cmp.Or(logs[j.Test.Func], first[j.Test.Func]); l != nil { // the time may have been too short
			j.Test.w.pinned(l)
		}
	}
	checked, err := attempt(list)
	for k, o := range checked {
		if o.Covered && o.Finding == nil {
			outcomes[at[k]] = o
			continue
		}
		w := list[k].Test.w
		w.pins, w.without = nil, []string{"what actors hold in the end, which another execution of this order has not confirmed"}
		content, err := list[k].Test.Source()
		if err != nil {
			return err
		}
		outcomes[at[k]].Content = content
	}
	return err
}
