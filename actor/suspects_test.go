package actor_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// unset is a system that does not repeat what Go chooses.
type unset struct{ *actor.System }

func (unset) Unset() string { return "for a reason" }

// A difference under one seed says where to look: at what is not set. Where Go's choices are not set either, at these
// too.
func TestSuspects(t *testing.T) {
	if !chance.Available() {
		t.Skip(chance.Why())
	}
	outlives := 0
	program := actor.New(func(t *explore.T, ctx *actor.Context) {
		to := [2]actor.Ref{ctx.Spawn(actor.Func(func(*actor.Context, any) {})),
			ctx.Spawn(actor.Func(func(*actor.Context, any) {}))}
		outlives++
		ctx.Send(to[outlives%2], 1)
	})
	const alike = "The order of maps, select and random numbers were the same."
	for _, tt := range []struct {
		system explore.System
		want   []string
		alike  bool
	}{
		{program, []string{"package variables", "files", "keyed by pointers", "the clock"}, true},
		{unset{program}, []string{"package variables", "files", "map iteration", "random numbers", "select", "clocks"},
			false},
	} {
		var got []trace.Violation
		o := twice(explore.Options{Found: func(f explore.Found) bool { got = append(got, f.Violations...); return false }})
		out, err := explore.Run(tt.system, search.NewNaive(), o)
		if err != nil || !out.Diverged || len(got) != 1 || got[0].Kind != trace.Divergence {
			t.Fatalf("error %v, %+v, %v", err, out, got)
		}
		if strings.Contains(got[0].Text, alike) != tt.alike {
			t.Errorf("%s", got[0].Text)
		}
		for _, w := range tt.want {
			if !strings.Contains(got[0].Text, w) {
				t.Errorf("nothing of %q in %s", w, got[0].Text)
			}
		}
	}
}
