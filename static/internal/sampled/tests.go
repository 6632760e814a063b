package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// This file finds the tests from which a read of the variable can be reached over the functions and package variables
// that they name. A function that is only mentioned counts as called, so what is passed on as a value is followed. A
// method that is called through an interface is not.

// variable is what tests read.
const variable = "REHEARSE_TOY"

// graph is who names whom, by full names.
type graph struct {
	names map[string][]string
	reads map[string]bool
	tests map[string]string // folders of test functions
}

// tests gives the names of test functions that come to the variable, by folders.
func tests(dir string, patterns ...string) (map[string][]string, error) {
	mode := packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	list, err := packages.Load(&packages.Config{Mode: mode, Dir: dir, Tests: true}, patterns...)
	if err != nil {
		return nil, err
	}
	g := &graph{map[string][]string{}, map[string]bool{}, map[string]string{}}
	for _, p := range list {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.ID, p.Errors[0])
		}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				g.declaration(p, d)
			}
		}
	}
	return g.reached()
}

// declaration adds what is declared.
func (g *graph) declaration(p *packages.Package, d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		name := fullName(p.TypesInfo.Defs[d.Name])
		file := p.Fset.Position(d.Pos()).Filename
		if d.Recv == nil && strings.HasSuffix(file, "_test.go") && isTest(d.Name.Name) {
			g.tests[name] = filepath.Dir(file)
		}
		g.add(p, name, d)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if s, ok := s.(*ast.ValueSpec); ok {
				for _, n := range s.Names {
					g.add(p, fullName(p.TypesInfo.Defs[n]), s)
				}
			}
		}
	}
}

// isTest reports whether go test calls a function of that name by itself.
func isTest(name string) bool {
	for _, prefix := range []string{"Test", "Example", "Fuzz"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "init"
}

// add notes what a part of the source names, and whether it reads the variable: passes its name to a function.
func (g *graph) add(p *packages.Package, name string, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if to := fullName(p.TypesInfo.Uses[n]); to != "" && to != name {
				g.names[name] = append(g.names[name], to)
			}
		case *ast.CallExpr:
			for _, a := range n.Args {
				v := p.TypesInfo.Types[a].Value
				if v != nil && v.Kind() == constant.String && constant.StringVal(v) == variable {
					g.reads[name] = true
				}
			}
		}
		return true
	})
}

// fullName names a function, a method or a package variable, "" if it is none. A package has the same names with its
// test files as without.
func fullName(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		return o.Origin().FullName()
	case *types.Var:
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() {
			return o.Pkg().Path() + "." + o.Name()
		}
	}
	return ""
}

// reached gives the tests that come to the variable.
func (g *graph) reached() (map[string][]string, error) {
	for grown := true; grown; {
		grown = false
		for from, to := range g.names {
			if reads := func(name string) bool { return g.reads[name] }; !reads(from) && slices.ContainsFunc(to, reads) {
				g.reads[from], grown = true, true
			}
		}
	}
	by := map[string][]string{}
	for name, dir := range g.tests {
		if !g.reads[name] {
			continue
		}
		short := name[strings.LastIndexByte(name, '.')+1:]
		if short == "TestMain" || short == "init" {
			return nil, fmt.Errorf("%s reads %s for all tests of its package: read it in those that sample", name, variable)
		}
		by[dir] = append(by[dir], short)
	}
	return by, nil
}
