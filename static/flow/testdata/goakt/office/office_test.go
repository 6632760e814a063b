package office

import (
	"context"
	"testing"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/goakt"
)

// on makes a program of what runs on a system.
func on(program func(context.Context, actor.ActorSystem) error) rehearse.System {
	return goakt.System(func(t *rehearse.T) {
		system, err := goakt.NewActorSystem("office", actor.WithLoggingDisabled())
		if err == nil {
			err = program(context.Background(), system)
		}
		if err != nil {
			t.Errorf("%v", err)
		}
	})
}

func hiring() rehearse.System { return on(Hiring) }
func desks() rehearse.System  { return on(Desk) }
func doors() rehearse.System  { return on(Door) }

func TestHiring(t *testing.T) { rehearse.Check(t, rehearse.Config{}, hiring()) }
func TestDesk(t *testing.T)   { rehearse.Check(t, rehearse.Config{}, desks()) }
func TestDoor(t *testing.T)   { rehearse.Check(t, rehearse.Config{}, doors()) }
