package protoactor_test

import (
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// earlyLogger took os.Stderr when the program was initialised, as many do.
var earlyLogger = log.New(os.Stderr, "early says ", 0)

func init() {
	hostile["talks"] = func(t *testing.T) { rehearse.Check(t, rehearse.Config{Strategy: "random"}, talker(false)) }
	hostile["talks and fails"] = func(t *testing.T) { rehearse.Check(t, rehearse.Config{Strategy: "random"}, talker(true)) }
	hostile["parallel"] = func(t *testing.T) {
		// What a test prints while another one's Check explores is lost, so they print at the end.
		var mu sync.Mutex
		var lines strings.Builder
		t.Cleanup(func() { fmt.Print(lines.String()) })
		for _, name := range []string{"one", "two", "three"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				for range 3 {
					r := rehearse.Check(t, rehearse.Config{Strategy: "naive", Budget: "200x"}, raceTo(name, name == "two"))
					mu.Lock()
					fmt.Fprintf(&lines, "%s: %d executions, %d findings\n", name, r.Executions, len(r.Findings))
					mu.Unlock()
					if t.Failed() {
						break
					}
				}
			})
		}
	}
	hostile["two in one test"] = func(t *testing.T) {
		rehearse.Check(t, rehearse.Config{Strategy: "naive"}, raceTo("one", false))
		rehearse.Check(t, rehearse.Config{Strategy: "naive"}, raceTo("two", true))
	}
	hostile["one inside another"] = func(t *testing.T) {
		c := quick()
		// of which a slow machine may need all before the inner one begins: the verdict is the same
		c.Blocked = 500 * time.Millisecond
		rehearse.Check(t, c, does(1, func(*rehearse.T, actor.Context, ping) {
			rehearse.Check(t, quick(), raceTo("inner", false))
		}))
	}
	hostile["after one that hangs"] = func(t *testing.T) {
		t.Run("hangs", func(t *testing.T) {
			outsideMutex.Lock()
			c := quick()
			c.Blocked = 500 * time.Millisecond
			rehearse.Check(t, c, does(1, func(*rehearse.T, actor.Context, ping) { waitForMutex() }))
		})
		outsideMutex.Unlock() // the handler that was given up goes on, in the middle of what comes next
		r := rehearse.Check(t, rehearse.Config{Strategy: "naive"}, raceTo("next", false))
		fmt.Printf("complete %v, %d executions\n", r.Complete, r.Executions)
	}
}

// talker is a program that logs in every way there is, with the stock actor system and its logger. broken: it fails in
// an order that is not the default one.
func talker(broken bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		system := actor.NewActorSystem()
		heard := ""
		sink := spawnFunc(system.Root, "sink", func(ctx actor.Context) {
			who, ok := ctx.Message().(string)
			if !ok {
				return
			}
			fmt.Println("stdout says", who)
			fmt.Fprintln(os.Stderr, "stderr says", who)
			log.Println("| log says", who)
			slog.Info("slog says " + who)
			earlyLogger.Println(who)
			ctx.Logger().Error("the framework says " + who)
			t.Log("the test says", who)
			if heard += who; broken && heard == "second" {
				panic("out of order")
			}
		})
		for _, name := range []string{"first", "second"} {
			client := spawnFunc(system.Root, name, func(ctx actor.Context) {
				if _, ok := ctx.Message().(ping); ok {
					ctx.Send(sink, name)
				}
			})
			system.Root.Send(client, ping{})
		}
	})
}

// raceTo is a program where two clients race to an actor with that name. broken: it fails in one order.
func raceTo(name string, broken bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		heard := ""
		var clients []*actor.PID
		t.SetUp(func() {
			sink := spawnFunc(root, name, func(ctx actor.Context) {
				if who, ok := ctx.Message().(string); ok {
					if heard += who; broken && heard == "second" {
						t.Errorf("%s is out of order", name)
					}
				}
			})
			for _, who := range []string{"first", "second"} {
				clients = append(clients, spawnFunc(root, who, func(ctx actor.Context) {
					if _, ok := ctx.Message().(ping); ok {
						ctx.Send(sink, who)
					}
				}))
			}
		})
		for _, client := range clients {
			root.Send(client, ping{})
		}
	})
}

// What the program prints, however it does, is kept away while it is explored, and shown once, with the finding.
func TestPrintingProgram(t *testing.T) {
	if v := child(t, "talks", ""); v.failed || v.out != "the test goes on\nthe process goes on\nPASS\n" {
		t.Errorf("1,000 executions of a logging program are to print nothing:\n%s", v.out)
	}
	v := child(t, "talks and fails", "")
	v.has(t, "panic: sink panicked on string from second: out of order", "the process goes on")
	for _, who := range []string{"stdout says", "stderr says", "| log says", "slog says", "early says", "the framework says", "the test says"} {
		if n := strings.Count(v.out, who+" second"); n != 1 {
			t.Errorf("%s is shown %d times, want once, in the replay of the finding:\n%s", who, n, v.out)
		}
	}
	v = child(t, "talks", "", "REHEARSE_LOGS=1", "REHEARSE_BUDGET=3x")
	v.has(t, "stdout says first", "the framework says second")
}

// The Checks of a process explore one at a time, also in parallel tests, and do not meet.
func TestChecksOfOneProcess(t *testing.T) {
	v := child(t, "parallel", "")
	v.has(t, "--- FAIL: TestHostileProgram/two", "two is out of order", "the process goes on", "two: ")
	v.lacks(t, "--- FAIL: TestHostileProgram/one", "--- FAIL: TestHostileProgram/three", "one is out of order", "panic:", "divergence")
	if a, b := strings.Count(v.out, "one: 25 executions, 0 findings\n"), strings.Count(v.out, "three: 25 executions, 0 findings\n"); a != 3 || b != 3 {
		t.Errorf("want three equal explorations of one and of three, got %d and %d:\n%s", a, b, v.out)
	}

	dir := t.TempDir()
	v = child(t, "two in one test", dir)
	v.has(t, "two is out of order", "saved:  testdata/rehearse/TestHostileProgram/")
	// The saved schedule is that of the second Check and is not replayed by the first.
	v = child(t, "two in one test", dir)
	v.has(t, "two is out of order", "--- FAIL: TestHostileProgram/")
	v.lacks(t, "stale", "divergence")
}

// A handler that was given up may go on while another test explores.
func TestCheckAfterOneThatHangs(t *testing.T) {
	v := child(t, "after one that hangs", "")
	v.has(t, "--- FAIL: TestHostileProgram/hangs", "complete true, 25 executions", "the process goes on")
	v.lacks(t, "panic:", "fatal error:")
}

// A Check inside an execution would wait for itself.
func TestCheckInsideCheck(t *testing.T) {
	want := "does not end"
	if chance.Numbered() {
		want = "blocked for ever: "
	}
	child(t, "one inside another", "").has(t, want, "the process goes on")
}
