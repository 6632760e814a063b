package protoactor_test

import (
	"os"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// leftBehind is a channel that one execution leaves to the next.
var leftBehind chan int

// deaths are the programs that kill their process, with what is printed then.
var deaths = map[string]string{}

// dies adds a program whose process dies in the order that is not the default one: when the second client's message is
// handled first.
func dies(name, how string, die func(rt *rehearse.T)) {
	deaths[name] = how
	hostile[name] = func(t *testing.T) {
		rehearse.Check(t, quick(), twoClients(func(rt *rehearse.T, first string) {
			if first == "second" {
				die(rt)
			}
		}))
	}
}

func init() {
	dies("os.Exit", "", func(*rehearse.T) { os.Exit(3) })
	dies("panic in another goroutine", "panic: alone", func(*rehearse.T) { go panic("alone") })
	dies("FailNow of another goroutine", "on a goroutine that the program started", func(rt *rehearse.T) { go rt.FailNow() })
	deaths["channel of another bubble"] = "synctest channel from outside bubble"
	hostile["channel of another bubble"] = func(t *testing.T) {
		rehearse.Check(t, quick(), twoClients(func(_ *rehearse.T, first string) {
			if first == "second" && leftBehind != nil {
				close(leftBehind)
			}
			leftBehind = make(chan int)
		}))
	}
}

// twoClients is a program where an account hears from two clients; then learns whose message came first.
func twoClients(then func(t *rehearse.T, first string)) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		heard := ""
		account := spawnFunc(root, "account", func(ctx actor.Context) {
			if m, ok := ctx.Message().(string); ok && heard == "" {
				heard = m
				then(t, m)
			}
		})
		for _, name := range []string{"first", "second"} {
			client := spawnFunc(root, name, func(ctx actor.Context) {
				if _, ok := ctx.Message().(ping); ok {
					ctx.Send(account, name)
				}
			})
			root.Send(client, ping{})
		}
	})
}

// A program that kills its process in the middle of an execution leaves the schedule to the next run, which reports it
// and says how to replay it.
func TestDeathInTheMiddle(t *testing.T) {
	replays := "replay: go test -run"
	if chance.Numbered() {
		replays = "replay: rehearse test -run"
	}
	for name, how := range deaths {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			dir := t.TempDir()
			v := child(t, name, dir)
			v.has(t, how)
			v.lacks(t, "the process goes on")
			v = child(t, name, dir)
			v.has(t, "fatal: an earlier run of this test died in the middle of an execution", "it died in the last of these steps",
				"string from second to account\n", "saved:  testdata/rehearse/TestHostileProgram/", replays, "the process goes on")
		})
	}
}

// overflows uses up the stack.
func overflows(n int) int { return overflows(n+1) + 1 }

func init() {
	setUp := func(die func()) func(t *testing.T) {
		return func(t *testing.T) {
			rehearse.Check(t, quick(), protoactor.System(func(rt *rehearse.T) {
				rt.SetUp(die)
				root := protoactor.NewActorSystem().Root
				root.Send(spawnFunc(root, "account", func(actor.Context) {}), ping{})
			}))
		}
	}
	hostile["os.Exit in SetUp"] = setUp(func() { os.Exit(3) })
	hostile["stack overflow in SetUp"] = setUp(func() {
		debug.SetMaxStack(1 << 20)
		overflows(0)
	})
	hostile["os.Exit of a handler in SetUp"] = setUp(func() {
		root := protoactor.NewActorSystem().Root
		root.Send(spawnFunc(root, "starter", func(ctx actor.Context) {
			if _, ok := ctx.Message().(ping); ok {
				os.Exit(3)
			}
		}), ping{})
	})
	hostile["os.Exit in the default order"] = func(t *testing.T) {
		rehearse.Check(t, quick(), twoClients(func(_ *rehearse.T, first string) {
			if first == "first" {
				os.Exit(3)
			}
		}))
	}
}

// So does one that dies in the first execution, in its set-up too: that execution is made before the exploration, to
// see whether there are timers.
func TestDeathInTheFirstExecution(t *testing.T) {
	const earlier = "fatal: an earlier run of this test died in "
	for name, want := range map[string][]string{
		"os.Exit in SetUp":              {earlier + "set-up or before the first choice of an execution"},
		"stack overflow in SetUp":       {earlier + "set-up or before the first choice of an execution"},
		"os.Exit of a handler in SetUp": {earlier + "set-up or before the first choice of an execution"},
		"os.Exit in the default order":  {earlier + "the middle of an execution", "string from first to account\n", "saved:  testdata/rehearse/TestHostileProgram/"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			dir := t.TempDir()
			child(t, name, dir).lacks(t, "the process goes on")
			child(t, name, dir).has(t, append(want, "replay: ", "the process goes on")...)
		})
	}
}
