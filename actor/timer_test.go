package actor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// every are the conditions of all five models.
var every = []explore.Conditions{bag, fifo, causal, mailbox, serial}

func TestQuiescentTimersFireInOrder(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			if msg == (ping{}) {
				ctx.After(2*time.Second, hello{2})
				ctx.After(time.Second, hello{1})
				return
			}
			ctx.T().Log(msg.(hello).N, ctx.Now())
		}))
		ctx.Send(a, ping{})
	}
	for _, c := range every {
		mayLog(t, p, want{c, []string{"1 1s 2 2s"}})
		mayLog(t, p, want{async(c), []string{"1 1s 2 2s", "2 2s 1 2s"}})
	}
}

func TestTiesInterleave(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		for n := range 2 {
			ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
				if msg == (ping{}) {
					ctx.After(time.Second, hello{n})
					return
				}
				logger(ctx, msg)
			})), ping{})
		}
	}
	for _, c := range every {
		mayLog(t, p, want{c, []string{"0 1", "1 0"}})
	}
}

func TestCancelInTime(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			if msg == (ping{}) {
				id := ctx.After(time.Second, tick{})
				ctx.T().Log(ctx.Cancel(id), ctx.Cancel(id), ctx.Cancel(0))
				return
			}
			logger(ctx, msg)
		}))
		ctx.Send(a, ping{})
	}
	for _, c := range every {
		logs := []string{"true false false"}
		mayLog(t, p, want{c, logs})
		if c.Model == trace.Mailbox { // it may fire as soon as it is set
			logs = append(logs, "false false false tick")
		}
		mayLog(t, p, want{async(c), logs})
	}
}

// TestCancelRacesWithTheTimeout tells the models apart: a timeout that is already in a mailbox is still delivered.
func TestCancelRacesWithTheTimeout(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		var id actor.TimerID
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			switch msg {
			case ping{}:
				id = ctx.After(time.Second, tick{})
				ctx.Send(ctx.Self(), pong{})
			case pong{}:
				ctx.T().Log(ctx.Cancel(id))
			default:
				logger(ctx, msg)
			}
		}))
		ctx.Send(a, ping{})
	}
	for _, c := range every {
		may := []string{"true", "tick false"}
		switch c.Model {
		case trace.Mailbox: // the timeout comes before pong, or behind it when it is cancelled
			may = append(may, "false tick")
		case trace.MailboxSerial: // pong is in the mailbox before the timer can fire
			may[1] = "false tick"
		}
		mayLog(t, p, want{async(c), may})
	}
}

// TestTimersComeBehindWhatWasSentBefore: under mailbox what a handler has sent before it sets a timer is out when that
// fires, at the earliest, whoever it went to; what it sends after that need not be.
func TestTimersComeBehindWhatWasSentBefore(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			if msg == (ping{}) {
				ctx.Send(ctx.Self(), hello{1})
				ctx.After(time.Second, tick{})
				ctx.Send(ctx.Self(), hello{2})
				return
			}
			logger(ctx, msg)
		}))
		ctx.Send(a, ping{})
	}
	mayLog(t, p, want{async(mailbox), []string{"1 tick 2", "1 2 tick"}}, want{async(serial), []string{"1 2 tick"}})

	creates := func(t *explore.T, ctx *actor.Context) {
		log := ctx.Spawn(actor.Func(logger))
		ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) {
			ctx.Send(log, hello{1})
			ctx.Spawn(&starts{func(ctx *actor.Context) { ctx.After(time.Second, tick{}) },
				func(ctx *actor.Context, _ any) { ctx.Send(log, tick{}) }})
		})), ping{})
	}
	mayLog(t, creates, want{async(mailbox), []string{"1 tick"}}, want{async(bag), []string{"1 tick", "tick 1"}})
}

// A schedule in which a timer fires before what its handler had sent before, as it once could, is followed with the
// firing behind that.
func TestEarlyFiringsOfOldSchedulesWait(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			if msg == (ping{}) {
				ctx.Send(ctx.Self(), hello{1})
				ctx.After(time.Second, tick{})
				return
			}
			logger(ctx, msg)
		})), ping{})
	}
	var steps []trace.Forced
	exploredBy(t, actor.New(p), search.NewNaive(),
		explore.Options{Conditions: async(mailbox), Budget: explore.Budget{Executions: 1},
			Check: traced(func(tr *trace.Trace) {
				for _, e := range tr.Events[tr.Explored:] {
					if k := e.Step.Kind; k == trace.Deliver && len(steps) == 0 || k == trace.Timer && len(steps) == 1 {
						steps = append(steps, trace.Forced{ID: e.Step.ID, Kind: k})
					}
				}
			})})
	r := replay.New(steps)
	h := exploredBy(t, actor.New(p), r, explore.Options{Conditions: async(mailbox)})
	if len(steps) != 2 || len(r.Stale()) > 0 || !slices.Equal(h.logs, []string{"1 tick"}) {
		t.Errorf("of %d steps %v are stale; %q", len(steps), r.Stale(), h.logs)
	}
}

// starts is an actor with a start hook, as functions.
type starts struct {
	start   func(*actor.Context)
	receive func(*actor.Context, any)
}

func (s *starts) Start(ctx *actor.Context)            { s.start(ctx) }
func (s *starts) Receive(ctx *actor.Context, msg any) { s.receive(ctx, msg) }

// A timer that waits for a release is cancelled like any other.
func TestCancelOfATimerThatWaits(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			if msg == (ping{}) {
				ctx.Send(ctx.Self(), hello{1})
				ctx.T().Log(ctx.Cancel(ctx.After(time.Second, tick{})))
				return
			}
			logger(ctx, msg)
		}))
		ctx.Send(a, ping{})
	}
	mayLog(t, p, want{async(mailbox), []string{"true 1", "false 1 tick"}})
}

// traced looks at executions that are over.
type traced func(tr *trace.Trace)

func (traced) Step(explore.Execution, int32) []trace.Violation { return nil }

func (f traced) End(x explore.Execution, _ bool, _ []trace.Incident) []trace.Violation {
	f(x.Trace())
	return nil
}

// The timeout of a call fires behind the request, and what was sent before that.
func TestTimeoutsOfCallsComeBehindTheirRequests(t *testing.T) {
	p := actor.New(func(t *explore.T, ctx *actor.Context) {
		log := ctx.Spawn(actor.Func(logger))
		silent := ctx.Spawn(actor.Func(func(*actor.Context, any) {}))
		ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) {
			ctx.Send(log, hello{1})
			if _, err := ctx.CallTimeout(silent, ping{}, time.Second); err != actor.ErrTimeout {
				ctx.T().Errorf("the call ended with %v", err)
			}
			ctx.Send(log, hello{2})
		})), ping{})
	})
	fired, executions := 0, 0
	h := exploredBy(t, p, search.NewNaive(),
		explore.Options{Conditions: async(mailbox), Check: traced(func(tr *trace.Trace) {
			executions++
			for i := range tr.Events {
				s := &tr.Events[i].Step
				if s.Kind != trace.Timer {
					continue
				}
				fired++
				for _, m := range tr.Events[tr.Messages[s.Message].SentBy].Sent {
					if out := func(e trace.Event) bool { return e.Released == m }; m < s.Message &&
						!slices.ContainsFunc(tr.Events[:i], out) {
						t.Errorf("the timeout fired before %s was out", tr.MessageName(m))
					}
				}
			}
		})})
	if fired == 0 || fired != executions || !slices.Equal(h.logs, []string{"1 2"}) || len(h.violations) > 0 {
		t.Errorf("%d timeouts in %d executions, %q, violations %q", fired, executions, h.logs, h.violations)
	}
}

func TestTimerFiresAsAStepUnderMailboxes(t *testing.T) {
	p := actor.New(func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			if msg == (ping{}) {
				ctx.After(time.Second, tick{})
			}
		}))
		ctx.Send(a, ping{})
	})
	kinds := func(c explore.Conditions) string {
		var s []string
		exploredBy(t, p, search.NewNaive(), explore.Options{Conditions: c, Check: counting(func(e *trace.Event) {
			s = append(s, e.Step.Kind.String())
			if e.Step.Kind == trace.Advance && (!e.Auto || e.Time != time.Second) {
				t.Errorf("the advance is chosen, or its time is %v", e.Time)
			}
			if e.Step.Kind == trace.Timer && e.Released != e.Step.Message {
				t.Error("the firing does not say what it appended")
			}
		})})
		return strings.Join(s, " ")
	}
	for _, tt := range []struct {
		c    explore.Conditions
		want string
	}{
		{bag, "start deliver advance deliver"},
		{async(bag), "start deliver deliver"},
		{mailbox, "start send deliver advance timer deliver"},
		{async(mailbox), "start send deliver timer deliver"},
		{serial, "start deliver advance timer deliver"},
	} {
		if got := kinds(tt.c); got != tt.want {
			t.Errorf("%v %v: steps %q, want %q", tt.c.Model, tt.c.Timers, got, tt.want)
		}
	}
}

func TestRepeatingTimerEndsAtTheHorizon(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		n := 0
		a := ctx.SpawnNamed("Repeater", actor.Func(func(ctx *actor.Context, msg any) {
			if msg == (tick{}) {
				n++
			}
			ctx.After(time.Second, tick{})
		}))
		ctx.Send(a, ping{})
		t.AtEnd(func() { t.Log(n) })
	}
	is := func(c explore.Conditions, log, beyond string) {
		t.Helper()
		h := explored(t, p, c)
		if len(h.logs) != 1 || h.logs[0] != log || h.out.Complete || h.out.Beyond != beyond || len(h.violations) > 0 {
			t.Errorf("%v %v: logs %q, want %s; %+v", c.Model, c.Timers, h.logs, log, h.out)
		}
	}
	for _, c := range every {
		is(c, "60", "tick for Repeater, due at 1m1s")
		c.Horizon = 3 * time.Second
		is(c, "3", "tick for Repeater, due at 4s")
		is(async(c), "3", "tick for Repeater, due at 4s")
	}
}

// A timer that the horizon leaves out is told of, unless nobody waits for it any more.
func TestTimersBeyondTheHorizon(t *testing.T) {
	for name, tt := range map[string]struct {
		act    func(*actor.Context, actor.TimerID)
		beyond string
	}{
		"set":       {func(*actor.Context, actor.TimerID) {}, "tick for waiter, due at 2m0s"},
		"cancelled": {func(ctx *actor.Context, id actor.TimerID) { ctx.Cancel(id) }, ""},
		"stopped":   {func(ctx *actor.Context, _ actor.TimerID) { ctx.Stop() }, ""},
	} {
		p := func(_ *explore.T, ctx *actor.Context) {
			ctx.Send(ctx.SpawnNamed("waiter", actor.Func(func(ctx *actor.Context, msg any) {
				if msg == (tick{}) {
					panic("fired")
				}
				tt.act(ctx, ctx.After(2*time.Minute, tick{}))
			})), ping{})
		}
		for _, c := range every {
			for _, c := range []explore.Conditions{c, async(c)} {
				h := explored(t, p, c)
				if h.out.Beyond != tt.beyond || h.out.Complete != (tt.beyond == "") || len(h.violations) > 0 {
					t.Errorf("%s, %v %v: %+v", name, c.Model, c.Timers, h.out)
				}
			}
		}
	}
}

func TestTimersOfSetUpWaitForTheExploration(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		t.SetUp(func() {
			ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
				if msg == (ping{}) {
					ctx.After(time.Second, tick{})
					return
				}
				logger(ctx, msg)
			})), ping{})
		})
		t.Log("test")
	}
	for _, c := range every {
		mayLog(t, p, want{c, []string{"test tick"}}, want{async(c), []string{"test tick"}})
	}
}

func TestAStoppedActorsTimersDoNotFire(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			ctx.After(time.Second, tick{})
			ctx.Stop()
			ctx.T().Log("stopped")
		}))
		ctx.Send(a, ping{})
	}
	for _, c := range every {
		mayLog(t, p, want{c, []string{"stopped"}}, want{async(c), []string{"stopped"}})
	}
}

// TestAsyncTimeIsEachActorsOwn: how far one actor's clock is does not depend on the timers of others, so steps of
// different actors commute.
func TestAsyncTimeIsEachActorsOwn(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		times := map[string]bool{}
		for n := range 2 {
			ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
				if msg == (ping{}) {
					ctx.After(time.Duration(n+1)*time.Second, tick{})
					return
				}
				times[fmt.Sprint(n, " at ", ctx.Now())] = true
			})), ping{})
		}
		t.AtEnd(func() { t.Log(times) })
	}
	for _, c := range every {
		mayLog(t, p, want{async(c), []string{"map[0 at 1s:true 1 at 2s:true]"}})
	}
}
