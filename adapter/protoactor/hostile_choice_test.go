package protoactor_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// What a program chooses by itself is told from what it does by looking at executions twice, so these use the default
// Config of Check in strategies and budget.

// kept is package-level state that one execution leaves to the next.
var kept int

func init() {
	choice := func(name string, handle func(ctx actor.Context, to [4]*actor.PID)) {
		for _, strategy := range []string{"random", "naive", "auto"} {
			hostile[name+" "+strategy] = func(t *testing.T) {
				// All are executed twice: a choice between two that falls the same way a few times is no failure of the test.
				rehearse.Check(t, rehearse.Config{Strategy: strategy, Budget: "200x", Recheck: 200}, chooser(handle))
			}
		}
	}
	choice("package state", func(ctx actor.Context, to [4]*actor.PID) {
		kept++
		ctx.Send(to[kept%4], ping{})
	})
	choice("clock", func(ctx actor.Context, to [4]*actor.PID) {
		ctx.Send(to[time.Now().UnixNano()/1e9%4], ping{})
	})
	choice("map to different receivers", func(ctx actor.Context, to [4]*actor.PID) {
		for n, pid := range byNumber(to) {
			ctx.Send(pid, ping{n})
		}
	})
	for _, model := range []rehearse.Model{rehearse.Bag, rehearse.FIFO, rehearse.Mailbox, rehearse.MailboxSerial} {
		for _, strategy := range []string{"naive", "random"} {
			hostile[fmt.Sprintf("map under %s %s", model, strategy)] = func(t *testing.T) {
				r := rehearse.Check(t, rehearse.Config{Strategy: strategy, Budget: "100x", Model: model},
					chooser(func(ctx actor.Context, to [4]*actor.PID) {
						for n, pid := range byNumber(to) {
							ctx.Send(pid, ping{n})
						}
					}))
				fmt.Printf("complete %v, %d executions, uncontrolled %q\n", r.Complete, r.Executions, r.Uncontrolled)
			}
		}
	}
}

// byNumber is a map, whose iteration has an order of its own.
func byNumber(to [4]*actor.PID) map[int]*actor.PID {
	m := map[int]*actor.PID{}
	for n, pid := range to {
		m[n] = pid
	}
	return m
}

// chooser is a program with one actor that does as told with four others, and another one that sends to them too.
func chooser(handle func(ctx actor.Context, to [4]*actor.PID)) rehearse.System {
	return chooserOf(handle, func(actor.Context, ping) {})
}

// chooserOf is a chooser whose four others do as told, too.
func chooserOf(handle func(ctx actor.Context, to [4]*actor.PID), receive func(actor.Context, ping)) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		var to [4]*actor.PID
		var chooses, other *actor.PID
		t.SetUp(func() {
			for n := range to {
				sum := 0
				to[n] = spawnFunc(root, fmt.Sprint("receiver", n), func(ctx actor.Context) {
					if m, ok := ctx.Message().(ping); ok {
						sum += m.n
						receive(ctx, m)
					}
				})
			}
			chooses = spawnFunc(root, "chooser", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ping); ok {
					handle(ctx, to)
				}
			})
			other = spawnFunc(root, "other", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ping); ok {
					ctx.Send(to[0], ping{})
				}
			})
		})
		root.Send(chooses, ping{})
		root.Send(other, ping{})
	})
}

// A choice that Go makes repeats, and the result says that it decides.
func TestChoicesOfGo(t *testing.T) {
	for name, choice := range map[string]func(ctx actor.Context, to [4]*actor.PID){
		"rand":         func(ctx actor.Context, to [4]*actor.PID) { ctx.Send(to[rand.Intn(4)], ping{}) },
		"rand content": func(ctx actor.Context, to [4]*actor.PID) { ctx.Send(to[0], ping{rand.Int()}) },
		"map decides": func(ctx actor.Context, to [4]*actor.PID) {
			for n, pid := range byNumber(to) {
				ctx.Send(pid, ping{n})
				return
			}
		},
		"map in an order": func(ctx actor.Context, to [4]*actor.PID) {
			for n := range byNumber(to) {
				ctx.Send(to[0], ping{n})
			}
		},
	} {
		for _, strategy := range []string{"random", "naive", "auto"} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Budget: "200x", Recheck: 200}, chooser(choice))
			if chance.Numbered() && strings.HasPrefix(name, "map") { // each order is explored
				if err != nil || len(r.Findings) > 0 || r.Diverged || r.Drawn != "" || r.OneSeed != "" {
					t.Errorf("%s, %s: error %v, %s, findings %v", name, strategy, err, r, r.Findings)
				}
				continue
			}
			if err != nil || len(r.Findings) > 0 || r.Complete || r.Diverged || r.Drawn == "" || !r.Draws {
				t.Errorf("%s, %s: error %v, %s, findings %v", name, strategy, err, r, r.Findings)
			}
		}
	}
}

// A choice that the program makes by itself and that decides is reported under every strategy.
func TestChoicesOfTheProgram(t *testing.T) {
	for _, name := range []string{"package state"} {
		for _, strategy := range []string{"random", "naive", "auto"} {
			t.Run(strings.ReplaceAll(name+" "+strategy, " ", "-"), func(t *testing.T) {
				v := child(t, name+" "+strategy, "")
				v.has(t, "--- FAIL: TestHostileProgram", "divergence: ", "package-level state", "the process goes on")
			})
		}
	}
}

// The clock is virtual.
func TestClockIsVirtual(t *testing.T) {
	for _, strategy := range []string{"random", "naive", "auto"} {
		if v := child(t, "clock "+strategy, ""); v.failed {
			t.Errorf("%s:\n%s", strategy, v.out)
		}
	}
}

// An order of sends to different receivers that the program chooses is no divergence. Where the order of the sends
// counts, it is told as uncontrolled, and nothing is complete.
func TestMapToDifferentReceivers(t *testing.T) {
	for _, model := range []rehearse.Model{rehearse.Bag, rehearse.FIFO, rehearse.Mailbox, rehearse.MailboxSerial} {
		for _, strategy := range []string{"naive", "random"} {
			t.Run(fmt.Sprintf("%s-%s", model, strategy), func(t *testing.T) {
				v := child(t, fmt.Sprintf("map under %s %s", model, strategy), "")
				if v.failed {
					t.Errorf("want success:\n%s", v.out)
				}
				if model == rehearse.Mailbox {
					uncontrolled := `uncontrolled "chooser sends in an order of its own (a loop over a map, say)"`
					if chance.Numbered() { // it is a draw, and the budget leaves some out
						uncontrolled = `uncontrolled ""`
					}
					v.has(t, "complete false", uncontrolled)
				}
			})
		}
	}
}
