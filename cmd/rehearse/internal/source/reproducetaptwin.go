package source

import (
	"fmt"
	"io"
	"slices"
)

// This file holds our search to the paper's engine, target by target: what that covers, in any setting, ours must
// cover, within as many handler runs and actors.

// tapMore is a target that a setting of the paper's engine covers, and ours does not, or with more.
type tapMore struct {
	theirs, ours *tapResult
}

// missing reports whether ours does not cover the target.
func (m *tapMore) missing() bool { return m.ours.Verdict != verdictCovered }

// beyond lists the targets where the paper's engine does better: those that ours does not cover first. Of several
// settings the one with the fewest handler runs counts.
func beyond(results []*tapResult) (list []*tapMore) {
	at := map[[2]string]*tapMore{}
	for _, r := range results {
		if r.Setting == ours {
			m := &tapMore{ours: r}
			at[[2]string{r.Package, r.Target}] = m
			list = append(list, m)
		}
	}
	for _, r := range results {
		m := at[[2]string{r.Package, r.Target}]
		if m == nil || r.Setting == ours || r.Verdict != verdictCovered {
			continue
		}
		if m.theirs == nil || r.Messages < m.theirs.Messages || r.Messages == m.theirs.Messages &&
			r.Actors < m.theirs.Actors {
			m.theirs = r
		}
	}
	list = slices.DeleteFunc(list, func(m *tapMore) bool {
		return m.theirs == nil || !m.missing() && m.ours.Messages <= m.theirs.Messages && m.ours.Actors <= m.theirs.Actors
	})
	slices.SortStableFunc(list, func(a, b *tapMore) int {
		switch {
		case a.missing() == b.missing():
			return 0
		case a.missing():
			return -1
		}
		return 1
	})
	return list
}

// twin prints what the paper's engine covers and ours does not, or with more. Without ours, or without any of its
// settings, there is nothing to compare.
func (t *tapTable) twin(w io.Writer, r *tapRun) {
	if !slices.Contains(r.chosen, ours) || len(r.chosen) == 1 {
		return
	}
	all := beyond(t.results)
	missing := 0
	var lines []string
	for _, m := range all {
		if m.missing() {
			missing++
			lines = append(lines, fmt.Sprintf("%s: %s covers it by %d messages to %d actors; ours: %s", m.ours.Target,
				m.theirs.Setting, m.theirs.Messages, m.theirs.Actors, m.ours.Verdict))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: %s covers it by %d messages to %d actors, ours by %d to %d", m.ours.Target,
			m.theirs.Setting, m.theirs.Messages, m.theirs.Actors,
			m.ours.Messages, m.ours.Actors))
	}
	fmt.Fprintf(w, "\ncovered by a setting of the paper's engine: not by ours %d, by ours with more messages or actors "+
		"%d\n", missing, len(all)-missing)
	list(w, "these:", lines)
}
