package protoactor_test

import (
	"fmt"
	"hash/fnv"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

func init() {
	check := func(name string, change func(*rehearse.Config), sys rehearse.System) {
		hostile[name] = func(t *testing.T) {
			cfg := quick()
			if change != nil {
				change(&cfg)
			}
			rehearse.Check(t, cfg, sys)
		}
	}
	bounded := func(c *rehearse.Config) { c.MaxSteps = 500 }
	soon := func(c *rehearse.Config) { c.MaxSteps, c.Blocked = 500, 500*time.Millisecond }
	once := func(c *rehearse.Config) { c.Budget, c.Recheck, c.Blocked = "1x", -1, 10*time.Second }
	check("empty test", nil, protoactor.System(func(*rehearse.T) {}))
	check("sends to itself", bounded, does(1, func(_ *rehearse.T, ctx actor.Context, m ping) { ctx.Send(ctx.Self(), m) }))
	check("two that never stop", bounded, protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		echo := func(ctx actor.Context) {
			if m, ok := ctx.Message().(ping); ok {
				ctx.Request(ctx.Sender(), m)
			}
		}
		a, b := spawnFunc(root, "a", echo), spawnFunc(root, "b", echo)
		root.Send(a, &actor.MessageEnvelope{Message: ping{}, Sender: b})
	}))
	check("floods set-up", bounded, protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		t.SetUp(func() {
			root.Send(spawnFunc(root, "a", func(ctx actor.Context) { ctx.Send(ctx.Self(), ping{}) }), ping{})
		})
	}))
	check("10,000 actors", once, does(1, func(_ *rehearse.T, ctx actor.Context, _ ping) {
		for range 10_000 {
			ctx.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
		}
	}))
	check("10,000 sends", once, does(1, func(_ *rehearse.T, ctx actor.Context, m ping) {
		for i := range 10_000 * (1 - m.n) {
			ctx.Send(ctx.Self(), ping{i + 1})
		}
	}))
	check("sends without end", bounded, does(1, func(_ *rehearse.T, ctx actor.Context, m ping) {
		for {
			ctx.Send(ctx.Self(), m)
		}
	}))
	check("spawns without end", bounded, does(1, func(_ *rehearse.T, ctx actor.Context, m ping) {
		for {
			ctx.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
		}
	}))
	check("a child of each child", func(c *rehearse.Config) { c.MaxSteps = 60_000 }, protoactor.System(func(*rehearse.T) {
		var spawns actor.ReceiveFunc
		spawns = func(ctx actor.Context) {
			if m, ok := ctx.Message().(ping); ok {
				ctx.Send(ctx.Spawn(actor.PropsFromFunc(spawns)), m)
			}
		}
		root := protoactor.NewActorSystem().Root
		root.Send(root.Spawn(actor.PropsFromFunc(spawns)), ping{})
	}))
	check("chooses without end", soon, does(1, func(t *rehearse.T, _ actor.Context, _ ping) {
		for t.Choose(2) < 2 {
		}
	}))
	check("test without end", bounded, protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		for pid := spawnFunc(root, "victim", func(actor.Context) {}); ; {
			root.Send(pid, ping{})
		}
	}))
	check("ticker", nil, does(1, func(_ *rehearse.T, _ actor.Context, m ping) { go tickForEver() }))
	check("ticker of the test", nil, protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		go tickForEver()
		root.Send(spawnFunc(root, "victim", func(actor.Context) {}), ping{})
	}))
	check("reader", nil, does(1, func(_ *rehearse.T, _ actor.Context, m ping) {
		work := make(chan int)
		go func() { <-work }()
	}))
	check("stopped ticker", nil, protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		stop := make(chan struct{})
		go func() {
			ticker := time.NewTicker(time.Second)
			for {
				select {
				case <-ticker.C:
				case <-stop:
					return
				}
			}
		}()
		t.Cleanup(func() { close(stop) })
		root.Send(spawnFunc(root, "victim", func(actor.Context) {}), ping{})
	}))
	hostile["blocked 200 times"] = func(t *testing.T) {
		cfg := quick()
		cfg.Budget, cfg.Checks = "200x", rehearse.Levels{rehearse.Deadlock: rehearse.Off}
		before := runtime.NumGoroutine()
		r := rehearse.Check(t, cfg, does(2, func(*rehearse.T, actor.Context, ping) { <-make(chan int) }))
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		fmt.Printf("%d executions left %d goroutines, %d KB\n", r.Executions, runtime.NumGoroutine()-before, m.HeapAlloc>>10)
	}
}

// tickForEver is a goroutine that never ends.
func tickForEver() {
	for range time.NewTicker(time.Second).C {
	}
}

// isSampled reports whether a program is executed by default, as about a third of them is: each is a process of its
// own. With REHEARSE_TOY all are.
func isSampled(name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return os.Getenv("REHEARSE_TOY") != "" || h.Sum32()%3 == 0
}

// Too little, too much and without end: a finding or an error that says so.
func TestExcess(t *testing.T) {
	for name, want := range map[string]string{
		"empty test":            "there is nothing to explore",
		"sends to itself":       "livelock: more than 500 steps and still going",
		"two that never stop":   "livelock: more than 500 steps and still going",
		"floods set-up":         "set-up never quiesces",
		"sends without end":     "ping from Driver to victim has sent 500 messages and does not end",
		"spawns without end":    "ping from Driver to victim has sent 500 messages and does not end",
		"a child of each child": "actors are nested 3001 deep, each the child of the one before, and still going",
		"test without end":      "the test function has sent 500 messages and does not end",
		"chooses without end":   "ping from Driver to victim does not end",
		"ticker":                "outlives the execution",
		"ticker of the test":    "protoactor_test.tickForEver()",
		"reader":                "created by github.com/rehearse-go/rehearse/adapter/protoactor_test.init",
	} {
		if !isSampled(name) {
			continue
		}
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			v := child(t, name, "")
			v.has(t, "--- FAIL: TestHostileProgram", want, "the process goes on")
			v.lacks(t, "panic:", "fatal error:")
		})
	}
}

// Handlers that are blocked for ever lose their goroutines: a few an execution, and no execution loses those of
// another.
func TestLeak(t *testing.T) {
	v := child(t, "blocked 200 times", "")
	var goroutines, kb int
	if _, err := fmt.Sscanf(v.out, "200 executions left %d goroutines, %d KB", &goroutines, &kb); err != nil || goroutines > 1000 || kb > 64<<10 {
		t.Errorf("%v, want 200 executions that leave at most 1,000 goroutines and 64 MB:\n%s", err, v.out)
	}
}

// Much, but not too much.
func TestLarge(t *testing.T) {
	names := []string{"stopped ticker", "10,000 actors", "10,000 sends"}
	if testing.Short() { // the race detector makes ten times as much of the others
		names = names[:1]
	}
	for _, name := range names {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			if v := child(t, name, ""); v.failed {
				t.Errorf("want success:\n%s", v.out)
			}
		})
	}
}
