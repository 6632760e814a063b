package rehearse_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/subjects"
)

// everything is what must be the same whoever explores: counts and violations.
func everything(r *rehearse.Result) string {
	var keys []string
	for i := range r.Findings {
		keys = append(keys, r.Findings[i].Violation.Key())
	}
	slices.Sort(keys)
	return fmt.Sprintf("complete %v, %d executions, %d blocked, %d classes, %d deliveries, depth %d, %q, %d warnings",
		r.Complete, r.Executions, r.Blocked, r.Classes, r.Deliveries, r.Depth, keys, len(r.Warnings))
}

// several has violations: two withdrawals race a deposit, and whoever comes first decides which assertion fails.
func several() rehearse.System {
	return actor.New(func(t *rehearse.T, ctx *actor.Context) {
		balance := 0
		a := ctx.SpawnNamed("account", actor.Func(func(_ *actor.Context, msg any) {
			switch m := msg.(type) {
			case deposit:
				balance += m.Amount
			case withdraw:
				if balance -= m.Amount; balance < -20 {
					panic("deep in the red")
				} else if balance < 0 {
					t.Errorf("overdrawn: %d", balance)
				}
			}
		}))
		for i := range 3 {
			from := ctx.SpawnNamed("client", actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(a, msg) }))
			ctx.Send(from, []any{deposit{20}, withdraw{15}, withdraw{25}}[i])
		}
	})
}

var divided = map[string]func() rehearse.System{
	"pi":      func() rehearse.System { return subjects.Pi(3) },
	"leader":  func() rehearse.System { return subjects.Leader(3) },
	"several": several,
}

// TestWorkers: one, two and three processes count and find the same.
func TestWorkers(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(divided)) {
		cfg := rehearse.Config{Strategy: "naive", Budget: "unlimited"}
		want := explored(t, cfg, divided[name]())
		for cfg.Workers = 2; cfg.Workers <= 3; cfg.Workers++ {
			if got := explored(t, cfg, divided[name]()); got != want {
				t.Errorf("%s by %d workers: %s\nwant %s", name, cfg.Workers, got, want)
			}
		}
		t.Setenv("REHEARSE_RESUME", t.TempDir())
		cfg.Workers = 1
		for range 2 { // the second time from the file alone
			if got := explored(t, cfg, divided[name]()); got != want {
				t.Errorf("%s with a file: %s\nwant %s", name, got, want)
			}
		}
		t.Setenv("REHEARSE_RESUME", "")
	}
}

func explored(t *testing.T, cfg rehearse.Config, sys rehearse.System) string {
	t.Helper()
	r, err := rehearse.Explore(cfg, sys)
	if err != nil {
		t.Fatal(err)
	}
	return everything(&r)
}
