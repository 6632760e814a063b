package target_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// assumedSeeds are systems with places that assumptions exclude. REHEARSE_TOY=1 takes the first 20 of all.
var assumedSeeds = []uint64{9, 25, 40}

// What is assumed of messages from outside restricts the search as it does the twin.
func TestAssumeAgainstToys(t *testing.T) {
	seeds := assumedSeeds
	if n := 20 * number("REHEARSE_TOY", 0); n > 0 {
		seeds = nil
		for i := range n {
			seeds = append(seeds, uint64(i))
		}
	}
	var systems []*toysys.System
	for _, seed := range seeds {
		systems = append(systems, toysys.Random(seed))
	}
	x := readToys(t, systems)
	excluded := 0
	for i := range systems {
		places := x.places(t, i)
		for _, m := range []trace.Model{trace.Bag, trace.Mailbox} {
			excluded += x.compareAssumed(t, i, m, places)
		}
	}
	if excluded < len(seeds) {
		t.Errorf("%d places are excluded: want at least %d", excluded, len(seeds))
	}
}

// compareAssumed compares answers under an assumption, and counts the places that it excludes.
func (x *toys) compareAssumed(t *testing.T, i int, m trace.Model, places map[int]system.Goal) (excluded int) {
	t.Helper()
	s := x.systems[i]
	only := func(typ, v int) bool { return typ != 0 || v == 1 }
	bounds := toysys.Bounds{Model: m, Outside: 1, Runs: 2, States: toyStates, Shapes: shapes(t, x.starts[i], true)}
	free := s.Reach(bounds)
	bounds.Only = only
	want := s.Reach(bounds)
	if free.Over || want.Over {
		return 0
	}
	for l := range s.Labels {
		a, err := x.engine.Reach(t.Context(), x.starts[i], &target.Target{Goal: places[l], Name: fmt.Sprint(l)}, target.Config{Model: m, Steps: 2, Outside: 1, Actors: 30,
			Timeout: time.Hour, Nodes: 20, Queries: 2000, Follows: 20, Runs: toySearches, Assume: []string{"M0.N == 1"}})
		if err != nil {
			t.Fatal(err)
		}
		_, yes := want.Runs[l]
		if _, before := free.Runs[l]; before && !yes {
			excluded++
		}
		switch {
		case a.Verdict == target.GaveUp:
			t.Logf("seed %d, %v: place %d: gave up: %v", s.Seed, m, l, a.Reasons)
		case a.Verdict == target.Found && !yes && len(a.Way.Order) <= 2, a.Verdict == target.Infeasible && yes:
			t.Errorf("seed %d, %v: place %d: %v, and by the twin reachable: %v", s.Seed, m, l, a.Verdict, yes)
		case a.Verdict == target.Infeasible && !strings.Contains(a.Bounds, "assuming M0.N == 1"):
			t.Errorf("the bounds %q do not tell the assumption", a.Bounds)
		case a.Verdict == target.Found:
			eval := a.Way.Model.Evaluator()
			for _, e := range a.Way.Outside {
				for _, part := range e.Flat {
					if v := eval.Eval(part.Term); part.Name == "msg.N" && !only(typeNumber(t, e.Type), int(v.Int())) {
						t.Errorf("seed %d, %v: place %d: a message from outside has the number %v", s.Seed, m, l, v)
					}
				}
			}
		}
	}
	return excluded
}

// teller is a program whose messages have a number, a text and a truth value.
const teller = `package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type Order struct {
	Amount int
	From   struct{ Name string }
	Urgent bool
}

func zzHonest(o Order) bool {
	switch {
	case o.Urgent:
		return o.Amount > 10
	}
	return o.From.Name != "nobody"
}

type zzTeller struct{ seen []int }

func (z *zzTeller) Receive(ctx *actor.Context, msg any) {
	if o, ok := msg.(Order); ok {
		if o.Amount < 0 {
			ctx.T().Errorf("negative")
		}
		if o.Urgent && o.Amount == 7 {
			ctx.T().Logf("seven, at once")
		}
		if o.From.Name == "nobody" {
			ctx.T().Helper()
		}
	}
}

func ZZ() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(&zzTeller{}), Order{Amount: -1})
	})
}
`

// Comparisons, functions and lists of strings restrict messages from outside, also in place of what the driver itself
// sends.
func TestAssume(t *testing.T) {
	b, s := written(t, "../../subjects/tap", teller)
	negative, seven, nobody := b.calls("zzTeller", "Order", "Errorf"), b.calls("zzTeller", "Order", "Logf"), b.calls("zzTeller", "Order", "Helper")
	for _, c := range []struct {
		config target.Config
		at     *target.Target
		want   target.Verdict
	}{
		{target.Config{}, negative, target.Found},
		{target.Config{Assume: []string{"Order.Amount >= 0"}}, negative, target.Infeasible},
		{target.Config{Assume: []string{"tap.Order.Amount > -2 && Order.Amount != 0"}}, negative, target.Found},
		{target.Config{Assume: []string{"Order.Amount >= 0"}, Own: true}, negative, target.Found},
		{target.Config{Assume: []string{"zzHonest"}}, seven, target.Infeasible},
		{target.Config{Assume: []string{"zzHonest"}}, negative, target.Found},
		{target.Config{Assume: []string{"!Order.Urgent"}}, seven, target.Infeasible},
		{target.Config{Assume: []string{"Order.Amount == 7", "Order.Urgent"}}, seven, target.Found},
		{target.Config{Strings: []string{"ann", "nobody"}}, nobody, target.Found},
		{target.Config{Strings: []string{"ann", "bob"}}, nobody, target.Infeasible},
		{target.Config{Assume: []string{`Order.From.Name == "ann"`}}, nobody, target.Infeasible},
	} {
		c.config.Model, c.config.Steps = trace.Bag, 2
		a, err := b.engine.Reach(t.Context(), s, c.at, c.config)
		if err != nil || a.Verdict != c.want {
			t.Errorf("%q, strings %q: %v, %v, want %v", c.config.Assume, c.config.Strings, a, err, c.want)
		}
	}
}

// What no message has is an error that says what is wanted.
func TestAssumeErrors(t *testing.T) {
	b, s := written(t, "../../subjects/tap", teller)
	for text, want := range map[string]string{
		"Order.Price > 0":      "no message has what it names",
		"zzTeller.seen == nil": "no message has what it names",
		"Order.From == 1":      "no message has what it names",
		"1 > 0":                "no message has what it names",
		"Order.Amount > ":      "no message has what it names",
		`Order.Amount > "a"`:   "assumption \"Order.Amount > \\\"a\\\"\"",
		"zzDishonest":          "there is no function zzDishonest",
		"ZZ":                   "want a function of one message that gives a bool",
	} {
		_, err := b.engine.Reach(t.Context(), s, b.calls("zzTeller", "Order", "Errorf"), target.Config{Assume: []string{text}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// What is assumed may be about a message that only the driver of another start sends: no handler has a case for it. It
// counts for each search behind that, too.
func TestAssumeOfOtherStarts(t *testing.T) {
	b, s := written(t, "../../subjects/tap", teller)
	at, config := b.calls("zzTeller", "Order", "Errorf"), target.Config{Steps: 1, Assume: []string{"registry.first > 0"}}
	if _, err := b.engine.Reach(t.Context(), s, at, config); err == nil {
		t.Fatal("nobody sends a registry, and it has a meaning to assume something of it")
	}
	b.engine.Knows([]*system.Start{{Shapes: []system.Shape{{Type: b.named("registry"), Sent: true}}}})
	if _, err := b.engine.Reach(t.Context(), s, at, config); err != nil {
		t.Error(err)
	}
}
