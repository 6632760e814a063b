package swarm

import (
	"io"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// largest is how large the messages of a job are at most, by what is bounded.
type largest map[string]int

func (l largest) see(what string, n int) { l[what] = max(l[what], n) }

// report adds a result.
func (l largest) report(t *testing.T, data []byte) {
	t.Helper()
	r, err := readResult(data)
	if err != nil {
		t.Fatal(err)
	}
	l.see("bytes", len(data))
	l.see("values", values(data))
	l.see("outlines", len(r.Report.Outlines))
	items, steps, copies := 0, 0, 0
	for _, parts := range []parallel.Parts{r.Report.New, r.Report.Beyond} {
		var at *byte // the place where the steps of an item begin
		for i := range parts {
			items++
			if s := parts[i].Steps; len(s) > 0 {
				if steps += len(s); at != &s[0] {
					copies += len(s)
					at = &s[0]
				}
			}
		}
	}
	l.see("items", items)
	l.see("steps", steps)
	l.see("copies", copies)
}

// The messages of programs are far from what is refused of hostile ones: docs/decisions/0036-swarm.md has the numbers.
func TestMessagesAreFarFromTheLimits(t *testing.T) {
	if !whole(t) {
		return
	}
	limits := largest{"values": mostValues, "outlines": 1 << 20, "items": parallel.MostItems,
		"steps": 1 << 30, "copies": 64 << 20}
	for program, budget := range map[string]string{"pi9": "200000x", "leader5": "3s", "deep": "3s", "deeper": "3s"} {
		s := served(t)
		agentOf(t, connected(t, s, "agent"), func(a *Agent) { a.Hands, a.Most = 2, time.Second })
		r := runOf(t, program, &output{})
		r.Env = append(r.Env, "REHEARSE_BUDGET="+budget)
		nc := connected(t, s, "coordinator")
		if code, err := explored(t, nc, r, time.Minute); err != nil || code != 0 {
			t.Fatalf("%s: code %d, %v", program, code, err)
		}
		j := only(t, nc)
		_, last, err := j.Results(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l := largest{}
		_ = j.FoldResults(t.Context(), 0, func(r streams.Result) error {
			if l.report(t, r.Data); r.Seq >= last {
				return io.EOF
			}
			return nil
		})
		t.Logf("%s: %d results of at most %d bytes", program, last, l["bytes"])
		for what, limit := range limits {
			t.Logf("%s: %s at most %d of %d", program, what, l[what], limit)
			if l[what] > limit/100 {
				t.Errorf("%s: %d %s, and %d are the limit", program, l[what], what, limit)
			}
		}
	}
}
