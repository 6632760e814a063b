package rehearse

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/trace"
)

// covered reads a profile and gives the pairs of an actor type in words.
func covered(t *testing.T, file, actor string) string {
	t.Helper()
	p, err := profile.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, a := range p.Classify() {
		for _, q := range a.Pairs {
			if a.Type == actor {
				words = append(words, strings.Join([]string{q.Standing.String(), trace.ShortType(q.First),
					trace.ShortType(q.Second)}, " "))
			}
		}
	}
	return strings.Join(words, ", ")
}

func TestCoverProfile(t *testing.T) {
	folder(t)
	if try(t, Config{}, bank(true), nil); exists("c.out") {
		t.Error("nobody asked for a profile")
	}
	// The default order has the deposit first; the field and the variable do the same, and the file collects.
	try(t, Config{Strategy: "default", CoverProfile: "c.out"}, bank(true), nil)
	if got := covered(t, "c.out", "rehearse.account"); got != "one way deposit withdraw" {
		t.Errorf("one execution: %s", got)
	}
	before, err := os.ReadFile("c.out")
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(before),
		"example.com/bank TestX bag rehearse.account ordered rehearse.deposit rehearse.withdraw free\n",
		"example.com/bank TestX bag rehearse.client received rehearse.deposit\n")
	try(t, Config{Strategy: "naive"}, bank(true), env{"REHEARSE_COVERPROFILE": "c.out"})
	if got := covered(t, "c.out", "rehearse.account"); got != "both deposit withdraw" {
		t.Errorf("all executions: %s", got)
	}
	// Clients are three actors; what they received came to different ones.
	if got := covered(t, "c.out", "rehearse.client"); got != "never deposit withdraw" {
		t.Errorf("clients: %s", got)
	}
	after, err := os.ReadFile("c.out")
	if err != nil {
		t.Fatal(err)
	}
	// Running the same again changes nothing.
	try(t, Config{Strategy: "naive", CoverProfile: "c.out"}, bank(true), nil)
	if again, _ := os.ReadFile("c.out"); string(again) != string(after) {
		t.Errorf("merged again:\n%s\n%s", after, again)
	}

	// A failing test counts too, and so does a replayed schedule, under its own model.
	if f, _ := try(t, Config{CoverProfile: "found.out"}, bank(false), nil); !f.failed {
		t.Fatal("the bug was not found")
	}
	if got := covered(t, "found.out", "rehearse.account"); !strings.HasPrefix(got, "both") &&
		!strings.HasPrefix(got, "one way") {
		t.Errorf("a failing test: %q", got)
	}
	try(t, Config{CoverProfile: "saved.out", Model: MailboxSerial}, bank(false), nil)
	if text, _ := os.ReadFile("saved.out"); !strings.Contains(string(text),
		"TestX bag rehearse.account ordered rehearse.withdraw rehearse.deposit") &&
		!strings.Contains(string(text), "TestX bag rehearse.account received rehearse.withdraw") {
		t.Errorf("the saved schedule, which bag was explored for, left no trace:\n%s", text)
	}

	// What cannot be written is an error.
	if err := os.WriteFile("other.out", []byte("mode: set\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, _ := try(t, Config{CoverProfile: "other.out", Strategy: "default"}, bank(true), nil)
	contains(t, f.text(), "rehearse: coverage profile: other.out:1: this is no coverage profile")
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func TestExploreCovers(t *testing.T) {
	folder(t)
	if _, err := Explore(Config{Strategy: "naive", CoverProfile: "c.out"}, bank(true)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("c.out")
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(text),
		`github.com/rehearse-go/rehearse "" bag rehearse.account ordered rehearse.deposit rehearse.withdraw free`)
}

// corpusFiles lists the schedules of the corpus of TestX.
func corpusFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/rehearse/TestX/corpus/*.schedule")
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// race has three clients whose messages to an account may come in any order; it fails if the given type comes first.
func race(bad any) System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		first := true
		a := ctx.SpawnNamed("account", actor.Func(func(_ *actor.Context, msg any) {
			if first && msg == bad {
				panic("too early")
			}
			first = false
		}))
		for _, m := range []any{deposit{1}, withdraw{1}, "audit"} {
			ctx.Send(a, m)
		}
	})
}

func TestCorpus(t *testing.T) {
	folder(t)
	if f, _ := try(t, Config{Strategy: "naive"}, race(nil), nil); len(corpusFiles(t)) != 0 || f.failed {
		t.Fatalf("nobody asked for a corpus: %v\n%s", corpusFiles(t), f.text())
	}
	// Three messages in any order have six orders of two; an execution and its reverse show them all.
	f, _ := try(t, Config{Strategy: "naive", Corpus: true}, race(nil), nil)
	files := corpusFiles(t)
	if f.failed || len(files) != 2 {
		t.Fatalf("want two schedules: %v\n%s\n%s", files, f.text(), f.log())
	}
	contains(t, f.log(), "rehearse: corpus: 2 schedules in testdata/rehearse/TestX/corpus: 2 new, 0 deleted")

	// They are replayed first, whether more is to be kept or not, and are as good as the exploration for coverage.
	f, r := try(t, Config{Strategy: "default", CoverProfile: "c.out"}, race(nil), nil)
	if r.Saved != 2 || strings.Join(f.out.subtests, " ") != name(files[0])+" "+name(files[1])+" corpus" {
		t.Errorf("replayed %d: %v", r.Saved, f.out.subtests)
	}
	if got := covered(t, "c.out", "account"); got != "both deposit withdraw, both deposit string, both withdraw string" {
		t.Errorf("the corpus shows %s", got)
	}
	// Nothing is new when it is explored again.
	f, _ = try(t, Config{Strategy: "naive", Corpus: true}, race(nil), nil)
	contains(t, f.log(), "2 schedules in testdata/rehearse/TestX/corpus: 0 new, 0 deleted")

	// A subtest can be run alone, and then nothing is explored.
	sub := newFake(t, fake{pattern: "^TestX$/^corpus$/^" + name(files[1]) + "$"})
	if r := sub.check(Config{Corpus: true}, race(nil), nil); r.Executions != 0 || r.Saved != 2 {
		t.Errorf("%+v", r)
	}
	sub.end()

	// A violation fails the test, and says how to replay it; nothing is explored or deleted.
	file, err := saved.Read(files[0])
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]any{"string": "audit", "rehearse.deposit": deposit{1},
		"rehearse.withdraw": withdraw{1}}[file.Schedule.Steps[0].Message]
	f, r = try(t, Config{Strategy: "naive", Corpus: true}, race(bad), nil)
	if !f.failed || r.Executions != 0 || len(corpusFiles(t)) != 2 {
		t.Errorf("want a finding of the corpus: %+v", r)
	}
	contains(t, f.text(), "found by a saved schedule", "too early", "/corpus/",
		"replay: "+command()+" -run '^TestX$/^corpus$/^")
}

func name(file string) string { return strings.TrimSuffix(filepath.Base(file), ".schedule") }

// A schedule of which the others show everything is deleted when the corpus is written, not else.
func TestCorpusIsPruned(t *testing.T) {
	folder(t)
	try(t, Config{Strategy: "default", Corpus: true}, race(nil), nil)
	if len(corpusFiles(t)) != 1 {
		t.Fatalf("one execution: %v", corpusFiles(t))
	}
	try(t, Config{Strategy: "naive", Corpus: true}, race(nil), nil)
	two := corpusFiles(t)
	header := trace.Header{Package: "example.com/bank", Test: "TestX", Model: Bag}
	if _, err := saved.Save("testdata/rehearse/TestX/corpus", &trace.Schedule{Header: header}); err != nil ||
		len(two) != 2 {
		t.Fatal(err, two)
	}
	try(t, Config{Strategy: "naive"}, race(nil), nil)
	if len(corpusFiles(t)) != 3 {
		t.Errorf("nobody asked for anything to be deleted: %v", corpusFiles(t))
	}
	f, _ := try(t, Config{Strategy: "naive", Corpus: true}, race(nil), nil)
	if got := corpusFiles(t); len(got) != 2 {
		t.Errorf("left: %v\n%s", got, f.log())
	}
	contains(t, f.log(), "0 new, 1 deleted because the others show as much")
}

// A stale schedule warns; it is refreshed and deleted as saved findings are.
func TestCorpusGoesStale(t *testing.T) {
	folder(t)
	try(t, Config{Strategy: "naive", Corpus: true}, race(nil), nil)
	fewer := actor.New(func(_ *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("account", actor.Func(func(*actor.Context, any) {})), deposit{1})
	})
	f, _ := try(t, Config{}, fewer, nil)
	if f.failed || len(corpusFiles(t)) != 2 {
		t.Errorf("stale is not failed:\n%s", f.text())
	}
	contains(t, f.log(), "it has gone stale", "/corpus/")
	try(t, Config{}, fewer, env{"REHEARSE_SAVE": "prune"})
	if left := corpusFiles(t); len(left) != 0 {
		t.Errorf("not pruned: %v", left)
	}
}

// What is kept is a beginning; what the default order makes of it may be an execution that nobody has seen, and fail.
func TestCorpusFindsByTrying(t *testing.T) {
	folder(t)
	// Two flags have no orders to cover, being two actors, but which is the first decides. bad is the one that the default
	// order has first.
	var order []string
	executions, failed := 0, 0 // failed: the first execution that did
	bad := ""
	sys := actor.New(func(_ *T, ctx *actor.Context) {
		executions++
		order = nil
		flag := func(_ *actor.Context, msg any) {
			order = append(order, msg.(string))
			if order[0] == bad {
				if failed == 0 {
					failed = executions
				}
				panic("the wrong one first")
			}
		}
		a := ctx.SpawnNamed("account", actor.Func(func(*actor.Context, any) {}))
		ctx.Send(a, deposit{1})
		ctx.Send(a, withdraw{1})
		for _, name := range []string{"left", "right"} {
			ctx.Send(ctx.SpawnNamed(name, actor.Func(flag)), name)
		}
	})
	try(t, Config{Strategy: "default"}, sys, nil)
	bad = order[0]
	tried := 0
	for seed := range uint64(40) {
		executions, failed = 0, 0
		f, r := try(t, Config{Strategy: "random", Seed: seed + 1, Budget: "1x", Corpus: true, Recheck: -1}, sys,
			env{"REHEARSE_SAVE": "on"})
		if f.failed != (failed > 0) || f.failed != (len(r.Findings) == 1) || f.failed == (len(corpusFiles(t)) == 1) {
			t.Fatalf("seed %d: either it is kept or it is found: %v %v\n%s", seed, r.Findings, corpusFiles(t), f.text())
		}
		if f.failed && len(schedules(t)) != 1 {
			t.Errorf("seed %d: the finding was not saved", seed)
		}
		if failed > 1 { // the first execution, that of the exploration, did not
			tried++
		}
		if err := os.RemoveAll("testdata"); err != nil {
			t.Fatal(err)
		}
	}
	if tried == 0 {
		t.Error("no finding of a schedule that was to be kept")
	}
}

func TestCorpusIsRefused(t *testing.T) {
	folder(t)
	f, _ := try(t, Config{Strategy: "naive", Corpus: true}, bank(true), env{"REHEARSE_RESUME": "kept"})
	contains(t, f.text(), "corpus: the executions of worker processes")
	f, _ = try(t, Config{Strategy: "naive", Corpus: true}, race(nil), env{"REHEARSE_SAVE": "off"})
	if f.failed || len(corpusFiles(t)) != 0 {
		t.Errorf("nothing is to be saved: %v\n%s", corpusFiles(t), f.text())
	}
	// A second Check of a test has a corpus of its own.
	both := newFake(t, fake{})
	both.check(Config{Strategy: "naive", Corpus: true}, race(nil), nil)
	both.check(Config{Strategy: "naive", Corpus: true}, race(nil), nil)
	if second, _ := filepath.Glob("testdata/rehearse/TestX/corpus/2/*.schedule"); len(corpusFiles(t)) != 2 ||
		len(second) != 2 {
		t.Errorf("first %v, second %v", corpusFiles(t), second)
	}
}

// A subtest that is called corpus has its findings in the folder of its test's corpus; neither is taken for the other.
func TestCorpusBesideSubtest(t *testing.T) {
	folder(t)
	try(t, Config{Strategy: "naive", Corpus: true}, race(nil), nil)
	sub := &fake{name: "TestX/corpus"}
	for range 2 {
		r := sub.check(Config{}, race("audit"), nil)
		sub.end()
		if len(r.Findings) != 1 {
			t.Errorf("%+v", r)
		}
	}
	if files := corpusFiles(t); len(files) != 3 || len(sub.out.subtests) != 1 {
		t.Errorf("files %v, replayed by the subtest %v", files, sub.out.subtests)
	}
	if f, r := try(t, Config{}, race(nil), nil); f.failed || r.Saved != 2 {
		t.Errorf("%d were replayed: %v\n%s", r.Saved, f.out.subtests, f.text())
	}
}
