package gentest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// TestStarts: start hooks of native actors have tests, which expect what they do while their actors are created. They
// wait for nothing, and nobody has sent a message. A failure is a finding if a constructor makes such an actor.
func TestStarts(t *testing.T) {
	text, packages := written(t, "./testdata/starts", `^Foreman\.`)
	for _, want := range []string{`
	// if       f.Workers >= 0, f.Workers == 0
	// does     timer starts.Tick after 1m0s
	// does     send starts.Work{N: f.Each} to self
	// after    f.alone = true; f.Each, f.Workers as before
	t.Run("f.Workers==0,f.Workers>=0", func(t *testing.T) {
		x := steptest.NewStart(t)
		f := &Foreman{}
		x.Start(f)
		x.TimerAfter(time.Minute, Tick{})
		x.Sends(x.Self(), Work{})
		x.Equal("f", f, &Foreman{alone: true})
	})
`, `
		x.Start(f)
		x.TimerAfter(time.Minute, Tick{})
		x.Spawns(&Worker{Boss: x.Self()})
		x.SpawnedAs("worker")
		x.Sends(x.Spawned(1), Work{N: 6})
`, `
	// Finding: the state comes about by NewForeman.
	t.Run("f.Workers<0,reached", func(t *testing.T) {
		x := steptest.NewStart(t)
		f := NewForeman(-1, 0)
		x.Start(f)
		x.Panics("fewer than no workers")
	})
`, `x.Handle(f, Start{})`} {
		if !strings.Contains(text, want) {
			t.Errorf("the file has no\n%s\nit is\n%s", want, text)
		}
	}
	if s := confirmed(t, packages); s.unconfirmed > 0 || s.left > 0 || s.confirmed != 10 {
		t.Errorf("%+v", s)
	}
	var findings []string
	for _, x := range packages[0].Tests {
		if x.Way && x.Finding() && x.State == gentest.Confirmed {
			findings = append(findings, x.Target.Name)
		}
	}
	if !slices.Equal(findings, []string{"Foreman.Start (start hook)"}) {
		t.Errorf("findings: %q", findings)
	}
}

// TestStartWaits: a start hook that waits, or replies, panics.
func TestStartWaits(t *testing.T) {
	_, packages := made(t, ".", "./testdata/starts", "^(Asker|Deputy).Start", gentest.Options{Assumed: true})
	hold(t, packages, 6, false)
	text := ""
	for _, x := range packages[0].Tests {
		text += strings.Join(x.Lines, "\n")
	}
	for _, want := range []string{`x.Panics("Call in a start hook")`, `x.Panics("Reply while no message is being handled")`, "f := &Deputy{Foreman: Foreman{"} {
		if !strings.Contains(text, want) {
			t.Errorf("no test has %s:\n%s", want, text)
		}
	}
}

// TestStartsOfNew: what new actors do in their start hooks is expected of the handler that creates them. Where it could
// not be told from what the creator does, the path is cut.
func TestStartsOfNew(t *testing.T) {
	text, packages := written(t, "./testdata/starts", `^Yard\.Open$`)
	if want := `
		y := &Yard{gate: gate}
		x.Handle(y, Open{})
		x.Spawns(&Gate{yard: x.Self(), n: 1})
		x.Sends(x.Self(), Work{N: 1})
		x.Spawns(&Lamp{})
		x.Sends(x.Spawned(1), x.Spawned(2))
		x.Loses("starts.Tick")
		x.Sends(x.Spawned(1), Work{N: 1})
		x.Equal("y", y, &Yard{gate: x.Spawned(1)})
`; !strings.Contains(text, want) {
		t.Errorf("the file has no\n%s\nit is\n%s", want, text)
	}
	if n := len(packages[0].Tests); n != 1 {
		t.Errorf("%d tests, want 1", n)
	}
	hold(t, packages, 1, false)
	_, packages = made(t, ".", "./testdata/starts", `^Yard\.`, gentest.Options{})
	cuts := map[string]int{}
	for _, s := range packages[0].Suites {
		maps.Copy(cuts, s.Cuts)
	}
	if len(cuts) != 2 || cuts["the start hook of a new actor does timer"] == 0 || cuts["the start hook of a new actor panics: panic"] != 1 {
		t.Errorf("cuts: %v", cuts)
	}
}
