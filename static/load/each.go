package load

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Each loads every package that the patterns name as Load does for it alone, in the order of their import paths. Each
// is the only root of a Program whose Dir is the folder of the package. Syntax and types are read once for all of them,
// which is nearly all of the time that loading takes. The tests of packages that a root needs are no part of its
// program.
func (c Config) Each() (iter.Seq2[*Program, error], error) {
	c, err := c.checked()
	if err != nil {
		return nil, err
	}
	all, err := c.list()
	if err != nil {
		return nil, c.failed(err)
	}
	variants := map[string][]*packages.Package{}
	for _, p := range all.packages {
		path := cmp.Or(p.ForTest, p.PkgPath)
		variants[path] = append(variants[path], p)
	}
	return func(yield func(*Program, error) bool) {
		for _, path := range slices.Sorted(maps.Keys(variants)) {
			if !all.roots[path] {
				continue
			}
			one := c
			one.Patterns = []string{path}
			if files := variants[path][0].GoFiles; len(files) > 0 {
				one.Dir = filepath.Dir(files[0])
			}
			if !yield(one.program(all.part(path, variants[path]))) {
				return
			}
		}
	}, nil
}

// part is what is found if one package is asked for alone.
func (f *found) part(path string, variants []*packages.Package) *found {
	part := &found{fset: f.fset, packages: slices.Clone(variants),
		roots: map[string]bool{path: true, path + "_test": true}}
	modules, taken, read := map[string]bool{}, map[string]bool{}, map[string]*packages.Package{}
	for _, p := range f.packages {
		read[p.ID] = p
	}
	for _, p := range variants {
		taken[p.ID] = true
		if p.Module != nil {
			modules[p.Module.Path] = true
		}
	}
	for i := 0; i < len(part.packages); i++ { // it grows
		for _, dep := range part.packages[i].Imports {
			if p := read[dep.ID]; p != nil && !taken[dep.ID] && within(modules, dep.PkgPath) {
				taken[dep.ID] = true
				part.packages = append(part.packages, p)
			}
		}
	}
	slices.SortFunc(part.packages, func(a, b *packages.Package) int { return cmp.Compare(a.ID, b.ID) })
	return part
}

// checked gives the configuration with an absolute folder.
func (c Config) checked() (Config, error) {
	if len(c.Patterns) == 0 {
		return c, fmt.Errorf("load: no packages named: name at least one, such as ./...")
	}
	dir, err := filepath.Abs(c.Dir)
	if err != nil {
		return c, fmt.Errorf("load: directory %q: %w", c.Dir, err)
	}
	c.Dir = dir
	return c, nil
}

// failed says what could not be loaded.
func (c Config) failed(err error) error {
	return fmt.Errorf("load %s in %s: %w", strings.Join(c.Patterns, " "), c.Dir, err)
}
