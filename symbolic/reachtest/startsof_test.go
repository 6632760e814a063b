package reachtest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// startOf writes a start without the identities of memory, and without the places that know which statement sends.
// References by name are left out, with those that another start has under the same names: the real program knows who
// is meant.
func startOf(s *system.Start, byName map[string]bool) string {
	var b strings.Builder
	owner := ""
	named := func(list []exec.Named) {
		for _, n := range list {
			text := fmt.Sprint(n.Term)
			if identity.MatchString(text) {
				byName[owner+n.Name] = true
			} else if !byName[owner+n.Name] {
				fmt.Fprintf(&b, " %s=%s", n.Name, text)
			}
		}
	}
	for _, a := range s.Actors {
		owner = a.Name + "."
		fmt.Fprintf(&b, "%s %s %v fresh=%v under=%d", a.Name, a.Type, a.Fn, a.Fresh, a.Under)
		named(a.State)
		b.WriteString("\n")
	}
	for _, m := range s.Sent {
		fmt.Fprintf(&b, "%d->%d %v always=%v", m.From, m.To, m.Type, m.Always)
		named(m.Flat)
		b.WriteString("\n")
	}
	fmt.Fprint(&b, s.Receptionists)
	return b.String()
}

var identity = regexp.MustCompile(`^int16\(-?\d{4,}\)$`)

// Drivers that can be executed symbolically make the same when they are run for real: with REHEARSE_TOY those of all
// examples.
func TestStartsAreTheSame(t *testing.T) {
	x := program(t)
	if os.Getenv("REHEARSE_TOY") != "" {
		all, err := readPackages("../../examples", "./...")
		if err != nil {
			t.Fatal(err)
		}
		x = all
	}
	s := x.executed(t)
	want := map[*system.Driver]*system.Start{}
	var drivers []*system.Driver
	for _, d := range s.Drivers() {
		file := x.load.Fset.Position(d.Pos).Filename
		if os.Getenv("REHEARSE_TOY") == "" && filepath.Base(filepath.Dir(file)) != "bank" {
			continue
		}
		if start, err := s.Start(t.Context(), d, system.Config{}); err == nil && len(start.Inexact) == 0 {
			drivers, want[d] = append(drivers, d), start
		}
	}
	if same := sameStarts(t, x, s, drivers, want); same == 0 || same*2 < len(drivers) {
		t.Errorf("%d of %d starts were compared", same, len(drivers))
	}
}

// executed gives the program for executions of its drivers.
func (x *examples) executed(t *testing.T) *system.Program {
	t.Helper()
	solver, err := solve.New(x.store, solve.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { solver.Close() })
	return system.New(x.load, x.store, solver)
}

// sameStarts runs drivers for real, and counts those whose start is wanted.
func sameStarts(t *testing.T, x *examples, s *system.Program, drivers []*system.Driver, want map[*system.Driver]*system.Start) (same int) {
	t.Helper()
	all, err := reachtest.States(t.Context(), reachtest.Run{Scratch: t.TempDir()}, x.load, x.exec, s, drivers)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drivers {
		at := fmt.Sprintf("%s at %s", d.Entry.Name(), x.load.Position(d.Pos))
		if all[d].Why != "" {
			t.Logf("%s: %s", at, all[d].Why)
			continue
		}
		got, err := s.Start(t.Context(), d.RanAs(all[d].States[0]), system.Config{})
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		byName := map[string]bool{}
		b := startOf(want[d], byName)
		if a := startOf(got, byName); len(got.Inexact) > 0 {
			t.Logf("%s: not all was read: %s", at, strings.Join(got.Inexact, "; "))
		} else if a != b {
			t.Errorf("%s: run for real\n%s\nexecuted symbolically\n%s", at, a, b)
		} else {
			same++
		}
	}
	return same
}

// A main that serves somebody outside in a loop makes the same as without the loop, and what it sends there comes from
// outside. One that waits once keeps its cases.
func TestServing(t *testing.T) {
	x, err := readPackages("../tasks/prototest", "./programs/plain")
	if err != nil {
		t.Fatal(err)
	}
	s := x.executed(t)
	want := map[*system.Driver]*system.Start{}
	var drivers []*system.Driver
	for name, leftOut := range map[string]string{"withTicks": "for { ...", "withLines": "lines: ...", "withClock": "for range time.Tick(time.Second) { ...", "withTurn": ""} {
		h := x.byItself(t, name)
		h.way.Own = true
		source := h.source(t, "serving.go:1")
		if said, code, _ := strings.Cut(source, "func "+name); leftOut != "" && (!strings.Contains(said, leftOut) || strings.Contains(code, "for ")) {
			t.Errorf("%s is not left out:\n%s", leftOut, source)
		}
		if name == "withTurn" {
			contains(t, source, "case <-stop:", "case <-time.After(time.Second):")
			continue
		}
		d := s.DriversOf(x.fn(t, plain, name))[0]
		start, err := s.Start(t.Context(), d, system.Config{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "withClock" { // the executor gives it some ticks, and says so
			if len(start.Inexact) == 0 {
				t.Errorf("%s: it is not said that its ticks are not known", name)
			}
			start.Sent = nil
		}
		drivers, want[d] = append(drivers, d), start
	}
	if same := sameStarts(t, x, s, drivers, want); same != len(drivers) {
		t.Errorf("%d of %d starts are the same", same, len(drivers))
	}
}

// seenToWait: a copy does without what was seen to wait for somebody outside.
func seenToWait(t *testing.T, x *examples) {
	h := x.byItself(t, "withServer")
	h.way.Own = true
	contains(t, h.source(t, "main.go:78"), "serve()")
	h.way.Start.Driver.Waits = []string{x.fn(t, plain, "serve").Pkg.Pkg.Path() + ".serve"}
	test := h.source(t, "main.go:78")
	contains(t, test, "system.Root.Send(clerk, Sale{1})", "//\tmain.go:")
	if _, code, _ := strings.Cut(test, "func withServer"); strings.Contains(code, "serve()") {
		t.Errorf("the test still waits:\n%s", code)
	}
}

// Where the time for drivers is over none is run, and each says so. The time is over since long: it does not matter how
// fast the machine is.
func TestNoTimeForDrivers(t *testing.T) {
	x := program(t)
	s := system.New(x.load, x.store, nil)
	drivers := s.Drivers()
	all, err := reachtest.States(t.Context(), reachtest.Run{Scratch: t.TempDir(), Until: time.Unix(1, 0)}, x.load, x.exec, s, drivers)
	if err != nil || len(drivers) == 0 {
		t.Fatalf("%d drivers: %v", len(drivers), err)
	}
	late := 0
	for _, d := range drivers {
		switch ran := all[d]; {
		case len(ran.States)+len(ran.Others) > 0 || ran.Why == "":
			t.Errorf("%s was run, or says nothing", x.load.Position(d.Pos))
		case strings.Contains(ran.Why, "the time for it was over"):
			late++
		}
	}
	if late == 0 {
		t.Errorf("none of %d drivers says that the time was over", len(drivers))
	}
}
