package actor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
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

// All that is drawn between two choices is explored, with and without taking steps back; what is run again to learn it
// is no execution.
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
		"around a choice": {onMessage(func(c *actor.Context) { draw(2); c.Choose(2); draw(1 + uint32(c.Choose(2))) }),
			2 * 2 * 3},
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
				out, err := explore.Run(actor.New(tt.program), search.NewNaive(),
					explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: 9}, Rerun: again,
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

// Goroutines that a program starts only in later executions leave the result incomplete, too, if they outlive their
// handlers: with numbered draws it is looked for in all executions, and without it is not taken for granted.
func TestGoroutinesOfLaterExecutions(t *testing.T) {
	if !chance.Available() || !goroutine.Countable() {
		t.Skip("goroutines are not looked for")
	}
	for _, draws := range []int{-1, 9} {
		if draws > 0 {
			numberedDraws(t)
		}
		handled, over := 0, make(chan bool)
		defer close(over)
		sys := actor.New(func(_ *explore.T, c *actor.Context) {
			a := c.Spawn(actor.Func(func(*actor.Context, any) {
				if handled++; handled > 250 {
					go func() { <-over }()
				}
			}))
			for i := range 5 {
				c.Send(a, i)
			}
		})
		o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: draws}, Rerun: true}
		out, err := explore.Run(sys, search.NewNaive(), o)
		if err != nil || out.Executions != 120 || out.Complete || out.OneOrder ||
			!strings.Contains(out.Uncontrolled, "goroutines") {
			t.Errorf("draws %d: %+v, %v", draws, out, err)
		}
	}
}

// chosenEarly are programs that draw in the middle of much else: identities, order and what belongs to which event must
// be as if the driver had been asked.
func chosenEarly(f *chancetest.Fake) map[string]func(*explore.T, *actor.Context) {
	draw := func(n uint32) int { return int(f.Draw(chance.Select, n)) }
	sink := func(c *actor.Context) actor.Ref { return c.Spawn(actor.Func(func(*actor.Context, any) { draw(2) })) }
	return map[string]func(*explore.T, *actor.Context){
		"sends": onMessage(func(c *actor.Context) {
			a, b := sink(c), sink(c)
			for range 1 + draw(2) {
				c.Send(a, draw(3))
				c.Send(b, "text")
			}
			c.Become(actor.Func(func(*actor.Context, any) {}))
		}),
		"choices": onMessage(func(c *actor.Context) {
			draw(2)
			c.Choose(2)
			c.Send(sink(c),
				draw(1+uint32(c.Choose(2))))
			draw(2)
		}),
		"hooks": onMessage(func(c *actor.Context) { draw(2); c.Spawn(&drawsFirst{fake: f, chooses: true}); draw(2) }),
		"calls": func(t *explore.T, c *actor.Context) {
			var server actor.Ref
			t.SetUp(func() { server = c.Spawn(actor.Func(func(c *actor.Context, _ any) { draw(2); c.Reply(1) })); draw(2) })
			draw(2)
			c.Call(server, 1)
			draw(3)
			c.Send(server, 2)
		},
		"tasks": onMessage(func(c *actor.Context) {
			other := c.Spawn(actor.Func(func(c *actor.Context, _ any) { draw(2); c.Reply(1) }))
			f := c.Ask(other, 1)
			draw(2)
			c.Await(f)
			draw(2)
		}),
		"panics": onMessage(func(*actor.Context) {
			if draw(3) == 1 {
				panic("drawn")
			}
		}),
		"numbers": onMessage(func(c *actor.Context) {
			to := sink(c)
			for range 2*draw(2) + int(f.Number()%5) {
				c.Send(to, draw(2))
			}
		}),
		"timers": onMessage(func(c *actor.Context) { c.After(time.Duration(1+draw(2)), draw(2)); c.Stop() }),
	}
}

// A strategy that samples executes each execution once, whatever is drawn in it. What it has drawn is in the record as
// if it had been asked for: the execution repeats, step for step, where it is.
func TestDrawsThatAreSampled(t *testing.T) {
	f := numberedDraws(t)
	for name, program := range chosenEarly(f) {
		for _, model := range []trace.Model{trace.Bag, trace.Mailbox, trace.Causal} {
			seen := map[string]int{}
			runs, drawn := 0, 0
			o := explore.Options{Conditions: explore.Conditions{Model: model, Draws: 4, Sampled: true},
				Budget: explore.Budget{Executions: 30}, Check: &check.Checker{},
				After: func(_ *explore.Counters, tr *trace.Trace) {
					seen[choicesIn(tr)]++
					for i := range tr.Events {
						if tr.Events[i].Step.Kind == trace.Draw {
							drawn++
						}
						belongs(t, tr, int32(i))
					}
				}}
			counted := actor.New(func(t *explore.T, c *actor.Context) { runs++; program(t, c) })
			out, err := explore.Run(counted, sample.NewRandom(3), o)
			if err != nil || out.Executions != 30 || runs != 30 || drawn < 30 || len(seen) < 2 {
				t.Errorf("%s under %s: %d runs for %d executions, %d draws, %d different ones, %v", name, model, runs,
					out.Executions, drawn, len(seen), err)
			}
			o.Again, o.Repeat = func(int) bool { return true },
				func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) }
			o.Found = func(f explore.Found) bool {
				if f.Violations[0].Kind == trace.Divergence {
					t.Errorf("%s under %s: %s", name, model, f.Violations[0].Text)
				}
				return true
			}
			if out, err = explore.Run(counted, sample.NewRandom(3), o); err != nil || out.Rechecked < 20 || out.Diverged {
				t.Errorf("%s under %s: %+v, %v", name, model, out, err)
			}
		}
	}
}

// belongs holds what an event has done to what is known of who did it.
func belongs(t *testing.T, tr *trace.Trace, e int32) {
	for _, m := range tr.Events[e].Sent {
		if tr.Messages[m].SentBy != e {
			t.Errorf("event %d has sent %s, which is said to be sent by %d", e, tr.MessageName(m), tr.Messages[m].SentBy)
		}
	}
	for _, a := range tr.Events[e].Created {
		if tr.Actors[a].Creator != e {
			t.Errorf("event %d has created %s, which is said to be of %d", e, tr.ActorName(a), tr.Actors[a].Creator)
		}
	}
}

// onMessage is a program with one actor that gets one message.
func onMessage(f func(*actor.Context)) func(*explore.T, *actor.Context) {
	return func(_ *explore.T, c *actor.Context) {
		c.Send(c.Spawn(actor.Func(func(c *actor.Context, _ any) { f(c) })), 1)
	}
}

// A violation that takes a value other than the default is found, its execution repeats, and a replay of its draws
// alone violates the same.
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
	if len(forced) != 2 || forced[0].Value != 1 || forced[1].Value != 2 ||
		!strings.Contains(replay.Describe(forced[1]), "place 3 of 3") {
		t.Errorf("the draws of the schedule are %+v", forced)
	}
	o.Again, o.Repeat = nil, nil
	r := replay.New(forced)
	if out, err = explore.Run(sys, r, o); err != nil || out.Executions != 1 || len(slices.Compact(keys)) != 1 ||
		len(keys) < 2 || len(r.Stale()) > 0 {
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
		"set-up": {func(t *explore.T, _ *actor.Context) { t.SetUp(func() { f.Draw(chance.Map, 2) }) }, 9,
			"map at an unknown place"},
		"too many": {onMessage(func(*actor.Context) { f.Draw(chance.Map, 2); f.Draw(chance.Select, 2) }), 1,
			"select at an unknown place"},
		"off":       {onMessage(func(*actor.Context) { f.Draw(chance.Map, 2) }), 0, "map at an unknown place"},
		"one value": {onMessage(func(*actor.Context) { f.Draw(chance.Map, 1) }), 0, ""},
	} {
		out, err := explore.Run(actor.New(tt.program), search.NewNaive(),
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: tt.draws}})
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
