package rehearse

import (
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
)

// drawer is a program with one actor, which fails where its second draw takes the last of three values, and, if first,
// its first draw the last of two.
func drawer(f *chancetest.Fake, first bool) System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("drawer", actor.Func(func(ctx *actor.Context, _ any) {
			if f.Draw(chance.Select, 2) == 0 && first {
				return
			}
			if f.Draw(chance.Map, 3) == 2 {
				ctx.T().Error("the last entry came first")
			}
		})), deposit{1})
	})
}

// A bug that one choice of Go's brings about is found; of its choices only that one is forced, in the file too. Where
// choices have no numbers the file is skipped, and neither stale nor pruned.
func TestNumberedFinding(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	f, r := try(t, Config{Strategy: "source"}, drawer(fake, false), nil)
	if !f.failed || len(r.Findings) != 1 {
		t.Fatalf("want a finding: %+v\n%s", r, f.text())
	}
	contains(t, f.text(), "the last entry came first", "It takes what Go chooses by itself: in step",
		"replay: rehearse test -run '^TestX$/", "place 3 of 3; with Go's default, it passes")
	files := schedules(t)
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); strings.Count(text, `"step":"draw"`) != 1 || !strings.Contains(text, `"go":"go`) ||
		!strings.Contains(text, `{"rehearse_schedule":4`) {
		t.Errorf("the file should force one draw:\n%s", text)
	}
	f, r = try(t, Config{Strategy: "source"}, drawer(fake, false), env{"REHEARSE_COMMAND": "go run ./cmd/rehearse"})
	contains(t, f.text(), "replay: go run ./cmd/rehearse test -run '^TestX$/")
	if !f.failed || r.Saved != 1 || len(r.Findings) == 0 {
		t.Errorf("the file should fail: %+v\n%s", r, f.text())
	}
	defer chance.SetSource(nil)()
	f, r = try(t, Config{Strategy: "source"}, drawer(new(chancetest.Fake), false), env{"REHEARSE_SAVE": "prune"})
	if f.failed || r.Saved != 0 {
		t.Errorf("the file should be skipped: %+v\n%s", r, f.text())
	}
	contains(t, f.log(), "skipped, neither passed nor stale", "rehearse test")
	if again := schedules(t); len(again) != 1 {
		t.Errorf("the file is gone: %v", again)
	}
}

// A bug that one choice of Go's in a final check brings about is found, told and saved; the file fails again, and is
// skipped where choices have no numbers.
func TestNumberedFinalCheck(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	judged := func(f *chancetest.Fake) System {
		return actor.New(func(t *T, ctx *actor.Context) {
			t.AtEnd(func() {
				f.Draw(chance.Select, 2)
				if f.Draw(chance.Map, 3) == 2 {
					t.Error("the last entry came first")
				}
			})
			ctx.Send(ctx.SpawnNamed("idle", actor.Func(func(*actor.Context, any) {})), deposit{1})
		})
	}
	f, r := try(t, Config{Strategy: "source"}, judged(fake), nil)
	if !f.failed || len(r.Findings) != 1 {
		t.Fatalf("want a finding: %+v\n%s", r, f.text())
	}
	contains(t, f.text(), "the last entry came first", "what Go chooses in a final check: ", "place 3 of 3",
		"replay: rehearse test -run '^TestX$/")
	data, err := os.ReadFile(schedules(t)[0])
	if text := string(data); err != nil || strings.Count(text, `"value":`) != 2 || !strings.Contains(text,
		`{"value":2,"draw":"the map's order at`) || !strings.Contains(text, `{"rehearse_schedule":5`) {
		t.Errorf("the file should force two draws of final checks (%v):\n%s", err, text)
	}
	f, r = try(t, Config{Strategy: "source"}, judged(fake), nil)
	if !f.failed || r.Saved != 1 || len(r.Findings) == 0 {
		t.Errorf("the file should fail: %+v\n%s", r, f.text())
	}
	defer chance.SetSource(nil)()
	f, r = try(t, Config{Strategy: "source"}, judged(new(chancetest.Fake)), env{"REHEARSE_SAVE": "prune"})
	if f.failed || r.Saved != 0 {
		t.Errorf("the file should be skipped: %+v\n%s", r, f.text())
	}
	contains(t, f.log(), "skipped, neither passed nor stale", "rehearse test")
	if again := schedules(t); len(again) != 1 {
		t.Errorf("the file is gone: %v", again)
	}
}

// Of two choices that it takes both are told.
func TestNumberedFindingOfTwo(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	f, r := try(t, Config{Strategy: "naive"}, drawer(fake, true), nil)
	if !f.failed || len(r.Findings) != 1 {
		t.Fatalf("want a finding: %+v\n%s", r, f.text())
	}
	contains(t, r.Findings[0].Culprit, "case 2 of 2, in step",
		"place 3 of 3; with Go's default for one of them, it passes")
}

// Where Go's default breaks the program, that is told, and other draws are not drawn.
func TestNumberedFindingOfDefault(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	f, r := try(t, Config{Strategy: "naive"}, actor.New(func(_ *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("drawer", actor.Func(func(ctx *actor.Context, _ any) {
			fake.Draw(chance.Select, 2)
			if fake.Draw(chance.Map, 3) == 0 {
				ctx.T().Error("the first entry came first")
			}
		})), deposit{1})
	}), nil)
	if !f.failed || len(r.Findings) != 1 {
		t.Fatalf("want a finding: %+v\n%s", r, f.text())
	}
	contains(t, r.Findings[0].Culprit, "It takes what Go chooses by itself, its default: in step",
		"begins at place 1 of 3 (where", "begins at place 2 of 3 it passes)")
	if d := r.Findings[0].Diagram; !strings.Contains(d, "at place 1 of 3") || strings.Contains(d, "ready case") ||
		strings.Contains(d, "Go chooses 0") {
		t.Errorf("only what decides should be drawn:\n%s", d)
	}
	if strings.Contains(f.text(), "No single swap") {
		t.Errorf("it should say what decides:\n%s", f.text())
	}
}

// A result is complete where each choice of Go's was explored, and says so where not.
func TestNumberedVerdicts(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	for _, tt := range []struct {
		draws      int
		executions int
		want       string
	}{{0, 1, "complete: "}, {2, 4, "complete: "}, {5, 16, "complete for one seed of Go's choices"}} {
		sys := actor.New(func(_ *T, ctx *actor.Context) {
			ctx.Send(ctx.Spawn(actor.Func(func(*actor.Context, any) {
				for range tt.draws {
					fake.Draw(chance.Map, 2)
				}
			})), deposit{1})
		})
		_, r := try(t, Config{Strategy: "source"}, sys, nil)
		if !strings.HasPrefix(r.String(), tt.want) || r.Executions != tt.executions || r.Complete != (r.OneSeed == "") ||
			r.ForOneSeed == r.Complete {
			t.Errorf("%d draws: %d executions, %s", tt.draws, r.Executions, r)
		}
		if !r.Complete && !strings.Contains(r.String(), "was not explored, or not all of it: map at ") {
			t.Errorf("no place: %s", r)
		}
	}
	// What final checks choose is explored too; what invariants choose is not.
	sys := actor.New(func(t *T, ctx *actor.Context) {
		t.AtEnd(func() { fake.Draw(chance.Map, 3) })
		ctx.Send(ctx.Spawn(actor.Func(func(*actor.Context, any) {})), deposit{1})
	})
	if f, r := try(t, Config{Strategy: "source"}, sys, nil); !r.Complete || r.Executions != 3 {
		t.Errorf("a final check that draws: %s\n%s", r, f.text())
	}
	inv := Invariant{Name: "drawn", Holds: func(State) error { fake.Draw(chance.Map, 2); return nil }}
	if _, r := try(t, Config{Strategy: "naive", Invariants: []Invariant{inv}}, sys, nil); r.Complete || !r.ForOneSeed ||
		!strings.HasSuffix(r.OneSeed, " in an invariant") {
		t.Errorf("an invariant that draws: %s", r)
	}
}
