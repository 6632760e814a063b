package actor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/chance/chancetest"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// numberedDraws has the draws of programs come from a fake.
func numberedDraws(t *testing.T) *chancetest.Fake {
	f := new(chancetest.Fake)
	t.Cleanup(chance.SetSource(f))
	return f
}

// drawsFirst draws when it is created, and may choose a value and draw once more.
type drawsFirst struct {
	fake    *chancetest.Fake
	chooses bool
}

func (s *drawsFirst) Start(c *actor.Context) {
	s.fake.Draw(chance.Map, 2)
	if s.chooses {
		c.Choose(2)
		s.fake.Draw(chance.Map, 2)
	}
}

func (*drawsFirst) Receive(*actor.Context, any) {}

// choicesIn are the steps of an execution.
func choicesIn(tr *trace.Trace) string {
	all := ""
	for i := range tr.Events {
		all += tr.Events[i].Step.ID.String() + " "
	}
	return all
}

// All that is drawn between two choices is explored, with and without taking steps back; what is run again to learn it is no execution.
func TestDrawsAreExplored(t *testing.T) {
	f := numberedDraws(t)
	draw := func(n uint32) int { return int(f.Draw(chance.Select, n)) }
	for name, tt := range map[string]struct {
		program func(*explore.T, *actor.Context)
		want    int
	}{
		"test function": {func(*explore.T, *actor.Context) { draw(3) }, 3},
		"one after the other": {onMessage(func(*actor.Context) {
			for n := draw(3); n > 0; n-- {
				draw(2)
			}
		}), 1 + 2 + 4},
		"around a choice":        {onMessage(func(c *actor.Context) { draw(2); c.Choose(2); draw(1 + uint32(c.Choose(2))) }), 2 * 2 * 3},
		"start hook":             {onMessage(func(c *actor.Context) { draw(2); c.Spawn(&drawsFirst{fake: f}); draw(2) }), 8},
		"choice in a start hook": {onMessage(func(c *actor.Context) { draw(2); c.Spawn(&drawsFirst{fake: f, chooses: true}); draw(2) }), 32},
		"behind a call": {func(_ *explore.T, c *actor.Context) {
			server := c.Spawn(actor.Func(func(c *actor.Context, _ any) { draw(2); c.Reply(1) }))
			draw(2)
			c.Call(server, 1)
			draw(2)
		}, 8},
		"panic": {onMessage(func(*actor.Context) {
			if v := draw(4); v > 1 {
				panic(v)
			}
		}), 4},
		"two orders": {func(_ *explore.T, c *actor.Context) {
			a := c.Spawn(actor.Func(func(*actor.Context, any) { draw(2) }))
			c.Send(a, 10)
			c.Send(a, 20)
		}, 2 * 2 * 2},
	} {
		for _, again := range []bool{false, true} {
			t.Run(fmt.Sprint(name, again), func(t *testing.T) {
				seen := map[string]int{}
				out, err := explore.Run(actor.New(tt.program), search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: 9}, Rerun: again,
					After: func(_ *explore.Counters, tr *trace.Trace) { seen[choicesIn(tr)]++ }})
				if err != nil || !out.Complete || out.Executions != tt.want || out.OneSeed != "" {
					t.Errorf("want %d executions: %+v, %v", tt.want, out, err)
				}
				if len(seen) != tt.want {
					t.Errorf("the executions are not all different: %v", seen)
				}
			})
		}
	}
}

// onMessage is a program with one actor that gets one message.
func onMessage(f func(*actor.Context)) func(*explore.T, *actor.Context) {
	return func(_ *explore.T, c *actor.Context) {
		c.Send(c.Spawn(actor.Func(func(c *actor.Context, _ any) { f(c) })), 1)
	}
}

// A violation that takes a value other than the default is found, its execution repeats, and a replay of its draws alone violates the same.
func TestDrawsOfAFinding(t *testing.T) {
	f := numberedDraws(t)
	sys := actor.New(onMessage(func(c *actor.Context) {
		a, b := f.Draw(chance.Map, 3), f.Draw(chance.Map, 3)
		if a == 1 && b == 2 {
			c.T().Errorf("both")
		}
	}))
	cond := explore.Conditions{Model: trace.Bag, Draws: 9}
	var found *trace.Trace
	var keys []string
	o := explore.Options{Conditions: cond, Check: &check.Checker{}, Again: func(int) bool { return true },
		Repeat: func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) },
		Found: func(x explore.Found) bool {
			found = x.Trace.Clone()
			keys = append(keys, x.Violations[0].Key())
			return true
		}}
	out, err := explore.Run(sys, search.NewNaive(), o)
	if err != nil || out.Executions != 9 || out.Diverged || found == nil {
		t.Fatalf("%+v, %v, found %v", out, err, found)
	}
	var forced []trace.Forced
	for _, s := range found.Schedule() {
		if s.Kind == trace.Draw {
			forced = append(forced, s)
		}
	}
	if len(forced) != 2 || forced[0].Value != 1 || forced[1].Value != 2 || !strings.Contains(replay.Describe(forced[1]), "place 3 of 3") {
		t.Errorf("the draws of the schedule are %+v", forced)
	}
	o.Again, o.Repeat = nil, nil
	r := replay.New(forced)
	if out, err = explore.Run(sys, r, o); err != nil || out.Executions != 1 || len(slices.Compact(keys)) != 1 || len(keys) < 2 || len(r.Stale()) > 0 {
		t.Errorf("replayed: %+v, %v, found %q, stale %v", out, err, keys, r.Stale())
	}
}

// What is not asked for takes away "complete", with its kind; what nobody draws takes nothing away.
func TestOneSeedOfDraws(t *testing.T) {
	f := numberedDraws(t)
	for name, tt := range map[string]struct {
		program func(*explore.T, *actor.Context)
		draws   int
		want    string
	}{
		"set-up":    {func(t *explore.T, _ *actor.Context) { t.SetUp(func() { f.Draw(chance.Map, 2) }) }, 9, "map at an unknown place"},
		"too many":  {onMessage(func(*actor.Context) { f.Draw(chance.Map, 2); f.Draw(chance.Select, 2) }), 1, "select at an unknown place"},
		"off":       {onMessage(func(*actor.Context) { f.Draw(chance.Map, 2) }), 0, "map at an unknown place"},
		"one value": {onMessage(func(*actor.Context) { f.Draw(chance.Map, 1) }), 0, ""},
	} {
		out, err := explore.Run(actor.New(tt.program), search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: tt.draws}})
		if err != nil || out.OneSeed != tt.want || out.Complete != (tt.want == "") || !out.Exhausted {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

// A part that draws otherwise when it is run again is a choice that is not ours.
func TestDrawsThatChange(t *testing.T) {
	f := numberedDraws(t)
	n := uint32(2)
	out, err := explore.Run(actor.New(onMessage(func(*actor.Context) { n++; f.Draw(chance.Map, n) })), search.NewNaive(),
		explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: 9}, Budget: explore.Budget{Executions: 20}})
	if err != nil || out.Complete || !strings.Contains(out.Uncontrolled, "values before") {
		t.Errorf("%+v, %v", out, err)
	}
}
