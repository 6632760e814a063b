package rehearse

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/session"
)

// lottery fails where Go draws one number of eight; keep is called with each that is drawn.
func lottery(keep func(int)) *actor.System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		a := ctx.SpawnNamed("lottery", actor.Func(func(ctx *actor.Context, _ any) {
			n := rand.IntN(8)
			if keep(n); n == 3 {
				ctx.T().Errorf("drawn: %d", n)
			}
		}))
		ctx.Send(a, deposit{})
	})
}

func needsChance(t *testing.T) {
	t.Helper()
	if !chance.Available() {
		t.Skip(chance.Why())
	}
}

// command is the one that has built this test, and by which a finding is to be replayed.
func command() string {
	if chance.Numbered() {
		return "rehearse test"
	}
	return "go test"
}

// A bug that only some of Go's choices bring about is found, and its schedule has them: it fails whenever it is
// replayed. With another version of Go it may pass, and says that this may mean nothing.
func TestBugOfGoChoices(t *testing.T) {
	needsChance(t)
	folder(t)
	var drawn []int
	keep := func(n int) { drawn = append(drawn, n) }
	f, r := try(t, Config{Strategy: "naive"}, lottery(keep), nil)
	if !f.failed || len(r.Findings) != 1 || r.Findings[0].File == "" {
		t.Fatalf("not found: %v\n%s", r, f.text())
	}
	h := r.Findings[0].Schedule.Header
	if first := drawn[0]; first != 3 && h.Choices == 0 || h.Go != session.ThisGo() {
		t.Errorf("first %d was drawn; the schedule has choices %d, Go %q", first, h.Choices, h.Go)
	}
	for range 3 {
		drawn = nil
		if f, r := try(t, Config{Strategy: "naive"}, lottery(keep), nil); !f.failed || r.Saved != 1 ||
			len(drawn) == 0 || drawn[0] != 3 {
			t.Errorf("drawn %v: %v\n%s", drawn, r, f.text())
		}
	}

	path := schedules(t)[0]
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	old := strings.Replace(string(text), session.ThisGo(), "go1.99.1 plan9/mips", 1)
	if err := os.WriteFile(path, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	harmless := actor.New(func(_ *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("lottery", actor.Func(func(*actor.Context, any) {})), deposit{})
	})
	f, _ = try(t, Config{Strategy: "naive"}, harmless, nil)
	contains(t, f.log(), "the schedule passes, which may mean nothing", "It was saved with go1.99.1 plan9/mips",
		"find the bug anew")
}

// Draws that nothing depends on leave a result complete, with a word about them. Where draws have numbers it is
// complete for one seed, since random numbers cannot be explored. What depends on them takes that away.
func TestDrawsAreTold(t *testing.T) {
	needsChance(t)
	many, numbered := "32 executions went alike with others, and no more were tried", chance.Numbered()
	if numbered {
		many = "what Go chooses by itself was not explored, or not all of it: random numbers"
	}
	for _, tt := range []struct {
		name     string
		handle   func(ctx *actor.Context, to [2]actor.Ref)
		complete bool
		want     string
	}{
		{"nothing is drawn", func(*actor.Context, [2]actor.Ref) {}, true, ""},
		{"one of many numbers decides", func(ctx *actor.Context, to [2]actor.Ref) {
			if rand.Uint64() == 0 {
				ctx.Send(to[0], deposit{})
			}
		}, !numbered, many},
		{"a number decides", func(ctx *actor.Context, to [2]actor.Ref) { ctx.Send(to[rand.IntN(2)], deposit{}) }, false,
			"the program depends on what Go chooses by itself (the order of a map, select, random numbers), of which one " +
				"sample was explored: step "},
		{"a number is sent", func(ctx *actor.Context, to [2]actor.Ref) { ctx.Send(to[0], deposit{rand.Int()}) }, false,
			"the field Amount of deposit from chooser to left held something else"},
	} {
		r, err := Explore(Config{Strategy: "naive"}, actor.New(func(_ *T, ctx *actor.Context) {
			to := [2]actor.Ref{ctx.SpawnNamed("left", &account{}), ctx.SpawnNamed("right", &account{})}
			ctx.Send(ctx.SpawnNamed("chooser", actor.Func(func(ctx *actor.Context, _ any) { tt.handle(ctx, to) })), deposit{})
		}))
		if err != nil || r.Complete != tt.complete || r.ForOneSeed != (tt.want == many && numbered) ||
			r.Diverged || r.Varied != "" || !strings.Contains(r.String(), tt.want) {
			t.Errorf("%s: error %v, %s", tt.name, err, r)
		}
		if said := strings.Contains(r.String(), "Go"); said != (tt.want != "") {
			t.Errorf("%s: %s", tt.name, r)
		}
	}
}
