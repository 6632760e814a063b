package explain

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// faults leaves out each injected fault in turn, and says for which the violation is gone. "" if there is none.
func (s *finder) faults(failing *trace.Trace) (string, error) {
	var needed []string
	instead := ""
	g := newGraph(failing)
	for e := range failing.Events {
		if failing.Events[e].Step.Kind != trace.Fault || s.replays >= s.most {
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
			return "", err
		}
		if r.With(s.key) != nil {
			continue
		}
		if len(r.Violations) > 0 {
			instead = r.Violations[0].Text
		}
		name := strings.TrimPrefix(failing.StepName(failing.Events[e].Step), "fault: ")
		needed = append(needed, fmt.Sprintf("in step %d %s", e-failing.Explored+1, name))
	}
	if len(needed) == 0 {
		return "", nil
	}
	text, without := "It takes the injected fault: ", "; without it, "
	if len(needed) > 1 {
		text, without = "It takes the injected faults: ", "; without one of them, "
	}
	if instead != "" {
		return text + strings.Join(needed, ", ") + without + "this does not happen, but something else goes wrong: " + instead + ".", nil
	}
	return text + strings.Join(needed, ", ") + without + "it passes.", nil
}
