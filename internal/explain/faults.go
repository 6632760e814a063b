package explain

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// culprits are steps that need not happen: what they are called, one and several of them, and when one counts.
type culprits struct {
	one, many, without, withoutOne string
	is                             func(s *trace.Step) bool
}

var (
	injected = culprits{"It takes the injected fault: ", "It takes the injected faults: ", "without it, ",
		"without one of them, ", func(s *trace.Step) bool { return s.Kind == trace.Fault }}
	drawn = culprits{"It takes what Go chooses by itself: ", "It takes what Go chooses by itself: ", "with Go's default, ",
		"with Go's default for one of them, ", func(s *trace.Step) bool { return s.Kind == trace.Draw && s.Value > 0 }}
)

// needs leaves out each such step in turn, and says for which the violation is gone. It gives their events; "" if there
// is none.
func (s *finder) needs(failing *trace.Trace, c culprits) (events []int32, text string, err error) {
	var needed []string
	instead := ""
	g := newGraph(failing)
	for e := range failing.Events {
		if !c.is(&failing.Events[e].Step) || s.replays >= s.most {
			continue
		}
		b := &builder{}
		for o := range failing.Events {
			if o != e {
				b.event(g, int32(o))
			}
		}
		r, err := s.execute(b.forced)
		if err != nil {
			return nil, "", err
		}
		if r.With(s.key) != nil {
			continue
		}
		if len(r.Violations) > 0 {
			instead = r.Violations[0].Text
		}
		name := strings.TrimPrefix(failing.StepName(failing.Events[e].Step), "fault: ")
		events = append(events, int32(e))
		needed = append(needed, fmt.Sprintf("in step %d %s", failing.StepNumber(e), name))
	}
	if len(needed) == 0 {
		return nil, "", nil
	}
	without := "; " + c.without
	text = c.one
	if len(needed) > 1 {
		text, without = c.many, "; "+c.withoutOne
	}
	if instead != "" {
		return events, text + strings.Join(needed, ", ") + without + "this does not happen, but something else goes wrong: " +
			instead + ".", nil
	}
	return events, text + strings.Join(needed, ", ") + without + "it passes.", nil
}
