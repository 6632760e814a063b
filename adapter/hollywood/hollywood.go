// Package hollywood puts unmodified Hollywood programs (github.com/anthdm/hollywood v1.0.5) under the control of
// Rehearse.
//
//	func TestTransfer(t *testing.T) {
//		rehearse.Check(t, rehearse.Config{}, hollywood.System(func(t *rehearse.T) {
//			engine := hollywood.NewEngine() // or hollywood.Control(engine), right after actor.NewEngine
//			var app *bank.App
//			t.SetUp(func() { app = bank.New(engine) }) // runs and settles, unexplored
//			app.Transfer("a", "b", 10)                 // from here on every order counts
//			t.AtEnd(func() { ... })                    // when nothing more can happen
//		}))
//	}
//
// The test function runs once an execution. Every actor is controlled that the engine spawns, in handlers too. Messages
// between actors are the steps that are explored, under the mailbox model unless told otherwise. What an actor does in
// Initialized, Started and Stopped belongs to the step of who spawns, restarts or stops it, as in the framework. A
// reply to a request is a step of its own. Stop and Poison are messages in the actor's mailbox. That a stopped actor is
// gone comes between what it sends before Stopped and in Stopped. Time is virtual: a restart waits for its delay,
// SendRepeat ticks.
//
// What is changed. Children of a stopped parent are stopped in an order that is a choice, where the framework takes
// that of a map: all orders of up to four children. More are stopped in the order of their creation, and the result is
// not complete. The event stream is an actor once somebody has subscribed; before that, and in programs without
// subscribers, nobody can see its messages. Subscribers hear of an event in the order in which they subscribed. Under
// the mailbox model the result says that other orders are left out. Nothing is logged of events. A second reply to a
// request of which nobody took the first is dropped, where the framework blocks who sends it.
//
// Poison has what follows it in its batch handled first. A batch is what waits in the mailbox when the actor takes a
// message and has none of the last batch left. The models without a mailbox have batches of one.
//
// What is refused. An engine with a remote, and so a cluster. An engine that has actors before it is handed over, or
// that another execution has created. A process of the program's own (Engine.SpawnProc). An engine that nobody has
// handed over runs uncontrolled: the exploration ends with an error when one of its actors has run.
//
// A lookup by name that finds nobody (Context.GetPID, Registry.GetPID) is seen, and depends on each step that spawns or
// ends an actor: which name is meant is not seen.
//
// What is not seen. A handler that looks at the context of Stop or Poison without waiting for it: strategies that leave
// out equivalent orders may leave out that it is done then. An actor may take its first message as soon as it was
// spawned, although its parent has yet to release what it sent before. That matters only to who knows its name
// beforehand. Races in the framework's own inbox are out of reach, since it does not run.
//
// PIDs without WithID have random numbers. A program that does something by them is explored for one seed. Under
// rehearse test they are draws, and so results are for one seed; actors with WithID draw none.
package hollywood

import (
	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// System makes the program that test builds and starts a system to explore. The Mode of the result chooses how handlers
// are run; both ways give the same traces.
func System(test func(*explore.T)) *adapter.System {
	return adapter.NewSystem(&framework{}, test)
}

// Control puts an engine under control, and gives it back. Call it right after actor.NewEngine, in the test function or
// in what that calls: there may be no actors yet. Outside of an execution it does nothing.
func Control(engine *actor.Engine) *actor.Engine {
	if rt := adapter.Current(); rt != nil && rt.Exploring() {
		frameworkOf(rt).control(rt, engine, false)
	}
	return engine
}

// NewEngine is actor.NewEngine with a default configuration, and Control. It makes a smaller registry, and takes a
// tenth of the time.
func NewEngine() *actor.Engine {
	rt := adapter.Current()
	if rt == nil || !rt.Exploring() {
		engine, err := actor.NewEngine(actor.NewEngineConfig())
		if err != nil {
			panic(err) // only a remote gives one
		}
		return engine
	}
	return frameworkOf(rt).newEngine(rt)
}
