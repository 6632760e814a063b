// Package protoactor puts unmodified protoactor-go programs under the control of Rehearse.
//
//	func TestTransfer(t *testing.T) {
//		rehearse.Check(t, rehearse.Config{}, protoactor.System(func(t *rehearse.T) {
//			var app *bank.App
//			t.SetUp(func() { app = bank.New(actor.NewActorSystem()) }) // runs and settles, unexplored
//			app.Transfer("a", "b", 10)                                 // from here on every order counts
//			t.AtEnd(func() { ... })                                    // when nothing more can happen
//		}))
//	}
//
// The test function runs once an execution. It may create actor systems or call application code that does; every actor
// that is spawned meanwhile, in handlers too, is controlled. Messages between actors are the steps that are explored,
// under the mailbox model unless told otherwise. System messages (Started, Stop, Watch, Terminated, Failure, Restart)
// are messages like others that precede the user messages of their mailbox. A mailbox of the framework looks for a
// system message, and takes a user message if it has found none. Under the mailbox model one user message may pass the
// system messages that arrive between the two. Under that model taking a message and each send of its handler are steps
// of their own. So is that an actor is gone: it comes between what the actor sends in Stopping and what it sends in
// Stopped. A reply that somebody waits for is a step of its own. Other futures are resolved with the release of their
// reply, and what continues after them is a system message. Time is virtual.
//
// What is bypassed: mailboxes that are bounded or sort messages, and dispatchers of the program's own; the result names
// them, and is not complete. Middleware of unbounded mailboxes is called as the framework calls it. What is changed: a
// random router's choice is ours (explored), and the exponential backoff strategy draws no noise. What is refused:
// remote, cluster and grains, and actor systems that were not created by the execution itself. While a test is
// explored, tests that run beside it (t.Parallel) must not use actor systems of their own: the hooks are the
// framework's variables, which are the process's.
package protoactor

import (
	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// System makes the program that test builds and starts a system to explore. The Mode of the result chooses how handlers
// are run; both ways give the same traces.
func System(test func(*explore.T)) *adapter.System {
	return adapter.NewSystem(&framework{}, test)
}
