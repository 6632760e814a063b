package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/types"
	"os"
	"runtime"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
)

// Visit reads the packages and calls visit for each one that was read from source and that compiles, with all that it
// needs. The package has syntax and types. The calls for all that it imports have ended before. Calls come on several
// goroutines.
func (s *Sources) Visit(visit func(*packages.Package)) {
	var exports sync.Mutex // reading export data may change any package that is not complete
	inOrder(s.order, func(p *packages.Package) {
		switch {
		case s.read[p]:
			if s.check(p); usable(p) {
				visit(p)
			}
		case p.ExportFile != "":
			exports.Lock()
			defer exports.Unlock()
			if err := readExport(s, p); err != nil {
				p.Errors = append(p.Errors, packages.Error{Pos: "-", Msg: err.Error()})
			}
		}
	})
}

// inOrder calls do for each package after the calls for those that it imports have ended, on as many goroutines as
// there are processors.
func inOrder(order []*packages.Package, do func(*packages.Package)) {
	waits, users := map[*packages.Package]int{}, map[*packages.Package][]*packages.Package{}
	ready := make(chan *packages.Package, len(order))
	for _, p := range order {
		waits[p] = len(p.Imports)
		for _, dep := range p.Imports {
			users[dep] = append(users[dep], p)
		}
		if len(p.Imports) == 0 {
			ready <- p
		}
	}
	var mu sync.Mutex
	left := len(order)
	done := func(p *packages.Package) {
		mu.Lock()
		defer mu.Unlock()
		for _, user := range users[p] {
			if waits[user]--; waits[user] == 0 {
				ready <- user
			}
		}
		if left--; left == 0 {
			close(ready)
		}
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(order)) {
		workers.Go(func() {
			for p := range ready {
				do(p)
				done(p)
			}
		})
	}
	workers.Wait()
}

// check parses a package and checks its types. Without what it imports there is no use in it.
func (s *Sources) check(p *packages.Package) {
	p.Fset = s.found.fset
	for _, path := range sorted(p.Imports) {
		dep := p.Imports[path]
		p.IllTyped = p.IllTyped || dep.IllTyped || len(dep.Errors) > 0
	}
	if p.IllTyped || len(p.Errors) > 0 {
		p.IllTyped = true
		return
	}
	for _, name := range p.CompiledGoFiles {
		file, err := parser.ParseFile(p.Fset, name, s.text(name), parser.ParseComments|parser.SkipObjectResolution)
		if file != nil {
			p.Syntax = append(p.Syntax, file)
		}
		blame(p, err)
	}
	p.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	config := &types.Config{Importer: imports(p.Imports), Sizes: p.TypesSizes, Error: func(err error) { blame(p, err) }}
	if p.Module != nil && p.Module.GoVersion != "" {
		config.GoVersion = "go" + p.Module.GoVersion
	}
	if err := types.NewChecker(config, p.Fset, p.Types, p.TypesInfo).Files(p.Syntax); err != nil && len(p.Errors) == 0 {
		blame(p, err)
	}
	p.IllTyped = len(p.Errors) > 0
}

// text gives the contents of a file for the parser, nil for those on disk.
func (s *Sources) text(name string) any {
	if over, ok := s.over[name]; ok {
		return over
	}
	return nil
}

// imports gives the packages that one imports by their import paths.
type imports map[string]*packages.Package

func (i imports) Import(path string) (*types.Package, error) {
	p := i[path]
	switch {
	case path == "unsafe":
		return types.Unsafe, nil
	case p == nil || !p.Types.Complete():
		return nil, fmt.Errorf("there is no package %s", path)
	}
	return p.Types, nil
}

// blame notes errors of the parser and of the type checker.
func blame(p *packages.Package, err error) {
	var list scanner.ErrorList
	var typed types.Error
	switch {
	case err == nil:
	case errors.As(err, &list):
		for _, e := range list {
			p.Errors = append(p.Errors, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
		}
	case errors.As(err, &typed):
		p.TypeErrors = append(p.TypeErrors, typed)
		p.Errors = append(p.Errors, packages.Error{Pos: typed.Fset.Position(typed.Pos).String(), Msg: typed.Msg,
			Kind: packages.TypeError})
	default:
		p.Errors = append(p.Errors, packages.Error{Pos: "-", Msg: err.Error(), Kind: packages.UnknownError})
	}
}

// readExport reads a package's export data. What that tells of other packages is added to theirs, so all that the
// package depends on must be in view.
func readExport(s *Sources, p *packages.Package) error {
	file, err := os.Open(p.ExportFile)
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := gcexportdata.NewReader(file)
	if err != nil {
		return fmt.Errorf("%s: %w", p.ExportFile, err)
	}
	view, seen := map[string]*types.Package{}, map[*packages.Package]bool{}
	var add func(p *packages.Package)
	add = func(p *packages.Package) {
		if !seen[p] {
			seen[p] = true
			view[p.PkgPath] = p.Types
			for _, dep := range p.Imports {
				add(dep)
			}
		}
	}
	add(p)
	if _, err = gcexportdata.Read(data, s.found.fset, view, p.PkgPath); err != nil {
		return fmt.Errorf("%s: %w", p.ExportFile, err)
	}
	return nil
}
