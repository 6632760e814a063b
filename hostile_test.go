package rehearse

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// Programs that do not end, under the settings that Check has unless told otherwise: each ends with a report. What is
// looked at is how much was executed, not how long that took; docs/performance.md has the seconds.

type again struct{}

// handler is a behaviour that is given itself.
type handler func(ctx *actor.Context, self handler)

func (h handler) Receive(ctx *actor.Context, _ any) { h(ctx, h) }

// begins is a program that sends an actor one message. executed counts its executions from the start.
func begins(h handler, executed *int) System {
	return actor.New(func(_ *T, ctx *actor.Context) {
		*executed++
		ctx.Send(ctx.SpawnNamed("first", h), again{})
	})
}

// endless are handlers of programs that go on for ever.
var endless = map[string]handler{
	"sends to itself":        func(ctx *actor.Context, _ handler) { ctx.Send(ctx.Self(), again{}) },
	"a new actor each step":  func(ctx *actor.Context, h handler) { ctx.Send(ctx.Spawn(h), again{}) },
	"actors that do nothing": func(ctx *actor.Context, h handler) { ctx.Spawn(h); ctx.Send(ctx.Self(), again{}) },
	"more and more messages": func(ctx *actor.Context,
		_ handler) {
		ctx.Send(ctx.Self(), again{})
		ctx.Send(ctx.Self(), again{})
	},
	"messages by the hundred": func(ctx *actor.Context, _ handler) {
		for range 900 {
			ctx.Send(ctx.Self(), again{})
		}
	},
	"more and more receivers": func(ctx *actor.Context,
		h handler) {
		ctx.Send(ctx.Spawn(h), again{})
		ctx.Send(ctx.Spawn(h), again{})
	},
}

// The first execution is a livelock, and that is told after few further executions. Where more and more messages wait,
// it is long before the bound on steps: that takes the square of their number. What takes the default of steps, and the
// larger of the crowds, is for REHEARSE_TOY.
func TestEndlessPrograms(t *testing.T) {
	const long, short = "more than 100000 steps and still going: next is", "more than 5000 steps and still going: next is"
	const crowded = "after 9215 steps 9216 messages wait, more than ever, and still going: next is"
	for name, h := range endless {
		steps, want := 5_000, short
		whole := os.Getenv("REHEARSE_TOY") != ""
		switch {
		case name == "more and more receivers" && !whole:
			continue
		case name == "sends to itself" && whole:
			steps, want = 0, long // the default
		case name == "messages by the hundred":
			want = "after 127 steps 114174 messages wait, more than ever, and still going: next is"
		case strings.HasPrefix(name, "more and more"):
			steps, want = 0, crowded
		}
		t.Run(name, func(t *testing.T) {
			folder(t)
			executed := 0
			f, r := try(t, Config{MaxSteps: steps}, begins(h, &executed), nil)
			if r.Executions != 1 || !r.Bounded || len(r.Findings) != 1 || executed > 6 {
				t.Errorf("%d executions in all: %v", executed, r)
			}
			contains(t, strings.Join(strings.Fields(f.text()), " "), "livelock: "+want, "raise MaxSteps if the program is right")
		})
	}
}

// As many messages that become fewer are no livelock.
func TestManyMessagesAreNoLivelock(t *testing.T) {
	folder(t)
	handled := 0
	f, r := try(t, Config{MaxSteps: 30_000, Budget: "1x"}, actor.New(func(_ *T, ctx *actor.Context) {
		a := ctx.Spawn(handler(func(*actor.Context, handler) { handled++ }))
		for range 6_000 {
			ctx.Send(a, again{})
		}
	}), nil)
	if f.failed || r.Executions != 1 || handled != 6_000*(r.Executions+r.Rechecked+r.Redrawn) {
		t.Errorf("%d messages were handled: %v\n%s", handled, r, f.text())
	}
}

// What never gives control back is given up with an error that shows where it is; what sends or spawns without end is
// refused long before it has taken all memory.
func TestNeverReturns(t *testing.T) {
	hangs, restore := goroutine.Hang()
	defer restore()
	forever := func() { hangs(); select {} }
	handles := func(f func(*actor.Context)) System {
		return begins(func(ctx *actor.Context, _ handler) { f(ctx) }, new(int))
	}
	for name, c := range map[string]struct {
		sys  System
		want string
	}{
		"handler": {handles(func(*actor.Context) { forever() }),
			"again from Driver to first does not end: no progress for 100ms"},
		"driver": {actor.New(func(*T, *actor.Context) { forever() }), "no progress for 100ms"},
		"SetUp":  {actor.New(func(t *T, _ *actor.Context) { t.SetUp(forever) }), "no progress for 100ms"},
		"AtEnd": {actor.New(func(t *T, ctx *actor.Context) {
			t.AtEnd(forever)
			ctx.Send(ctx.Spawn(&account{}), deposit{})
		}), "no progress for 100ms"},
		"sends": {handles(func(ctx *actor.Context) {
			for {
				ctx.Send(ctx.Self(), again{})
			}
		}), "first has sent 500 messages and created 0 actors in again from Driver to first and does not end"},
		"spawns": {handles(func(ctx *actor.Context) {
			for {
				ctx.Spawn(&account{})
			}
		}), "first has sent 0 messages and created 500 actors in again from Driver to first and does not end"},
		"driver that sends": {actor.New(func(_ *T, ctx *actor.Context) {
			for a := ctx.Spawn(&account{}); ; {
				ctx.Send(a, deposit{})
			}
		}), "Driver has sent 500 messages and created 1 actors in start of Driver and does not end"},
		"chooses": {handles(func(ctx *actor.Context) {
			for ctx.Choose(2) < 2 {
			}
		}), "livelock: more than 500 steps"},
	} {
		t.Run(name, func(t *testing.T) {
			folder(t)
			f, r := try(t, Config{MaxSteps: 500, Blocked: 100 * time.Millisecond}, c.sys, nil)
			if !f.failed || r.Executions > 1 {
				t.Errorf("%v", r)
			}
			contains(t, strings.Join(strings.Fields(f.text()), " "), c.want)
		})
	}
}

// grows holds more with each message, which grows too.
type grows struct{ all [][]byte }

func (g *grows) Receive(ctx *actor.Context, msg any) {
	b, _ := msg.([]byte)
	g.all = append(g.all, make([]byte, 1<<18))
	ctx.Send(ctx.Self(), append(b, make([]byte, 1000)...))
}

// How long the reports take: docs/performance.md has the table.
func BenchmarkHostile(b *testing.B) {
	programs := map[string]System{
		"memory grows": actor.New(func(_ *T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&grows{}), again{}) }),
		"sends without end in one step": begins(func(ctx *actor.Context, _ handler) {
			for {
				ctx.Send(ctx.Self(), again{})
			}
		}, new(int)),
		"handler that never returns": begins(func(*actor.Context, handler) { select {} }, new(int)),
		"handler of 1 s": begins(func(*actor.Context, handler) { time.Sleep(time.Second) },
			new(int)),
		"handler of 1 s, sends to itself": begins(func(ctx *actor.Context,
			_ handler) {
			time.Sleep(time.Second)
			ctx.Send(ctx.Self(), again{})
		}, new(int)),
		"goroutines that never end, 1 ms a handler": begins(func(*actor.Context,
			handler) {
			go func() { select {} }()
			time.Sleep(time.Millisecond)
		}, new(int)),
	}
	for name, h := range endless {
		programs[name] = begins(h, new(int))
	}
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		b.Run(name, func(b *testing.B) {
			b.Chdir(b.TempDir())
			for range b.N {
				f := &fake{name: b.Name(), deadline: time.Now().Add(time.Minute)}
				r := f.check(Config{}, programs[name], nil)
				first, _, _ := strings.Cut(strings.TrimSpace(f.text()), "\n")
				b.Logf("%d executions, %d deliveries: %s", r.Executions, r.Deliveries, first)
				f.end()
			}
		})
	}
}
