package rehearse

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/guide"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/settings"
	"github.com/rehearse-go/rehearse/internal/shrink"
	"github.com/rehearse-go/rehearse/trace"
)

// strategyGuide is what results call following a guide.
const strategyGuide = "guide"

// validateGuide says which fields make no sense beside Guide.
func (c *Config) validateGuide() error {
	if c.Guide == nil {
		return nil
	}
	var beside []string
	for _, f := range []struct {
		name string
		set  bool
	}{{"Strategy", c.Strategy != ""}, {"Workers", c.Workers > 1}, {"Corpus", c.Corpus}, {"KeepGoing", c.KeepGoing}} {
		if f.set {
			beside = append(beside, f.name)
		}
	}
	if len(beside) > 0 {
		return fmt.Errorf("the guide is followed in place of an exploration, so it does not go with %s: leave that out, or explore in a Check of its own",
			strings.Join(beside, ", "))
	}
	return nil
}

// follow has the plan follow the guide. Variables that are about explorations are meant for other Checks of the run.
func (p *plan) follow() error {
	if err := p.Guide.Validate(p.faults); err != nil {
		return fmt.Errorf("Config.Guide: %w", err)
	}
	p.Strategy, p.Workers, p.Corpus, p.KeepGoing, p.Facts, p.values.Resume = strategyGuide, 1, false, false, "off", ""
	p.guide = guide.New(p.Guide)
	p.strategy = p.guide
	return nil
}

// halfway is a violation of an execution that did not follow the guide to its end.
type halfway struct {
	raw
	at int // entries that it followed
}

// foundOnTheWay keeps the violations of such an execution until it is known whether another one follows the guide.
func (s *session) foundOnTheWay(raws []raw) {
	at, _ := s.guide.Entries()
	for _, r := range raws {
		delete(s.known, r.violation.Key()) // it may be that of the guide, too
		s.onTheWay = append(s.onTheWay, halfway{r, at})
	}
}

// settle decides what counts when the search is over: the violations of the execution that follows the guide to its
// end. If there is none, those of the one that came furthest. The others are warnings. The error says why the guide
// could not be followed.
func (s *session) settle(out *explore.Outcome) error {
	if s.guide == nil {
		return nil
	}
	err := s.guide.Err(s.endOfSearch(out))
	if err != nil {
		err = fmt.Errorf("Config.Guide: %w", err)
	}
	furthest := -1
	if err != nil && s.guide.Violated() {
		furthest, _ = s.guide.Best()
	}
	for _, h := range s.onTheWay {
		if h.at == furthest && !s.known[h.violation.Key()] {
			s.known[h.violation.Key()] = true
			s.raws, err = append(s.raws, h.raw), nil
		}
	}
	for _, h := range s.onTheWay {
		if !s.known[h.violation.Key()] {
			h.violation.Text += " (in an execution that followed the guide only in part)"
			s.warn(h.violation)
		}
	}
	return err
}

// endOfSearch is what ended it, "" if nothing was left to try.
func (s *session) endOfSearch(out *explore.Outcome) string {
	switch out.Reason {
	case "budget":
		return "the budget of " + s.budget.String() + " is used up"
	case "stopped":
		return "the time was up"
	}
	return ""
}

// guided says how far the guide was followed, "" if there is none, or nothing was executed.
func (s *session) guided() string {
	if s.guide == nil || !s.executes {
		return ""
	}
	at, of := s.guide.Entries()
	if !s.guide.Followed() {
		at, of = s.guide.Best()
		return fmt.Sprintf("guide not followed: %d of %s", at, render.Count(of, "entry", "entries"))
	}
	return fmt.Sprintf("guide followed: %d of %s, %s filled in", at, render.Count(of, "entry", "entries"), render.Count(s.guide.Filled(), "step", "steps"))
}

// minimise makes a schedule small. That of a guide stays as it is: its order was asked for.
func (s *session) minimise(run replay.Runner, forced []trace.Forced, key string) (shrink.Minimal, error) {
	if s.guide == nil {
		return shrink.Minimise(run, forced, key)
	}
	x, err := run(forced)
	if err != nil {
		return shrink.Minimal{}, err
	}
	if x.With(key) == nil {
		return shrink.Minimal{}, errors.New("the same steps do not give it again")
	}
	return shrink.Minimal{Forced: forced, Run: x, Switches: shrink.Switches(x.Trace)}, nil
}

// noteGuide says of a finding how it came about.
func (s *session) noteGuide(f *finding) {
	if s.guide == nil || f.Schedule == nil {
		return
	}
	f.Note = strings.TrimSpace(f.Note + "\nThe schedule is that of Config.Guide as it was followed, not minimised (" + s.guided() + ").")
}

// keepGuided saves the execution that followed the guide and violates nothing, if REHEARSE_SAVE asks for it.
func (c *checking) keepGuided() error {
	c.t.Helper()
	if c.followed == nil || len(c.raws) > 0 || c.values.Save != settings.SaveGuided {
		return nil
	}
	sched := &trace.Schedule{Header: c.stripped(), Steps: c.followed.Schedule()}
	if !sched.Injects() {
		sched.Header.Faults = trace.Faults{}
	}
	path, err := c.save(sched)
	if err != nil {
		return fmt.Errorf("the schedule of the guide was not saved: %w", err)
	}
	c.t.Log("rehearse: the guide was followed; its schedule is saved: " + path)
	return nil
}
