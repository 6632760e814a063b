package rehearse

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
)

// relays has c get a message of p and one of q, and fail if that of the wrong one comes first.
func relays(wrong string) System {
	return actor.New(func(t *T, ctx *actor.Context) {
		first := ""
		c := ctx.SpawnNamed("c", actor.Func(func(ctx *actor.Context, msg any) {
			if first == "" {
				first = msg.(string)
			}
			if first == wrong {
				ctx.T().Errorf("%s first", wrong)
			}
		}))
		for _, name := range []string{"p", "q"} {
			ctx.Send(ctx.SpawnNamed(name, actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(c, name) })), 0)
		}
	})
}

// A schedule that was saved when a step that handles a message released the first send of its handler as well shows
// still what it was saved for. This one forces nothing: in the default order q came first then, and p does now.
func TestSavedBeforeReleasesWereSteps(t *testing.T) {
	folder(t)
	path := filepath.Join("testdata", "rehearse", "TestX", "old.schedule")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	header := `{"rehearse_schedule":1,"package":"example.com/bank","test":"TestX","model":"mailbox","timers":"quiescent","violation":{"kind":"assertion","text":"q first"}}`
	if err := os.WriteFile(path, []byte(header+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	f, r := try(t, Config{Model: Mailbox}, relays("q"), nil)
	if !slices.Equal(f.out.subtests, []string{"old:fail"}) || len(r.Findings) == 0 {
		t.Errorf("subtests %v, %v", f.out.subtests, r)
	}
	contains(t, f.text(), "q first")
	f, _ = try(t, Config{Model: Mailbox}, relays("q"), env{"REHEARSE_REPLAY": path})
	contains(t, f.text(), "q first")
	f, r = try(t, Config{Model: Mailbox}, relays("neither"), env{"REHEARSE_REPLAY": path})
	if f.failed || r.Saved != 1 {
		t.Errorf("the fix is in: %v\n%s", r, f.text())
	}
	contains(t, f.log(), "the schedule passes", `string("q")`)
}
