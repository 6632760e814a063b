package explain

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

var models = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}

// What is claimed is true: the failing run has the pairs in this order, the flipped run has them in the other order and
// passes, and replaying it says so again. Where every execution violates it, nothing is claimed. Where some execution
// does not, a culprit is found nearly always.
func TestCulpritRandomPrograms(t *testing.T) {
	for _, model := range models {
		t.Run(model.String(), func(t *testing.T) {
			failures, err := toy.Failures(model, toy.Scale(t, 300), 5)
			if err != nil {
				t.Fatal(err)
			}
			possible, one, two, instead, replays := 0, 0, 0, 0, 0
			for i := range failures {
				f := &failures[i]
				x, err := Culprit(f.Run, f.Trace, f.Violation, "")
				if err != nil {
					t.Fatalf("%v\n%v", err, f)
				}
				replays += x.Replays
				checkClaim(t, f, x)
				without, clean := enumerate(t, f)
				if without == 0 && len(x.Pairs) > 0 {
					t.Fatalf("every execution fails, and yet: %s\n%v", x.Text, f)
				}
				if clean == 0 {
					continue
				}
				possible++
				switch {
				case len(x.Pairs) == 1:
					one++
				case len(x.Pairs) == 2:
					two++
				case len(x.Instead) > 0:
					instead++
				}
			}
			t.Logf("%d failures of which %d depend on the order: %d explained by one pair, %d by two; %d by one after which "+
				"something else is wrong; %d replays",
				len(failures), possible, one, two, instead, replays)
			if explained := one + two + instead; explained+1 < possible*95/100 || one+two < possible*85/100 {
				t.Errorf("explained %d of %d, and %d by what passes", explained, possible, one+two)
			}
		})
	}
}

func checkClaim(t *testing.T, f *toy.Failure, x *Explanation) {
	t.Helper()
	if x.Text == "" || strings.Contains(x.Text, "at nobody") || strings.Contains(x.Text, "%!") {
		t.Fatalf("text %q\n%v", x.Text, f)
	}
	if len(x.Pairs) == 0 {
		return
	}
	for _, p := range x.Pairs {
		if p.First < 0 {
			t.Fatalf("pair %+v did not happen in the failing run\n%v", p, f)
		}
		if p.Second >= 0 && (p.First >= p.Second || p.Other == "" &&
			f.Trace.Events[p.First].Step.Actor != f.Trace.Events[p.Second].Step.Actor) {
			t.Fatalf("pair %+v is not two deliveries of one actor in that order\n%v", p, f)
		}
		if p.Second >= 0 && !ordered(x.Flipped, f.Trace.Events[p.Second].Step.ID, f.Trace.Events[p.First].Step.ID) {
			t.Fatalf("pair %+v was not flipped\n%v", p, f)
		}
	}
	r, err := f.Run(x.Flipped.Schedule())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Violations) > 0 || len(r.Trace.Events) != len(x.Flipped.Events) {
		t.Fatalf("the flipped run does not repeat, or does not pass: %v\n%v", r.Violations, f)
	}
}

// enumerate counts the executions, of up to 2,000, that do not have the violation, and those that have none.
func enumerate(t *testing.T, f *toy.Failure) (without, clean int) {
	t.Helper()
	o := toy.Options(f.Model)
	o.Budget.Executions = 2000
	with, bad := 0, 0
	o.Found = func(found explore.Found) bool {
		bad++
		for _, v := range found.Violations {
			if v.Key() == f.Violation.Key() {
				with++
				break
			}
		}
		return true
	}
	out, err := explore.Run(toy.NewSystem(f.Program), search.NewNaive(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !out.Complete {
		return out.Executions, 0 // unknown
	}
	return out.Executions - with, out.Executions - bad
}
