package reachtest

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// kept are the fields of a Config that say what is wrong, and how handlers are run: these go over to the new test.
var kept = []string{"Checks", "Environment", "Final", "Invariants", "Horizon", "MaxSteps", "Blocked", "ShareMessages",
	"KeepLogs"}

// models are the names of delivery models in package rehearse.
var models = map[trace.Model]string{trace.Bag: "Bag", trace.FIFO: "FIFO", trace.Causal: "Causal",
	trace.Mailbox: "Mailbox", trace.MailboxSerial: "MailboxSerial"}

// kinds are the names of kinds of violations there.
var kinds = map[string]string{}

func init() {
	for _, k := range []trace.ViolationKind{trace.Panic, trace.Assertion, trace.Deadlock, trace.OrphanDead, trace.Orphan,
		trace.DeadLetter, trace.Environment, trace.Unhandled,
		trace.Livelock, trace.Divergence, trace.Isolation, trace.RuntimeFatal} {
		kinds[k.String()] = kindName(k)
	}
}

func kindName(k trace.ViolationKind) string {
	return map[trace.ViolationKind]string{trace.Panic: "Panic", trace.Assertion: "Assertion", trace.Deadlock: "Deadlock",
		trace.OrphanDead: "OrphanDead", trace.Orphan: "Orphan",
		trace.DeadLetter: "DeadLetter", trace.Environment: "Environment", trace.Unhandled: "Unhandled",
		trace.Livelock: "Livelock", trace.Divergence: "Divergence",
		trace.Isolation: "Isolation", trace.RuntimeFatal: "RuntimeFatal"}[k]
}

// field is a field of the Config that goes over to the new test.
type field struct {
	name  string
	value ast.Expr // in the source; nil: text
	text  string
}

// keptFields gives the fields of the Config beside the driver that the new test needs, too.
func (w *writer) keptFields() (list []field) {
	config := w.d.config()
	id, named := config.(*ast.Ident)
	lit, ok := config.(*ast.CompositeLit)
	if named {
		if lit = w.d.valueOf(id); lit != nil {
			for _, e := range lit.Elts {
				if kv, ok := e.(*ast.KeyValueExpr); ok && slices.Contains(kept, kv.Key.(*ast.Ident).Name) {
					list = append(list, field{name: kv.Key.(*ast.Ident).Name, text: id.Name + "." + kv.Key.(*ast.Ident).Name})
				}
			}
			return list
		}
		lit, ok = w.literalOf(id)
	}
	if !ok {
		return nil
	}
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok && slices.Contains(kept, kv.Key.(*ast.Ident).Name) && w.keeps(kv.Value) {
			list = append(list, field{name: kv.Key.(*ast.Ident).Name, value: kv.Value})
		}
	}
	return list
}

// keeps reports whether a value of the Config can be written in the new test: with it goes what it names of the entry.
func (w *writer) keeps(e ast.Expr) bool {
	if w.d.elsewhere(e) {
		return false
	}
	locals, needed := slices.Clone(w.locals), maps.Clone(w.needed)
	if err := w.needsOf(e); err != nil {
		w.locals, w.needed = locals, needed
		return false
	}
	return true
}

// value writes a field's value.
func (w *writer) value(f field, edits []edit) (string, error) {
	if f.value == nil {
		return f.text, nil
	}
	return w.d.text(f.value, edits)
}

// check writes the call of Check.
func (w *writer) check(t, system string, edits []edit) (string, error) {
	root := w.names.Imported(ours, "rehearse")
	var b strings.Builder
	fmt.Fprintf(&b, "%s.Check(%s, %s.Config{\n", root, t, root)
	fmt.Fprintf(&b, "Model: %s.%s,\n", root, models[w.way.Plan.Model])
	if w.way.Async {
		fmt.Fprintf(&b, "Timers: %s.Async,\n", root)
	}
	w.course(&b)
	own, err := w.copied(&b, root, edits)
	if err != nil {
		return "", err
	}
	b.WriteString(w.unasserted())
	if final := w.final(w.fn, own); final != "" {
		b.WriteString(final + ",\n")
	}
	w.expects(&b, root)
	fmt.Fprintf(&b, "}, %s)", system)
	return b.String(), nil
}

// A way may be longer than the executions for which the Config beside the driver has its bound, as one by chance is.
// From how many entries on there is room for it, and how many steps one entry may be: with releases, and with what a
// framework says by itself.
const (
	long         = 25
	stepsOfEntry = 4
)

// copied writes the fields that are taken over from the Config beside the driver, and gives that of Final, which the
// test puts into one of its own.
func (w *writer) copied(b *strings.Builder, root string, edits []edit) (final string, err error) {
	for _, f := range w.fields {
		text, err := w.value(f, edits)
		if err != nil {
			return "", err
		}
		switch {
		case f.name == "Final":
			final = text
			continue
		case f.name == "Checks" && w.panics:
			text = w.strict(root, text)
		case f.name == "MaxSteps" && len(w.way.Order) > long:
			text = fmt.Sprintf("%s + %d", text, stepsOfEntry*len(w.way.Order))
		}
		fmt.Fprintf(b, "%s: %s,\n", f.name, text)
	}
	return final, nil
}

// expects writes what goes wrong on the way, if something does.
func (w *writer) expects(b *strings.Builder, root string) {
	x := w.expect
	if x == nil || w.budget != "" {
		return
	}
	fmt.Fprintf(b, "Expect: &%s.Expectation{Kind: %s.%s", root, root, kinds[x.Kind])
	if x.Text != "" {
		fmt.Fprintf(b, ", Text: %q", x.Text)
	}
	b.WriteString("},\n")
}

// course writes what decides the order of the execution: a budget, or the guide.
func (w *writer) course(b *strings.Builder) {
	switch order := w.ordered(); {
	case w.budget != "":
		fmt.Fprintf(b, "Budget: %q,\n", w.budget)
	case len(order) == 0: // set-up comes there, whatever happens behind it
		b.WriteString("Budget: \"1x\",\n")
	default:
		fmt.Fprintf(b, "Guide: %s.Order{\n", w.names.Imported(ours+"/trace", "trace"))
		for _, e := range order {
			fmt.Fprintf(b, "%s,\n", e)
		}
		b.WriteString("},\n")
	}
}

// strict writes these checks with panics as errors.
func (w *writer) strict(root, checks string) string {
	return fmt.Sprintf("func() %s.Levels {\nlevels := %s.Clone(%s)\nlevels[%[1]s.Panic] = %[1]s.Error\nreturn levels\n}()",
		root, w.names.Imported("maps", "maps"), checks)
}

// panics reports whether the test takes panics for errors that its driver lets pass.
func (t *Test) panics() bool {
	return t.Wanted.Panics && slices.ContainsFunc(t.w.fields, func(f field) bool { return f.name == "Checks" })
}
