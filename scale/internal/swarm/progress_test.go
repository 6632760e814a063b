package swarm

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/parallel"
)

// The rate is that of this run, also where an earlier one had counted something.
func TestRate(t *testing.T) {
	var out strings.Builder
	now := time.Now()
	p := &Progress{W: &out, Every: 10 * time.Second, now: func() time.Time { return now }}
	p.begin(jobOf(t), "call")
	for range 11 {
		n := explore.Counters{Executions: 5000 + int(now.Sub(p.began)/time.Second)}
		p.tick(&n)
		now = now.Add(time.Second)
	}
	if want := "executions: 5010 (1/sec)"; !strings.Contains(out.String(), want) {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

// A line says how many executions there are, or why that is not known. What an earlier run had counted is no work of
// this one, and how long the rest takes follows from this one's.
func TestProgressEstimates(t *testing.T) {
	now := time.Now()
	lines := func(asJSON bool, estimate parallel.Estimator) string {
		var out strings.Builder
		p := &Progress{W: &out, JSON: asJSON, Every: 10 * time.Second, now: func() time.Time { return now }}
		p.begin(jobOf(t), "call")
		p.estimate = estimate
		for range 21 { // after ten seconds nobody answers
			n := explore.Counters{Executions: 5000 + int(min(now.Sub(p.began), 10*time.Second)/time.Second)}
			p.tick(&n)
			now = now.Add(time.Second)
		}
		return out.String()
	}
	known := func() (explore.Estimate, string) {
		return explore.Estimate{Total: 5100, Low: 5040, High: 6010}, ""
	}
	unknown := func() (explore.Estimate, string) { return explore.Estimate{}, "nobody knows" }
	yet := func() (explore.Estimate, string) { return explore.Estimate{}, "" }
	for _, tt := range []struct {
		asJSON   bool
		estimate parallel.Estimator
		want     string
	}{
		{false, known, ", estimated: 5,100 (5,000 to 6,100), left: 1m30s (30s to 17m)\n"},
		{true, known, `"estimate":{"total":5100,"low":5040,"high":6010}`},
		{false, unknown, ", not estimated: nobody knows\n"},
		{true, unknown, `"unestimated":"nobody knows"`},
		{false, yet, "idle processes: 0\n"},
		{true, yet, `"findings":0}`},
	} {
		if got := lines(tt.asJSON, tt.estimate); strings.Count(got, tt.want) != 2 {
			t.Errorf("%q, want %q twice", got, tt.want)
		}
	}
}
