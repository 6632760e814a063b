package rehearse

import (
	"errors"
	"fmt"
	"os"
)

// Explore explores the program within the budget and goes on after a violation: it collects distinct ones, each with its
// shortest schedule. Two are the same if kind, actor type, message type and failing function are. It needs no testing.T, so it
// saves nothing, replays nothing and keeps no journal; the variables of the environment count as in Check. The default seed
// is fixed.
//
// The error is an operating problem: a Config or a variable that makes no sense, a program that cannot be executed. What
// was found is in the Result, also beside an error.
func Explore(cfg Config, sys System) (Result, error) {
	process.exploring.Lock()
	defer process.exploring.Unlock()
	p, err := cfg.resolve("", false, sys, os.Getenv)
	if err != nil {
		return Result{}, fmt.Errorf("rehearse: %w", err)
	}
	s := newSession(p, sys, caller(), "", 0)
	s.all = true
	out, err := s.explore()
	r := s.result(out)
	if err != nil {
		return r, fmt.Errorf("rehearse: %w", s.broken(err, out))
	}
	if len(s.raws) == 0 && s.chosen == 0 {
		return r, fmt.Errorf("rehearse: %w", errNothing)
	}
	seen := map[string]bool{}
	for _, w := range s.raws {
		f, err := s.investigate(w)
		if err != nil {
			return r, errors.Join(err, s.report(r))
		}
		// Minimising ends at the same violation; a divergence may stand for several.
		if key := f.Violation.Key(); !seen[key] {
			seen[key] = true
			f.Expected = s.Expect.matches(&f.Violation)
			r.Findings = append(r.Findings, f.Finding)
		}
	}
	r.Warnings = s.warnings
	return r, s.report(r)
}
