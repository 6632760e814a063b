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

// fewerEnds gives the draws of final checks on which a violation depends. They are none if it is the same under some
// other seeds, else the least values. violates reports whether it is there under the given seed and draws.
func fewerEnds(seed uint64, ends []trace.ForcedEnd, violates func(uint64, []trace.ForcedEnd) bool) []trace.ForcedEnd {
	depends := false
	for i := uint64(1); i <= otherSeeds && !depends; i++ {
		depends = !violates(seed+i, nil)
	}
	if !depends && violates(seed, nil) {
		return nil
	}
	tries := 0
	for i := range ends {
		for v := 0; v < ends[i].Value && tries < otherEnds; v++ {
			tries++
			less := slices.Clone(ends)
			if less[i].Value = v; violates(seed, less) {
				ends = less
			}
		}
	}
	return ends
}

// noteEnds tells what Go chooses in the final checks of a finding.
func (f *Story) noteEnds(ends []trace.ForcedEnd) {
	var all []string
	for _, e := range ends {
		all = append(all, e.Draw)
	}
	if len(all) > 0 {
		note := "It depends on what Go chooses in a final check: " + strings.Join(all, ", ") + "."
		f.Note = strings.TrimSpace(f.Note + "\n" + note)
	}
}
