package baseline_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// classesOf gives the classes that a search executes to their ends.
func classesOf(t *testing.T, sys explore.System, s explore.Strategy) map[string]bool {
	t.Helper()
	classes, executions := map[string]bool{}, 0
	_, err := explore.Run(sys, s, explore.Options{Conditions: explore.Conditions{Model: trace.Bag},
		After: func(c *explore.Counters, tr *trace.Trace) {
			if c.Executions > executions { // not blocked
				executions = c.Executions
				classes[toy.ClassKey(trace.Bag, tr)] = true
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	return classes
}

// script is an actor that sends what it is told to on each message, or stops.
type script map[msg]func(ctx *actor.Context)

func (s script) Receive(ctx *actor.Context, m any) {
	if do := s[m.(msg)]; do != nil {
		do(ctx)
	}
}

// woken has a step that is asleep where its actor is explored, and that another actor wakes later: m0 was explored
// first; q sends its actor m5 and has target stop; then m0, which sends target something, is another step than before,
// and may come before m5.
func woken() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var x, y, target actor.Ref
		t.SetUp(func() {
			x = ctx.SpawnNamed("X", script{"m0": func(ctx *actor.Context) { ctx.Send(target, msg("m7")) }})
			y = ctx.SpawnNamed("Y", script{"q": func(ctx *actor.Context) {
				ctx.Send(x, msg("m5"))
				ctx.Send(target, msg("m6"))
			}})
			target = ctx.SpawnNamed("target", script{"m6": (*actor.Context).Stop})
		})
		ctx.Send(x, msg("m0"))
		ctx.Send(y, msg("q"))
	})
}

// twoDie has two actors that stop after two messages each: b1 is pending for B, a0 for A. a0 sends A x and y; y sends B
// b2; x sends A two more, which nobody takes.
func twoDie() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var a, b actor.Ref
		t.SetUp(func() {
			b = ctx.SpawnNamed("B", &mortal{})
			a = ctx.SpawnNamed("A", &mortal{peer: b})
		})
		ctx.Send(b, msg("b1"))
		ctx.Send(a, msg("a0"))
	})
}

type mortal struct {
	peer  actor.Ref
	taken int
}

func (m *mortal) Receive(ctx *actor.Context, message any) {
	switch message.(msg) {
	case "a0":
		ctx.Send(ctx.Self(), msg("x"))
		ctx.Send(ctx.Self(), msg("y"))
	case "x":
		ctx.Send(ctx.Self(), msg("x1"))
		ctx.Send(ctx.Self(), msg("x2"))
	case "y":
		ctx.Send(m.peer, msg("b2"))
	}
	if m.taken++; m.taken == 2 {
		ctx.Stop()
	}
}

// TestHiddenClasses: classes that are easily lost. In twoDie messages that are left for stopped actors take part in
// races.
func TestHiddenClasses(t *testing.T) {
	for program, tt := range map[string]struct {
		make    func() *actor.System
		classes int
	}{
		"two die": {twoDie, 3},
		"woken":   {woken, 6},
	} {
		want := classesOf(t, tt.make(), search.NewNaive())
		if len(want) != tt.classes {
			t.Errorf("%s: naive finds %d classes, want %d", program, len(want), tt.classes)
		}
		for reduction, create := range reductions {
			for _, name := range order.Names() {
				if got := classesOf(t, tt.make(), create(byName(t, name))); len(got) != len(want) {
					t.Errorf("%s: %s/%s finds %d classes, want %d", program, reduction, name, len(got), len(want))
				}
			}
		}
	}
}

// TestCutHidesNothing: b1 fails before x, which would make a race with it, is sent; x before b1 fails otherwise.
func TestCutHidesNothing(t *testing.T) {
	sys := func() *actor.System {
		return actor.New(func(t *explore.T, ctx *actor.Context) {
			var a, b actor.Ref
			t.SetUp(func() {
				seen := false
				b = ctx.SpawnNamed("B", actor.Func(func(_ *actor.Context, m any) {
					switch {
					case m == msg("x"):
						seen = true
					case seen:
						panic("late")
					default:
						t.Error("early")
					}
				}))
				a = ctx.SpawnNamed("A", actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(b, msg("x")) }))
			})
			ctx.Send(b, msg("b1"))
			ctx.Send(a, msg("a0"))
		})
	}
	for reduction, create := range reductions {
		for _, name := range order.Names() {
			if got := violations(t, sys(), create(byName(t, name)), trace.Bag); len(got) != 2 {
				t.Errorf("%s/%s finds %v, want both", reduction, name, got)
			}
		}
	}
}
