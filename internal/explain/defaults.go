package explain

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// This file asks what would be if Go had chosen something else than its default. A violation of the default order may
// come of it: of the order of a map, say.

// maxOthers is how many values of one draw are tried in the place of the default.
const maxOthers = 8

// defaults looks for draws with Go's default of which another value lets it pass. It gives their events, and a
// sentence; "" if there is none.
func (s *finder) defaults(failing *trace.Trace) (decide []int32, text string, err error) {
	g := newGraph(failing)
	var said []string
	for e := range failing.Events {
		if st := &failing.Events[e].Step; st.Kind != trace.Draw || st.Value > 0 || !g.movable(int32(e)) {
			continue
		}
		other, err := s.insteadOf(g, int32(e))
		if err != nil {
			return nil, "", err
		}
		if other != "" {
			decide = append(decide, int32(e))
			said = append(said, fmt.Sprintf("in step %d %s (where %s it passes)",
				failing.StepNumber(e), failing.StepName(failing.Events[e].Step), other))
		}
	}
	if len(said) == 0 {
		return nil, "", nil
	}
	return decide, "It takes what Go chooses by itself, its default: " + strings.Join(said, ", ") + ".", nil
}

// insteadOf names the first other value of a draw with which nothing is wrong, "" if there is none.
func (s *finder) insteadOf(g *graph, e int32) (other string, err error) {
	for v := int32(1); v <= maxOthers && s.replays < s.most; v++ {
		st := g.tr.Events[e].Step.DrawInstead(v)
		b := &builder{}
		for o := range g.tr.Events {
			if int32(o) != e {
				b.event(g, int32(o))
			} else {
				b.step(g.tr, st, -1)
			}
		}
		r, err := s.execute(b.forced)
		if err != nil {
			return "", err
		}
		at := position(r.Trace, st.ID)
		if at < 0 {
			return "", nil // it has no such value
		}
		if len(r.Violations) == 0 {
			return r.Trace.DrawName(st), nil
		}
	}
	return "", nil
}
