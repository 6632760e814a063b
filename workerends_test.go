package rehearse_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
)

// drawsAtEnd is a program with 6 orders whose final check draws one of 3 values, and fails at the last one if it is
// bad.
func drawsAtEnd(f *chancetest.Fake, bad bool) rehearse.System {
	return actor.New(func(t *rehearse.T, ctx *actor.Context) {
		a := ctx.SpawnNamed("a", actor.Func(func(*actor.Context, any) {}))
		for n := range 3 {
			ctx.Send(a, n)
		}
		t.AtEnd(func() {
			if f.Draw(chance.Map, 3) == 2 && bad {
				t.Errorf("the last entry came first")
			}
		})
	})
}

// TestWorkersTryEnds: what Go chooses in final checks is explored by worker processes as by one, and where the
// exploration is kept in a file. The draws are those of a fake, in each of the processes.
func TestWorkersTryEnds(t *testing.T) {
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	for _, bad := range []bool{false, true} {
		sys := drawsAtEnd(fake, bad)
		for _, strategy := range []string{"naive", "reverse"} {
			cfg := rehearse.Config{Strategy: strategy, Budget: "unlimited"}
			want := explored(t, cfg, sys)
			cfg.Workers = 2
			got := explored(t, cfg, sys)
			known := "complete true, 18 executions"
			if bad {
				known = "assertion"
			}
			if got != want || !strings.Contains(got, known) {
				t.Errorf("%s, bad %t, by workers: %s\nwant %s", strategy, bad, got, want)
			}
		}
	}
	t.Setenv("REHEARSE_RESUME", t.TempDir())
	for range 2 { // the second time from the file alone
		got := explored(t, rehearse.Config{Strategy: "naive", Budget: "unlimited"}, drawsAtEnd(fake, false))
		if !strings.Contains(got, "complete true, 18 executions") {
			t.Errorf("with a file: %s", got)
		}
	}
}

// TestWorkersLeaveEnds: values for which the budget does not last are named.
func TestWorkersLeaveEnds(t *testing.T) {
	fake := new(chancetest.Fake)
	defer chance.SetSource(fake)()
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Budget: "8x", Workers: 2}, drawsAtEnd(fake, false))
	if err != nil || r.Complete || r.Executions > 8 || !strings.Contains(r.String(), "in a final check") {
		t.Errorf("%v, %d executions: %s", err, r.Executions, r.String())
	}
}
