package gentest

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestBlocked: a handler that the real program does not end is left out. That says nothing against the case.
func TestBlocked(t *testing.T) {
	for said, left := range map[string]bool{
		"a_rehearse_test.go:7: the handler could not be executed: Lock from sender to tested does not end: no progress for 10s: it loops for ever": true,
		"a_rehearse_test.go:7: a.n is 1, want 2": false,
	} {
		var out strings.Builder
		for _, e := range []event{{Action: "run", Test: "T/x"}, {Action: "output", Test: "T/x", Output: said + "\n"}, {Action: "fail", Test: "T/x"}} {
			line, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
		}
		x := &Test{Name: "x"}
		l := &listener{tests: map[string]*Test{"T/x": x}, text: map[*Test]*strings.Builder{}}
		l.listen([]byte(out.String()))
		if x.State != Differs || (x.Why != "") != left || x.Unconfirmed() == left {
			t.Errorf("%q: state %v, left out since %q, unconfirmed %v", said, x.State, x.Why, x.Unconfirmed())
		}
	}
}
