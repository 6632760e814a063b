package rehearse

import (
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// addCalls adds to the declared calls those of a facts file, for strategies that go by them: others need not hold handlers to them.
func (p *plan) addCalls(found trace.Calls) {
	base, options, _ := strings.Cut(p.Strategy, "/")
	if base != "select" && !strings.EqualFold(options, "STABLE") {
		return
	}
	for _, c := range found {
		if p.Calls.Of(c.Actor, c.Message) < 0 {
			p.calls = append(p.calls[:len(p.calls):len(p.calls)], c)
		}
	}
}
