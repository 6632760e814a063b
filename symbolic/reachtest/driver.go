package reachtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// Unwritable says why there is no test of a way.
type Unwritable struct{ Why string }

func (e *Unwritable) Error() string { return "no test can be written: " + e.Why }

func unwritable(format string, args ...any) error { return &Unwritable{fmt.Sprintf(format, args...)} }

// Adapter is the module that runs drivers which use protoactor-go without Rehearse.
const Adapter = "github.com/rehearse-go/rehearse/adapter/protoactor"

// The packages whose functions drivers call.
const (
	ours    = "github.com/rehearse-go/rehearse"
	native  = ours + "/actor"
	adapter = Adapter
	proto   = model.ProtoactorPath
)

// makers are the functions that make a system from a function.
var makers = map[string]bool{native + ".New": true, adapter + ".System": true,
	model.HollywoodAdapterPath + ".System": true, model.GoAktAdapterPath + ".System": true}

// driver is a driver in the source.
type driver struct {
	program   *load.Program
	pkg       *load.Package
	entry     *ast.FuncDecl
	call      *ast.CallExpr   // in the entry: its value is the system
	copied    []*ast.FuncDecl // the functions that the call leads to; the last one makes the system
	typ       *ast.FuncType   // of the function that is the driver
	body      *ast.BlockStmt
	proto     bool
	hollywood bool       // proto, too
	goakt     bool       // so is this
	test      string     // the name of the *rehearse.T, of a driver that is the entry itself; else ""
	gone      []ast.Stmt // what a copy of such an entry does without
	name      string     // of the copy of such an entry
	blocks    []string   // functions that were seen to wait for somebody outside
	nth       int        // how often the execution comes to the call before
	// of a system that an exported function of another package makes, where the test goes then: its arguments; else nil
	away *string
}

// adapter gives the package that runs the actors, and its name.
func (d *driver) adapter() (path, name string) {
	switch {
	case d.hollywood:
		return model.HollywoodAdapterPath, "hollywood"
	case d.goakt:
		return model.GoAktAdapterPath, "goakt"
	}
	return adapter, "protoactor"
}

// receiver gives the argument of a call of the framework's that is whom a message is for.
func (d *driver) receiver(call *ast.CallExpr) int {
	if d.goakt && len(call.Args) > 1 { // behind the context
		return 1
	}
	return 0
}

// findDriver finds the function that is the driver, and the functions on the way to it.
func findDriver(p *load.Program, of *system.Driver) (*driver, error) {
	d := &driver{program: p, proto: of.Proto, hollywood: of.Hollywood, goakt: of.GoAkt,
		blocks: of.Waits, nth: of.Nth}
	var file *ast.File
	d.pkg, file = fileOf(p, of.Entry.Pos())
	if d.pkg == nil {
		return nil, unwritable("the source of %s is not at hand", of.Entry.Name())
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok && fn.Pos() <= of.Entry.Pos() && of.Entry.Pos() < fn.End() {
			d.entry = fn
		}
	}
	if d.entry == nil || d.entry.Body == nil {
		return nil, unwritable("%s is no function of a file", of.Entry.Name())
	}
	if of.Plain {
		return d, d.itself()
	}
	ast.Inspect(d.entry, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && (c.Lparen == of.Pos || c.Pos() == of.Pos && d.call == nil) {
			d.call = c
		}
		return d.call == nil || d.call.Lparen != of.Pos
	})
	if d.call == nil {
		return nil, unwritable("the call at %s that makes the system is not in %s", p.Position(of.Pos), d.entry.Name.Name)
	}
	if err := d.goes(); err != nil {
		return nil, err
	}
	return d, d.descend(d.call)
}

// goes has the test go into the package of the function that makes the system, where that is another one than the
// entry's and its arguments can be written there.
func (d *driver) goes() error {
	fn := callee(d.pkg, d.call)
	if fn == nil || makers[fn.FullName()] || d.declared(fn) != nil || fn.Signature().Recv() != nil {
		return nil
	}
	for _, pkg := range d.program.Packages {
		decl := declaration(pkg, fn)
		if decl == nil || decl.Body == nil || !pkg.Root {
			continue
		}
		var args []string
		for _, arg := range d.call.Args {
			text, err := d.literal(arg)
			if err != nil {
				return err
			}
			args = append(args, text)
		}
		all := strings.Join(args, ", ")
		if d.call.Ellipsis.IsValid() {
			all += "..."
		}
		d.pkg, d.entry, d.away = pkg, decl, &all
		break
	}
	return nil
}

// literal writes an argument that names nothing but what Go itself declares, or is a constant.
func (d *driver) literal(arg ast.Expr) (string, error) {
	if text := constantText(d.pkg.TypesInfo.Types[arg].Value); text != "" {
		return text, nil
	}
	plain := true
	ast.Inspect(arg, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && types.Universe.Lookup(id.Name) != d.pkg.TypesInfo.Uses[id] {
			plain = false
		}
		return plain
	})
	if !plain {
		return "", unwritable("%s, which makes the system, is in another package than the test, and an argument of it is no constant (%s)",
			callee(d.pkg, d.call).Name(), d.program.Position(arg.Pos()))
	}
	return d.text(arg, nil)
}

// fileOf gives the package and the file that a place is in.
func fileOf(p *load.Program, pos token.Pos) (*load.Package, *ast.File) {
	for _, pkg := range p.Packages {
		for _, f := range pkg.Syntax {
			if f.FileStart <= pos && pos < f.FileEnd {
				return pkg, f
			}
		}
	}
	return nil, nil
}

// descend follows a call that gives the system to the function that is the driver.
func (d *driver) descend(call *ast.CallExpr) error {
	fn := callee(d.pkg, call)
	if fn == nil { // of a function value
		switch of := d.function(call.Fun).(type) {
		case *ast.FuncLit:
			return d.within(of.Body, "the function value", nil)
		case *ast.Ident:
			fn, _ = d.pkg.TypesInfo.Uses[of].(*types.Func)
		case *ast.CallExpr:
			given, err := d.result(of)
			if err != nil {
				return err
			}
			if lit, ok := ast.Unparen(given).(*ast.FuncLit); ok {
				return d.within(lit.Body, "the function value", nil)
			}
		}
	}
	if d.away != nil && call == d.call {
		fn = d.pkg.TypesInfo.Defs[d.entry.Name].(*types.Func)
	}
	switch {
	case fn == nil:
		return unwritable("the system comes from a call of a function value (%s)", d.program.Position(call.Pos()))
	case makers[fn.FullName()] && len(call.Args) > 0:
		return d.made(call.Args[0])
	}
	decl, err := d.copy(fn, call.Pos())
	if err != nil {
		return err
	}
	return d.within(decl.Body, decl.Name.Name, fn)
}

// within follows the one call in a function that gives the system.
func (d *driver) within(body *ast.BlockStmt, name string, fn *types.Func) error {
	var calls []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && d.makes(c, map[*types.Func]bool{fn: true}) {
			calls = append(calls, c)
			return false
		}
		return true
	})
	if len(calls) != 1 {
		return unwritable("%s makes %d systems: want one (%s)", name, len(calls), d.program.Position(body.Pos()))
	}
	return d.descend(calls[0])
}

// makes reports whether a call gives a system, by functions of the driver's package.
func (d *driver) makes(call *ast.CallExpr, seen map[*types.Func]bool) (is bool) {
	fn := callee(d.pkg, call)
	if fn == nil || seen[fn] {
		return false
	}
	if makers[fn.FullName()] {
		return true
	}
	seen[fn] = true
	decl := d.declared(fn)
	if decl == nil || decl.Body == nil {
		return false
	}
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && d.makes(c, seen) {
			is = true
		}
		return !is
	})
	return is
}

// copy notes that a function is copied.
func (d *driver) copy(fn *types.Func, at token.Pos) (*ast.FuncDecl, error) {
	decl := d.declared(fn)
	switch {
	case decl == nil || decl.Body == nil:
		return nil, unwritable("%s, which makes the system, is not in the package of the test (%s)", fn.Name(),
			d.program.Position(at))
	case slices.Contains(d.copied, decl):
		return nil, unwritable("%s calls itself", fn.Name())
	case fn.Signature().Recv() != nil && fn.Signature().RecvTypeParams().Len() > 0:
		return nil, unwritable("%s is a method of a generic type", fn.Name())
	}
	d.copied = append(d.copied, decl)
	return decl, nil
}

// made takes what a system is made of as the driver: a literal, a function of the package, or one that such a function
// gives.
func (d *driver) made(of ast.Expr) error {
	switch of := d.function(of).(type) {
	case *ast.FuncLit:
		d.typ, d.body = of.Type, of.Body
		return nil
	case *ast.Ident:
		fn, ok := d.pkg.TypesInfo.Uses[of].(*types.Func)
		if !ok {
			break
		}
		decl, err := d.copy(fn, of.Pos())
		if err == nil {
			d.typ, d.body = decl.Type, decl.Body
		}
		return err
	case *ast.CallExpr:
		return d.given(of)
	}
	return unwritable("the driver is no function literal and no function of the package (%s)",
		d.program.Position(of.Pos()))
}

// given takes the function that a function of the package returns.
func (d *driver) given(call *ast.CallExpr) error {
	of, err := d.result(call)
	if err != nil {
		return err
	}
	return d.made(of)
}

// result gives what a function of the package returns, which is copied.
func (d *driver) result(call *ast.CallExpr) (ast.Expr, error) {
	fn := callee(d.pkg, call)
	if fn == nil {
		return nil, unwritable("the driver comes from a call of a function value (%s)", d.program.Position(call.Pos()))
	}
	decl, err := d.copy(fn, call.Pos())
	if err != nil {
		return nil, err
	}
	var results []ast.Expr
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			results = append(results, r.Results...)
		}
		_, inside := n.(*ast.FuncLit)
		return !inside
	})
	if len(results) != 1 {
		return nil, unwritable("%s returns its function at %d places: want one", fn.Name(), len(results))
	}
	return results[0], nil
}

// declared gives the declaration of a function of the driver's package, nil for others.
func (d *driver) declared(fn *types.Func) *ast.FuncDecl {
	return declaration(d.pkg, fn)
}

func declaration(pkg *load.Package, fn *types.Func) *ast.FuncDecl {
	for _, f := range pkg.Syntax {
		for _, decl := range f.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && pkg.TypesInfo.Defs[decl.Name] == fn.Origin() {
				return decl
			}
		}
	}
	return nil
}

// callee gives the function that a call names, nil for function values and conversions.
func callee(pkg *load.Package, call *ast.CallExpr) *types.Func {
	of := ast.Unparen(call.Fun)
	switch x := of.(type) {
	case *ast.IndexExpr: // of a generic function
		of = x.X
	case *ast.IndexListExpr:
		of = x.X
	}
	var id *ast.Ident
	switch x := of.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	fn, _ := pkg.TypesInfo.Uses[id].(*types.Func)
	return fn
}
