package protoactor_test

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
	"github.com/rehearse-go/rehearse/trace"
)

// drawing has the draws of programs come from a fake: draw gives one of n values.
func drawing(t *testing.T) (draw func(n uint32) int) {
	f := new(chancetest.Fake)
	t.Cleanup(chance.SetSource(f))
	return func(n uint32) int { return int(f.Draw(chance.Select, n)) }
}

// All that is drawn between two choices is explored, whether handlers run inline or not; what is begun anew to learn it
// is no execution.
func TestDrawsAreExplored(t *testing.T) {
	draw := drawing(t)
	for name, tt := range map[string]struct {
		program func(*explore.T)
		want    int
	}{
		"test function": {func(*explore.T) { protoactor.NewActorSystem(); draw(3) }, 3},
		"one after the other": {single(func(*explore.T, actor.Context) {
			for n := draw(3); n > 0; n-- {
				draw(2)
			}
		}), 1 + 2 + 4},
		"around a choice": {single(func(t *explore.T, _ actor.Context) { draw(2); t.Choose(2); draw(1 + uint32(t.Choose(2))) }), 2 * 2 * 3},
		"behind an answer": {single(func(_ *explore.T, ctx actor.Context) {
			server := ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					draw(2)
					ctx.Respond(told{})
				}
			}))
			draw(2)
			ctx.RequestFuture(server, ask{}, -1).Wait()
			draw(2)
		}), 8},
		"behind a sleep": {single(func(*explore.T, actor.Context) { draw(2); time.Sleep(time.Second); draw(3) }), 6},
		"timer":          {single(func(*explore.T, actor.Context) { time.AfterFunc(time.Second, func() { draw(3) }) }), 1},
		"timer that sends": {single(func(_ *explore.T, ctx actor.Context) {
			to := ctx.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
			root := ctx.ActorSystem().Root
			time.AfterFunc(time.Second, func() { root.Send(to, draw(3)) })
		}), 3},
		"panic": {single(func(*explore.T, actor.Context) {
			if v := draw(4); v > 1 {
				panic(v)
			}
		}), 4},
		"start hook": {func(*explore.T) {
			start(protoactor.NewActorSystem(), "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(*actor.Started); ok {
					draw(3)
				}
			})
		}, 3},
	} {
		for _, mode := range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
			t.Run(fmt.Sprint(name, mode), func(t *testing.T) {
				sys, seen := protoactor.System(tt.program), map[string]int{}
				sys.Mode = mode
				out, err := explore.Run(sys, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.MailboxSerial, Draws: 9},
					After: func(_ *explore.Counters, tr *trace.Trace) { seen[stepsOf(tr)]++ }})
				if err != nil || out.Executions != tt.want || len(seen) != tt.want || !out.Exhausted || out.Complete != (name != "timer") {
					t.Errorf("want %d executions: %+v, %v, %d different", tt.want, out, err, len(seen))
				}
			})
		}
	}
}

// stepsOf are the steps of an execution.
func stepsOf(tr *trace.Trace) string {
	all := ""
	for i := range tr.Events {
		all += tr.Events[i].Step.ID.String() + " "
	}
	return all
}

// Messages are the same ones whatever is drawn before they are sent, and in whatever order a loop over a map sends
// them.
func TestMessagesBehindDraws(t *testing.T) {
	draw := drawing(t)
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		var first string
		out, err := explore.Run(protoactor.System(func(t *explore.T) {
			var to [3]*actor.PID
			var a *actor.PID
			s := world(t, func(s *actor.ActorSystem) {
				for i := range to {
					to[i] = start(s, fmt.Sprint("to", i), func(actor.Context) {})
				}
				a = start(s, "a", func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						n := draw(3)
						for i := range to {
							ctx.Send(to[(i+n)%3], told{i})
						}
					}
				})
			})
			s.Root.Send(a, tick{})
		}), search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: model, Draws: 9}, Budget: explore.Budget{Executions: 300},
			After: func(_ *explore.Counters, tr *trace.Trace) {
				ids := map[string]trace.ID{}
				for i := range tr.Messages {
					if m := &tr.Messages[i]; m.Type.Name == "protoactor_test.told" {
						ids[tr.ActorName(m.Receiver)] = m.ID
					}
				}
				if got := fmt.Sprint(ids); first == "" {
					first = got
				} else if got != first {
					t.Errorf("%s: messages %s, were %s", model, got, first)
				}
			}})
		if err != nil || out.Executions < 3 || first == "" {
			t.Errorf("%s: %+v, %v", model, out, err)
		}
	}
}

// A violation that takes values other than the default is found, minimised to these, and its schedule violates the same
// each time.
func TestFindingOfDraws(t *testing.T) {
	draw := drawing(t)
	sys := protoactor.System(single(func(t *explore.T, _ actor.Context) {
		if a, b, c := draw(2), draw(3), draw(2); a == 0 && b == 2 && c == 1 {
			t.Error("the wrong entry came first")
		}
	}))
	for _, strategy := range []string{"naive", "source", "auto", "random", "pos", "pct/3", "cover"} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Recheck: 200}, sys)
		if err != nil || len(r.Findings) != 1 || r.Diverged {
			t.Errorf("%s: error %v, %s, findings %v", strategy, err, r, r.Findings)
			continue
		}
		var forced []int
		for _, s := range r.Findings[0].Schedule.Steps {
			if s.Kind == trace.Draw {
				forced = append(forced, s.Value)
			}
		}
		if len(forced) != 2 || forced[0] != 2 || forced[1] != 1 {
			t.Errorf("%s: the schedule forces the draws %v, want 2 and 1", strategy, forced)
		}
	}
}

// Where a strategy samples what Go chooses, draws are in the record as if somebody had been asked for them: executions
// repeat, with what is sent, spawned, waited for and timed behind them. Of the strategies two, with REHEARSE_TOY all.
func TestSampledDrawsRepeat(t *testing.T) {
	draw := drawing(t)
	sys := protoactor.System(func(t *explore.T) {
		var a, server, sink *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			sink = start(s, "sink", func(actor.Context) {})
			server = start(s, "server", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok {
					ctx.Respond(told{m.n + draw(3)})
				}
			})
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); !ok {
					return
				}
				n := draw(3)
				for range n {
					ctx.Send(sink, told{draw(4)})
				}
				ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
					if _, ok := ctx.Message().(*actor.Started); ok {
						ctx.Send(sink, told{draw(5)})
					}
				}))
				got, err := ctx.RequestFuture(server, ask{t.Choose(2)}, time.Minute).Result()
				if err != nil {
					panic(err)
				}
				ctx.Send(sink, told{got.(told).n + draw(2)})
				time.AfterFunc(time.Duration(1+n)*time.Second, func() { s.Root.Send(sink, told{draw(3)}) })
			})
		})
		s.Root.Send(a, tick{})
		s.Root.Send(sink, told{9})
	})
	for _, model := range []rehearse.Model{rehearse.Bag, rehearse.Mailbox} {
		strategies := []string{"random", "auto"}
		if os.Getenv("REHEARSE_TOY") != "" {
			strategies = []string{"random", "pos", "pct/3", "cover", "auto"}
		}
		for _, strategy := range strategies {
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Model: model, Budget: "40x", Recheck: 40}, sys)
			if err != nil || len(r.Findings) > 0 || r.Diverged || r.Rechecked < 40 {
				t.Errorf("%s, %s: error %v, %s, findings %v", strategy, model, err, r, r.Findings)
			}
		}
	}
}

// What is drawn and not asked for takes "complete" away, with its kind: in set-up, beyond the bound, in invariants and
// in clean-ups. What final checks draw is explored, within the bound.
func TestDrawsNotAskedFor(t *testing.T) {
	draw := drawing(t)
	for name, tt := range map[string]struct {
		program func(*explore.T)
		want    string
	}{
		"set-up": {func(t *explore.T) {
			t.SetUp(func() { draw(2) })
			start(protoactor.NewActorSystem(), "a", func(actor.Context) {})
		}, "select at an unknown place"},
		"many": {single(func(*explore.T, actor.Context) {
			for range 5 {
				draw(2)
			}
		}), "select at an unknown place"},
		"end": {func(t *explore.T) {
			t.AtEnd(func() { draw(2) })
			start(protoactor.NewActorSystem(), "a", func(actor.Context) {})
		}, ""},
		"end, many": {func(t *explore.T) {
			t.AtEnd(func() {
				for range 5 {
					draw(2)
				}
			})
			start(protoactor.NewActorSystem(), "a", func(actor.Context) {})
		}, "select at an unknown place in a final check"},
		"clean-up": {func(t *explore.T) {
			t.AtEnd(func() {})
			t.Cleanup(func() { draw(2) })
			start(protoactor.NewActorSystem(), "a", func(actor.Context) {})
		}, "select at an unknown place in a clean-up"},
		"none": {single(func(*explore.T, actor.Context) {}), ""},
	} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: "naive"}, protoactor.System(tt.program))
		if err != nil || r.OneSeed != tt.want || r.Complete != (tt.want == "") || r.ForOneSeed == r.Complete {
			t.Errorf("%s: error %v, %s", name, err, r)
		}
	}
}

// An execution that begins anew goes on while somebody waits for an answer: told that there is none, a goroutine of the
// program's may panic, and end the process.
func TestBegunAnewWhileOneWaits(t *testing.T) {
	draw := drawing(t)
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Budget: "50x"}, protoactor.System(single(func(_ *explore.T, ctx actor.Context) {
		root := ctx.ActorSystem().Root
		server := ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if m, ok := ctx.Message().(ask); ok {
				ctx.Respond(told{m.n + draw(3)})
			}
		}))
		for range 2 {
			go func() {
				if _, err := root.RequestFuture(server, ask{1}, time.Minute).Result(); err != nil {
					panic(err)
				}
			}()
		}
	})))
	if err != nil || r.Executions < 9 || !strings.Contains(r.Uncontrolled, "starts a goroutine in its handler") {
		t.Errorf("error %v, %s, findings %v", err, r, r.Findings)
	}
}

// wokenGoroutines are programs in which a handler, or the test function, starts a goroutine that does little. The
// handler was woken by another one's step, or runs while another waits.
func wokenGoroutines() map[string]goroutineEnd {
	joined := func() {
		done := make(chan bool)
		go func() { done <- true }()
		<-done
	}
	var n atomic.Int32
	outlives := func() { go n.Add(1) }
	nothing := func(actor.Context, *actor.PID) {}
	does := func(f func()) func(actor.Context, *actor.PID) { return func(actor.Context, *actor.PID) { f() } }
	answer := func(ctx actor.Context, to *actor.PID) { ctx.RequestFuture(to, ask{}, -1).Wait() }
	asking := func(before, after func(actor.Context, *actor.PID)) func(*explore.T) {
		return single(func(_ *explore.T, ctx actor.Context) {
			server := ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					before(ctx, nil)
					ctx.Respond(told{})
				}
			}))
			answer(ctx, server)
			after(ctx, server)
		})
	}
	behindSetUp := func(f func()) func(*explore.T) {
		return func(t *explore.T) {
			s := protoactor.NewActorSystem()
			a := start(s, "a", func(actor.Context) {})
			t.SetUp(func() { s.Root.Send(a, tick{}) })
			f()
		}
	}
	return map[string]goroutineEnd{
		"joined behind an answer":      {program: asking(nothing, does(joined)), oneOrder: true},
		"joined while another waits":   {program: asking(does(joined), nothing)},
		"joined behind set-up":         {program: behindSetUp(joined), oneOrder: true},
		"outlives behind an answer":    {program: asking(nothing, does(outlives)), beyond: true, alive: true},
		"outlives while another waits": {program: asking(does(outlives), nothing), beyond: true, alive: true},
		"outlives, and waits again":    {program: asking(nothing, func(ctx actor.Context, to *actor.PID) { outlives(); answer(ctx, to) }), beyond: true},
		"outlives behind set-up":       {program: behindSetUp(outlives), beyond: true, alive: true},
	}
}

// goroutineEnd is one of these, and how the goroutine ends.
type goroutineEnd struct {
	program  func(*explore.T)
	beyond   bool // not before its handler ends, or waits again
	alive    bool // it is there when the handler ends
	oneOrder bool // without numbers it is a matter of one order; while another handler waits it is not
}

// Goroutines are looked for in each handler that goes on in a step: those that the step has woken, too, and those that
// wait again. Where draws have numbers, those that end with their handler are nothing uncontrolled. Elsewhere they have
// one order. What cannot be counted shows where it is alive when its handler ends, and else a remark tells.
func TestGoroutinesOfWokenHandlers(t *testing.T) {
	for _, numbered := range []bool{false, true} {
		if numbered {
			drawing(t)
		} else if chance.Numbered() {
			continue // no test built so has layer one
		}
		for name, tt := range wokenGoroutines() {
			for _, mode := range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
				sys := protoactor.System(tt.program)
				sys.Mode = mode
				out, err := explore.Run(sys, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.MailboxSerial, Draws: 9}})
				seen := goroutine.Countable() || tt.alive
				complete := numbered && !tt.beyond || !seen
				told := strings.Contains(out.Remarks, "their orders were explored where they synchronise") == (numbered && !tt.beyond && seen)
				if !goroutine.Countable() {
					told = told && strings.Contains(out.Remarks, "goroutines that are over when their handler is were not looked for")
				}
				if err != nil || out.Complete != complete || (out.Uncontrolled == "") != complete || !told || out.OneOrder != (tt.oneOrder && seen && !complete && chance.Available()) {
					t.Errorf("%s, mode %d, numbered %t: want complete %t: %+v, %v", name, mode, numbered, complete, out, err)
				}
			}
		}
	}
}

// A part that draws otherwise when it is run again is a choice that is not ours.
func TestDrawsThatChange(t *testing.T) {
	draw, n := drawing(t), uint32(2)
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Budget: "20x", Recheck: -1}, protoactor.System(single(func(*explore.T, actor.Context) { n++; draw(n) })))
	if err != nil || r.Complete || !strings.Contains(r.Uncontrolled, "values before") {
		t.Errorf("error %v, %s", err, r)
	}
}
