package swarm

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/scale/internal/streams"
)

// Progress tells how far an exploration is, for all machines together.
type Progress struct {
	W     io.Writer
	JSON  bool          // an object a line
	Every time.Duration // between two lines

	now      func() time.Time
	began    time.Time
	next     time.Time
	first    counted // when this run began
	last     counted
	estimate parallel.Estimator
	job      *streams.Job
	test     string
	told     Told
}

type counted struct {
	at         time.Time
	executions int
}

// Told is what a line of progress says.
type Told struct {
	Job        string  `json:"job"`
	Test       string  `json:"test"`
	Seconds    float64 `json:"seconds"` // of this run
	Executions int     `json:"executions"`
	Rate       float64 `json:"executions_per_second"` // since the last line
	Deliveries int     `json:"deliveries"`
	Open       int     `json:"open"`        // items
	Tasks      int     `json:"tasks"`       // that were answered
	Queued     int     `json:"queued"`      // tasks that nobody has
	InProgress int     `json:"in_progress"` // tasks
	Waiting    int     `json:"waiting"`     // processes
	Machines   int     `json:"machines"`    // hosts of workers that are alive: see Status
	Findings   int     `json:"findings"`
	// Estimate is of all executions; nil: there is none, or none yet.
	Estimate *Estimate `json:"estimate,omitempty"`
	// Unestimated is why there will be none.
	Unestimated string `json:"unestimated,omitempty"`

	before int           // executions of earlier runs
	worked time.Duration // of this run, up to the last answer that counted some
}

// Estimate is a number of executions that is not known, with its bar.
type Estimate struct {
	Total float64 `json:"total"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

func (p *Progress) begin(j *streams.Job, call string) {
	if p.now == nil {
		p.now = time.Now
	}
	p.job, p.test, p.began = j, call, p.now()
	p.next, p.first, p.last, p.told = p.began.Add(p.Every), counted{}, counted{}, Told{}
	p.estimate = nil
}

// items takes note of what is open.
func (p *Progress) items(open, found int, estimate parallel.Estimator, t *transport) {
	p.told.Open, p.told.Findings, p.told.Tasks, p.estimate = open, found, t.answers, estimate
	p.told.Queued, p.told.InProgress, p.told.Waiting = t.watch.depth.Pending, t.watch.depth.InProgress,
		t.watch.depth.Waiting
	p.told.Machines = t.watch.workers.hosts
}

// searched prints a line about targets if it is time for one.
func (p *Progress) searched(done, of int, w *watch) {
	now := p.now()
	if p.Every <= 0 || now.Before(p.next) {
		return
	}
	p.next = now.Add(p.Every)
	fmt.Fprintf(p.W, "rehearse swarm: elapsed: %s, %d of %d targets are done, machines: %d, tasks: %d at work, %d wait, "+
		"idle processes: %d\n", now.Sub(p.began).Round(time.Second), done, of, w.workers.hosts, w.depth.InProgress,
		w.depth.Pending, w.depth.Waiting)
}

// tick prints a line if it is time for one.
func (p *Progress) tick(n *explore.Counters) {
	now := p.now()
	if p.last.at.IsZero() { // what an earlier run had counted is no work of this one
		p.last = counted{now, n.Executions + n.Blocked}
		p.first = p.last
	}
	if p.Every <= 0 || now.Before(p.next) {
		return
	}
	p.next = now.Add(p.Every)
	p.line(n, now)
}

func (p *Progress) line(n *explore.Counters, now time.Time) {
	t := &p.told
	t.Job, t.Test, t.Seconds = p.job.Name(), p.test, now.Sub(p.began).Seconds()
	t.Executions, t.Deliveries = n.Executions+n.Blocked, n.Deliveries+n.Replayed
	if took := now.Sub(p.last.at).Seconds(); took > 0 && !p.last.at.IsZero() {
		t.Rate = float64(t.Executions-p.last.executions) / took
	}
	if t.Executions != p.last.executions {
		t.worked = now.Sub(p.began)
	}
	p.last = counted{now, t.Executions}
	t.estimated(p.estimate)
	t.before = p.first.executions
	if p.JSON {
		_ = json.NewEncoder(p.W).Encode(t)
		return
	}
	fmt.Fprintln(p.W, t.text())
}

// estimated says how many executions there are.
func (t *Told) estimated(estimate parallel.Estimator) {
	if t.Estimate = nil; estimate == nil {
		return
	}
	var e explore.Estimate
	if e, t.Unestimated = estimate(); e.Known() {
		t.Estimate = &Estimate{e.Total, e.Low, e.High}
	}
}

// text is the line for people.
func (t *Told) text() string {
	var b strings.Builder
	elapsed := time.Duration(t.Seconds * float64(time.Second))
	fmt.Fprintf(&b, "rehearse swarm: %s: elapsed: %s, executions: %d (%.0f/sec), open: %d, machines: %d, tasks: %d done, "+
		"%d at work, %d wait, idle processes: %d", t.Test, elapsed.Round(time.Second),
		t.Executions, t.Rate, t.Open, t.Machines, t.Tasks, t.InProgress, t.Queued, t.Waiting)
	if t.Findings > 0 {
		fmt.Fprintf(&b, ", findings: %d", t.Findings)
	}
	if t.Unestimated != "" {
		fmt.Fprintf(&b, ", not estimated: %s", t.Unestimated)
	}
	if e := t.Estimate; e != nil && e.Total < report.TooMany {
		guess := explore.Estimate{Total: e.Total, Low: e.Low, High: e.High}
		fmt.Fprintf(&b, ", estimated: %s%s", report.Estimate(guess), report.Left(guess, t.Executions, t.before, t.worked))
	}
	return b.String()
}

// end tells how it ended.
func (p *Progress) end(out *parallel.Outcome) {
	if p.told.Tasks = out.Tasks; p.JSON {
		p.line(&out.Sum.Counters, p.now())
	}
}

// say prints a remark.
func (p *Progress) say(line string) {
	if p.JSON {
		_ = json.NewEncoder(p.W).Encode(map[string]string{"remark": line})
		return
	}
	fmt.Fprintln(p.W, "rehearse swarm: "+line)
}
