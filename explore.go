package rehearse

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/session"
	"github.com/rehearse-go/rehearse/internal/startstate"
)

// Explore explores the program within the budget and goes on after a violation: it collects distinct ones, each with
// its shortest schedule. Two are the same if kind, actor type, message type and failing function are. It needs no
// testing.T, so it saves nothing, replays nothing and keeps no journal; the variables of the environment count as in
// Check. The default seed is fixed.
//
// The error is an operating problem: a Config or a variable that makes no sense, a program that cannot be executed.
// What was found is in the Result, also beside an error.
func Explore(cfg Config, sys System) (Result, error) {
	process.exploring.Lock()
	defer process.exploring.Unlock()
	function := gotest.Outermost()
	call, pattern := exploration(gotest.TestFunction(function))
	create := func() (*task, error) {
		t, err := cfg.resolve("", false, sys, os.Getenv)
		if err != nil {
			return nil, err
		}
		t.plan.All = true
		t.begin(sys, session.ID{Package: gotest.PackageOf(function), Call: call, Pattern: pattern, Earlier: process.results})
		if end := gotest.Deadline(); !end.IsZero() {
			t.EndBefore(end)
		}
		return t, nil
	}
	if p, err := session.TheStepper(); p != nil || err != nil {
		return Result{}, err // it is for a Check of this test
	}
	if r, mine, err := takePart(call, create, runtime.Goexit); mine || err != nil {
		return r, err
	}
	t, err := create()
	if err != nil {
		return Result{}, fmt.Errorf("rehearse: %w", err)
	}
	if path := os.Getenv(startstate.Variable); path != "" {
		return Result{}, t.TellStart(path)
	}
	r, err := t.exploreAll()
	keepResult(call, r)
	return r, err
}

// exploreAll explores and investigates everything that was found.
func (t *task) exploreAll() (Result, error) {
	out, err := t.Session.Explore()
	var unfollowed error
	if err == nil {
		unfollowed = t.Settle(&out)
	}
	r := t.result(out)
	if err != nil {
		err = fmt.Errorf("rehearse: %w", t.broken(err, out))
	} else if unfollowed != nil {
		t.refused = true
		err = fmt.Errorf("rehearse: %w", unfollowed)
	} else if none := t.nothing(); none != nil {
		return r, fmt.Errorf("rehearse: %w", none)
	}
	err = errors.Join(err, t.investigateAll(&r))
	r.Warnings = t.Warnings
	// As in the testing package: when everything is over, only a panic can still tell.
	if late := t.Late.Close(func(text string) { panic(text) }); late != nil {
		err = errors.Join(err, fmt.Errorf("rehearse: %w", late))
	}
	return r, errors.Join(err, t.WriteCoverage(), t.record(r))
}

// investigateAll turns what was met into findings. One that cannot be executed again is a finding all the same, with as
// much as is known of it; the error says why, and the others go on.
func (t *task) investigateAll(r *Result) error {
	var errs []error
	for i, w := range t.Raws {
		f, err := t.Investigate(w, len(t.Raws)-i)
		if err != nil {
			errs = append(errs, fmt.Errorf("rehearse: %s was found, but replaying it failed: %w", w.Violation.String(), err))
			f = t.Unreplayed(f, w, err)
		}
		// Minimising ends at the same violation; a divergence may stand for several.
		if !r.has(&f.Violation) {
			f.Expected = t.expected(&f.Violation)
			r.add(f)
		}
	}
	return errors.Join(errs...)
}
