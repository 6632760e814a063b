package system

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/symbolic/internal/concrete"
	"github.com/rehearse-go/rehearse/trace"
)

// This file compares the starts of drivers that were run with those of drivers that were executed symbolically.

// ran gives the start that a system of native actors comes to.
func ran(t *testing.T, s explore.System) *startstate.State {
	t.Helper()
	return concrete.Start(t, s, explore.Conditions{Copy: true})
}

// identity is that of memory, which depends on when it was made.
var identity = regexp.MustCompile(`[a-zA-Z0-9_.\[\]()*"/]+!ref=int16\(-?\d{4,}\)`)

// alike writes a start without the identities of memory.
func alike(s *Start) string { return identity.ReplaceAllString(told(s), "") }

// behindSetUp names the steps that come behind set-up. What set-up has delivered is not in a state.
func behindSetUp(tr *trace.Trace) string {
	var names []string
	for i := tr.Explored; i < len(tr.Events); i++ {
		names = append(names, tr.StepName(tr.Events[i].Step))
	}
	return strings.Join(names, ", ")
}

// variables are systems whose handlers look at package variables, which nothing reads here.
var variables = map[string]bool{"twinMergesort": true, "twinPipesort": true, "twinQuicksort": true}

// TestRunAsExecuted compares starts, and the whole executions that begin there. Of twinCopies the names are others:
// entries of a map come in another order.
func TestRunAsExecuted(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	exact := 0
	for name, system := range real {
		t.Run(name, func(t *testing.T) {
			d := p.DriversOf(function(t, p, name))[0]
			want, err := p.Start(t.Context(), d, Config{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Start(t.Context(), d.RanAs(ran(t, system())), Config{})
			if err != nil {
				t.Fatal(err)
			}
			a, b := alike(got), alike(want)
			switch {
			case len(got.Inexact) > 0:
				t.Log("not all was read:", strings.Join(got.Inexact, "; "))
				return
			case name != "twinCopies" && a != b:
				t.Fatalf("run for real\n%s\nexecuted symbolically\n%s", a, b)
			case variables[name]:
				return
			}
			for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
				tr, path, err := p.Run(t.Context(), got.Driver, model, Config{})
				if err != nil || !path.Exact() {
					t.Fatalf("it was not executed: %v, %+v", err, path)
				}
				whole := executed(t, system(), model)
				if tr.Explored == whole.Explored {
					err = concrete.SameEvents(tr, whole)
				} else if a, b := behindSetUp(tr), behindSetUp(whole); a != b {
					err = fmt.Errorf("%s, want %s", a, b)
				}
				if err != nil {
					t.Errorf("%v: %v", model, err)
				}
			}
			exact++
		})
	}
	if exact < 29 {
		t.Errorf("of %d systems %d were compared to their end, want 29", len(real), exact)
	}
}

// twinCaptures has an actor that is a function literal, whose variable is not read.
func twinCaptures() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		limit := 1
		to := ctx.Spawn(actor.Func(func(_ *actor.Context, msg any) {
			switch {
			case msg.(int) == 3:
				capturesPlain()
			case limit == 5:
				capturesGuessed()
			}
		}))
		limit++
		ctx.Send(to, 1)
	})
}

func capturesPlain()   {}
func capturesGuessed() {}

// A way whose conditions ask something of what was not read is told apart from others.
func TestGuesses(t *testing.T) {
	p := program(t, ".", ".")
	d := p.DriversOf(function(t, p, "twinCaptures"))[0].RanAs(ran(t, twinCaptures()))
	s, err := p.Start(t.Context(), d, Config{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"capturesPlain": false, "capturesGuessed": true} {
		found := p.Search(t.Context(), s, []Goal{{Block: function(t, p, name).Blocks[0]}}, trace.Bag, Bounds{Outside: 1, Steps: 2})
		if w := found.Ways[0]; w == nil || w.Guesses() != want {
			t.Errorf("%s: %+v, want one that guesses: %v", name, w, want)
		}
	}
}
