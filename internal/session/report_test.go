package session

import (
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

func TestCommandQuotes(t *testing.T) {
	s := &stage{Header: trace.Header{Test: "TestX/it's a.b", Package: "example.com/bank"}}
	if got, want := s.Command("abc", ""), `go test -run '^TestX$/^it'\''s a\.b$/^abc$' example.com/bank`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
