package reachtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
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

// keptFields writes the fields of the Config beside the driver that the new test needs, too.
func (w *writer) keptFields() (list []string) {
	config := w.d.config()
	if config == nil {
		return nil
	}
	if lit, ok := config.(*ast.CompositeLit); ok {
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && slices.Contains(kept, kv.Key.(*ast.Ident).Name) && w.outside(kv.Value) {
				if text, err := w.d.text(kv.Value, w.renames); err == nil {
					list = append(list, kv.Key.(*ast.Ident).Name+": "+text)
				}
			}
		}
		return list
	}
	id, ok := config.(*ast.Ident)
	if !ok || !w.outside(id) {
		return nil
	}
	if lit := w.d.valueOf(id); lit != nil {
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok && slices.Contains(kept, kv.Key.(*ast.Ident).Name) {
				list = append(list, fmt.Sprintf("%s: %s.%[1]s", kv.Key.(*ast.Ident).Name, id.Name))
			}
		}
	}
	return list
}

// outside reports whether an expression names nothing of the entry.
func (w *writer) outside(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, is := n.(*ast.Ident); is {
			if o := w.d.pkg.TypesInfo.Uses[id]; o != nil && inside(w.d.entry, o.Pos()) && !inside(e, o.Pos()) {
				ok = false
			}
		}
		return ok
	})
	return ok
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
func (w *writer) check(t, system string) string {
	root := w.names.Imported(ours, "rehearse")
	var b strings.Builder
	fmt.Fprintf(&b, "%s.Check(%s, %s.Config{\n", root, t, root)
	fmt.Fprintf(&b, "Model: %s.%s,\n", root, models[w.way.Plan.Model])
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
	for _, f := range w.fields {
		b.WriteString(f + ",\n")
	}
	b.WriteString(w.unasserted())
	if final := w.final(w.fn); final != "" {
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
	return b.String()
}
