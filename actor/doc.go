// Package actor holds native actors: a small actor system made to be explored, for the programs of the papers, for
// models of designs, and as the fastest explore.System.
//
// # The model
//
// An actor has private state, one mailbox, and handles one message at a time. All that may happen in parallel is which
// message is handled next; a handler runs without interruption, so a schedule is an order of messages. A program is a
// test function, the driver, which is actor 0:
//
//	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
//		var account actor.Ref
//		t.SetUp(func() { // not explored
//			account = ctx.SpawnNamed("account", &Account{balance: 100})
//		})
//		ctx.Send(account, Deposit{50})
//		ctx.Send(account, Withdraw{120})
//	})
//
//	type Account struct{ balance int }
//
//	func (a *Account) Receive(ctx *actor.Context, msg any) {
//		switch msg := msg.(type) {
//		case Deposit:
//			a.balance += msg.Amount
//		case Withdraw:
//			if a.balance < msg.Amount {
//				ctx.T().Errorf("%d from a balance of %d", msg.Amount, a.balance)
//			}
//			a.balance -= msg.Amount
//		}
//	}
//
// The function runs once an execution and builds everything anew. In the delivery model bag, the default, the
// withdrawal may overtake the deposit; under fifo it may not. The exploration finds out.
//
// # What a handler can do
//
// It may Send and Reply, Spawn, Become and Unbecome, and Stop at its end. StopActor and Watch go by system messages,
// which precede user messages; under mailbox one user message may pass them. It may set and Cancel timers (After),
// Stash and UnstashAll. It may Choose a value that the exploration picks, and call a message Unhandled.
//
// Some methods wait, and they differ in what the actor does meanwhile:
//
//	Call, CallTimeout   the actor is blocked; the reply's delivery is a step and continues the handler
//	Receive             the actor is blocked; the delivery of a message that matches continues the handler
//	Await, AwaitUntil   the actor is released and handles other messages; the task resumes as a step of its own
//
// The test function handles messages by Receive only: what is sent to it waits, also while it is released.
//
// Ask gives a Future at once. A future becomes ready when the other replies (under mailbox when that is released),
// without a delivery.
//
// A behaviour with an Accepts method has constraints: what it refuses now stays in the mailbox. One with a Start method
// has a start hook, which runs inside of the handler that creates the actor.
//
// # What goes wrong is a finding
//
// A panic in a handler stops its actor and fails the calls to it. A message for a stopped actor, or a reply to a call
// that was given up, is a dead letter. Actors that wait when nothing more can happen are in a deadlock. T's Error and
// Fatal report a failed assertion; Fatal also ends the execution. A handler that never returns makes Execute give up
// with its stack.
//
// # Assumptions
//
// Actors share no memory: what a message refers to is copied when it is sent. Handlers make no choice that the
// exploration does not know: no unseeded random numbers, map order, select, goroutines or wall clock. Executing a
// schedule twice finds such choices. Time is virtual: use After and Now.
//
// # How it runs
//
// Handlers run in the exploring loop, one after the other, without a goroutine of their own; only a handler that waits
// keeps one. An execution reuses the memory of the one before, so that a delivery allocates nothing beyond what the
// handler does.
//
// Where a strategy's next execution begins like the last one, steps are taken back instead of being executed again.
// Before a step all memory that its actor's behaviour and its message lead to is saved. It is written back in place, so
// that pointers into it stay valid and see the old content, also those of the test function. A collector that is to
// outlive an execution must therefore not be reachable from a behaviour. Write to it in a function registered with
// AtEnd, which runs at the end of every execution that began like the one that registered it. Functions with captured
// variables (a Func, too), channels and locks cannot be saved: with them, or after a Cleanup, every execution runs from
// the start. A behaviour may save itself: see Snapshotter. docs/performance.md says what is not restored.
//
// A handler that waits has a goroutine, which cannot go back. It is run again from the state in which it began, with
// all that it was told then. Nothing of what it does takes effect a second time. Code that shows itself in other ways,
// by printing or counting in a package variable, is seen to run again.
package actor
