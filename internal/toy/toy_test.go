package toy

import (
	"maps"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

var models = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}

// Naive executes exactly the executions that the dumb twin counts, and ends in the same states equally often.
func TestNaiveAgainstTwin(t *testing.T) {
	const programs, limit = 600, 400
	for _, model := range models {
		t.Run(model.String(), func(t *testing.T) {
			compared, executions, branching := 0, 0, 0
			for seed := uint64(0); compared < programs; seed++ {
				p := Random(seed, All)
				want := Enumerate(p, model, limit)
				if want.Over {
					continue
				}
				compared++
				executions += want.Executions
				if want.Executions > 1 {
					branching++
				}
				s := NewSystem(p)
				finals := map[string]int{}
				s.Ended = func(state string) { finals[state]++ }
				got, err := explore.Run(s, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: model}})
				if err != nil {
					t.Fatal(err)
				}
				if !got.Complete || got.Executions != want.Executions || !maps.Equal(finals, want.Finals) {
					t.Fatalf("seed %d: complete %v, %d executions ending in %v\nthe twin has %d in %v\n%s",
						seed, got.Complete, got.Executions, finals, want.Executions, want.Finals, p)
				}
			}
			t.Logf("%d programs (%d with more than one execution), %d executions", compared, branching, executions)
			if branching < programs/4 {
				t.Errorf("only %d of %d programs have more than one execution: the comparison says little", branching, compared)
			}
		})
	}
}
