package rehearse

import (
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
)

// drawer is a program with one actor, which fails where its second draw takes the last of three values, and, if first, its first draw the last of two.
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

// A bug that one choice of Go's brings about is found; of its choices only that one is forced, in the file too. Where choices have no numbers the file is skipped,
// and neither stale nor pruned.
func TestNumberedFinding(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	restore := chance.SetSource(fake)
	defer func() { restore() }()
	f, r := try(t, Config{Strategy: "source"}, drawer(fake, false), nil)
	if !f.failed || len(r.Findings) != 1 {
		t.Fatalf("want a finding: %+v\n%s", r, f.text())
	}
	contains(t, f.text(), "the last entry came first", "It takes what Go chooses by itself: in step", "replay: rehearse test -run '^TestX$/", "place 3 of 3; with Go's default, it passes")
	files := schedules(t)
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); strings.Count(text, `"step":"draw"`) != 1 || !strings.Contains(text, `"go":"go`) || !strings.Contains(text, `{"rehearse_schedule":4`) {
		t.Errorf("the file should force one draw:\n%s", text)
	}
	f, r = try(t, Config{Strategy: "source"}, drawer(fake, false), nil)
	if !f.failed || r.Saved != 1 || len(r.Findings) == 0 {
		t.Errorf("the file should fail: %+v\n%s", r, f.text())
	}
	restore()
	restore = func() {}
	f, r = try(t, Config{Strategy: "source"}, drawer(new(chancetest.Fake), false), env{"REHEARSE_SAVE": "prune"})
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
	contains(t, f.text(), "case 2 of 2, in step", "place 3 of 3; with Go's", "default for one of them, it passes")
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
		if !strings.HasPrefix(r.String(), tt.want) || r.Executions != tt.executions || r.Complete != (r.OneSeed == "") || r.ForOneSeed == r.Complete {
			t.Errorf("%d draws: %d executions, %s", tt.draws, r.Executions, r)
		}
		if !r.Complete && !strings.Contains(r.String(), "was not explored, or not all of it: map at ") {
			t.Errorf("no place: %s", r)
		}
	}
}
