package session

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// This file is about what Go chooses in final checks, of a finding: a schedule has it in its header.

const (
	otherSeeds = 8  // under which a violation shows that it does not depend on draws of final checks
	otherEnds  = 64 // executions that are made for smaller values
)

// fewerEnds has a schedule force no draws of final checks on which its violation does not depend. None if it is the
// same under some other seeds, else the least values.
func (s *stage) fewerEnds(sched *trace.Schedule, r *Raw) {
	h := &sched.Header
	if len(h.Ends) == 0 {
		return
	}
	violates := func(seed uint64, ends []trace.ForcedEnd) bool {
		tried := *h
		tried.Choices, tried.Ends = seed, ends
		x, err := s.runner(s.lookFor(&r.Violation, s.options(s.conditionsOf(&tried))))(sched.Steps)
		return err == nil && len(x.Stale) == 0 && x.With(r.Violation.Key()) != nil
	}
	depends := false
	for i := uint64(1); i <= otherSeeds && !depends; i++ {
		depends = !violates(h.Choices+i, nil)
	}
	if !depends && violates(h.Choices, nil) {
		h.Ends = nil
		return
	}
	tries := 0
	for i := range h.Ends {
		for v := 0; v < h.Ends[i].Value && tries < otherEnds; v++ {
			tries++
			ends := slices.Clone(h.Ends)
			if ends[i].Value = v; violates(h.Choices, ends) {
				h.Ends = ends
			}
		}
	}
}

// noteEnds tells what Go chooses in the final checks of a finding.
func (f *Report) noteEnds() {
	var all []string
	for _, e := range f.Schedule.Header.Ends {
		all = append(all, e.Draw)
	}
	if len(all) > 0 {
		note := "It depends on what Go chooses in a final check: " + strings.Join(all, ", ") + "."
		f.Note = strings.TrimSpace(f.Note + "\n" + note)
	}
}
