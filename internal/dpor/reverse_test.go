package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// Reverse search executes every class exactly once and begins nothing in vain, or it says that it does not answer for the program. The
// latter must stay rare, and never happens where no actor stops another one and nothing is chosen.
func TestReverseIsExactOrSaysWhy(t *testing.T) {
	plain := toy.Full
	plain.Stop, plain.Choices = false, false
	for _, tt := range []struct {
		name     string
		features toy.Features
		programs int
		doubts   float64 // at most this part
	}{
		{"no stops, no choices", plain, 100, 0},
		{"everything", toy.Full, 120, 0.25},
		{"answers before sends", answers, 60, 0.25},
	} {
		for _, model := range toy.Models {
			for _, timers := range toy.TimerModes {
				t.Run(tt.name+" "+model.String()+" "+timers.String(), func(t *testing.T) {
					cases, _, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{model}, Timers: []trace.TimerMode{timers},
						Features: tt.features, Programs: tt.programs, Limit: 500})
					if err != nil {
						t.Fatal(err)
					}
					sure := answeredFor(t, cases)
					if doubted := len(cases) - len(sure); float64(doubted) > tt.doubts*float64(len(cases)) {
						t.Errorf("%d of %d programs are not answered for", doubted, len(cases))
					}
					if _, err := toy.CompareOn(sure, func() explore.Strategy { return NewReverse() }, toy.Exact); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// answeredFor gives the cases for which the search does not say that it may miss classes.
func answeredFor(t *testing.T, cases []toy.Case) []toy.Case {
	var sure []toy.Case
	for _, k := range cases {
		r := NewReverse()
		out, err := explore.Run(toy.NewSystem(k.Program), r, explore.Options{Conditions: k.Conditions})
		if err != nil || out.Complete != (r.doubt == "") || out.PassedOver != r.doubt {
			t.Fatalf("%s\nwhy %q, %+v, %v", k, r.doubt, out, err)
		}
		if out.Complete {
			sure = append(sure, k)
		}
	}
	return sure
}

// What the actors of a native program would have accepted is known, so that no plan is refused.
func TestConstraintsOfNativeActors(t *testing.T) {
	for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil), NewReverse()} {
		out, err := explore.Run(subjects.Philosophers(2), s, explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
		if err != nil || out.Executions != 3 || out.Blocked != 0 || !out.Complete {
			t.Errorf("%s: %+v, %v; want 3 executions", s.Name(), out, err)
		}
	}
}

// Under every delivery model reverse executes each class of the subjects once and blocks nothing.
func TestReverseOnSubjects(t *testing.T) {
	for _, tt := range classes {
		for i, model := range toy.Models {
			out := all(t, tt.make(), NewReverse(), model)
			if tt.want[i] < 0 {
				tt.want[i] = all(t, tt.make(), NewOptimal(nil), model).Classes
			}
			if out.Executions != tt.want[i] || out.Classes != tt.want[i] || out.Blocked > 0 {
				t.Errorf("%s under %s: %d executions, %d blocked, want %d classes", tt.name, model, out.Executions, out.Blocked, tt.want[i])
			}
		}
	}
}
