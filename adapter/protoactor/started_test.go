package protoactor_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/plugin"
	"github.com/asynkron/protoactor-go/scheduler"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// gather lets n goroutines append to one slice, in the order that the Go scheduler chooses, and waits for them.
func gather(n int) (got []int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range n {
		wg.Add(1)
		go func() { // gathered
			defer wg.Done()
			mu.Lock()
			got = append(got, i)
			mu.Unlock()
		}()
	}
	wg.Wait()
	return got
}

// gathered is the place of the go statement in gather.
const gathered = "started_test.go:30"

// startsIn are programs that start goroutines and wait for them in some part of theirs.
var startsIn = map[string]func(t *rehearse.T, s *actor.ActorSystem){
	"the test function": func(t *rehearse.T, s *actor.ActorSystem) {
		gather(2)
		s.Root.Send(onTick(s, func(actor.Context) {}), tick{})
	},
	"the test function after set-up": func(t *rehearse.T, s *actor.ActorSystem) {
		var pid *actor.PID
		t.SetUp(func() { pid = onTick(s, func(actor.Context) {}) })
		gather(1)
		s.Root.Send(pid, tick{})
	},
	"SetUp": func(t *rehearse.T, s *actor.ActorSystem) {
		t.SetUp(func() { gather(1) })
		s.Root.Send(onTick(s, func(actor.Context) {}), tick{})
	},
	"a handler": func(t *rehearse.T, s *actor.ActorSystem) {
		s.Root.Send(onTick(s, func(actor.Context) { gather(2) }), tick{})
	},
	"Started": func(t *rehearse.T, s *actor.ActorSystem) { onStarted(s, func(actor.Context) { gather(1) }) },
	"WaitGroup.Go": func(t *rehearse.T, s *actor.ActorSystem) {
		s.Root.Send(onTick(s, func(actor.Context) {
			var wg sync.WaitGroup
			wg.Go(func() { gather(1) })
			wg.Wait()
		}), tick{})
	},
	"a handler that waits for a reply": func(t *rehearse.T, s *actor.ActorSystem) {
		other := spawnFunc(s.Root, "other", doubler)
		s.Root.Send(onTick(s, func(ctx actor.Context) {
			gather(1)
			ctx.RequestFuture(other, ask{1}, time.Second).Result()
		}), tick{})
	},
	"a handler that has waited": func(t *rehearse.T, s *actor.ActorSystem) {
		other := spawnFunc(s.Root, "other", doubler)
		s.Root.Send(onTick(s, func(ctx actor.Context) {
			ctx.RequestFuture(other, ask{1}, time.Second).Result()
			gather(1)
		}), tick{})
	},
	"a handler that has slept": func(t *rehearse.T, s *actor.ActorSystem) {
		s.Root.Send(onTick(s, func(ctx actor.Context) {
			time.Sleep(time.Second)
			gather(1)
		}), tick{})
	},
	"a timer's function": func(t *rehearse.T, s *actor.ActorSystem) {
		pid := onTick(s, func(actor.Context) {})
		time.AfterFunc(time.Second, func() {
			gather(1)
			s.Root.Send(pid, tick{})
		})
	},
	"a restart": func(t *rehearse.T, s *actor.ActorSystem) {
		failed := false
		s.Root.Send(onTick(s, func(actor.Context) {
			if !failed {
				failed = true
				panic("once")
			}
		}, func(ctx actor.Context) {
			if _, ok := ctx.Message().(*actor.Restarting); ok {
				gather(1)
			}
		}), tick{})
	},
	"a dead letter's handler": func(t *rehearse.T, s *actor.ActorSystem) {
		s.Root.Send(onTick(s, func(ctx actor.Context) {
			gather(2)
			ctx.Send(&actor.PID{Id: "nobody", Address: ctx.Self().Address}, tick{})
		}), tick{})
	},
}

// onTick spawns an actor that runs f on tick, and others on every message.
func onTick(s *actor.ActorSystem, f actor.ReceiveFunc, others ...actor.ReceiveFunc) *actor.PID {
	return spawnFunc(s.Root, "starter", func(ctx actor.Context) {
		for _, g := range others {
			g(ctx)
		}
		if _, ok := ctx.Message().(tick); ok {
			f(ctx)
		}
	})
}

func onStarted(s *actor.ActorSystem, f actor.ReceiveFunc) *actor.PID {
	return spawnFunc(s.Root, "starter", func(ctx actor.Context) {
		if _, ok := ctx.Message().(*actor.Started); ok {
			f(ctx)
		}
	})
}

// Goroutines that are over before their handler is leave the result incomplete, with their place, wherever they were
// started.
func TestStartedAndOver(t *testing.T) {
	for name, program := range startsIn {
		for _, mode := range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
			t.Run(fmt.Sprintf("%s, mode %d", name, mode), func(t *testing.T) {
				checks := rehearse.Levels{rehearse.Panic: rehearse.Off, rehearse.DeadLetter: rehearse.Off}
				sys := protoactor.System(func(t *rehearse.T) { program(t, protoactor.NewActorSystem()) })
				sys.Mode = mode
				r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Checks: checks}, sys)
				switch {
				case err != nil:
					t.Fatal(err)
				case !goroutine.Countable():
					if !strings.Contains(r.String(), "not looked for") {
						t.Errorf("nothing says that goroutines were not counted: %s", r)
					}
				case chance.Numbered() && r.Uncontrolled == "":
					// Their orders are draws, of which some were not explored.
					if r.Complete && r.OneSeed != "" || !r.Complete && r.Reason == "done" && r.OneSeed == "" || !strings.Contains(r.Remarks, chance.OrdersExplored) {
						t.Errorf("want a word about their orders: %s", r)
					}
				case r.Complete || !strings.Contains(r.Uncontrolled, "starts a goroutine") && !strings.Contains(r.Uncontrolled, "is started") ||
					!strings.Contains(r.Uncontrolled, gathered):
					t.Errorf("complete %v, uncontrolled %q; want %s", r.Complete, r.Uncontrolled, gathered)
				}
			})
		}
	}
}

// What starts no goroutine of the program's stays complete: collections, dead letters and their throttle, timers of the
// framework, contexts, finalizers.
func TestNotStarted(t *testing.T) {
	sys := protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		other := spawnFunc(s.Root, "other", func(ctx actor.Context) {
			if _, ok := ctx.Message().(*actor.Started); ok {
				ctx.SetReceiveTimeout(time.Second)
			}
		})
		pid := onTick(s, func(ctx actor.Context) {
			runtime.GC()
			runtime.SetFinalizer(new([64]byte), func(*[64]byte) {})
			c, cancel := context.WithTimeout(context.Background(), time.Second)
			_, release := context.WithCancel(c)
			release()
			cancel()
			ctx.Send(&actor.PID{Id: "nobody", Address: ctx.Self().Address}, tick{})
			ctx.RequestFuture(other, ask{1}, time.Second).Result()
		})
		s.Root.Send(pid, tick{})
		if os.Getenv("REHEARSE_TOY") != "" { // each collects garbage, in many more executions
			s.Root.Send(pid, tick{})
		}
	})
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Checks: rehearse.Levels{rehearse.DeadLetter: rehearse.Off}}, sys)
	if err != nil || !r.Complete || r.Uncontrolled != "" {
		t.Errorf("error %v, %s", err, r)
	}
}

// A goroutine that outlives its execution is counted and named.
func TestOutlivingGoroutines(t *testing.T) {
	_, err := rehearse.Explore(rehearse.Config{}, protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		s.Root.Send(onTick(s, func(actor.Context) {
			for range 2 {
				go func() { <-make(chan bool) }()
			}
		}), tick{})
	}))
	if err == nil || !strings.Contains(err.Error(), "2 goroutines that the program started at started_test.go:") {
		t.Errorf("error %v", err)
	}
}

// So is one of an execution that was cut, or in which a handler is blocked for ever.
func TestLeftBehindBesideABlockedHandler(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{}, protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		s.Root.Send(onTick(s, func(actor.Context) {
			go func() { <-make(chan bool) }()
			<-make(chan bool)
		}), tick{})
	}))
	if err != nil || !strings.Contains(r.Remarks, "goroutines outlived their executions (started at started_test.go:") {
		t.Errorf("error %v, %s", err, r)
	}
}

// passive is an actor that a plugin of the framework stops when it has had nothing to do.
type passive struct{ plugin.PassivationHolder }

func (*passive) Receive(actor.Context) {}

// A goroutine that a plugin starts is named as the framework's, not as the handler's; timers of the framework's
// scheduler start none.
func TestGoroutinesOfTheFramework(t *testing.T) {
	passivation := actor.WithReceiverMiddleware(plugin.Use(&plugin.PassivationPlugin{Duration: time.Second}))
	for name, tt := range map[string]struct {
		program func(s *actor.ActorSystem)
		want    string
	}{
		"plugin": {func(s *actor.ActorSystem) {
			s.Root.Send(s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &passive{} }, passivation)), tick{})
		}, "the framework starts a goroutine in a step of passive, at protoactor-go/plugin/passivation.go:34"},
		"plugin that leaves some": {func(s *actor.ActorSystem) {
			pid := s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &passive{} }, passivation))
			s.Root.Send(pid, tick{})
			s.Root.Stop(pid)
		}, "the framework starts a goroutine in a step of passive, at protoactor-go/plugin/passivation.go:34"},
		"scheduler": {func(s *actor.ActorSystem) {
			at := scheduler.NewTimerScheduler(s.Root)
			at.SendOnce(time.Second, onTick(s, func(actor.Context) {}), tick{})
			at.RequestRepeatedly(time.Second, 20*time.Second, onTick(s, func(actor.Context) {}), tick{})
		}, ""},
	} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: "naive"}, protoactor.System(func(*rehearse.T) { tt.program(protoactor.NewActorSystem()) }))
		if !goroutine.Countable() {
			continue
		}
		if left := strings.Contains(r.Remarks, "passivation.go:34), where nobody can stop them"); err != nil || r.Uncontrolled != tt.want || left != (name == "plugin that leaves some") {
			t.Errorf("%s: error %v, uncontrolled %q, want %q; %s", name, err, r.Uncontrolled, tt.want, r.Remarks)
		}
	}
}
