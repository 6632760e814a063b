package vet

import (
	"go/token"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
	"github.com/rehearse-go/rehearse/static/vet/internal/oneprocess"
)

// Finding is what a check reports, with its place.
type Finding struct {
	Check, Message string
	At             token.Position
}

// Run checks the packages that patterns name, in this process, and finds what go vet finds with the analyzers as its
// tool. Findings have no order. Problems say which packages were not checked.
func Run(c load.Config, analyzers []*analysis.Analyzer) (found []Finding, problems []load.Problem, err error) {
	sources, err := c.Sources(frame.Framework)
	if err != nil {
		return nil, nil, err
	}
	driver := oneprocess.New(analyzers)
	var mu sync.Mutex
	of := map[*packages.Package][]Finding{}
	sources.Visit(func(p *packages.Package) {
		var tell func(*analysis.Analyzer, analysis.Diagnostic)
		if sources.Named(p) {
			tell = func(a *analysis.Analyzer, d analysis.Diagnostic) {
				mu.Lock()
				defer mu.Unlock()
				of[p] = append(of[p], Finding{a.Name, d.Message, p.Fset.Position(d.Pos)})
			}
		}
		if failed := driver.Run(p, tell); failed != nil {
			mu.Lock()
			defer mu.Unlock()
			err = failed
		}
	})
	for _, p := range sources.Roots() {
		found = append(found, of[p]...)
	}
	return found, sources.Problems(), err
}
