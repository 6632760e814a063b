package session

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// foundOnTheWay keeps the violations of such an execution until it is known whether another one follows the guide.
func (s *Session) foundOnTheWay(raws []Raw) {
	at, _ := s.guide.Entries()
	for _, r := range raws {
		delete(s.known, r.Violation.Key()) // it may be that of the guide, too
		s.onTheWay = append(s.onTheWay, halfway{r, at})
	}
}

// Settle decides what counts when the search is over: the violations of the execution that follows the guide to its
// end. If there is none, those of the one that came furthest. The others are warnings. The error says why the guide
// could not be followed.
func (s *Session) Settle(out *explore.Outcome) error {
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
		if h.at == furthest && s.isNew(&h.Violation) {
			s.Raws, err = append(s.Raws, h.Raw), nil
		}
	}
	for _, h := range s.onTheWay {
		if !s.known[h.Violation.Key()] {
			h.Violation.Text += " (in an execution that followed the guide only in part)"
			s.warn(h.Violation)
		}
	}
	return err
}

// endOfSearch is what ended it, "" if nothing was left to try.
func (s *Session) endOfSearch(out *explore.Outcome) string {
	switch out.Reason {
	case "budget":
		return "the budget of " + s.Budget.String() + " is used up"
	case "stopped":
		return "the time was up"
	}
	return ""
}

// Followed is the execution that followed the guide to its end, nil if there is none.
func (s *Session) Followed() *trace.Trace { return s.followed }

// KeepGuided saves that execution, and gives the file.
func (s *Session) KeepGuided() (string, error) {
	sched := &trace.Schedule{Header: s.stripped(), Steps: s.followed.Schedule()}
	if !sched.Injects() {
		sched.Header.Faults = trace.Faults{}
	}
	return s.Save(sched)
}

// guided says how far the guide was followed, "" if there is none, or nothing was executed.
func (s *Session) guided() string {
	if s.guide == nil || !s.executes {
		return ""
	}
	at, of := s.guide.Entries()
	if !s.guide.Followed() {
		at, of = s.guide.Best()
		return fmt.Sprintf("guide not followed: %d of %s", at, render.Count(of, "entry", "entries"))
	}
	return fmt.Sprintf("guide followed: %d of %s, %s filled in", at, render.Count(of, "entry", "entries"),
		render.Count(s.guide.Filled(), "step", "steps"))
}
