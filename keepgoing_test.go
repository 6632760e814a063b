package rehearse

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
)

// faulty fails in three ways: by what comes first, and by what comes last.
func faulty() System {
	return actor.New(func(t *T, ctx *actor.Context) {
		first := ""
		a := ctx.SpawnNamed("a", actor.Func(func(ctx *actor.Context, msg any) {
			switch kind := fmt.Sprintf("%T", msg); {
			case first == "":
				first = kind
			case first == "rehearse.withdraw" && kind == "rehearse.deposit":
				panic("bug 1")
			case first == "rehearse.withdraw":
				ctx.T().Error("bug 2")
			}
		}))
		ctx.Send(a, deposit{1})
		ctx.Send(a, withdraw{1})
		ctx.Send(a, withdraw{2})
	})
}

// With KeepGoing a Check reports each different violation, each with a schedule of its own; without, the first.
func TestKeepGoing(t *testing.T) {
	folder(t)
	f, r := try(t, Config{}, faulty(), env{"REHEARSE_SAVE": "off"})
	if len(r.Findings) != 1 || len(f.out.errors) != 1 {
		t.Fatalf("without: %d findings\n%s", len(r.Findings), f.text())
	}
	f, r = try(t, Config{KeepGoing: true}, faulty(), env{})
	if len(r.Findings) != 2 || len(f.out.errors) != 2 || r.Reason != "complete" {
		t.Fatalf("%d findings, %s\n%s", len(r.Findings), r, f.text())
	}
	for _, x := range r.Findings {
		if _, err := os.Stat(x.File); err != nil || len(x.Schedule.Steps) > 2 || x.Culprit == "" {
			t.Errorf("%v; %d forced steps; %s", err, len(x.Schedule.Steps), x.Culprit)
		}
	}
	contains(t, f.text(), "bug 1", "bug 2")

	// The saved schedules fail first, and what they show is not told again.
	f, r = try(t, Config{}, faulty(), env{"REHEARSE_KEEP_GOING": "1"})
	if len(r.Findings) != 2 || len(f.out.subtests) != 2 || len(f.out.errors) != 2 || r.Executions == 0 {
		t.Errorf("%d findings, %d subtests, %s", len(r.Findings), len(f.out.subtests), r)
	}
	if len(schedules(t)) != 2 {
		t.Errorf("saved are %q", schedules(t))
	}
}

// A known bug does not end the search for others, and other violations fail the test.
func TestKeepGoingBesideAKnownBug(t *testing.T) {
	folder(t)
	known := &Expectation{Kind: Panic, Text: "bug 1"}
	f, r := try(t, Config{KeepGoing: true, Expect: known}, faulty(), env{})
	contains(t, f.log(), "found as expected", "bug 1")
	contains(t, f.text(), "bug 2")
	if len(r.Findings) != 2 || strings.Contains(f.text(), "bug 1") {
		t.Errorf("%d findings\n%s", len(r.Findings), f.text())
	}
	f, _ = try(t, Config{KeepGoing: true, Budget: "1x", Expect: known}, faulty(), env{"REHEARSE_SAVE": "off"})
	if !f.failed {
		t.Error("one execution shows not everything, and the test passes")
	}
}

// oneLine fails at one place with two texts: by what comes first.
func oneLine() System {
	return actor.New(func(t *T, ctx *actor.Context) {
		n := 0
		a := ctx.SpawnNamed("a", actor.Func(func(ctx *actor.Context, msg any) {
			n++
			why := ""
			if w, ok := msg.(withdraw); ok && n == 1 {
				why = fmt.Sprintf("too early by %d", w.Amount)
			} else if ok && n == 3 {
				why = "too late"
			}
			if why != "" {
				ctx.T().Error(why)
			}
		}))
		ctx.Send(a, deposit{1})
		ctx.Send(a, deposit{2})
		ctx.Send(a, withdraw{1})
	})
}

// What fails at one place is one finding, and the texts that it fails with are told. A known bug hides no other one
// there.
func TestTextsOfOnePlace(t *testing.T) {
	for _, strategy := range []string{"naive", "auto", "optimal"} {
		folder(t)
		c := Config{KeepGoing: true, Strategy: strategy}
		f, r := try(t, c, oneLine(), env{"REHEARSE_SAVE": "off"})
		if len(r.Findings) != 1 || strategy == "naive" && !strings.Contains(r.Findings[0].Note, "with other texts: too ") {
			t.Errorf("%s: %d findings\n%s", strategy, len(r.Findings), f.text())
		}
		for _, text := range []string{"too early", "too late"} {
			c.Expect = &Expectation{Kind: Assertion, Text: text}
			f, r = try(t, c, oneLine(), env{"REHEARSE_SAVE": "off"})
			expected, other := 0, 0
			for _, x := range r.Findings {
				switch is := strings.Contains(x.Violation.Text, text); {
				case is && x.Expected:
					expected++
				case !is && !x.Expected:
					other++
				}
			}
			if expected != 1 || other != 1 || len(f.out.errors) != 1 {
				t.Errorf("%s, expecting %q: %d findings, %d errors\n%s", strategy, text, len(r.Findings), len(f.out.errors),
					f.text())
			}
		}
	}
}

// A finding counts executions as the result does, and those that were cut short beside them.
func TestFindingCountsExecutions(t *testing.T) {
	rare := func() System {
		return actor.New(func(t *T, ctx *actor.Context) {
			order := ""
			var collect actor.Ref
			collect = ctx.SpawnNamed("collect", actor.Func(func(ctx *actor.Context, msg any) {
				if order += fmt.Sprint(msg.(deposit).Amount); order == "4321" {
					ctx.T().Error("backwards")
				}
			}))
			for i := range 4 {
				ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(collect, deposit{i + 1}) })), withdraw{})
			}
		})
	}
	// What an actor hears first decides whom it tells, so that a sleep set may hold all that is left.
	gossip := func() System {
		return actor.New(func(t *T, ctx *actor.Context) {
			var refs []actor.Ref
			for i := range 3 {
				first, heard := true, ""
				refs = append(refs, ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
					n := msg.(deposit).Amount
					if first && n < 3 {
						ctx.Send(refs[n], deposit{10 * i})
					}
					first = false
					if heard += fmt.Sprint(n, " "); i == 0 && strings.HasPrefix(heard, "2 20 1") {
						ctx.T().Error("backwards")
					}
				})))
			}
			for i := range refs {
				ctx.Send(refs[i], deposit{(i + 1) % 3})
				ctx.Send(refs[i], deposit{(i + 2) % 3})
			}
		})
	}
	programs := map[string]System{"rare": rare(), "gossip": gossip()}
	cut := 0
	for name, program := range programs {
		for _, strategy := range []string{"source", "persistent+sleep", "auto"} {
			folder(t)
			f, r := try(t, Config{Strategy: strategy, Model: Bag, Recheck: -1}, program, env{"REHEARSE_SAVE": "off"})
			if len(r.Findings) != 1 {
				t.Errorf("%s, %s: %s", name, strategy, f.text())
				continue
			}
			x := r.Findings[0]
			if x.Execution-x.CutShort != r.Executions || x.CutShort != r.Blocked {
				t.Errorf("%s, %s: found by execution %d, %d cut short: %s", name, strategy, x.Execution, x.CutShort, r)
			}
			if x.CutShort > 0 {
				cut++
				contains(t, strings.Join(strings.Fields(f.text()), " "), fmt.Sprintf("(%d before it cut short)", x.CutShort))
			}
		}
	}
	if cut == 0 {
		t.Error("no strategy has cut an execution short")
	}
}
