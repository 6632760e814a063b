package procreg_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/procreg"
)

// byHand is the length of this schedule: one worker registers; the client looks it up; only then the other worker
// registers.
const byHand = 3

// takeover has two workers register under one name while a client looks it up.
func takeover(fixed bool) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		view := &procreg.View{}
		var node *procreg.Node
		t.SetUp(func() {
			var err error
			node, err = procreg.Start(protoactor.NewActorSystem(), procreg.Config{Name: "db", Workers: 2, View: view, Fixed: fixed})
			if err != nil {
				t.Fatal(err)
			}
		})
		node.Begin()
		t.AtEnd(func() {
			if view.Known != nil && view.Known != view.Registered {
				t.Errorf("the client has %s, and was not told that db is %s now", view.Known.Id, view.Registered.Id)
			}
		})
	})
}

// Actors share the view: they only add to it what the test reads in the end.
var bookkeeping = rehearse.Levels{rehearse.Isolation: rehearse.Off}

var untold = rehearse.Config{Strategy: "random", Seed: 1, Checks: bookkeeping, Expect: &rehearse.Expectation{Kind: rehearse.Assertion}}

func TestProcReg(t *testing.T) { rehearse.Check(t, untold, takeover(false)) }

func TestProcRegPicture(t *testing.T) { shows.Picture(t, "TestProcReg") }

func TestProcRegSchedule(t *testing.T) { shows.Schedule(t, untold, takeover(false), byHand) }

func TestProcRegFixed(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Checks: bookkeeping}, takeover(true))
}

func TestProcRegStrategies(t *testing.T) {
	shows.Strategies(t, untold, takeover(false), takeover(true))
}
