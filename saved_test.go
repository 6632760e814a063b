package rehearse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
)

// schedules lists the schedule files of TestX.
func schedules(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/rehearse/TestX/*.schedule")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestBadSavedFiles(t *testing.T) {
	folder(t)
	try(t, Config{}, bank(false), nil)
	if err := os.WriteFile("testdata/rehearse/TestX/bad.schedule", []byte("rubbish\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/rehearse/TestX/new.schedule", []byte(`{"rehearse_schedule":7}`+"\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	f, r := try(t, Config{}, bank(true), nil)
	if !f.failed || r.Saved != 1 || len(f.out.subtests) != 1 {
		t.Errorf("the good file is to be replayed and the test to fail: %+v", r)
	}
	contains(t, f.text(), "saved schedule testdata/rehearse/TestX/bad.schedule:1: this is no schedule",
		"saved schedule testdata/rehearse/TestX/new.schedule:1: written by a newer Rehearse (format 7, this one reads up "+
			"to 5)")
}

func TestStaleSchedule(t *testing.T) {
	folder(t)
	try(t, Config{Strategy: "random"}, bank(false), nil)
	before := schedules(t)
	// The spender has another name and sends another type now: what the schedule forces is gone.
	other := actor.New(func(t *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("account", &account{}), deposit{1})
	})
	f, _ := try(t, Config{}, other, nil)
	if f.failed {
		t.Errorf("a stale schedule that passes is to pass:\n%s", f.text())
	}
	contains(t, f.log(), "it has gone stale", before[0], "step 1 (", ") is no longer enabled: ", "REHEARSE_SAVE=refresh",
		"REHEARSE_SAVE=prune")

	f, _ = try(t, Config{}, other, env{"REHEARSE_SAVE": "prune"})
	contains(t, f.log(), "pruned: deleted")
	if len(schedules(t)) != 0 {
		t.Errorf("not pruned: %v", schedules(t))
	}
	try(t, Config{Strategy: "random"}, bank(false), nil)
	f, _ = try(t, Config{}, other, env{"REHEARSE_SAVE": "refresh"})
	contains(t, f.log(), "refreshed: testdata/rehearse/TestX/")
	f, _ = try(t, Config{}, other, nil)
	if strings.Contains(f.log(), "stale") {
		t.Errorf("the file was refreshed:\n%s", f.log())
	}
}

// Several Checks in one test have their own schedules.
func TestOrdinals(t *testing.T) {
	folder(t)
	two := func() *fake {
		f := newFake(t, fake{})
		f.check(Config{}, bank(true), nil)
		f.check(Config{}, bank(false), nil)
		f.end()
		return f
	}
	two()
	f := two()
	if len(f.out.subtests) != 1 || !strings.HasSuffix(f.out.subtests[0], ":fail") {
		t.Errorf("want the schedule to be replayed by the second Check alone: %v", f.out.subtests)
	}
}

// Two Checks that fail by the same steps, here by none, have a file each.
func TestTwoFailingChecks(t *testing.T) {
	folder(t)
	fails := func(text string) System {
		return actor.New(func(_ *T, ctx *actor.Context) {
			ctx.Send(ctx.SpawnNamed("a", actor.Func(func(*actor.Context, any) { panic(text) })), deposit{})
		})
	}
	two := func(first, second int) *fake {
		f := newFake(t, fake{})
		a, b := f.check(Config{}, fails("one"), nil), f.check(Config{}, fails("two"), nil)
		if f.end(); a.Saved != first || b.Saved != second {
			t.Errorf("replayed %d and %d, want %d and %d", a.Saved, b.Saved, first, second)
		}
		return f
	}
	two(0, 0)
	if files := schedules(t); len(files) != 2 {
		t.Fatalf("saved %v", files)
	}
	f := two(1, 1)
	if len(f.out.subtests) != 2 {
		t.Errorf("subtests %v", f.out.subtests)
	}
	contains(t, f.text(), ": one (", ": two (", "/^"+strings.TrimSuffix(f.out.subtests[0], ":fail")+"$'",
		"/^"+strings.TrimSuffix(f.out.subtests[1], ":fail")+"$'")
}

// A pattern that names a subtest asks for that alone.
func TestSelectedSubtest(t *testing.T) {
	folder(t)
	try(t, Config{}, bank(false), nil)
	f := newFake(t, fake{pattern: "^TestX$/^abc$"})
	if r := f.check(Config{}, bank(true), nil); r.Executions != 0 || r.Saved != 1 || f.failed {
		t.Errorf("explored all the same: %+v", r)
	}
	contains(t, f.log(), "rehearse: nothing was explored: -run '^TestX$/^abc$' names a subtest")
	// The alternative for another test's subtest is no reason to leave this one out.
	f = newFake(t, fake{pattern: "TestA/x|TestX"})
	if r := f.check(Config{}, bank(true), nil); r.Executions == 0 {
		t.Errorf("not explored: %+v", r)
	}
}
