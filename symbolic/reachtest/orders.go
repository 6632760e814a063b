package reachtest

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rehearse-go/rehearse/internal/record"
)

// Orders is what comes of the messages of a test in other orders than the one that was found.
type Orders struct {
	Executions int
	Complete   bool   // every order was explored, or an equivalent one
	Open       string // why not, "" if nothing is told but that the time was over
	Findings   []record.Finding
	Why        string // nothing was explored
}

// ExploreAll explores the orders in which the messages of tests can be handled, for a budget each, such as "2s". No
// file is written beside those of the packages. Tests that assert what comes of them say from then on which of that
// depends on the order.
func ExploreAll(ctx context.Context, r Run, tests []*Test, budget string) ([]*Orders, error) {
	list := make([]*Orders, len(tests))
	for i, t := range tests { // one at a time: a test that ends the process takes none with it
		if list[i] = (&Orders{}); !r.Until.IsZero() && time.Now().After(r.Until) {
			list[i].Why = "the time for all was over"
			continue
		}
		laid, err := layStates(r.Scratch, t)
		if err != nil {
			return nil, err
		}
		states := filepath.Join(r.Scratch, "states")
		os.Remove(states) // of the test before
		records, said, err := goTest(ctx, r, []Job{{Test: t}}, func(t *Test) ([]byte, error) { return t.exploring(budget) },
			laid, statesVariable+"="+states, "REHEARSE_KEEP_GOING=1")
		if err != nil {
			return nil, err
		}
		rec := records[t.Func]
		if rec == nil {
			list[i].Why = fmt.Sprintf("the test did not run: %s", lines(said, 6))
			continue
		}
		list[i].Executions, list[i].Complete, list[i].Findings = rec.Executions, rec.Complete, rec.Findings
		list[i].Open = cmp.Or(rec.Uncontrolled, varied(rec), rec.Bypassed, rec.Shared, rec.Unseen, rec.Beyond)
		logs, err := readStates(states)
		if err != nil {
			return nil, err
		}
		if l := logs[t.Func]; l != nil {
			t.w.compare(l)
		}
	}
	return list, nil
}

// varied tells of what differs when an execution is repeated, "" if nothing does.
func varied(rec *record.Record) string {
	if rec.Varied == "" {
		return ""
	}
	return rec.Varied + " held something else when an execution was repeated"
}

// exploring is the file with a budget in the place of the order, which writes down what comes of each execution.
func (t *Test) exploring(budget string) ([]byte, error) {
	t.w.budget, t.w.record = budget, len(t.w.pins) > 0
	defer func() { t.w.budget, t.w.record = "", false }()
	return t.source(nil, "")
}
