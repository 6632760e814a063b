package steptest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/actor/steptest"
	"github.com/rehearse-go/rehearse/internal/tests/failing"
)

// said runs a test and gives what it says.
func said(test func(x *steptest.Test)) string {
	return failing.Said(func(t testing.TB) { test(steptest.New(t)) })
}

// do is a behaviour that is a function, with a state.
type do struct {
	n  int
	to actor.Ref
	f  func(d *do, ctx *actor.Context, msg any)
}

func (d *do) Receive(ctx *actor.Context, msg any) { d.f(d, ctx, msg) }

type picky struct{ do }

type starting struct{ do }

func (s *starting) Start(ctx *actor.Context) { s.to = ctx.Spawn(&account{}) }

func (*picky) Accepts(msg any) bool { return msg == "yes" }

func TestExpectations(t *testing.T) {
	act := func(f func(d *do, ctx *actor.Context)) *do {
		return &do{f: func(d *do, ctx *actor.Context, _ any) { f(d, ctx) }}
	}
	sends := act(func(d *do, ctx *actor.Context) { ctx.Send(ctx.Sender(), 1); ctx.Send(ctx.Self(), "two") })
	for _, tt := range []struct {
		name string
		want string // "": passes
		test func(x *steptest.Test)
	}{
		{"sends", "", func(x *steptest.Test) { x.Handle(sends, 0); x.Sends(x.Sender(), 1); x.Sends(x.Self(), "two") }},
		{"sends any", "", func(x *steptest.Test) { x.Handle(sends, 0); x.SendsAny(x.Sender()); x.SendsAny(x.Self()) }},
		{"sends another value", "sent to the peer sender: the message is 1, want 2",
			func(x *steptest.Test) { x.Handle(sends, 0); x.Sends(x.Sender(), 2); x.SendsAny(x.Self()) }},
		{"sends to another", "the next message is the message int(1) to the peer sender, want a message of int(1) to itself",
			func(x *steptest.Test) {
				x.Handle(sends, 0)
				x.Sends(x.Self(), 1)
				x.SendsAny(x.Self())
			}},
		{"sends too much", `the handler also sends the message string(two) to itself`,
			func(x *steptest.Test) { x.Handle(sends, 0); x.Sends(x.Sender(), 1) }},
		{"sends too little", "the handler sends nothing more, want a message of int(3) to itself", func(x *steptest.Test) {
			x.Handle(sends, 0)
			x.SendsAny(x.Sender())
			x.SendsAny(x.Self())
			x.Sends(x.Self(), 3)
		}},
		{"loses", "", func(x *steptest.Test) {
			x.Handle(act(func(d *do, ctx *actor.Context) { ctx.Send(d.to, 1) }), 0)
			x.Loses("int")
		}},
		{"loses unexpected", "the handler also sends int to nobody",
			func(x *steptest.Test) { x.Handle(act(func(d *do, ctx *actor.Context) { ctx.Send(d.to, 1) }), 0) }},
		{"loses nothing", "no message to nobody is left", func(x *steptest.Test) {
			x.Handle(sends, 0)
			x.SendsAny(x.Sender())
			x.SendsAny(x.Self())
			x.Loses("int")
		}},
		{"panics", "", func(x *steptest.Test) {
			x.Handle(act(func(*do, *actor.Context) { panic("so 3") }),
				0)
			x.Panics("3")
		}},
		{"panics unexpected", "the handler panics: ",
			func(x *steptest.Test) { x.Handle(act(func(*do, *actor.Context) { panic("so 3") }), 0) }},
		{"panics otherwise", `want "4"`,
			func(x *steptest.Test) { x.Handle(act(func(*do, *actor.Context) { panic("so 3") }), 0); x.Panics("4") }},
		{"panics not", "the handler does not panic",
			func(x *steptest.Test) { x.Handle(act(func(*do, *actor.Context) {}), 0); x.Panics("") }},
		{"fails", "", func(x *steptest.Test) {
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.T().Error("no") }), 0)
			x.Fails()
		}},
		{"fails fatally", "", func(x *steptest.Test) {
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.T().Fatal("no") }), 0)
			x.Fails()
		}},
		{"fails unexpected", "an assertion of the handler fails: no",
			func(x *steptest.Test) { x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.T().Error("no") }), 0) }},
		{"fails not", "no assertion of the handler fails",
			func(x *steptest.Test) { x.Handle(act(func(*do, *actor.Context) {}), 0); x.Fails() }},
		{"ends", "", func(x *steptest.Test) { x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.Stop() }), 0); x.Ends() }},
		{"ends unexpected", "the actor also stops",
			func(x *steptest.Test) { x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.Stop() }), 0) }},
		{"ends not", "the actor does not stop",
			func(x *steptest.Test) { x.Handle(act(func(*do, *actor.Context) {}), 0); x.Ends() }},
		{"becomes", "", func(x *steptest.Test) {
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.Become(&do{}) }), 0)
			x.Becomes()
		}},
		{"becomes unexpected", "also changes the behaviour",
			func(x *steptest.Test) { x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.Become(&do{}) }), 0) }},
		{"spawns", "", func(x *steptest.Test) {
			x.Handle(act(func(d *do, ctx *actor.Context) { d.to = ctx.Spawn(&account{7}); ctx.Send(d.to, 1) }), 0)
			x.Spawns(&account{7})
			x.Sends(x.Spawned(1), 1)
		}},
		{"spawns otherwise", "the actor that is created.balance is 7, want 8", func(x *steptest.Test) {
			x.Handle(act(func(d *do, ctx *actor.Context) { ctx.Spawn(&account{7}) }), 0)
			x.Spawns(&account{8})
		}},
		{"spawns any", "is created, want steptest_test.do", func(x *steptest.Test) {
			x.Handle(act(func(d *do, ctx *actor.Context) { ctx.Spawn(&account{7}) }), 0)
			x.SpawnsAny("steptest_test.do")
		}},
		{"spawns unexpected", "also creates an actor of type steptest_test.account", func(x *steptest.Test) {
			x.Handle(act(func(d *do, ctx *actor.Context) { ctx.Spawn(&account{7}) }), 0)
		}},
		{"timer", "", func(x *steptest.Test) {
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.After(time.Second, 5) }), 0)
			x.Timer(5)
		}},
		{"timer otherwise", "the message of the timer is 5, want 6", func(x *steptest.Test) {
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.After(time.Second, 5) }), 0)
			x.Timer(6)
		}},
		{"timer after", "", func(x *steptest.Test) {
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.After(time.Second, 5); ctx.After(-1, 6) }), 0)
			x.TimerAfter(time.Second, 5)
			x.TimerAfter(0, 6)
		}},
		{"timer after another time", "the timer of int(5) waits 1s, want 2s", func(x *steptest.Test) {
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.After(time.Second, 5) }), 0)
			x.TimerAfter(2*time.Second, 5)
		}},
		{"timer after a wait", "", func(x *steptest.Test) {
			x.Answers(x.Sender(), 2)
			x.Handle(act(func(_ *do, ctx *actor.Context) {
				ctx.Call(x.Sender(), 1)
				ctx.After(time.Second, 5)
			}), 0)
			x.Sends(x.Sender(), 1)
			x.TimerAfter(time.Second, 5)
		}},
		{"spawns under a name", "", func(x *steptest.Test) {
			x.Handle(act(func(d *do, ctx *actor.Context) { ctx.SpawnNamed("a", &account{7}); ctx.SpawnNamed("b", &account{8}) }),
				0)
			x.Spawns(&account{7})
			x.SpawnedAs("a")
			x.SpawnsAny("")
			x.SpawnedAs("b")
		}},
		{"spawns under another name", `the actor is created with the name "", want "a"`, func(x *steptest.Test) {
			x.Handle(act(func(d *do, ctx *actor.Context) { ctx.Spawn(&account{7}) }), 0)
			x.Spawns(&account{7})
			x.SpawnedAs("a")
		}},
		{"stops and watches", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.Watch(p); ctx.StopActor(p) }), 0)
			x.Watches(p)
			x.Stops(p)
		}},
		{"answers and choices", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Answers(p, steptest.Nothing{}, 3, 4)
			x.Chooses(1, 2)
			d := act(func(d *do, ctx *actor.Context) {
				ctx.Send(p, "now")
				for range 2 {
					v, _ := ctx.Call(p, "how many")
					d.n += v.(int) * 10 * (ctx.Choose(3) + 1)
				}
			})
			x.Handle(d, 0)
			x.Sends(p, "now")
			x.Sends(p, "how many")
			x.Sends(p, "how many")
			x.Equal("n", d.n, 3*20+4*30)
		}},
		{"a choice between messages", "", func(x *steptest.Test) {
			x.Chooses(2)
			x.Handle(act(func(_ *do, ctx *actor.Context) {
				ctx.Send(ctx.Self(), 1)
				ctx.Send(ctx.Self(), ctx.Choose(3))
				ctx.Stop()
			}), 0)
			x.Sends(x.Self(), 1)
			x.Sends(x.Self(), 2)
			x.Ends()
		}},
		{"waits", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.Call(p, 1) }), 0)
			x.Sends(p, 1)
			x.Waits()
		}},
		{"waits unexpected", "the handler waits for ever", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.Call(p, 1) }), 0)
			x.Sends(p, 1)
		}},
		{"waits not", "comes to its end",
			func(x *steptest.Test) { x.Handle(act(func(*do, *actor.Context) {}), 0); x.Waits() }},
		{"from itself", "", func(x *steptest.Test) {
			x.From(x.Self())
			x.Handle(act(func(_ *do, ctx *actor.Context) { ctx.Send(ctx.Sender(), 1) }), 0)
			x.Sends(x.Self(), 1)
		}},
		{"messages before", "", func(x *steptest.Test) {
			x.Before(3)
			x.Before(4)
			d := act(nil)
			d.f = func(d *do, ctx *actor.Context, msg any) {
				d.n = d.n*10 + msg.(int)
				ctx.Send(ctx.Self(), 9)
				ctx.After(time.Second, 8)
			}
			x.Handle(d, 5)
			x.Sends(x.Self(), 9)
			x.Timer(8)
			x.Equal("n", d.n, 345)
		}},
		{"answers to messages before", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Before(1)
			x.Answers(p, 20, 300)
			d := act(func(d *do, ctx *actor.Context) { v, _ := ctx.Call(p, "ask"); d.n += v.(int) })
			x.Handle(d, 2)
			x.Sends(p, "ask")
			x.Equal("n", d.n, 320)
		}},
		{"a start hook before", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Before()
			d := &starting{do{f: func(d *do, ctx *actor.Context, _ any) { ctx.Send(d.to, ctx.Name(p)) }}}
			x.Handle(d, 5)
			x.Sends(x.Spawned(1), "p")
		}},
		{"no start hook", "", func(x *steptest.Test) {
			x.Handle(&starting{do{f: func(d *do, ctx *actor.Context, _ any) { ctx.Send(d.to, 1) }}}, 5)
			x.Loses("int")
		}},
		{"panics before", "the actor does not come to handle int(5): 1 of 2 messages before were not handled",
			func(x *steptest.Test) {
				x.Before(3, 4)
				x.Handle(&do{f: func(_ *do, _ *actor.Context, msg any) {
					if msg == 4 {
						panic("four")
					}
				}}, 5)
			}},
		{"constraints before", "the actor does not come to handle string(yes): 1 of 1", func(x *steptest.Test) {
			x.Before("no")
			x.Handle(&picky{do{f: func(*do, *actor.Context, any) {}}}, "yes")
		}},
		{"messages before from itself", "it needs another sender", func(x *steptest.Test) {
			x.From(x.Self())
			x.Before(1)
			x.Handle(act(func(*do, *actor.Context) {}), 0)
		}},
		{"constraints", "the actor does not accept string(no) in this state",
			func(x *steptest.Test) { x.Handle(&picky{}, "no") }},
		{"constraints met", "", func(x *steptest.Test) { x.Handle(&picky{do{f: func(*do, *actor.Context, any) {}}}, "yes") }},
		{"too late", "Peer after Handle",
			func(x *steptest.Test) { x.Handle(act(func(*do, *actor.Context) {}), 0); x.Peer("p") }},
		{"no peer", "which is no peer", func(x *steptest.Test) { x.Answers(x.Self(), 1) }},
	} {
		got := said(tt.test)
		if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: says %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestReferences: many actors have references of their own.
func TestReferences(t *testing.T) {
	x := steptest.New(t)
	seen := map[actor.Ref]bool{x.Self(): true, x.Sender(): true}
	var peers []actor.Ref
	for i := range 40 {
		p := x.Peer(fmt.Sprint("p", i))
		peers, seen[p] = append(peers, p), true
	}
	if len(seen) != 42 {
		t.Fatalf("%d references, want 42", len(seen))
	}
	x.Handle(&do{f: func(_ *do, ctx *actor.Context, _ any) {
		for _, p := range peers {
			ctx.Send(p, ctx.Name(p))
		}
	}}, 0)
	for i, p := range peers {
		x.Sends(p, fmt.Sprint("p", i))
	}
}

// TestSharedPointers: the message and the state may lead to one object, and the handler sees that they do.
func TestSharedPointers(t *testing.T) {
	type item struct{ n int }
	type put struct{ it *item }
	for _, shared := range []bool{true, false} {
		it, other := &item{1}, &item{1}
		if shared {
			other = it
		}
		met := 0
		text := said(func(x *steptest.Test) {
			x.Before(put{other})
			x.Handle(&do{f: func(d *do, _ *actor.Context, msg any) {
				if m := msg.(put); m.it == it {
					met++
				}
			}}, put{it})
		})
		if want := map[bool]int{true: 2, false: 1}[shared]; met != want || text != "" {
			t.Errorf("shared %v: the handler has met the object %d times, want %d: %s", shared, met, want, text)
		}
	}
}
