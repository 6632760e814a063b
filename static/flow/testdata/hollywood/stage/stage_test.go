package stage

import (
	"testing"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/hollywood"
)

// on makes a program of what runs on an engine.
func on(program func(*actor.Engine)) rehearse.System {
	return hollywood.System(func(*rehearse.T) { program(hollywood.NewEngine()) })
}

func theatre() rehearse.System { return on(Theatre) }
func hall() rehearse.System    { return on(Hall) }
func press() rehearse.System   { return on(Press) }

func TestTheatre(t *testing.T) { rehearse.Check(t, rehearse.Config{}, theatre()) }
func TestHall(t *testing.T)    { rehearse.Check(t, rehearse.Config{}, hall()) }
func TestPress(t *testing.T)   { rehearse.Check(t, rehearse.Config{}, press()) }
