package actor_test

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// explore all schedules of a program and print what is found, and how much that took.
func exploreAll(sys *actor.System, model trace.Model) {
	out, err := explore.Run(sys, search.NewNaive(), explore.Options{
		Conditions: explore.Conditions{Model: model, Copy: true},
		Check:      &check.Checker{},
		NewT:       func() *explore.T { return explore.NewT("Example", func(s string) { fmt.Println(s) }) },
		Found: func(f explore.Found) bool {
			fmt.Println(&f.Violations[0])
			return false
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d executions, complete: %v\n", out.Executions, out.Complete)
}

type (
	depositMsg  struct{ Amount int }
	withdrawMsg struct{ Amount int }
)

type account struct{ balance int }

func (a *account) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case depositMsg:
		a.balance += msg.Amount
	case withdrawMsg:
		if a.balance < msg.Amount {
			panic(fmt.Sprintf("%d from a balance of %d", msg.Amount, a.balance))
		}
		a.balance -= msg.Amount
	}
}

func ExampleNew() {
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		var a actor.Ref
		t.SetUp(func() { a = ctx.SpawnNamed("account", &account{balance: 100}) })
		ctx.Send(a, depositMsg{50})
		ctx.Send(a, withdrawMsg{120})
	})
	exploreAll(sys, trace.FIFO)
	out, _ := explore.Run(sys, search.NewNaive(),
		explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Check: &check.Checker{},
			Found: func(f explore.Found) bool { fmt.Println(f.Violations[0].Text); return true }})
	fmt.Println(out.Executions, "executions under bag")
	// Output:
	// 1 executions, complete: true
	// account panicked on withdrawMsg from Driver: 120 from a balance of 100
	// 2 executions under bag
}

func ExampleContext_Call() {
	exploreAll(actor.New(func(t *explore.T, ctx *actor.Context) {
		double := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(2 * msg.(int)) }))
		v, err := ctx.Call(double, 21)
		t.Log(v, err)
	}), trace.Bag)
	// Output:
	// 42 <nil>
	// 1 executions, complete: true
}

func ExampleContext_Await() {
	// While the client awaits the reply, it handles other messages: in one schedule before it resumes, in another after.
	exploreAll(actor.New(func(t *explore.T, ctx *actor.Context) {
		server := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply("reply") }))
		client := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			if msg == "other" {
				t.Log("other message")
				return
			}
			v, _ := ctx.Await(ctx.Ask(server, "request"))
			t.Log(v)
		}))
		ctx.Send(client, "begin")
		ctx.Send(client, "other")
	}), trace.MailboxSerial)
	// Unordered output:
	// other message
	// reply
	// other message
	// reply
	// reply
	// other message
	// 3 executions, complete: true
}

func ExampleContext_Receive() {
	exploreAll(actor.New(func(t *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(1); ctx.Reply("two") })), "begin")
		t.Log(ctx.Receive(func(msg any) bool { _, ok := msg.(string); return ok }))
		t.Log(ctx.Receive(func(msg any) bool { return true }))
	}), trace.Bag)
	// Output:
	// two
	// 1
	// 1 executions, complete: true
}

func ExampleContext_After() {
	exploreAll(actor.New(func(t *explore.T, ctx *actor.Context) {
		ctx.After(2*time.Second, "late")
		id := ctx.After(3*time.Second, "never")
		ctx.After(time.Second, "early")
		ctx.Cancel(id)
		for range 2 {
			t.Log(ctx.Receive(func(any) bool { return true }), ctx.Now())
		}
	}), trace.Bag)
	// Output:
	// early 1s
	// late 2s
	// 1 executions, complete: true
}

func ExampleContext_Choose() {
	exploreAll(actor.New(func(t *explore.T, ctx *actor.Context) { t.Log(ctx.Choose(3)) }), trace.Bag)
	// Output:
	// 0
	// 1
	// 2
	// 3 executions, complete: true
}

func ExampleContext_Watch() {
	exploreAll(actor.New(func(t *explore.T, ctx *actor.Context) {
		worker := ctx.SpawnNamed("worker", actor.Func(func(ctx *actor.Context, _ any) { ctx.Stop() }))
		ctx.Watch(worker)
		ctx.Send(worker, "work")
		t.Log(ctx.Name(ctx.Receive(func(any) bool { return true }).(actor.Terminated).Who), "has stopped")
	}), trace.Mailbox)
	// Output:
	// worker has stopped
	// worker has stopped
	// worker has stopped
	// 3 executions, complete: true
}

// lamp shows a constraint and a start hook.
type lamp struct{ on bool }

func (l *lamp) Start(ctx *actor.Context) { ctx.Send(ctx.Self(), "switch on") }

func (l *lamp) Accepts(msg any) bool { return l.on || msg == "switch on" }

func (l *lamp) Receive(ctx *actor.Context, msg any) {
	l.on = true
	ctx.T().Log(msg)
}

func ExampleAccepter() {
	exploreAll(actor.New(func(t *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(&lamp{}), "read")
	}), trace.Bag)
	// Output:
	// switch on
	// read
	// 1 executions, complete: true
}
