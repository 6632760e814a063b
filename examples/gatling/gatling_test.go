package gatling_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/gatling"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
)

// byHand is the length of this schedule: the writer flushes; only then it gets an action's result.
const byHand = 2

// load runs two actions.
func load(fixed bool) rehearse.System { return loadBehind(0, fixed) }

// loadBehind has the flush pass so many proxies.
func loadBehind(proxies int, fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		log := &gatling.Log{}
		var simulation *gatling.Simulation
		t.SetUp(func() {
			var err error
			simulation, err = gatling.New(actor.NewActorSystem(), gatling.Config{
				Actions: []string{"login", "search"}, Log: log, Proxies: proxies, Fixed: fixed,
			})
			if err != nil {
				t.Fatal(err)
			}
		})
		simulation.Run()
		t.AtEnd(func() {
			if len(log.Results) != 2 || !log.Closed {
				t.Errorf("log %+v, want two results, closed", log)
			}
		})
	})
}

// Actors share the log: they only add to it what the test reads in the end.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}

var flushed = rehearse.Config{Strategy: "random", Seed: 1, Checks: bookkeeping, Model: rehearse.FIFO, Expect: &rehearse.Expectation{Kind: rehearse.Panic}}

func TestGatling(t *testing.T) { rehearse.Check(t, flushed, load(false)) }

func TestGatlingPicture(t *testing.T) { shows.Picture(t, "TestGatling") }

func TestGatlingSchedule(t *testing.T) { shows.Schedule(t, flushed, load(false), byHand) }

// The farther the flush has to go, the more rarely a walk finds that a result comes after it. One of every class finds
// it at once.
func TestGatlingProxies(t *testing.T) {
	far := flushed
	far.Strategy = "optimal"
	rehearse.Check(t, far, loadBehind(8, false))
	far.Expect = nil
	rehearse.Check(t, far, loadBehind(8, true))
}

// In one process the result is in the writer's mailbox before the terminator is told.
func TestGatlingMailbox(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping, Model: rehearse.Mailbox}, load(false))
}

func TestGatlingFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping, Model: rehearse.FIFO}, load(true))
}

func TestGatlingStrategies(t *testing.T) { shows.Strategies(t, flushed, load(false), load(true)) }
