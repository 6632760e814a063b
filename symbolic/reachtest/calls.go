package reachtest

import (
	"go/ast"
	"go/types"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
)

// does is what a call of the driver does, itself or by functions whose source is at hand. What is inside of function
// literals happens later, or in actors.
type does uint8

const (
	sends  does = 1 << iota // a message from outside, without waiting for what comes of it
	waits                   // sends, and waits for the answer
	spawns                  // creates an actor
)

// primitives are what methods of the frameworks do, and of GoAkt functions.
var primitives = map[string]map[string]does{
	native: {"Send": sends, "Call": waits, "CallTimeout": waits, "Ask": waits, "Spawn": spawns, "SpawnNamed": spawns},
	proto: {"Send": sends, "Request": sends, "RequestWithCustomSender": sends, "RequestFuture": waits,
		"Spawn": spawns, "SpawnPrefix": spawns, "SpawnNamed": spawns, "SpawnNamedSystem": spawns},
	model.HollywoodPath: {"Send": sends, "SendLocal": sends, "SendWithSender": sends, "Request": waits,
		"Spawn": spawns, "SpawnFunc": spawns, "SpawnChild": spawns, "SpawnChildFunc": spawns},
	model.GoAktPath: {"Tell": sends, "BatchTell": sends, "SendAsync": sends, "Ask": waits, "SendSync": waits,
		"Spawn": spawns, "SpawnFromFunc": spawns, "SpawnNamedFromFunc": spawns, "SpawnChild": spawns},
}

// calls knows what calls do.
type calls struct {
	program *load.Program
	done    map[ast.Node]does
	seen    map[ast.Node][]ast.Node // functions that a call leads to
}

func newCalls(p *load.Program) *calls {
	return &calls{p, map[ast.Node]does{}, map[ast.Node][]ast.Node{}}
}

// primitive says what a method of a framework does, or a function, 0 of others.
func primitive(fn *types.Func) does {
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() == nil && fn.Pkg().Path() != model.GoAktPath {
		return 0
	}
	return primitives[fn.Pkg().Path()][fn.Name()]
}

// of says what the calls in a part of a function do, and which functions they lead to.
func (c *calls) of(pkg *load.Package, n ast.Node) (what does, leads []ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			w, l := c.call(pkg, n)
			what, leads = what|w, append(leads, l...)
		}
		return true
	})
	return what, leads
}

// call says what a call does, beside its arguments.
func (c *calls) call(pkg *load.Package, call *ast.CallExpr) (does, []ast.Node) {
	fn := callee(pkg, call)
	if w := primitive(fn); w != 0 {
		return w, nil
	}
	if fn != nil {
		for _, q := range c.program.Packages {
			if q.Types == fn.Pkg() {
				if decl := declaration(q, fn); decl != nil && decl.Body != nil {
					return c.body(q, decl, decl.Body)
				}
			}
		}
		return 0, nil
	}
	if lit := literal(pkg, call); lit != nil {
		return c.body(pkg, lit, lit.Body)
	}
	return 0, nil
}

// body says what the body of a function does.
func (c *calls) body(pkg *load.Package, fn ast.Node, body *ast.BlockStmt) (does, []ast.Node) {
	if w, ok := c.done[fn]; ok {
		return w, c.seen[fn]
	}
	c.done[fn] = 0 // a call of itself adds nothing
	what, leads := c.of(pkg, body)
	c.done[fn], c.seen[fn] = what, append(leads, fn)
	return what, c.seen[fn]
}

// literal gives the function literal that a call calls: at its place, or from a variable that holds nothing else.
func literal(pkg *load.Package, call *ast.CallExpr) *ast.FuncLit {
	switch x := ast.Unparen(call.Fun).(type) {
	case *ast.FuncLit:
		return x
	case *ast.Ident:
		v, ok := pkg.TypesInfo.Uses[x].(*types.Var)
		if !ok {
			return nil
		}
		return held(pkg, v)
	}
	return nil
}

// held gives the function literal that a variable is defined with.
func held(pkg *load.Package, v *types.Var) (lit *ast.FuncLit) {
	for _, f := range pkg.Syntax {
		if f.FileStart > v.Pos() || v.Pos() >= f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok && len(a.Lhs) == len(a.Rhs) {
				for i, l := range a.Lhs {
					if id, ok := l.(*ast.Ident); ok && pkg.TypesInfo.Defs[id] == v {
						lit, _ = a.Rhs[i].(*ast.FuncLit)
					}
				}
			}
			return n != nil && n.Pos() <= v.Pos() && v.Pos() < n.End() || n == f
		})
	}
	return lit
}
