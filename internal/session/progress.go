package session

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/report"
)

// The times of the progress line: as often as fuzzing prints one; without -v only when the exploration takes long.
const (
	progressEvery = 3 * time.Second
	progressAfter = 10 * time.Second
)

// progress prints a line now and then. A nil progress prints none.
type progress struct {
	w        io.Writer
	now      func() time.Time
	estimate func() explore.Estimate // of all executions
	divided  bool                    // nobody can estimate: docs/parallel.md says why
	start    time.Time
	next     time.Time
	last     int // executions when the last line was printed
	lastTime time.Time
}

func newProgress(w io.Writer, verbose bool, now func() time.Time) *progress {
	p := &progress{w: w, now: now, start: now()}
	p.lastTime, p.next = p.start, p.start.Add(progressEvery)
	if !verbose {
		p.next = p.start.Add(progressAfter)
	}
	return p
}

// to changes where the line goes: what was stderr is elsewhere while the program is kept from printing.
func (p *progress) to(w io.Writer) { p.w = w }

// tick is called after each execution.
func (p *progress) tick(c *explore.Counters) {
	if p == nil {
		return
	}
	now := p.now()
	if now.Before(p.next) {
		return
	}
	n := c.Executions + c.Blocked
	rate := float64(n-p.last) / now.Sub(p.lastTime).Seconds()
	fmt.Fprintf(p.w, "rehearse: elapsed: %s, executions: %d (%.0f/sec), deliveries: %d",
		now.Sub(p.start).Round(time.Second), n, rate, c.Deliveries+c.Replayed)
	switch {
	case p.divided:
		fmt.Fprint(p.w, ", not estimated: the search is divided")
	case p.estimate != nil:
		if e := p.estimate(); e.Known() && e.Total < report.TooMany {
			fmt.Fprintf(p.w, ", estimated: %s%s", report.Estimate(e), left(e, n, now.Sub(p.start)))
		}
	}
	fmt.Fprintln(p.w)
	p.last, p.lastTime, p.next = n, now, now.Add(progressEvery)
}

// left says how long the rest takes if it goes on as it did: n executions in the time elapsed.
func left(e explore.Estimate, n int, elapsed time.Duration) string {
	if n == 0 {
		return ""
	}
	span := func(total float64) string {
		s := max(0, total-float64(n)) / float64(n) * elapsed.Seconds()
		switch {
		case s > 1e9:
			return "years"
		case s < 10:
			return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond).String()
		case s > 600:
			return strings.TrimSuffix(time.Duration(s*float64(time.Second)).Round(time.Minute).String(), "0s")
		}
		return time.Duration(s * float64(time.Second)).Round(time.Second).String()
	}
	return fmt.Sprintf(", left: %s (%s to %s)", span(e.Total), span(e.Low), span(e.High))
}
