package report

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// A step in which several things go wrong has a line for each, in words that stand by themselves. The violation is the
// one with its text, not each of its kind.
func TestIncidentsBesideTheViolation(t *testing.T) {
	s := newStory()
	s.spawn("Account")
	s.deliver(s.send("Withdraw", "Account", nil))
	at := s.at["Account"]
	s.tr.Events[s.e].Incidents = []trace.Incident{
		{Kind: trace.Unhandled, Actor: at, Message: -1},
		{Kind: trace.Assertion, Actor: at, Message: -1, Text: "first", Where: "a.go:1"},
		{Kind: trace.Assertion, Actor: at, Message: -1, Text: "second", Where: "a.go:2"},
	}
	const want = `
  ✗ unhandled: Account has no handler for Withdraw from Driver
  ✗ assertion: first (a.go:1)
  ✗ assertion: second (a.go:2)
`
	for _, v := range []*trace.Violation{
		nil,
		{Kind: trace.Assertion, Event: int(s.e), Text: "first", Where: "a.go:1"},
		{Kind: trace.Assertion, Event: int(s.e), Text: "second", Where: "a.go:2"},
	} {
		if got := Diagram(&s.tr, DiagramOptions{Violation: v}); !strings.HasSuffix(got, want) {
			t.Errorf("violation %v:\n%s\nwant%s", v, got, want)
		}
	}
}
