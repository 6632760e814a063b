package rehearse

import (
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/trace"
)

// cover notes which orders an execution, or the beginning of one, shows, if that is wanted.
func (s *session) cover(tr *trace.Trace, m Model) {
	if s.collectors == nil {
		return
	}
	c := s.collectors[m]
	if c == nil {
		c = profile.NewCollector(m)
		s.collectors[m] = c
	}
	c.Observe(tr)
}

// coverageIsNew reports whether there is something that was not written yet.
func (s *session) coverageIsNew() bool {
	for _, c := range s.collectors {
		if c.News() {
			return true
		}
	}
	return false
}

// writeCoverage merges what was noted into the file of Config.CoverProfile, if that is wanted.
func (s *session) writeCoverage() error {
	if s.collectors == nil {
		return nil
	}
	p := profile.New()
	for m, c := range s.collectors {
		c.AddTo(p, profile.Test{Package: s.header.Package, Name: s.header.Test, Model: m.String()})
	}
	return profile.AddToFile(s.CoverProfile, p)
}
