package protoactor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// judged is a program with an actor that draws one of 2 values to answer, and what judges it.
func judged(draw func(uint32) int, judge func(t *explore.T, ask func() int)) func(*explore.T) {
	return func(t *explore.T) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					ctx.Respond(told{draw(2)})
				}
			})
		})
		s.Root.Send(a, tick{})
		judge(t, func() int {
			got, err := s.Root.RequestFuture(a, ask{}, time.Minute).Result()
			if err != nil {
				panic(err)
			}
			return got.(told).n
		})
	}
}

// All that final checks draw is explored, what handlers draw that they ask for something too; clean-ups add nothing.
func TestEndsAreExplored(t *testing.T) {
	draw := drawing(t)
	for name, tt := range map[string]struct {
		judge func(t *explore.T, ask func() int)
		want  int
	}{
		"one":       {func(t *explore.T, _ func() int) { t.AtEnd(func() { draw(3) }) }, 3},
		"functions": {func(t *explore.T, _ func() int) { t.AtEnd(func() { draw(3) }); t.AtEnd(func() { draw(2) }) }, 6},
		"asks":      {func(t *explore.T, ask func() int) { t.AtEnd(func() { ask() }) }, 2},
		"asks and draws": {func(t *explore.T, ask func() int) {
			t.AtEnd(func() {
				draw(2)
				if ask() == 1 {
					draw(3)
				}
				if ask() == 1 {
					draw(2)
				}
			})
		}, 2 * (1 + 3) * (1 + 2)},
		"stops": {func(t *explore.T, ask func() int) { t.AtEnd(func() { draw(3) }); t.Cleanup(func() { draw(1); ask() }) }, 3},
	} {
		for _, mode := range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
			sys, seen := protoactor.System(judged(draw, tt.judge)), map[string]bool{}
			sys.Mode = mode
			out, err := explore.Run(sys, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.MailboxSerial, Draws: 9},
				Ends: true, Check: &check.Checker{}, Repeat: func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) },
				After: func(_ *explore.Counters, tr *trace.Trace) { seen[fmt.Sprint(tr.Forces())] = true }})
			complete := name != "stops" // of which the clean-up makes a handler draw
			if err != nil || out.Executions != tt.want || len(seen) != tt.want || out.Complete != complete || !out.Exhausted {
				t.Errorf("%s, mode %d: want %d executions, %d differ: %+v, %v", name, mode, tt.want, len(seen), out, err)
			}
		}
	}
}

// A violation of a final check that takes values other than the default is found, minimised to these, and its schedule
// violates the same each time.
func TestFindingOfEnds(t *testing.T) {
	draw := drawing(t)
	sys := protoactor.System(judged(draw, func(t *explore.T, ask func() int) {
		t.AtEnd(func() {
			if a, b, c := draw(3), ask(), draw(2); a == 2 && b == 1 && c == 0 {
				t.Error("the wrong entry came first")
			}
		})
	}))
	for _, strategy := range []string{"naive", "source", "auto", "random"} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Budget: "100x"}, sys)
		if err != nil || len(r.Findings) != 1 || r.Diverged {
			t.Errorf("%s: error %v, %s, findings %v", strategy, err, r, r.Findings)
			continue
		}
		h := r.Findings[0].Schedule.Header
		c := explore.Conditions{Model: h.Model, Draws: h.Draws, Preemptions: h.Preemptions, Choices: h.Choices}
		for _, e := range h.Ends {
			c.EndDraws = append(c.EndDraws, uint32(e.Value))
		}
		if fmt.Sprint(c.EndDraws) != "[2 1 0]" || len(r.Findings[0].Schedule.Steps) > 0 {
			t.Errorf("%s: the schedule forces %v in final checks, and %v", strategy, h.Ends, r.Findings[0].Schedule.Steps)
		}
		found := 0
		for range 50 {
			_, err := explore.Run(sys, replay.New(nil), explore.Options{Conditions: c, Check: &check.Checker{}, Found: func(explore.Found) bool { found++; return true }})
			if err != nil {
				t.Fatal(err)
			}
		}
		if found != 50 {
			t.Errorf("%s: found by %d replays of 50", strategy, found)
		}
	}
}

// In plain go test a final check that fails under some seeds is found by the executions that are made under others.
func TestFinalCheckUnderOtherSeeds(t *testing.T) {
	if !chance.Available() || chance.Numbered() {
		t.Skip("Go's choices are not set, or are explored")
	}
	entries := map[int]bool{0: true, 1: true, 2: true, 3: true}
	for wrong := range entries {
		sys := protoactor.System(judged(func(uint32) int { return 0 }, func(t *explore.T, ask func() int) {
			t.AtEnd(func() {
				ask()
				for k := range entries {
					if k == wrong {
						t.Errorf("%d came first", k)
					}
					break
				}
			})
		}))
		r, err := rehearse.Explore(rehearse.Config{Strategy: "source"}, sys)
		if err != nil || len(r.Findings) != 1 || r.Diverged || r.Findings[0].Schedule == nil {
			t.Errorf("entry %d: %v, %s, findings %v", wrong, err, r, r.Findings)
		}
	}
}
