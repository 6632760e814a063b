package adapter

import (
	"cmp"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes a program before it is explored, unjudged, to see what it does that has to be known before.

// probing is how far that is.
type probing struct {
	probes      int // so far: one, and one in a hurry where timers may fire at any point
	probeNow    probeKind
	beforeProbe func()
	probed      func(*trace.Trace, explore.Choice, trace.Step)
}

// probeKind says which probe is going on.
type probeKind uint8

const (
	none probeKind = iota
	once
	hurried // time passes before each step
)

// isProbing reports whether the execution is a probe.
func (p *probing) isProbing() bool { return p.probeNow != none }

// Prepare installs the framework's hooks and lets the process run one goroutine at a time, so that a goroutine that a
// handler starts cannot run before the handler is over. It executes the program once, to see whether it sets timers;
// where these may fire at any point once more, in a hurry: time passes before each step.
func (s *System) Prepare(c explore.Conditions) (release func(), err error) {
	remove, err := s.framework.Install()
	if err != nil {
		return nil, err
	}
	chance.Available()
	s.explorer.Prepare()
	several := chance.Alone()
	release = func() {
		several()
		remove()
	}
	if s.probes == 0 {
		err = s.probe(c, once)
	}
	// A timer of the program's own that others stop in time has not fired then.
	if err == nil && c.Timers == trace.Async && !s.opaque && s.probes < 2 {
		err = s.probe(c, hurried)
	}
	if err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// probe executes the program once, unjudged.
func (s *System) probe(c explore.Conditions, kind probeKind) error {
	s.probes++
	s.probeNow = kind
	defer func() { s.probeNow = none }()
	looks := &probe{sys: s, observe: s.probed}
	if s.beforeProbe != nil {
		s.beforeProbe()
	}
	// It has as long as one handler has: the exploration's own time passes meanwhile.
	defer goroutine.After(cmp.Or(c.Blocked, goroutine.DefaultLimit), func() { looks.late.Store(true) })()
	return s.Execute(c, looks)
}

// Probing is explore.Prober.
func (s *System) Probing(before func(), step func(*trace.Trace, explore.Choice, trace.Step)) {
	s.beforeProbe, s.probed = before, step
}

// probe is the driver of the first executions: the default order, unjudged. In a hurry it lets time pass where it can,
// until a timer of the program's own has fired.
type probe struct {
	sys     *System
	t       *explore.T
	tr      *trace.Trace
	observe func(*trace.Trace, explore.Choice, trace.Step) // of each step; nil: nobody is
	steps   int
	late    atomic.Bool
}

func (p *probe) Begin(x explore.Execution) *explore.T {
	p.t, p.tr = explore.NewT("", nil), x.Trace()
	return p.t
}

func (p *probe) Choose(enabled []trace.Step) (explore.Choice, bool) {
	c := explore.Choice{Index: trace.First(enabled)}
	if !p.goesOn() {
		return c, false
	}
	if last := len(enabled) - 1; p.sys.probeNow == hurried && enabled[last].Kind == trace.Advance {
		c.Index = last
	}
	if p.observe != nil {
		p.observe(p.tr, c, enabled[c.Index])
	}
	return c, true
}

// goesOn reports whether there is to be one more step.
func (p *probe) goesOn() bool {
	p.steps++
	return p.steps < 10_000 && !p.late.Load() && !p.t.Ended() && (p.sys.probeNow != hurried || !p.sys.opaque)
}

// ChooseOf is explore.OfferTaker.ChooseOf.
func (p *probe) ChooseOf(o explore.Offer) (trace.Step, explore.Choice, bool) {
	if p.sys.probeNow == hurried {
		all := o.All()
		c, ok := p.Choose(all)
		return all[c.Index], c, ok
	}
	s, c := o.First(), explore.Choice{}
	ok := p.goesOn()
	if ok && p.observe != nil {
		p.observe(p.tr, c, s)
	}
	return s, c, ok
}

func (p *probe) Observe(int32) bool { return !p.t.Ended() }

func (p *probe) Finish() { p.t.RunCleanups() }
