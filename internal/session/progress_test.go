package session

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

func TestProgress(t *testing.T) {
	now := time.Unix(0, 0)
	clock := func() time.Time { return now }
	var out bytes.Buffer
	p := newProgress(&out, true, 3*time.Second, clock)
	p.estimate = func() (explore.Estimate, string) {
		if now.Sub(time.Unix(0, 0)) <= 5*time.Second {
			return explore.Estimate{}, ""
		}
		return explore.Estimate{Total: 1200, Low: 900, High: 6000}, ""
	}
	found := 0
	p.found = func() int { return found }
	for i := 1; i <= 7; i++ {
		now = now.Add(time.Second)
		found = i / 6
		p.tick(&explore.Counters{Executions: 100 * i, Deliveries: 300 * i})
	}
	want := "rehearse: elapsed: 3s, executions: 300 (100/sec), deliveries: 900\n" +
		"rehearse: elapsed: 6s, executions: 600 (100/sec), deliveries: 1800, findings: 1, estimated: 1,200 (900 to 6,000), " +
		"left: 6s (3s to 54s)\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	var none *progress
	none.tick(&explore.Counters{})
}

// Where nobody looks the line comes after ten seconds, and then each minute.
func TestProgressElsewhere(t *testing.T) {
	now := time.Unix(0, 0)
	for _, verbose := range []bool{false, true} {
		var out bytes.Buffer
		p := newProgress(&out, verbose, 0, func() time.Time { return now })
		for range 190 {
			now = now.Add(time.Second)
			p.tick(&explore.Counters{})
		}
		if n := strings.Count(out.String(), "\n"); n != 4 || !strings.HasPrefix(out.String(), "rehearse: elapsed: 10s") {
			t.Errorf("verbose %v: %d lines in 190 seconds:\n%s", verbose, n, out.String())
		}
	}
}

// Of a sample that is divided the budget is what there is.
func TestProgressOfADividedSample(t *testing.T) {
	now := time.Unix(0, 0)
	var out bytes.Buffer
	p := newProgress(&out, true, 10*time.Second, func() time.Time { return now })
	p.budget = 4000
	for i := range 10 {
		now = now.Add(time.Second)
		p.tick(&explore.Counters{Executions: 100 * (i + 1)})
	}
	want := "rehearse: elapsed: 10s, executions: 1000 (100/sec), deliveries: 0, of 4000, left: 30s\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// The rate is that of the last minute, and where nothing changes any more the line says since when.
func TestProgressOfADividedSearch(t *testing.T) {
	now := time.Unix(0, 0)
	var out bytes.Buffer
	p := newProgress(&out, true, 10*time.Second, func() time.Time { return now })
	p.open = func() int { return 14 }
	p.estimate = func() (e explore.Estimate, why string) {
		if now.Sub(time.Unix(0, 0)) < 60*time.Second {
			return e, "nobody knows"
		}
		return explore.Estimate{Total: 202_000, Low: 150_000, High: 300_000}, ""
	}
	p.begin(&explore.Counters{Executions: 2000}) // of an earlier run, which are no work of this one
	executions := 2000
	for i := range 200 {
		now = now.Add(time.Second)
		if i < 100 {
			executions += 1000
		} else if i < 180 {
			executions++
		}
		p.tick(&explore.Counters{Executions: executions})
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 20 {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	for i, want := range map[int]string{
		4: "elapsed: 50s, executions: 52000 (1000/sec), deliveries: 0, open: 14, not estimated: nobody knows",
		9: "elapsed: 1m40s, executions: 102000 (1000/sec), deliveries: 0, open: 14, " +
			"estimated: 200,000 (150,000 to 300,000), left: 1m40s (48s to 3m18s)",
		16: "elapsed: 2m50s, executions: 102070 (1/sec), deliveries: 0, open: 14, estimated",
		19: "elapsed: 3m20s, executions: 102080 (1/sec), deliveries: 0, open: 14, last change: 20s ago, " +
			"estimated: 200,000 (150,000 to 300,000), left: 3m0s (",
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d:\n%s\nwant\n%s", i, lines[i], want)
		}
	}
}
