package byhand_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// at executes a program up to a position.
func at(t *testing.T, c *toy.Case, chooser *byhand.Chooser) *byhand.View {
	t.Helper()
	chooser.Names = true
	_, err := explore.Run(toy.NewSystem(c.Program), chooser, explore.Options{Conditions: c.Conditions})
	if err != nil {
		t.Fatal(err)
	}
	return chooser.View()
}

// walk goes to every position below one by hand, as somebody would who tries everything, and counts the ends.
func walk(t *testing.T, c *toy.Case, p byhand.Position, ends *int, last *byhand.View) {
	t.Helper()
	chooser := &byhand.Chooser{To: p}
	v := at(t, c, chooser)
	if v.Lost != "" || v.Left != 0 || !slices.Equal(v.Choices, p) {
		t.Fatalf("%s\nposition %s was not reached, but %s: %s", c, p, v.Position, v.Lost)
	}
	if (last == nil) != (v.Before == nil) || last != nil && !slices.EqualFunc(v.Before, last.Actors, sameActor) {
		t.Fatalf("%s\nbefore %s actors were\n%v, and then said to have been\n%v", c, p, last, v.Before)
	}
	if v.Question == "" {
		*ends++
		repeats(t, c, p, chooser, v)
		return
	}
	seen := map[string]bool{}
	for _, o := range v.Enabled {
		if seen[o.Choice] {
			t.Fatalf("%s\nat %s two steps are called %q", c, p, o.Choice)
		}
		seen[o.Choice] = true
		walk(t, c, append(slices.Clone(p), o.Choice), ends, v)
	}
}

func sameActor(a, b byhand.Actor) bool {
	return a.ID == b.ID && a.Blocked == b.Blocked && a.Stopped == b.Stopped && a.Waiting == b.Waiting &&
		slices.Equal(a.Fields, b.Fields)
}

// repeats holds the end of an execution to what leads there otherwise: its position as text, and its steps.
func repeats(t *testing.T, c *toy.Case, p byhand.Position, chooser *byhand.Chooser, v *byhand.View) {
	t.Helper()
	read, err := byhand.Parse(v.Position)
	if err != nil || !slices.Equal(read, p) {
		t.Fatalf("%q is read as %q, %v; want %q", v.Position, read, err, p)
	}
	again := &byhand.Chooser{Steps: chooser.Trace.Schedule(), Onward: true}
	if v := at(t, c, again); len(v.Stale) > 0 || v.Position != p.String() {
		t.Fatalf("%s\nthe steps of %s lead to %s; stale: %q", c, p, v.Position, v.Stale)
	}
	drawn := map[string]int{} // the numbers of the picture
	for _, r := range report.NewPicture(chooser.Trace, report.PictureOptions{}).Rows {
		drawn[r.ID] = r.Step
	}
	number := 0
	for i := range v.Steps {
		s := &v.Steps[i]
		if number = max(number, drawn[s.ID]); s.Number != number {
			t.Fatalf("%s\nat %s step %s has number %d, and %d in the picture", c, p, s.Name, s.Number, number)
		}
		if s.Auto {
			continue // of the system: it may come before all choices
		}
		if s.Choice < 1 || s.Choice > len(p) || s.Default != (p[s.Choice-1] == "") ||
			i > 0 && s.Choice < v.Steps[i-1].Choice {
			t.Fatalf("%s\nstep %d of %s is said to be behind choice %d", c, s.Number, p, s.Choice)
		}
	}
}

// TestByHand: whoever takes every step that is shown as possible comes to the ends that the twin counts, each once.
func TestByHand(t *testing.T) {
	for _, faults := range []trace.Faults{{}, must(trace.ParseFaults("drop,crash"))} {
		o := toy.CompareOptions{Programs: toy.Scale(t, 24), Limit: 60, Faults: faults, Seed: 100}
		cases, _, err := toy.Cases(o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range cases {
			c, ends := &cases[i], 0
			walk(t, c, byhand.Position{}, &ends, nil)
			if ends != c.Want.Executions {
				t.Errorf("%s\n%d ends were reached by hand, want %d", c, ends, c.Want.Executions)
			}
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestTree: the tree of all executions has an end for each, and following the steps to a node leads there.
func TestTree(t *testing.T) {
	cases, _, err := toy.Cases(toy.CompareOptions{Programs: 1, Limit: 60, Models: []trace.Model{trace.Bag}})
	if err != nil {
		t.Fatal(err)
	}
	c := &cases[0]
	tree := byhand.Tree{Most: 1000}
	ends := map[int32]bool{}
	count := 0
	var all func(p byhand.Position)
	all = func(p byhand.Position) {
		chooser := &byhand.Chooser{To: p}
		v := at(t, c, chooser)
		if v.Question == "" {
			count++
			ends[tree.Add(chooser.Trace, "")] = true
		}
		for _, o := range v.Enabled {
			all(append(slices.Clone(p), o.Choice))
		}
	}
	all(byhand.Position{})
	nodes, leaves := tree.News()
	if len(ends) != count || len(leaves) != count || tree.Left != 0 {
		t.Errorf("%d executions end at %d nodes; %d are told", count, len(ends), len(leaves))
	}
	for n := range nodes {
		var path []string
		for m := int32(n + 1); m > 0; m = nodes[m-1].Parent {
			path = append([]string{nodes[m-1].ID}, path...)
		}
		v := at(t, c, &byhand.Chooser{Steps: must(byhand.Path(path))})
		chosen := slices.DeleteFunc(v.Steps, func(s byhand.Step) bool { return s.Auto })
		if len(v.Stale) > 0 || len(chosen) != len(path) || chosen[len(path)-1].ID != nodes[n].ID {
			t.Fatalf("the path to node %d has %d steps and leads %d far; stale: %q", n+1, len(path), len(chosen), v.Stale)
		}
	}
	small := byhand.Tree{Most: 2}
	chooser := &byhand.Chooser{To: byhand.Position{}, Onward: true}
	at(t, c, chooser)
	if end := small.Add(chooser.Trace, ""); len(chooser.Trace.Schedule()) > 2 && (end != 0 || small.Left != 1) {
		t.Errorf("in a full tree the execution ends at node %d, and %d are left out", end, small.Left)
	}
}

// TestLost: a choice that is not there is told, with the place where it is missing.
func TestLost(t *testing.T) {
	cases, _, err := toy.Cases(toy.CompareOptions{Programs: 1, Limit: 60, Models: []trace.Model{trace.Bag}})
	if err != nil {
		t.Fatal(err)
	}
	v := at(t, &cases[0], &byhand.Chooser{To: byhand.Position{"", "x0123456789ab", ""}})
	if v.Position != "1" || v.Left != 2 || !strings.Contains(v.Lost,
		"choice 2 of the position, x0123456789ab, is not possible") {
		t.Errorf("at %q, %d left: %s", v.Position, v.Left, v.Lost)
	}
	v = at(t, &cases[0], &byhand.Chooser{To: must(byhand.Parse("1000"))})
	if v.Lost != "" || v.Left == 0 || len(v.Choices)+v.Left != 1000 {
		t.Errorf("%d choices, %d left: %s", len(v.Choices), v.Left, v.Lost)
	}
}

// TestParse refuses what is no position.
func TestParse(t *testing.T) {
	for _, text := range []string{"0", "-1", "x12", "1..2", "a", "x0123456789aG", "+3", "999999999999", "200000.200000",
		".", "1."} {
		if p, err := byhand.Parse(text); err == nil {
			t.Errorf("%q is read as %d choices", text, len(p))
		}
	}
}

// TestConditions: conditions are read as they were written, and those that make no sense are refused.
func TestConditions(t *testing.T) {
	test := trace.Header{Model: trace.Mailbox, Test: "TestX", Seed: 3}
	h := test
	h.Model, h.Timers, h.Choices, h.Layer, h.Draws, h.Preemptions = trace.FIFO, trace.Async, 1<<63+1, 2, 4, -1
	h.Faults = must(trace.ParseFaults("drop,crash:2"))
	h.Ends = []trace.ForcedEnd{{Value: 3}, {Value: 0}}
	text := byhand.Under(&h, &test)
	back, err := byhand.Conditions(text, test)
	if err != nil || byhand.Under(&back, &h) != "" || back.Test != "TestX" {
		t.Errorf("%s is read as %+v, %v", text, back, err)
	}
	if text := byhand.Under(&test, &test); text != "" {
		t.Errorf("nothing differs: %q", text)
	}
	for _, bad := range []string{"model=x", "model=default", "layer=7", "draws=99999", "faults=earthquake", "ends=-1-x",
		"who=me", "%"} {
		if _, err := byhand.Conditions(bad, test); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestKeys: the steps of one choice have different short keys, also the values of a draw, which differ in a few bits.
func TestKeys(t *testing.T) {
	seen := map[string]trace.ID{}
	for n := range uint64(200) {
		id := trace.ID{Hi: 1, Lo: 2}.With(n)
		s := trace.Step{ID: id}
		for value := range int32(200) {
			of := s.DrawInstead(value).ID
			key := byhand.KeyOf(of)
			if other, ok := seen[key]; ok && other != of {
				t.Fatalf("%s and %s have the key %s", of, other, key)
			}
			seen[key] = of
		}
	}
}

// TestFork: going on to the next choice passes only places where nothing can be chosen.
func TestFork(t *testing.T) {
	cases, _, err := toy.Cases(toy.CompareOptions{Programs: toy.Scale(t, 8), Limit: 60})
	if err != nil {
		t.Fatal(err)
	}
	for i := range cases {
		c := &cases[i]
		for p := (byhand.Position{}); ; {
			v := at(t, c, &byhand.Chooser{To: p, Fork: true})
			far := v.Choices
			if len(far) > len(p) && v.Question != "" && len(v.Enabled) < 2 {
				t.Fatalf("%s\nat %s there is nothing to choose", c, v.Position)
			}
			for n := len(p) + 1; n < len(far); n++ {
				if between := at(t, c, &byhand.Chooser{To: far[:n]}); len(between.Enabled) != 1 || far[n] != "" {
					t.Fatalf("%s\nbetween %s and %s there is something to choose", c, p, v.Position)
				}
			}
			if v.Question == "" {
				break
			}
			p = far
		}
	}
}
