package session

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/report"
)

// The times of the progress line. The first one tells that it takes long. On a terminal they then come as often as
// those of fuzzing, elsewhere seldom: a log stays.
const (
	progressAfter     = 10 * time.Second
	progressTerminal  = 3 * time.Second
	progressElsewhere = time.Minute
	progressWindow    = time.Minute // over which the rate is
	progressSamples   = 2 * time.Second
)

// progress prints a line now and then. A nil progress prints none.
type progress struct {
	w        io.Writer
	now      func() time.Time
	every    time.Duration
	estimate parallel.Estimator // of all executions
	found    func() int         // violations so far; nil: nobody counts
	open     func() int         // items of a divided search; nil: it is not divided
	budget   int                // of a sample that is divided: executions; 0: no bound, or it is none
	start    time.Time
	next     time.Time
	samples  []progressSample // of the last minute, the oldest first
	before   int              // executions that an earlier run had made
	n        int              // executions when it last looked,
	changed  time.Time        // and when they became so many
}

// progressSample is how many executions there were at some time.
type progressSample struct {
	at time.Time
	n  int
}

// newProgress makes one that prints a line each time so long, 0 meaning what suits w.
func newProgress(w io.Writer, verbose bool, every time.Duration, now func() time.Time) *progress {
	if every == 0 {
		if every = progressElsewhere; files.IsTerminal(w) {
			every = progressTerminal
		}
	}
	p := &progress{w: w, now: now, every: every, start: now()}
	p.changed, p.next = p.start, p.start.Add(progressAfter)
	if verbose || every < progressTerminal {
		p.next = p.start.Add(min(every, progressAfter))
	}
	p.samples = []progressSample{{p.start, 0}}
	return p
}

// to changes where the line goes: what was stderr is elsewhere while the program is kept from printing.
func (p *progress) to(w io.Writer) { p.w = w }

// tick is called after each execution, and now and then while others execute.
func (p *progress) tick(c *explore.Counters) {
	if p == nil {
		return
	}
	now, n := p.now(), c.Executions+c.Blocked
	if n != p.n {
		p.n, p.changed = n, now
	}
	if now.Sub(p.samples[len(p.samples)-1].at) >= progressSamples {
		p.samples = append(p.samples, progressSample{now, n})
		for len(p.samples) > 2 && now.Sub(p.samples[1].at) >= progressWindow {
			p.samples = p.samples[1:]
		}
	}
	if now.Before(p.next) {
		return
	}
	fmt.Fprintln(p.w, p.line(c, now))
	p.next = now.Add(p.every)
}

// begin says how many executions an earlier run had made, which this one goes on from.
func (p *progress) begin(c *explore.Counters) {
	if p != nil {
		p.before = c.Executions + c.Blocked
		p.samples[0].n = p.before
	}
}

// line is how far it is.
func (p *progress) line(c *explore.Counters, now time.Time) string {
	var b strings.Builder
	elapsed := now.Sub(p.start)
	fmt.Fprintf(&b, "rehearse: elapsed: %s, executions: %d (%.0f/sec), deliveries: %d",
		elapsed.Round(time.Second), p.n, p.rate(now), c.Deliveries+c.Replayed)
	if p.found != nil && p.found() > 0 {
		fmt.Fprintf(&b, ", findings: %d", p.found())
	}
	if p.open != nil {
		fmt.Fprintf(&b, ", open: %d", p.open())
	}
	if still := now.Sub(p.changed); still >= progressTerminal {
		fmt.Fprintf(&b, ", last change: %s ago", still.Round(time.Second))
	}
	// Between two reports of workers nothing is counted, however much they execute.
	worked := p.changed.Sub(p.start)
	switch {
	case p.budget > 0:
		all := float64(p.budget)
		fmt.Fprintf(&b, ", of %d%s", p.budget,
			report.Left(explore.Estimate{Total: all, Low: all, High: all}, p.n, p.before, worked))
	case p.estimate != nil:
		if e, why := p.estimate(); why != "" {
			fmt.Fprintf(&b, ", not estimated: %s", why)
		} else if e.Known() && e.Total < report.TooMany {
			fmt.Fprintf(&b, ", estimated: %s%s", report.Estimate(e), report.Left(e, p.n, p.before, worked))
		}
	}
	return b.String()
}

// rate is that of executions over the last minute, per second.
func (p *progress) rate(now time.Time) float64 {
	s := p.samples[0]
	if took := now.Sub(s.at).Seconds(); took > 0 {
		return float64(p.n-s.n) / took
	}
	return 0
}
