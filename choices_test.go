package rehearse

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/chance/chancetest"
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
			if r.Executions != tt.executions || !strings.HasPrefix(r.String(), tt.starts) || !strings.Contains(r.String(), tt.says) {
				t.Errorf("choices %q of kind %s: want %d executions, %s%s: %s", tt.choices, tt.kind, tt.executions, tt.starts, tt.says, r)
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

// A test that go test has built says that what is asked for cannot be had, and how it can. What means nothing there is not mentioned.
func TestChoicesInPlainTests(t *testing.T) {
	if chance.Numbered() {
		t.Fatal("draws have numbers")
	}
	for choices, want := range map[string]string{
		"6":      "what Go chooses by itself was not explored, although choices 6 asks for it: rehearse test -overlay has not built this test",
		"sample": "what Go chooses by itself follows a seed, without the order of goroutines (choices sample): rehearse test -overlay has not built this test",
		"off":    "", "": "",
	} {
		r, err := Explore(Config{Strategy: "naive", Choices: choices}, drawing(func() {}))
		if err != nil || !strings.Contains(r.String(), want) || strings.Contains(r.String(), "overlay") != (want != "") {
			t.Errorf("choices %q: want %q: %s, %v", choices, want, r, err)
		}
	}
	if _, err := Explore(Config{Choices: "many"}, drawing(func() {})); err == nil || !strings.Contains(err.Error(), `Config.Choices: choices "many": want off, sample, or how many`) {
		t.Errorf("a bad value: %v", err)
	}
}

// Where the system makes no use of the numbers, the line is another one.
func TestChoicesOfAnotherSystem(t *testing.T) {
	defer chance.SetSource(new(chancetest.Fake))()
	r, err := Explore(Config{Strategy: "naive", Choices: "6"}, struct{ System }{drawing(func() {})})
	if want := "although choices 6 asks for it: this kind of system makes no use of their numbers"; err != nil || !strings.Contains(r.String(), want) {
		t.Errorf("want %q: %s, %v", want, r, err)
	}
}
