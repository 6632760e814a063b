package reachtest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file makes a driver of a function that uses protoactor-go without Rehearse: main, or a plain test. The test has
// a copy of its body, without what would wait for somebody outside of the program: an execution ends when no actor has
// anything to do.

// left are functions that a copy does without. Time is virtual there, and the flags of a test have been read.
var left = map[string]bool{"time.Sleep": true, "flag.Parse": true, "os/signal.Notify": true}

var ending = map[string]bool{"os.Exit": true, "log.Fatal": true, "log.Fatalf": true, "log.Fatalln": true}

// itself takes the entry as the driver.
func (d *driver) itself() error {
	fn := d.entry
	switch params := fn.Type.Params.List; {
	case fn.Type.Results != nil || fn.Recv != nil || fn.Type.TypeParams != nil:
		return unwritable("%s, which makes the system, is a method, is generic or has results: name a function without (%s)",
			fn.Name.Name, d.program.Position(fn.Pos()))
	case len(params) == 0:
	case len(params) > 1 || len(params[0].Names) > 1 ||
		types.TypeString(d.pkg.TypesInfo.TypeOf(params[0].Type), nil) != "*testing.T":
		return unwritable("%s, which makes the system, has parameters: name a function without (%s)", fn.Name.Name,
			d.program.Position(fn.Pos()))
	case len(params[0].Names) == 1 && params[0].Names[0].Name != "_":
		d.test = params[0].Names[0].Name
	}
	d.typ, d.body, d.copied = fn.Type, fn.Body, []*ast.FuncDecl{fn}
	if d.test == "" {
		d.test = unused(fn.Body)
	}
	return d.leave()
}

// unused gives a name for the *rehearse.T that a body does not have.
func unused(body *ast.BlockStmt) string {
	taken := map[string]bool{}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			taken[id.Name] = true
		}
		return true
	})
	name := "t"
	for i := 2; taken[name]; i++ {
		name = fmt.Sprintf("t%d", i)
	}
	return name
}

// leave decides which statements the copy does without. They are all from the first wait behind all that sends or
// creates actors to the end. They are each wait before that whose outcome nothing uses, and loops that serve somebody
// outside.
func (d *driver) leave() error {
	c := newCalls(d.program)
	list := d.body.List
	last := -1
	for i, s := range list {
		if what, _ := c.of(d.pkg, s); what != 0 && !d.serves(s) {
			last = i
		}
	}
	tail := len(list)
	for i := len(list) - 1; i > last; i-- {
		if d.waits(list[i]) || d.ends(list[i]) {
			tail = i
		}
	}
	d.gone = slices.Clone(list[tail:])
	for _, s := range list[:tail] {
		if _, ok := s.(*ast.DeferStmt); ok && tail < len(list) { // it runs behind the wait
			d.gone = append(d.gone, s)
		} else if err := d.before(c, s); err != nil {
			return err
		}
	}
	return nil
}

// before finds what goes of a statement before the end.
func (d *driver) before(c *calls, in ast.Stmt) (err error) {
	ast.Inspect(in, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && d.definesFlag(call) && err == nil {
			err = unwritable("%s defines a flag each time it runs: define it outside, as a variable of the package (%s)",
				d.entry.Name.Name, d.program.Position(call.Pos()))
		}
		s, ok := n.(ast.Stmt)
		if !ok || err != nil {
			_, lit := n.(*ast.FuncLit)
			return err == nil && !lit
		}
		if comm, ok := s.(*ast.CommClause); ok { // without its operation the case is no Go
			for _, s := range comm.Body {
				err = cmp.Or(err, d.before(c, s))
			}
			return false
		}
		what, _ := c.of(d.pkg, s)
		switch {
		case d.calls(s, left), d.serves(s):
			d.gone = append(d.gone, s)
			return false
		case what != 0 || !d.waits(s):
			return true
		case d.gives(s):
			err = unwritable("%s waits for somebody outside, and goes on with what comes (%s)", d.entry.Name.Name,
				d.program.Position(s.Pos()))
			return false
		}
		d.gone = append(d.gone, s)
		return false
	})
	return err
}

// definesFlag reports whether a call defines a flag of the process, which can be done once.
func (d *driver) definesFlag(call *ast.CallExpr) bool {
	fn := callee(d.pkg, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "flag" || fn.Signature().Recv() != nil {
		return false
	}
	_, pointer := d.pkg.TypesInfo.TypeOf(call).(*types.Pointer)
	return pointer && fn.Name() != "NewFlagSet" && fn.Name() != "Lookup" || strings.HasSuffix(fn.Name(), "Var") ||
		fn.Name() == "Func"
}

// waits reports whether a statement waits for somebody outside: a key, a signal, requests.
func (d *driver) waits(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.SelectStmt:
		return !slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil })
	case *ast.ForStmt:
		return s.Cond == nil && !slices.ContainsFunc(s.Body.List, d.leaves)
	case *ast.IfStmt:
		return s.Init != nil && d.waits(s.Init)
	}
	x := value(s)
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
		return true
	}
	return d.calls(s, system.Waiting) || d.blocked(s)
}

// serves reports whether a statement is a loop each of whose turns waits for a clock or for somebody outside: a key, a
// tick, a signal. What it sends then comes from outside, and messages that are found replace it.
func (d *driver) serves(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.LabeledStmt:
		return d.serves(s.Stmt)
	case *ast.RangeStmt:
		ch, ok := d.pkg.TypesInfo.TypeOf(s.X).Underlying().(*types.Chan)
		return ok && fromOutside[types.TypeString(ch.Elem(), nil)]
	case *ast.ForStmt:
		if s.Cond != nil {
			return d.calls(&ast.ExprStmt{X: s.Cond}, system.Waiting)
		}
		return slices.ContainsFunc(s.Body.List, func(s ast.Stmt) bool { return d.waits(s) || d.calls(s, left) })
	}
	return false
}

// fromOutside are types of what channels give that the clock or the system fills.
var fromOutside = map[string]bool{"time.Time": true, "os.Signal": true}

// blocked reports whether a statement calls a function that was seen to wait for somebody outside.
func (d *driver) blocked(s ast.Stmt) (is bool) {
	if _, ok := s.(*ast.ExprStmt); !ok && value(s) == nil || len(d.blocks) == 0 {
		return false
	}
	ast.Inspect(s, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if fn := callee(d.pkg, c); fn != nil && slices.Contains(d.blocks, stackName(fn)) {
				is = true
			}
		}
		_, lit := n.(*ast.FuncLit)
		return !is && !lit
	})
	return is
}

// stackName names a function as stacks do.
func stackName(fn *types.Func) string {
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		t, format := recv.Type(), "%s.%s"
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t, format = p.Elem(), "(*%s).%s"
		}
		if n, ok := types.Unalias(t).(*types.Named); ok {
			name = fmt.Sprintf(format, n.Obj().Name(), name)
		}
	}
	if fn.Pkg() == nil {
		return name
	}
	return fn.Pkg().Path() + "." + name
}

// leaves reports whether a statement may leave a loop.
func (d *driver) leaves(s ast.Stmt) (is bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			is = true
		case *ast.BranchStmt:
			is = is || n.Tok != token.CONTINUE
		}
		return !is
	})
	return is
}

func (d *driver) ends(s ast.Stmt) bool { return d.calls(s, ending) }

// calls reports whether a statement is a call of one of some functions.
func (d *driver) calls(s ast.Stmt, of map[string]bool) bool {
	call, ok := value(s).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := callee(d.pkg, call)
	return fn != nil && of[fn.FullName()]
}

// value gives the expression of a statement that has one.
func value(s ast.Stmt) ast.Expr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return ast.Unparen(s.X)
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			return ast.Unparen(s.Rhs[0])
		}
	}
	return nil
}

// gives reports whether something that a statement gives has a name.
func (d *driver) gives(s ast.Stmt) bool {
	if s, ok := s.(*ast.AssignStmt); ok {
		return slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { id, ok := e.(*ast.Ident); return !ok || id.Name != "_" })
	}
	return false
}

// leftOut says what the copy does without, for people.
func (d *driver) leftOut() (list []string) {
	slices.SortFunc(d.gone, func(a, b ast.Stmt) int { return int(a.Pos() - b.Pos()) })
	for _, s := range d.gone {
		at := d.program.Fset.Position(s.Pos())
		text, err := d.text(s, nil)
		if err != nil {
			continue
		}
		text, _, more := strings.Cut(text, "\n")
		if more {
			text += " ..."
		}
		list = append(list, fmt.Sprintf("%s:%d: %s", filepath.Base(at.Filename), at.Line, text))
	}
	return list
}

// without is the part of a comment that says what a copy does without.
func (d *driver) without() string {
	list := d.leftOut()
	if len(list) == 0 {
		return ""
	}
	return "// An execution ends by itself, so this is left out:\n//\n//\t" + strings.Join(list, "\n//\t") + "\n"
}

// takesTest has the copy take a *rehearse.T.
func (w *writer) takesTest() {
	w.d.name = w.renames[slices.IndexFunc(w.renames, func(e edit) bool { return e.from == w.d.entry.Name.Pos() })].text
	params := w.d.typ.Params
	w.edits = append(w.edits, edit{params.Opening, params.Closing + 1,
		fmt.Sprintf("(%s *%s.T)", w.d.test, w.names.Imported(ours, "rehearse"))})
}

// system writes what makes the system.
func (w *writer) system(edits []edit) (string, error) {
	if w.d.away != nil {
		name := w.renames[slices.IndexFunc(w.renames, func(e edit) bool { return e.from == w.d.entry.Name.Pos() })].text
		return fmt.Sprintf("%s(%s)", name, *w.d.away), nil
	}
	if w.d.test == "" {
		return w.d.text(w.d.call, edits)
	}
	return fmt.Sprintf("%s.System(%s)", w.names.Imported(adapter, "protoactor"), w.d.name), nil
}

// missing says what to do where the module of a driver that does without Rehearse does not require what its test
// imports. It also does where the driver ends its process. It gives "" if neither is the reason.
func (t *Test) missing(said string) string {
	if t.exits(said) {
		return "the process ended before the test did, as by os.Exit or log.Fatal: name another driver (-driver), or let this one find what it needs"
	}
	if strings.Contains(said, "# "+adapter+"\n") {
		return "the adapter does not compile with the version of protoactor-go that its module requires: the adapter's go.mod names the one that it is for"
	}
	if t.w.d.test == "" || !strings.Contains(said, "; to add") && !strings.Contains(said, "updates to go.mod needed") {
		return ""
	}
	return "its module does not require the adapter: " + gentest.Obtain(Adapter)
}

// exits reports whether a test, run alone, had begun and then ended its process without a word of Go's. A process that
// is killed from outside has none of the last line.
func (t *Test) exits(said string) bool {
	_, after, begun := strings.Cut(said, "=== RUN   "+t.Func+"\n")
	if !begun || !strings.Contains(after, "FAIL\t") {
		return false
	}
	for _, other := range []string{"--- ", "panic: ", "fatal error: ", "signal: ", "Test killed"} {
		if strings.Contains(after, other) {
			return false
		}
	}
	return true
}

// called gives the name of an actor in executions of the copy. One that runs a function literal has the name of the
// function that the literal stands in.
func (d *driver) called(name string) string {
	if d.test == "" {
		return name
	}
	base, number, more := strings.Cut(name, "#")
	if base != d.entry.Name.Name {
		return name
	}
	if more {
		number = "#" + number
	}
	return d.name + number
}

// ordered is the order for executions of the copy. A way that needs no message ends when its actor has started.
func (w *writer) ordered() trace.Order {
	list := slices.Clone(w.way.Order)
	for i, e := range list {
		list[i].Actor, list[i].From = w.d.called(e.Actor), w.d.called(e.From)
	}
	if steps := w.way.Plan.Steps; len(list) == 0 && w.d.test != "" && len(steps) > 0 {
		if last := steps[len(steps)-1]; last.To.Step < 0 && last.Message != nil {
			_, message, _ := cutLast(typeName(last.Message), ".")
			list = append(list, trace.OrderEntry{Actor: w.d.called(w.way.Start.Actors[last.To.Start].Name), Message: message})
		}
	}
	return list
}
