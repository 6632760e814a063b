package reproduce

import (
	"sort"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/published"
	"github.com/rehearse-go/rehearse/trace"
)

// affordable is how many executions the test below runs for one row at most.
const affordable = 8_000

// TestClassesByNaive counts classes from their definition: all executions are run, and those count once in which every
// actor handles the same messages in the same order. (No subject has a message that only the order of what stays
// undelivered tells apart.)
func TestClassesByNaive(t *testing.T) {
	rows, err := published.Rows()
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]int{}
	for _, r := range rows {
		if r.Table != "classes" {
			continue
		}
		model, err := modelOf(&r)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := programOf(&r)
		classes := map[trace.ID]bool{}
		out, err := explore.Run(p.make(), search.NewNaive(), explore.Options{
			Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: affordable},
			After: func(_ *explore.Counters, tr *trace.Trace) { classes[handled(tr)] = true },
		})
		if err != nil {
			t.Fatal(err)
		}
		if !out.Complete {
			continue
		}
		checked[r.Model]++
		if len(classes) != r.Cells[0].Value {
			t.Errorf("%s under %s: %d classes by naive, want %d", r.Subject, r.Model, len(classes), r.Cells[0].Value)
		}
	}
	t.Logf("rows checked: %v", checked)
	for _, m := range []string{"bag", "fifo", "causal", "mailbox-serial", "mailbox"} {
		if checked[m] < 5 {
			t.Errorf("only %d rows under %s were small enough", checked[m], m)
		}
	}
}

// handled is a hash of what every actor handled, in order.
func handled(tr *trace.Trace) trace.ID {
	by := make([]trace.ID, len(tr.Actors))
	for a := range by {
		by[a] = tr.Actors[a].ID
	}
	for i := tr.Explored; i < len(tr.Events); i++ {
		if s := &tr.Events[i].Step; s.Kind.Handles() && s.Message >= 0 {
			by[s.Actor] = by[s.Actor].WithID(tr.Messages[s.Message].ID)
		}
	}
	sort.Slice(by, func(i, j int) bool { return by[i].Less(by[j]) })
	var key trace.ID
	for _, id := range by {
		key = key.WithID(id)
	}
	return key
}
