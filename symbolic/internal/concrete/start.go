package concrete

import (
	"encoding/json"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/startstate"
)

// Start gives the start that a compiled program comes to, as it is read from a file.
func Start(t testing.TB, s explore.System, c explore.Conditions) *startstate.State {
	t.Helper()
	c.Model = s.DefaultModel()
	state, err := startstate.Of(s, c, func() *explore.T { return explore.NewT(t.Name(), nil) })
	if err != nil {
		t.Fatal(err)
	}
	state.Version = startstate.Version
	data, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	list, err := startstate.Read(data)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d states, %v", len(list), err)
	}
	return list[0]
}
