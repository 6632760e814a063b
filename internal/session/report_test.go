package session

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
	"github.com/rehearse-go/rehearse/trace"
)

func TestCommandQuotes(t *testing.T) {
	s := &stage{Plan: &Plan{command: "rehearse"},
		Header: trace.Header{Test: "TestX/it's a.b", Package: "example.com/bank"}}
	for command, source := range map[string]chance.Source{"go test": nil, "rehearse test": new(chancetest.Fake)} {
		restore := chance.SetSource(source)
		if got, want := s.Command("abc", ""), command+` -run '^TestX$/^it'\''s a\.b$/^abc$' example.com/bank`; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		restore()
	}
}
