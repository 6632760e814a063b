package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/trace"
)

// met takes the violations of an execution; those that the loop itself reports have not passed the checker.
func (s *Session) met(f explore.Found) bool {
	raws := s.rawsOf(f)
	if s.guide != nil && !s.guide.Followed() {
		s.foundOnTheWay(raws)
		return true
	}
	s.Raws = append(s.Raws, raws...)
	return s.All || len(s.Raws) == 0
}

// rawsOf are those that were not met before. What only warns is kept elsewhere.
func (s *Session) rawsOf(f explore.Found) (raws []Raw) {
	var kept *trace.Trace
	for _, v := range f.Violations {
		switch s.levels.Of(v.Kind) {
		case check.Off:
			continue
		case check.Warning:
			s.warn(v)
			continue
		}
		s.noteText(&v)
		if !s.isNew(&v) {
			continue
		}
		if kept == nil {
			kept = f.Trace.Clone()
		}
		n := s.done + 1
		if f.Repeat || v.Kind == trace.Divergence || v.Kind == trace.Isolation {
			n = max(1, s.done) // of the execution that was counted
		}
		raws = append(raws, Raw{Violation: v, trace: kept, execution: n, cutShort: s.cutShort, phase: s.phase(),
			first: s.first, excess: v.Kind == trace.Livelock && s.isOver(), choices: choicesUnder(&f.Under)})
	}
	return raws
}

// phase is whose turn it is in a strategy that takes turns.
func (s *Session) phase() string {
	if c, ok := s.strategy.(explore.Composite); ok && c.Active() != nil {
		return c.Active().Name()
	}
	return ""
}
