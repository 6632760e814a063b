package rehearse

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/internal/isolation"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// This file decides whether an exploration reckons with what an analysis of the source says about handlers.

// factsFile is a file as this process has first met it, so that all of its explorations see the same.
type factsFile struct {
	file  *facts.File
	stale string
	err   error
}

var factsFiles struct {
	sync.Mutex
	byPath map[string]*factsFile
}

// readFacts reads a file once.
func readFacts(path string) *factsFile {
	factsFiles.Lock()
	defer factsFiles.Unlock()
	key, err := filepath.Abs(path)
	if err != nil {
		key = path
	}
	x := factsFiles.byPath[key]
	if x == nil {
		x = &factsFile{}
		if x.file, x.err = facts.Load(path); x.err == nil {
			x.stale = x.file.Stale(path)
		}
		if x.err != nil && errors.Is(x.err, fs.ErrNotExist) {
			return x // it may be made while the process runs
		}
		if factsFiles.byPath == nil {
			factsFiles.byPath = map[string]*factsFile{}
		}
		factsFiles.byPath[key] = x
	}
	return x
}

// useFacts adds to the declared effects those of the facts file, and notes why if it cannot. No file is no reason to say anything, unless
// one was asked for. Which messages handlers have cases for counts under all conditions.
func (p *plan) useFacts(sys System) error {
	p.effects, p.calls = p.Effects, p.Calls
	c := explore.Conditions{Model: p.Model, Timers: p.Timers, Faults: p.faults, Effects: trace.Effects{{}}}
	path, asked := p.Facts, true
	if path == "" || path == "on" {
		path, asked = filepath.FromSlash(facts.Place), false
	}
	counts := c.HeedsEffects() && strategies.HeedsEffects(p.Strategy)
	_, cases := sys.(explore.CaseChecker)
	if p.Facts == "off" || !counts && !cases && !asked {
		return nil
	}
	x := readFacts(path)
	switch {
	case errors.Is(x.err, fs.ErrNotExist) && !asked:
		return nil
	case errors.Is(x.err, fs.ErrNotExist):
		return fmt.Errorf("facts %q: there is no such file (relative to the package's folder): make it with `rehearse facts`, or say off", path)
	case x.err != nil:
		return x.err
	}
	if why := x.outdated(); why != "" {
		p.noted = "facts were not used: " + why
		return nil
	}
	if cases {
		p.cases = x.file.Cases()
	}
	if !counts && !asked {
		return nil
	}
	if why := p.noEffects(sys, counts); why != "" {
		p.noted = "facts were not used" + map[bool]string{true: " to leave out executions"}[cases] + ": " + why
		return nil
	}
	p.facts = &factsUsed{effects: x.file.Effects(filepath.ToSlash(path)), calls: x.file.Calls(filepath.ToSlash(path))}
	p.addFacts()
	return nil
}

// factsUsed are the facts that an exploration reckons with.
type factsUsed struct {
	effects trace.Effects
	calls   trace.Calls
	why     []string // why others were left out
}

// addFacts adds to what is declared what facts say of the rest.
func (p *plan) addFacts() {
	p.effects, p.calls = slices.Clone(p.Effects), p.Calls
	n := 0
	for i := range p.facts.effects {
		if e := &p.facts.effects[i]; p.Effects.Of(&trace.Type{Name: e.Actor}, &trace.Type{Name: e.Message}) == nil {
			p.effects = append(p.effects, *e)
			n++
		}
	}
	p.addCalls(p.facts.calls)
	p.noted = strings.Join(append([]string{"facts of " + render.Count(n, "handler", "handlers") + " were used"}, p.facts.why...), "; ")
}

// without makes ready for an exploration that does not rely on what turned out to be unfit. What was found before is found again.
func (s *session) without(unfit *explore.Unfit) (err error) {
	if s.facts == nil {
		return unfit
	}
	known := len(s.facts.effects) + len(s.facts.calls)
	if unfit.Actor == "" {
		s.facts.effects, s.facts.calls = nil, nil
		s.facts.why = append(s.facts.why, unfit.Why)
	} else {
		actor, message := unfit.Actor, unfit.Message
		s.facts.effects = slices.DeleteFunc(s.facts.effects, func(f trace.Effect) bool { return f.Actor == actor && f.Message == message })
		s.facts.calls = slices.DeleteFunc(s.facts.calls, func(c trace.Caller) bool { return c.Actor == actor && c.Message == message })
		s.facts.why = append(s.facts.why, "not those of "+message+" by "+actor+", since "+unfit.Why)
	}
	if len(s.facts.effects)+len(s.facts.calls) == known {
		panic("rehearse: a fact is unfit that was not used") // or this would never end
	}
	s.addFacts()
	s.raws, s.first, s.done, s.chosen, s.timeUp = nil, nil, 0, 0, false
	s.known, s.warnings = map[string]bool{}, nil
	if s.strategy, err = strategies.New(s.Strategy, s.Seed, s.budget.Executions); err != nil {
		return err
	}
	return nil
}

// outdated says why a file is not about the test binary that runs, "" if it is.
func (x *factsFile) outdated() string {
	switch {
	case x.file.Platform != runtime.GOOS+"/"+runtime.GOARCH:
		return "they were made for " + x.file.Platform + ", whose files are others"
	case buildTags() != "":
		return "the test is built with -tags=" + buildTags() + ", and the analysis knows of no tags"
	case x.stale != "":
		return x.stale + " since they were made: `rehearse facts`, or `rehearse test`, makes them anew"
	}
	return ""
}

// noEffects says why what a file says of handlers cannot be relied on to leave out executions, "" if it can.
func (p *plan) noEffects(sys System, counts bool) string {
	_, checks := sys.(explore.EffectChecker)
	switch {
	case !counts:
		return "they count for strategies such as source, optimal, reverse, select and auto, under bag, fifo and causal, without asynchronous timers and injected faults"
	case !checks:
		return "nobody holds the actors of this system to them, and what nobody checks is not relied on"
	case p.ShareMessages:
		return "messages share memory (Config.ShareMessages), so that a handler may change what it is not said to"
	case p.isDivided():
		return "the exploration is divided, or kept to go on later, and a file may change meanwhile"
	}
	return ""
}

// buildTags are those that the test binary was built with: other files may be in it.
func buildTags() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "-tags" {
				return s.Value
			}
		}
	}
	return ""
}

// askOfVariables has a Looker ask which package variables handlers use. While a program runs nobody sees what it does with them: without facts it may be
// anything.
func (p *plan) askOfVariables(l *isolation.Looker) {
	path := p.Facts
	if path == "" || path == "on" {
		path = filepath.FromSlash(facts.Place)
	}
	if path != "off" {
		if x := readFacts(path); x.err == nil && x.outdated() == "" {
			l.Hidden, l.Variable = x.file.PackageVariables, x.file.PackageVariable
			return
		}
	}
	l.Hidden = func(string) string { return "package variables (make facts: rehearse facts)" }
}
