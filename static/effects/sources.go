package effects

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/load"
)

// Facts analyses one package, with its tests and what it needs of its modules, and gives what its facts file is to
// hold. The file belongs at facts.Place below the package's folder, which is given too.
func Facts(dir string, patterns ...string) (f *facts.File, folder string, err error) {
	p, err := load.Load(dir, patterns...)
	if err != nil {
		return nil, "", err
	}
	return FactsOf(p)
}

// FactsOf is Facts for a package that was loaded as the only root of a program.
func FactsOf(p *load.Program) (f *facts.File, folder string, err error) {
	if why := missing(p); len(why) > 0 {
		return nil, "", fmt.Errorf("facts about a part of a program would be wrong about the rest:\n\t%s",
			strings.Join(why, "\n\t"))
	}
	of, err := rootOf(p)
	if err != nil {
		return nil, "", err
	}
	r := Analyze(p)
	if err := r.meet(p); err != nil {
		return nil, "", err
	}
	f = &facts.File{Package: of.path, Tool: facts.Analysis, Go: runtime.Version(),
		Platform: runtime.GOOS + "/" + runtime.GOARCH, Actors: r.Actors, Handlers: r.Handlers, Sent: r.Sent}
	at := filepath.Dir(filepath.Join(of.dir, facts.Place))
	f.Sources, err = sources(p, at)
	return f, of.dir, err
}

// missing lists what is not there and should be. Files of other platforms are not in the program either, and what is
// written in C may do anything where it is called.
func missing(p *load.Program) (why []string) {
	for _, q := range p.Problems {
		if q.Missing && !strings.HasPrefix(q.Text, "left out by its build constraints") &&
			!strings.HasPrefix(q.Text, "calls C") {
			why = append(why, q.String())
		}
	}
	return why
}

// asked is a package that was asked for.
type asked struct{ path, dir string }

// rootOf is the one package that was asked for.
func rootOf(p *load.Program) (asked, error) {
	var roots []asked
	for _, pkg := range p.Packages {
		path := strings.TrimSuffix(pkg.PkgPath, "_test")
		if pkg.Root && len(pkg.GoFiles) > 0 && !slices.ContainsFunc(roots, func(r asked) bool { return r.path == path }) {
			roots = append(roots, asked{path, filepath.Dir(pkg.GoFiles[0])})
		}
	}
	if len(roots) != 1 {
		return asked{}, errors.New("facts are made of one package at a time: name it, not a pattern")
	}
	return roots[0], nil
}

// sources hashes what was read. The folder that the file will be in need not exist.
func sources(p *load.Program, at string) ([]facts.Source, error) {
	var list []facts.Source
	for _, pkg := range p.Packages {
		if len(pkg.GoFiles) == 0 {
			continue
		}
		dir := filepath.Dir(pkg.GoFiles[0])
		rel, err := filepath.Rel(at, dir)
		if err != nil {
			return nil, err
		}
		s := facts.Source{Dir: filepath.ToSlash(rel), Package: strings.TrimSuffix(pkg.PkgPath, "_test"), Tests: pkg.Root}
		if s.Hash, err = facts.HashSource(dir, s.Tests); err != nil {
			return nil, err
		}
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b facts.Source) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Dir, b.Dir))
	})
	return list, nil
}
