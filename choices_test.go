package rehearse

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/session"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
	"github.com/rehearse-go/rehearse/trace"
)

// drawing is a program with one handler that draws.
func drawing(draw func()) System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("drawer", actor.Func(func(*actor.Context, any) { draw() })), deposit{1})
	})
}

// Config.Choices and its variable say how much of what Go chooses is explored, and the result says what was not.
func TestChoicesSetting(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	draws := func(kind chance.Kind) func() {
		return func() {
			for range 3 {
				fake.Draw(kind, 2)
			}
		}
	}
	const oneSeed, unexplored = "complete for one seed of Go's choices", "was not explored, or not all of it: "
	for _, tt := range []struct {
		choices    string
		kind       chance.Kind
		executions int
		starts     string
		says       string
	}{
		{"", chance.Map, 8, "complete: ", ""},
		{"3", chance.Map, 8, "complete: ", ""},
		{"2", chance.Map, 4, oneSeed, unexplored + "map at "},
		{"sample", chance.Map, 1, oneSeed, unexplored + "map at "},
		{"off", chance.Map, 1, "complete: ", ""},
		{"9/3", chance.Point, 8, "complete: ", ""},
		{"9/1", chance.Point, 4, oneSeed, unexplored + "goroutines that are preempted more than 1 times"},
	} {
		for _, byVariable := range []bool{false, true} {
			cfg, given := Config{Strategy: "source", Choices: tt.choices}, env(nil)
			if byVariable {
				cfg.Choices, given = "1", env{"REHEARSE_CHOICES": tt.choices}
				if tt.choices == "" {
					continue
				}
			}
			_, r := try(t, cfg, drawing(draws(tt.kind)), given)
			if r.Executions != tt.executions || !strings.HasPrefix(r.String(), tt.starts) ||
				!strings.Contains(r.String(), tt.says) {
				t.Errorf("choices %q of kind %s: want %d executions, %s%s: %s", tt.choices, tt.kind, tt.executions,
					tt.starts, tt.says, r)
			}
		}
	}
}

// What is sampled follows the strategy's seed: the same one draws the same, others draw others.
func TestChoicesFollowTheSeed(t *testing.T) {
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	sample := func(seed uint64) (values [8]uint32) {
		sys := drawing(func() {
			for i := range values {
				values[i] = fake.Draw(chance.Map, 3)
			}
		})
		if _, err := Explore(Config{Strategy: "default", Choices: "sample", Seed: seed, Recheck: -1}, sys); err != nil {
			t.Fatal(err)
		}
		return values
	}
	if a, b, c := sample(1), sample(1), sample(2); a != b || a == c || a == [8]uint32{} {
		t.Errorf("seed 1: %v and %v, seed 2: %v", a, b, c)
	}
}

// A test that go test has built says that what is asked for cannot be had, and how it can. What means nothing there is
// not mentioned.
func TestChoicesInPlainTests(t *testing.T) {
	defer chance.SetSource(nil)()
	for choices, want := range map[string]string{
		"6": "what Go chooses by itself was not explored, although choices 6 asks for it: rehearse test has not built " +
			"this test, or did so without numbers",
		"sample": "what Go chooses by itself follows a seed, without the order of goroutines (choices sample): rehearse " +
			"test has not built this test, or did so without numbers",
		"off": "", "": "",
	} {
		r, err := Explore(Config{Strategy: "naive", Choices: choices}, drawing(func() {}))
		if err != nil || !strings.Contains(r.String(), want) ||
			strings.Contains(r.String(), "rehearse test") != (want != "") {
			t.Errorf("choices %q: want %q: %s, %v", choices, want, r, err)
		}
	}
	if _, err := Explore(Config{Choices: "many"}, drawing(func() {})); err == nil ||
		!strings.Contains(err.Error(), `Config.Choices: choices "many": want off, sample, or how many`) {
		t.Errorf("a bad value: %v", err)
	}
}

// Where the system makes no use of the numbers, the line is another one.
func TestChoicesOfAnotherSystem(t *testing.T) {
	defer chance.SetSource(new(chancetest.Fake))()
	r, err := Explore(Config{Strategy: "naive", Choices: "6"}, struct{ System }{drawing(func() {})})
	if want := "although choices 6 asks for it: this kind of system makes no use of their numbers"; err != nil ||
		!strings.Contains(r.String(), want) {
		t.Errorf("want %q: %s, %v", want, r, err)
	}
}

// changeHeader changes the fields of the first line of a schedule.
func changeHeader(t *testing.T, path string, change func(h map[string]any)) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, rest, _ := strings.Cut(string(data), "\n")
	h := map[string]any{}
	d := json.NewDecoder(strings.NewReader(first))
	d.UseNumber()
	if err := d.Decode(&h); err != nil {
		t.Fatal(err)
	}
	change(h)
	line, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(append(line, '\n'), rest...), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A schedule names how Go's choices were under control, with what it takes to make them again. One that is older than
// these fields is read.
func TestHeaderOfNumberedDraws(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	cfg := Config{Strategy: "source", Choices: "3/1"}
	f, r := try(t, cfg, drawer(fake, false), nil)
	if !f.failed || len(r.Findings) != 1 {
		t.Fatalf("want a finding: %+v\n%s", r, f.text())
	}
	h := r.Findings[0].Schedule.Header
	if h.Layer != session.LayerNumbers || h.Draws != explore.AllDraws || h.Preemptions != 1 || h.Choices == 0 ||
		h.Go != session.ThisGo() {
		t.Errorf("header %+v", h)
	}
	for _, fields := range [][]string{nil, {"layer", "choices", "draws", "preemptions"}} {
		changeHeader(t, schedules(t)[0], func(h map[string]any) {
			for _, name := range fields {
				if h[name] == nil {
					t.Errorf("the header has no %s: %v", name, h)
				}
				delete(h, name)
			}
		})
		if f, r := try(t, Config{Strategy: "source", Choices: "off"}, drawer(fake, false), nil); !f.failed || r.Saved != 1 {
			t.Errorf("without %v the file should fail: %+v\n%s", fields, r, f.text())
		}
	}
}

// What nothing was drawn for can be followed by every process, and says nothing of draws.
func TestHeaderWithoutDraws(t *testing.T) {
	folder(t)
	defer chance.SetSource(new(chancetest.Fake))()
	_, r := try(t, Config{Strategy: "source"}, drawing(func() { panic("no draw") }), nil)
	if len(r.Findings) != 1 {
		t.Fatal(r)
	}
	if h := r.Findings[0].Schedule.Header; h.Layer != 0 || h.Draws != 0 || h.Preemptions != 0 ||
		h.Choices != 0 || h.Go != "" {
		t.Errorf("header %+v", h)
	}
}

// A schedule that go test has saved is followed by go test's means where draws have numbers.
func TestSeedsWhereDrawsHaveNumbers(t *testing.T) {
	needsChance(t)
	folder(t)
	defer chance.SetSource(nil)()
	var drawn []int
	sys := lottery(func(n int) { drawn = append(drawn, n) })
	f, r := try(t, Config{Strategy: "naive"}, sys, nil)
	if !f.failed || len(r.Findings) != 1 || r.Findings[0].Schedule.Header.Layer != session.LayerSeeds {
		t.Fatalf("not found: %v\n%s", r, f.text())
	}
	defer chance.SetSource(new(chancetest.Fake))()
	drawn = nil
	if f, r := try(t, Config{Strategy: "naive"}, sys, nil); !f.failed || r.Saved != 1 || len(drawn) == 0 || drawn[0] != 3 {
		t.Errorf("drawn %v: %v\n%s", drawn, r, f.text())
	}
}

// A schedule that forces no draw, of a program that draws, is executed in plain go test. That it passes means nothing
// there, and neither does a step that is gone.
func TestUnforcedDraws(t *testing.T) {
	folder(t)
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	program := func(fails bool) System {
		return actor.New(func(_ *T, ctx *actor.Context) {
			a := ctx.SpawnNamed("drawer", actor.Func(func(ctx *actor.Context, msg any) {
				fake.Draw(chance.Map, 2)
				if _, second := msg.(withdraw); second && fails {
					ctx.T().Error("it came")
				}
			}))
			ctx.Send(a, deposit{1})
			if fails {
				ctx.Send(a, withdraw{1})
			}
		})
	}
	if f, r := try(t, Config{Strategy: "naive", Budget: "1x"}, program(true), nil); !f.failed || len(r.Findings) != 1 {
		t.Fatalf("not found: %v\n%s", r, f.text())
	}
	path := schedules(t)[0]
	changeHeader(t, path, func(h map[string]any) {}) // it is whole
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for line := range strings.Lines(string(data)) {
		if !strings.Contains(line, `"step":"draw"`) {
			kept = append(kept, line)
		}
	}
	kept = append(kept, `{"step":"deliver","message":"x","id":"000000000000000000000000000000ff"}`+"\n")
	if err := os.WriteFile(path, []byte(strings.Join(kept, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	defer chance.SetSource(nil)()
	f, r := try(t, Config{Strategy: "naive"}, program(false), env{"REHEARSE_SAVE": "prune"})
	if f.failed || r.Saved != 1 || len(schedules(t)) != 1 {
		t.Errorf("%v\n%s", r, f.text())
	}
	contains(t, f.log(), "the schedule passes, which may mean nothing", "`rehearse test` had built", "use that command")
	if strings.Contains(f.log(), "stale") {
		t.Errorf("it is no sign of a fix:\n%s", f.log())
	}
}

// A strategy that samples finds what one draw in many brings about. Its schedule has the draws that it takes and no
// more, and repeats; what it is made of is executed once.
func TestSampledFinding(t *testing.T) {
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	runs := 0
	program := actor.New(func(_ *T, ctx *actor.Context) {
		runs++
		ctx.Send(ctx.SpawnNamed("drawer", actor.Func(func(ctx *actor.Context, _ any) {
			sum := uint32(0)
			for range 9 {
				sum += fake.Draw(chance.Map, 2)
			}
			if sum >= 7 {
				ctx.T().Error("drawn")
			}
		})), deposit{1})
	})
	for _, strategy := range []string{"random", "pos", "pct", "surw", "delays", "cover", "auto"} {
		folder(t)
		runs = 0
		_, r := try(t, Config{Strategy: strategy, Budget: "500x", Recheck: -1, Choices: "2"}, program, nil)
		if len(r.Findings) != 1 || r.Findings[0].Schedule == nil {
			t.Fatalf("%s: want a finding: %s", strategy, r)
		}
		s := r.Findings[0].Schedule
		forced := 0
		for _, step := range s.Steps {
			if step.Kind == trace.Draw {
				forced++
			}
		}
		if forced != 7 || s.Header.Draws != explore.AllDraws || s.Header.Preemptions != -1 {
			t.Errorf("%s: %d draws are forced, want 7: %+v", strategy, forced, s)
		}
		if _, r := try(t, Config{Strategy: "default", Choices: "2"}, program, nil); r.Saved != 1 || len(r.Findings) == 0 {
			t.Errorf("%s: the file should fail: %s", strategy, r)
		}
	}
	runs = 0
	r, err := Explore(Config{Strategy: "random", Budget: "200x", Recheck: -1, Choices: "sample"},
		drawing(func() { runs++; fake.Draw(chance.Map, 2) }))
	if err != nil || r.Executions != 200 || runs != 200 {
		t.Errorf("%d runs for %d executions, %v", runs, r.Executions, err)
	}
}

// In plain go test a strategy that samples gives each execution another seed, where that is asked for; a finding has
// it.
func TestSampledSeeds(t *testing.T) {
	needsChance(t)
	defer chance.SetSource(nil)()
	for choices, many := range map[string]bool{"": false, "sample": true} {
		drawn := map[int]bool{}
		sys := drawing(func() { drawn[rand.IntN(1<<30)] = true })
		r, err := Explore(Config{Strategy: "random", Budget: "50x", Recheck: -1, Choices: choices}, sys)
		if err != nil || len(drawn) == 1 == many || many && len(drawn) < 45 {
			t.Errorf("choices %q: %d numbers in %s, %v", choices, len(drawn), r, err)
		}
	}
	folder(t)
	keep := func(int) {}
	f, r := try(t, Config{Strategy: "random", Choices: "sample"}, lottery(keep), nil)
	if !f.failed || len(r.Findings) != 1 || r.Findings[0].Schedule.Header.Choices == 0 ||
		r.Findings[0].Schedule.Header.Layer != session.LayerSeeds {
		t.Fatalf("not found: %s\n%s", r, f.text())
	}
	if f, r := try(t, Config{Strategy: "random"}, lottery(keep), nil); !f.failed || r.Saved != 1 {
		t.Errorf("the file should fail: %s\n%s", r, f.text())
	}
}

// A program that draws nothing is executed as often where draws have numbers as elsewhere, also to look at a finding.
func TestFindingWithoutDraws(t *testing.T) {
	executed := map[bool]int{}
	for _, numbered := range []bool{false, true} {
		var source chance.Source
		if numbered {
			source = new(chancetest.Fake)
		}
		restore := chance.SetSource(source)
		folder(t)
		n := 0
		_, r := try(t, Config{Strategy: "auto"}, drawing(func() { n++; panic("no draw") }), nil)
		if len(r.Findings) != 1 {
			t.Errorf("numbered %v: %s", numbered, r)
		}
		executed[numbered] = n
		restore()
	}
	if executed[true] != executed[false] || executed[true] == 0 {
		t.Errorf("executions with numbers %d, without %d", executed[true], executed[false])
	}
}

// A draw beyond the bound, which followed the seed, is forced by the schedule of a finding that takes it, and the
// others are not.
func TestFindingBeyondTheBound(t *testing.T) {
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	program := drawingWith(func(ctx *actor.Context) {
		last := uint32(0)
		for range 9 {
			last = fake.Draw(chance.Map, 2)
		}
		if last == 1 {
			ctx.T().Error("drawn")
		}
	})
	found := 0
	for seed := range uint64(8) {
		folder(t)
		f, r := try(t, Config{Strategy: "source", Choices: "2", Seed: seed + 1, Recheck: -1}, program, nil)
		if len(r.Findings) == 0 {
			continue
		}
		found++
		s := r.Findings[0].Schedule
		if s == nil || len(s.Steps) != 1 || s.Steps[0].Kind != trace.Draw || s.Steps[0].Value != 1 {
			t.Errorf("seed %d: %+v\n%s", seed+1, s, f.text())
		}
		contains(t, f.text(), "It takes what Go chooses by itself: in step")
	}
	if found == 0 {
		t.Error("no seed finds it")
	}
}

// drawingWith is a program with one handler.
func drawingWith(handle func(ctx *actor.Context)) System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("drawer", actor.Func(func(ctx *actor.Context, _ any) { handle(ctx) })), deposit{1})
	})
}

// Where no order decides, and steps draw what has no numbers, the explanation says that this may decide.
func TestUntoldChoices(t *testing.T) {
	needsChance(t)
	defer chance.SetSource(nil)() // numbers would tell it
	for name, tt := range map[string]struct {
		handle func() int
		told   bool
	}{
		"a map":   {func() int { return ranged(4) }, true},
		"no draw": {func() int { return 4 }, false},
	} {
		folder(t)
		_, r := try(t, Config{Strategy: "naive"}, actor.New(func(_ *T, ctx *actor.Context) {
			ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) {
				if tt.handle() == 4 {
					ctx.T().Error("four")
				}
			})), deposit{1})
		}), nil)
		if len(r.Findings) != 1 {
			t.Fatalf("%s: want a finding: %+v", name, r)
		}
		if got := r.Findings[0].Culprit; !strings.Contains(got, "No single swap") ||
			strings.Contains(got, "see what `rehearse test` says") != tt.told {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// ranged counts the entries of a map in a loop over it.
func ranged(n int) (entries int) {
	m := map[int]bool{}
	for i := range n {
		m[i] = true
	}
	for range m {
		entries++
	}
	return entries
}
