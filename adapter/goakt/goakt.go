// Package goakt puts unmodified GoAkt programs (github.com/tochemey/goakt/v4 v4.2.1) under the control of Rehearse.
//
//	func TestTransfer(t *testing.T) {
//		rehearse.Check(t, rehearse.Config{}, goakt.System(func(t *rehearse.T) {
//			system, err := goakt.NewActorSystem("bank") // or goakt.Control(system), right after system.Start
//			var app *bank.App
//			t.SetUp(func() { app = bank.New(system) }) // runs and settles, unexplored
//			app.Transfer("a", "b", 10)                 // from here on every order counts
//			t.AtEnd(func() { ... })                    // when nothing more can happen
//		}))
//	}
//
// The test function runs once an execution. Every actor is controlled that the system spawns, in handlers too. Messages
// between actors are the steps that are explored, under the mailbox model unless told otherwise. PreStart belongs to
// the step of who spawns, and so does the question for the new actor's health. PostStart is a message. An answer to Ask
// is a step of its own; the answer to Request is a message.
//
// The framework's control messages come before all others of an actor, as in the framework: PoisonPill, Terminated,
// PanicSignal, and what a parent is told of a child that fails. Death watch and the guardian of the program's actors
// are actors of the execution. What the framework does on goroutines of its own is done by actors that appear when it
// is needed. Supervision hears of an actor's failure and restarts it. Passivation stops actors, a pipe sends the result
// of a task. So an actor goes on when it has failed, until it is suspended, as in the framework. Who stops another
// actor waits until that has stopped itself, by a message that comes before all else. Time is virtual.
//
// What is changed. Children that stop, or restart, with their parent do so in an order that is a choice: all orders of
// up to four. The framework does it at the same time. More of them do so in the order of their creation, and
// the result is not complete. The same holds for those that watch an actor, whom the framework tells in the order of a
// map. Nothing is logged, unless the system has a logger of the program's own. A mailbox of the program's own is not
// run, and the result says so.
//
// What is refused. A system with a network (WithRemote, WithCluster), with WithPubSub, or with WithEvictionStrategy;
// grains, routers, and ScheduleWithCron. A system that has actors before it is handed over, or that another execution
// has created. A system that nobody has handed over runs uncontrolled: the exploration ends with an error.
//
// What is not seen. Whether a handler looks if an actor runs: so each step counts as having looked at those that end
// in any execution. The framework has a worker for each processor, two at least, and one that waits in Ask is not
// there for others. That all of them wait is explored with asynchronous timers only: then nothing goes on but by
// timeouts. A task that is piped runs beside its handler, so it may only compute. A program that keeps a
// ReceiveContext beyond its handler has it for good, where the framework uses it again. Races in the framework's
// mailboxes and dispatcher are out of reach, since these do not run.
//
// An actor is passivated when it had nothing to do for two minutes, unless told otherwise. That is beyond the default
// horizon of a minute. Then it is left out, which a note of the result says. A time of the program's own is kept.
package goakt

import (
	"context"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// System makes the program that test builds and starts a system to explore. The Mode of the result chooses how handlers
// are run; both ways give the same traces.
func System(test func(*explore.T)) *adapter.System {
	return adapter.NewSystem(&framework{}, test)
}

// Control puts an actor system under control, and gives it back. Call it right after ActorSystem.Start, in the test
// function or in what that calls: there may be no actors yet. Outside of an execution it does nothing.
func Control(system actor.ActorSystem) actor.ActorSystem {
	if rt := adapter.Current(); rt != nil && rt.Exploring() {
		frameworkOf(rt).control(rt, system)
	}
	return system
}

// NewActorSystem is actor.NewActorSystem, Start, and Control. In an execution it starts the actors of the framework's
// own that a program without a network needs, and takes a third of the time.
func NewActorSystem(name string, options ...actor.Option) (actor.ActorSystem, error) {
	system, err := actor.NewActorSystem(name, options...)
	if err != nil {
		return nil, err
	}
	rt := adapter.Current()
	if rt == nil || !rt.Exploring() {
		return system, system.Start(context.Background())
	}
	return system, frameworkOf(rt).start(rt, system)
}
