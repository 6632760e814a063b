package rehearse

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/trace"
)

// record appends the result to the file that REHEARSE_REPORT names, for the command; without it, it does nothing.
func (t *task) record(r Result) error {
	if t.values.Report == "" {
		return nil
	}
	return appendRecord(t.values.Report, t.recordOf(&r))
}

// recordRefusal does the same for a Check whose settings could not even be read, so that nothing else is known of it.
func recordRefusal(path, pkg, test string, ordinal int) error {
	if path == "" {
		return nil
	}
	return appendRecord(path,
		&record.Record{Version: record.Version, Package: pkg, Test: test, Ordinal: ordinal, Reason: "error", Refused: true})
}

func appendRecord(path string, rec *record.Record) error {
	line, err := json.Marshal(rec)
	if err != nil {
		return fmt.Errorf("REHEARSE_REPORT: %w", err)
	}
	// One write, so that the lines of several test binaries do not mix.
	f, err := files.Open(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("REHEARSE_REPORT: %w", err)
	}
	defer f.Close()
	if _, err := f.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("REHEARSE_REPORT: %w", err)
	}
	return nil
}

func (t *task) recordOf(r *Result) *record.Record {
	rec := &record.Record{Version: record.Version, Package: t.Header.Package, Test: t.Header.Test,
		Ordinal: t.Header.Ordinal,
		Model:   r.Model.String(), Timers: r.Timers.String(), Strategy: r.Strategy, Seed: r.Seed, Budget: r.Budget,
		Executions: r.Executions, Blocked: r.Blocked, Classes: r.Classes, Deliveries: r.Deliveries, Replayed: r.Replayed,
		Rechecked: r.Rechecked, Unrepeated: r.Unrepeated, Tasks: r.Tasks,
		Saved: r.Saved, Seconds: time.Since(t.began).Seconds(), Complete: r.Complete, Bounded: r.Bounded, Reason: r.Reason,
		Refused: t.refused, Uncontrolled: r.Uncontrolled, Bypassed: r.Bypassed, Varied: r.Varied, Drawn: r.Drawn,
		Shared: r.Shared, Unseen: r.Unseen, Beyond: r.Beyond, Within: r.Within, Guided: r.Guided}
	if e := r.Estimate; e.Total > 0 && !math.IsInf(e.High, 0) {
		rec.Estimate = &record.Estimate{Total: e.Total, Low: e.Low, High: e.High}
	}
	if r.Faults.On() {
		rec.Faults = r.Faults.String()
	}
	if t.expect != nil {
		rec.Expected = t.expect.String()
	}
	if t.Followed() != nil && len(r.Findings) == 0 {
		rec.Order = report.Diagram(t.Followed(), report.DiagramOptions{Test: t.Header.Test, Width: t.Width})
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		rf := record.Finding{Kind: f.Violation.Kind.String(), Text: f.Violation.Text, Where: f.Violation.Where,
			Key:      keyOf(f.Violation),
			Expected: f.Expected, Found: f.Execution, Switches: f.Switches, Schedule: f.File, Culprit: f.Culprit,
			Diagram: f.Diagram, Picture: f.Picture, Flipped: f.Flipped, States: f.States, Note: f.Note,
			Replay: f.Replay}
		if f.Schedule != nil {
			rf.Forced = len(f.Schedule.Steps)
		}
		rec.Findings = append(rec.Findings, rf)
	}
	rec.Orders = ordersOf(t.OrdersSeen())
	for _, text := range r.limits() {
		rec.Limits = append(rec.Limits, trace.Visible(text))
	}
	for i := range r.Warnings {
		rec.Warnings = append(rec.Warnings, r.Warnings[i].String())
	}
	return rec
}

// keyOf is what makes findings of two runs the same, whatever Config.Expect said in each.
func keyOf(v trace.Violation) string {
	v.Known = false
	return v.Key()
}

// ordersOf counts the pairs of messages of each type of actors.
func ordersOf(actors []profile.Actor) (list []record.Orders) {
	for i := range actors {
		n := actors[i].Count()
		list = append(list, record.Orders{Actor: actors[i].Type, Both: n[profile.Both], OneWay: n[profile.OneWay],
			Never: n[profile.Never], Impossible: n[profile.Impossible]})
	}
	return list
}
