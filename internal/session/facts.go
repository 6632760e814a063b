package session

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
	"github.com/rehearse-go/rehearse/internal/reach"
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

// UseFacts adds to the declared effects those of the facts file, and notes why if it cannot. No file is no reason to
// say anything, unless one was asked for. Which messages handlers have cases for counts under all conditions.
func (p *Plan) UseFacts(sys explore.System) error {
	p.effects, p.calls = p.Effects, p.Calls
	c := explore.Conditions{Model: p.Model, Timers: p.Timers, Faults: p.Faults, Effects: trace.Effects{{}}}
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
		return fmt.Errorf("facts %q: there is no such file (relative to the package's folder): make it with `rehearse "+
			"facts`, or say off", path)
	case x.err != nil:
		return x.err
	}
	if why := x.outdated(); why != "" {
		p.noted = "facts were not used: " + why
		return nil
	}
	if cases {
		p.Cases = x.file.Cases()
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

// addFacts adds to what is declared what facts say of the rest.
func (p *Plan) addFacts() {
	p.effects, p.calls = slices.Clone(p.Effects), p.Calls
	handlers := map[string]bool{} // one may handle several types of messages
	for i := range p.facts.effects {
		if e := &p.facts.effects[i]; p.Effects.Of(&trace.Type{Name: e.Actor}, &trace.Type{Name: e.Message}) == nil {
			p.effects = append(p.effects, *e)
			handlers[e.Origin] = true
		}
	}
	p.addCalls(p.facts.calls)
	p.noted = strings.Join(append([]string{"facts of " + render.Count(len(handlers), "handler", "handlers") +
		" were used"},
		p.facts.why...), "; ")
}

// without has the plan not rely on what turned out to be inapplicable. The error is that fact, where the plan reckons
// with none.
func (p *Plan) without(inapplicable *explore.Inapplicable) (err error) {
	f := p.facts
	if f == nil {
		return inapplicable
	}
	known := len(f.effects) + len(f.calls)
	if inapplicable.Actor == "" {
		f.effects, f.calls = nil, nil
		f.why = append(f.why, inapplicable.Why)
	} else {
		actor, message := inapplicable.Actor, inapplicable.Message
		f.effects = slices.DeleteFunc(f.effects,
			func(e trace.Effect) bool { return e.Actor == actor && e.Message == message })
		f.calls = slices.DeleteFunc(f.calls, func(c trace.Caller) bool { return c.Actor == actor && c.Message == message })
		f.why = append(f.why, "not those of "+message+" by "+actor+", since "+inapplicable.Why)
	}
	if len(f.effects)+len(f.calls) == known {
		panic("rehearse: a fact is inapplicable that was not used") // or this would never end
	}
	p.addFacts()
	p.strategy, err = strategies.New(p.Strategy, p.Seed, p.Budget.Executions)
	return err
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
func (p *Plan) noEffects(sys explore.System, counts bool) string {
	_, checks := sys.(explore.EffectChecker)
	switch {
	case !counts:
		return "they count for strategies such as source, optimal, reverse, select and auto, under bag, fifo and causal, " +
			"without asynchronous timers and injected faults"
	case !checks:
		return "nobody holds the actors of this system to them, and what nobody checks is not relied on"
	case !p.Copy:
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

// askOfVariables has a Looker ask which package variables handlers use. While a program runs nobody sees what it does
// with them: without facts it may be anything.
func (p *Plan) askOfVariables(l *reach.Looker) {
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

// addCalls adds to the declared calls those of a facts file, for strategies that go by them: others need not hold
// handlers to them.
func (p *Plan) addCalls(found trace.Calls) {
	base, options, _ := strings.Cut(p.Strategy, "/")
	if base != "select" && !strings.EqualFold(options, "STABLE") {
		return
	}
	for _, c := range found {
		if p.Calls.Of(c.Actor, c.Message) < 0 {
			p.calls = append(p.calls[:len(p.calls):len(p.calls)], c)
		}
	}
}
