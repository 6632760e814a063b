package rehearse

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
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
	function := gotest.Outermost()
	call, pattern := exploration(gotest.TestFunction(function))
	create := func() (*session, error) {
		p, err := cfg.resolve("", false, sys, os.Getenv)
		if err != nil {
			return nil, err
		}
		s := newSession(p, sys, gotest.PackageOf(function), "", 0)
		s.all, s.call, s.pattern = true, call, pattern
		if end := gotest.Deadline(); !end.IsZero() {
			s.endBefore(end)
		}
		return s, nil
	}
	if w, err := theWorker(); w != nil || err != nil {
		r := Result{}
		if err == nil {
			r, err = w.serve(call, create, runtime.Goexit)
		}
		return r, err
	}
	s, err := create()
	if err != nil {
		return Result{}, fmt.Errorf("rehearse: %w", err)
	}
	if path := os.Getenv(startstate.Variable); path != "" {
		return Result{}, s.tellStart(path)
	}
	r, err := s.exploreAll()
	keepResult(call, r)
	return r, err
}

// exploration numbers the explorations of a test function, so that a worker process finds the one that it belongs to.
func exploration(test string) (call, pattern string) {
	process.numbering.Lock()
	defer process.numbering.Unlock()
	if process.explored == nil {
		process.explored = map[string]int{}
	}
	process.explored[test]++
	call = fmt.Sprintf("Explore %d of %s", process.explored[test], test)
	if test != "" {
		pattern = gotest.PatternOf(test)
	}
	return call, pattern
}

// exploreAll explores and investigates everything that was found.
func (s *session) exploreAll() (Result, error) {
	out, err := s.explore()
	var unfollowed error
	if err == nil {
		unfollowed = s.settle(&out)
	}
	r := s.result(out)
	if err != nil {
		err = fmt.Errorf("rehearse: %w", s.broken(err, out))
	} else if unfollowed != nil {
		s.refused = true
		err = fmt.Errorf("rehearse: %w", unfollowed)
	} else if len(s.raws) == 0 && s.chosen == 0 {
		return r, fmt.Errorf("rehearse: %w", errNothing)
	}
	err = errors.Join(err, s.investigateAll(&r))
	r.Warnings = s.warnings
	// As in the testing package: when everything is over, only a panic can still tell.
	if late := s.tooLate.close(func(text string) { panic(text) }); late != nil {
		err = errors.Join(err, fmt.Errorf("rehearse: %w", late))
	}
	return r, errors.Join(err, s.writeCoverage(), s.record(r))
}

// investigateAll turns what was met into findings. One that cannot be executed again is a finding all the same, with as much as is
// known of it; the error says why, and the others go on.
func (s *session) investigateAll(r *Result) error {
	var errs []error
	for i, w := range s.raws {
		f, err := s.investigate(w, len(s.raws)-i)
		if err != nil {
			errs = append(errs, fmt.Errorf("rehearse: %s was found, but replaying it failed: %w", w.violation.String(), err))
			f = s.unreplayed(f, w, err)
		}
		// Minimising ends at the same violation; a divergence may stand for several.
		if !r.has(&f.Violation) {
			f.Expected = s.Expect.matches(&f.Violation)
			r.add(f)
		}
	}
	return errors.Join(errs...)
}

// unreplayed is what is left of a finding when replaying it ends in an error. F, if it came that far, else the
// violation with the schedule as it was met.
func (s *session) unreplayed(f *finding, w raw, err error) *finding {
	if f == nil {
		h := s.header
		h.Violation = &w.violation
		f = &finding{Finding: Finding{Violation: w.violation, Execution: w.execution, Schedule: &trace.Schedule{Header: h, Steps: w.trace.Schedule()}}}
	}
	why, _, _ := strings.Cut(err.Error(), "\n")
	f.Note = strings.TrimSpace(f.Note + "\nReplaying it failed: " + why)
	return f
}
