package reachtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// kept are the fields of a Config that say what is wrong, and how handlers are run: these go over to the new test.
var kept = []string{"Checks", "Environment", "Final", "Invariants", "Horizon", "MaxSteps", "Blocked", "ShareMessages", "KeepLogs"}

// models are the names of delivery models in package rehearse.
var models = map[trace.Model]string{trace.Bag: "Bag", trace.FIFO: "FIFO", trace.Causal: "Causal", trace.Mailbox: "Mailbox", trace.MailboxSerial: "MailboxSerial"}

// kinds are the names of kinds of violations there.
var kinds = map[string]string{}

func init() {
	for _, k := range []trace.ViolationKind{trace.Panic, trace.Assertion, trace.Deadlock, trace.OrphanDead, trace.Orphan, trace.DeadLetter, trace.Environment, trace.Unhandled,
		trace.Livelock, trace.Divergence, trace.Isolation, trace.RuntimeFatal} {
		kinds[k.String()] = kindName(k)
	}
}

func kindName(k trace.ViolationKind) string {
	return map[trace.ViolationKind]string{trace.Panic: "Panic", trace.Assertion: "Assertion", trace.Deadlock: "Deadlock", trace.OrphanDead: "OrphanDead", trace.Orphan: "Orphan",
		trace.DeadLetter: "DeadLetter", trace.Environment: "Environment", trace.Unhandled: "Unhandled", trace.Livelock: "Livelock", trace.Divergence: "Divergence",
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

// literalOf gives the literal with which a variable of the entry is defined, if it is not changed anywhere.
func (w *writer) literalOf(id *ast.Ident) (lit *ast.CompositeLit, ok bool) {
	o := w.d.pkg.TypesInfo.Uses[id]
	if o == nil || !inside(w.d.entry.Body, o.Pos()) {
		return nil, false
	}
	if s, is := w.defines(o).(*ast.AssignStmt); is && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		lit, ok = ast.Unparen(s.Rhs[0]).(*ast.CompositeLit)
	}
	ast.Inspect(w.d.entry.Body, func(n ast.Node) bool {
		if s, is := n.(*ast.AssignStmt); is && ok && s.Tok == token.ASSIGN {
			for _, l := range s.Lhs {
				if x, field := l.(*ast.SelectorExpr); field {
					l = x.X
				}
				to, is := l.(*ast.Ident)
				ok = ok && (!is || w.d.pkg.TypesInfo.Uses[to] != o)
			}
		}
		return ok
	})
	return lit, ok
}

// keeps reports whether a value of the Config can be written in the new test: with it goes what it names of the entry.
func (w *writer) keeps(e ast.Expr) bool {
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

// config gives the Config in the call that the system is an argument of, nil if there is none.
func (d *driver) config() (config ast.Expr) {
	if d.call == nil || d.away != nil { // it is called by itself, or what it is called with stays behind
		return nil
	}
	ast.Inspect(d.entry.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || !slices.Contains(c.Args, ast.Expr(d.call)) {
			return true
		}
		for _, a := range c.Args {
			if n, ok := types.Unalias(d.pkg.TypesInfo.TypeOf(a)).(*types.Named); ok && n.Obj().Name() == "Config" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == ours {
				config = ast.Unparen(a)
			}
		}
		return true
	})
	return config
}

// valueOf gives the literal that a variable of the package is declared with, nil if there is none.
func (d *driver) valueOf(id *ast.Ident) (lit *ast.CompositeLit) {
	o := d.pkg.TypesInfo.Uses[id]
	for _, f := range d.pkg.Syntax {
		for _, decl := range f.Decls {
			g, ok := decl.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				for i, name := range s.(*ast.ValueSpec).Names {
					if values := s.(*ast.ValueSpec).Values; d.pkg.TypesInfo.Defs[name] == o && o != nil && i < len(values) {
						lit, _ = values[i].(*ast.CompositeLit)
					}
				}
			}
		}
	}
	return lit
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
	switch order := w.ordered(); {
	case w.budget != "":
		fmt.Fprintf(&b, "Budget: %q,\n", w.budget)
	case len(order) == 0: // set-up comes there, whatever happens behind it
		b.WriteString("Budget: \"1x\",\n")
	default:
		fmt.Fprintf(&b, "Guide: %s.Order{\n", w.names.Imported(ours+"/trace", "trace"))
		for _, e := range order {
			fmt.Fprintf(&b, "%s,\n", e)
		}
		b.WriteString("},\n")
	}
	own := ""
	for _, f := range w.fields {
		text, err := w.value(f, edits)
		if err != nil {
			return "", err
		}
		if f.name == "Final" {
			own = text
			continue
		}
		fmt.Fprintf(&b, "%s: %s,\n", f.name, text)
	}
	b.WriteString(w.unasserted())
	if final := w.final(w.fn, own); final != "" {
		b.WriteString(final + ",\n")
	}
	if x := w.expect; x != nil && w.budget == "" {
		fmt.Fprintf(&b, "Expect: &%s.Expectation{Kind: %s.%s", root, root, kinds[x.Kind])
		if x.Text != "" {
			fmt.Fprintf(&b, ", Text: %q", x.Text)
		}
		b.WriteString("},\n")
	}
	fmt.Fprintf(&b, "}, %s)", system)
	return b.String(), nil
}
