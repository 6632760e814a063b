package actor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
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
		mayLog(t, p, want{c, []string{"true false false"}}, want{async(c), []string{"true false false"}})
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

// TestAsyncTimeIsEachActorsOwn: how far one actor's clock is does not depend on the timers of others, so steps of different
// actors commute.
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
