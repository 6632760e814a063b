package session

import (
	"bytes"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

func TestProgress(t *testing.T) {
	now := time.Unix(0, 0)
	var out bytes.Buffer
	p := newProgress(&out, true, func() time.Time { return now })
	p.estimate = func() explore.Estimate {
		if now.Sub(time.Unix(0, 0)) <= 5*time.Second {
			return explore.Estimate{}
		}
		return explore.Estimate{Total: 1200, Low: 900, High: 6000}
	}
	for i := 1; i <= 7; i++ {
		now = now.Add(time.Second)
		p.tick(&explore.Counters{Executions: 100 * i, Deliveries: 300 * i})
	}
	want := "rehearse: elapsed: 3s, executions: 300 (100/sec), deliveries: 900\n" +
		"rehearse: elapsed: 6s, executions: 600 (100/sec), deliveries: 1800, estimated: 1,200 (900 to 6,000), left: 6s (3s " +
		"to 54s)\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	quiet := newProgress(&out, false, func() time.Time { return now })
	now = now.Add(9 * time.Second)
	quiet.tick(&explore.Counters{})
	if out.Len() > 0 {
		t.Errorf("without -v a line is for explorations that take long: %s", out.String())
	}
	divided := newProgress(&out, true, func() time.Time { return now })
	divided.estimate, divided.divided = p.estimate, true
	now = now.Add(3 * time.Second)
	divided.tick(&explore.Counters{Executions: 3})
	if want := "rehearse: elapsed: 3s, executions: 3 (1/sec), deliveries: 0, not estimated: the search is divided\n"; out.String() != want {
		t.Errorf("got %swant %s", out.String(), want)
	}
	var none *progress
	none.tick(&explore.Counters{})
}
