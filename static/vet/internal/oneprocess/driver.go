// Package oneprocess runs analyzers on packages and on what these depend on, all in one process. Go vet starts one for
// each package.
//
//	driver.go  which analyzers run on a package, and what they are given
//	facts.go   what they tell each other of other packages
//
// Whatever is told of the standard library, whose source is not read, is told by rows of package model.
package oneprocess

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// Driver runs analyzers on packages, each after those that it imports. It may be used by several goroutines.
type Driver struct {
	wanted []*analysis.Analyzer
	needed []*analysis.Analyzer // what those require, too, each after what it requires
	facts  facts
}

// New gives a driver of the analyzers that are wanted.
func New(wanted []*analysis.Analyzer) *Driver {
	d := &Driver{wanted: wanted, facts: facts{of: map[subject]analysis.Fact{}}}
	d.needed = d.require(nil, wanted)
	return d
}

func (d *Driver) require(all, more []*analysis.Analyzer) []*analysis.Analyzer {
	for _, a := range more {
		if !slices.Contains(all, a) {
			all = append(d.require(all, a.Requires), a)
		}
	}
	return all
}

// Run analyzes a package. Report, if it is not nil, gets what the wanted analyzers report; without it only what tells
// others about the package is done.
func (d *Driver) Run(p *packages.Package, report func(*analysis.Analyzer, analysis.Diagnostic)) error {
	run := d.needed
	if report == nil {
		run = d.require(nil, slices.DeleteFunc(slices.Clone(d.needed),
			func(a *analysis.Analyzer) bool { return len(a.FactTypes) == 0 }))
	}
	results := map[*analysis.Analyzer]any{}
	for _, a := range run {
		pass := d.pass(p, a, results)
		if report != nil && slices.Contains(d.wanted, a) {
			pass.Report = func(found analysis.Diagnostic) { report(a, found) }
		}
		result, err := a.Run(pass)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", p.ID, a.Name, err)
		}
		results[a] = result
	}
	return nil
}

// pass is what an analyzer is given of a package.
func (d *Driver) pass(p *packages.Package, a *analysis.Analyzer, results map[*analysis.Analyzer]any) *analysis.Pass {
	pass := &analysis.Pass{
		Analyzer: a, Fset: p.Fset, Files: p.Syntax, OtherFiles: p.OtherFiles, IgnoredFiles: p.IgnoredFiles,
		Pkg: p.Types, TypesInfo: p.TypesInfo, TypesSizes: p.TypesSizes, Module: &analysis.Module{},
		ResultOf: map[*analysis.Analyzer]any{}, Report: func(analysis.Diagnostic) {}, ReadFile: os.ReadFile,
	}
	for _, r := range a.Requires {
		pass.ResultOf[r] = results[r]
	}
	if p.Module != nil {
		pass.Module = &analysis.Module{Path: p.Module.Path, Version: p.Module.Version, GoVersion: p.Module.GoVersion}
	}
	d.facts.serve(pass)
	return pass
}
