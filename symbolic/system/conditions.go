package system

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"

	"github.com/rehearse-go/rehearse/trace"
)

// This file reads under which conditions a test explores its system: the delivery model, and when timers fire, are
// fields of the Config beside it.
//
//	differs: what is read is what stands there, a constant in a literal or in the declaration of a variable. What a
//	         program computes, and environment variables, are not seen: then the conditions are the framework's

// configPath is the package of Config.
const configPath = "github.com/rehearse-go/rehearse"

// OwnModel gives the delivery model of a driver: that of the Config beside it, else the framework's.
func (d *Driver) OwnModel() trace.Model {
	switch {
	case d.Model != trace.DefaultModel:
		return d.Model
	case d.Proto:
		return trace.Mailbox
	}
	return trace.Bag
}

// conditions notes what the Config beside a driver asks for.
func (p *Program) conditions(d *Driver) {
	for _, pkg := range p.load.Packages {
		for _, f := range pkg.Syntax {
			if f.FileStart <= d.Pos && d.Pos < f.FileEnd {
				c := &configs{pkg.Package, d.Pos}
				if lit := c.literal(c.beside(f), 0); lit != nil {
					d.Model, d.Async = trace.Model(c.number(lit, "Model")), trace.TimerMode(c.number(lit, "Timers")) == trace.Async
				}
				return
			}
		}
	}
}

// configs finds the Config that belongs to the system made at a place.
type configs struct {
	pkg *packages.Package
	pos token.Pos
}

// beside gives the Config that is handed over with the system, as in Check(t, Config{}, system()); nil if there is
// none.
func (c *configs) beside(f *ast.File) (config ast.Expr) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || !slices.ContainsFunc(call.Args, c.isDriver) {
			return n == nil || n.Pos() <= c.pos && c.pos < n.End()
		}
		for _, a := range call.Args {
			if n, ok := types.Unalias(c.pkg.TypesInfo.TypeOf(a)).(*types.Named); ok && n.Obj().Name() == "Config" &&
				n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == configPath {
				config = ast.Unparen(a)
			}
		}
		return false
	})
	return config
}

func (c *configs) isDriver(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && (call.Lparen == c.pos || call.Pos() == c.pos)
}

// aliases bounds how many variables stand between a Config and its literal.
const aliases = 5

// literal gives the literal that a Config is, or that its variable is declared with; nil if that is not known.
func (c *configs) literal(e ast.Expr, depth int) *ast.CompositeLit {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return e
	case *ast.Ident:
		if o := c.pkg.TypesInfo.Uses[e]; o != nil && depth < aliases {
			return c.literal(c.declared(o), depth+1)
		}
	}
	return nil
}

// declared gives the value that a variable of the package is declared with. It is nil if there is none, or if something
// else is assigned to it or to a field of it.
func (c *configs) declared(o types.Object) (value ast.Expr) {
	once := true
	for _, f := range c.pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if c.pkg.TypesInfo.Defs[name] == o && i < len(n.Values) {
						value = ast.Unparen(n.Values[i])
					}
				}
			case *ast.AssignStmt:
				for i, left := range n.Lhs {
					id, ok := left.(*ast.Ident)
					switch {
					case ok && c.pkg.TypesInfo.Defs[id] == o && len(n.Lhs) == len(n.Rhs):
						value = ast.Unparen(n.Rhs[i])
					case c.of(left, o):
						once = false
					}
				}
			}
			return once
		})
	}
	if !once {
		return nil
	}
	return value
}

// of reports whether what is assigned to is a variable or a part of it.
func (c *configs) of(e ast.Expr, o types.Object) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return c.pkg.TypesInfo.Uses[e] == o
	case *ast.SelectorExpr:
		return c.of(e.X, o)
	}
	return false
}

// number gives a field of a literal that is a constant, else 0.
func (c *configs) number(lit *ast.CompositeLit, field string) int64 {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if id, ok := kv.Key.(*ast.Ident); ok && id.Name == field {
			if v := c.pkg.TypesInfo.Types[kv.Value].Value; v != nil {
				n, _ := strconv.ParseInt(v.ExactString(), 10, 64)
				return n
			}
		}
	}
	return 0
}
