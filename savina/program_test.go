package savina_test

import (
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	native "github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// program is one of the thirty, in the versions that are explored.
type program struct {
	number   int    // in Savina, as docs/savina.md has it
	name     string // its folder
	versions []version
	sizes    []config // its exported ones
	refused  []config // that make no sense
}

// config is the Config of a program.
type config interface{ Validate() error }

// version is a program in one size: as published, repaired, or with one line changed.
type version struct {
	name               string // "as published", "repaired", or what was changed
	size               string // in words
	native, protoactor rehearse.System
	finds              finds                  // what it must find; nothing in the other models
	beside             []rehearse.Expectation // what it may find beside that, but for consequences
	strategy           string                 // default: optimal
	budget             string                 // default: 1000x
	shares             bool                   // memory, which the result must say
	naive              bool                   // all orders are few enough to be counted
	uncounted          []rehearse.Model       // where they are too many, and reverse counts classes
	config             rehearse.Config        // Checks, Environment, MaxSteps and the like
}

// finds says by model what a version must find.
type finds map[rehearse.Model]rehearse.Expectation

// everywhere is the same expectation in each of some models.
func everywhere(e rehearse.Expectation, models ...rehearse.Model) finds {
	f := finds{}
	for _, m := range models {
		f[m] = e
	}
	return f
}

// models are those that every version is explored under.
var models = []rehearse.Model{rehearse.Bag, rehearse.FIFO, rehearse.Causal, rehearse.Mailbox, rehearse.MailboxSerial}

// withReleases is the model under which all orders are too many first: what a handler sends has orders of its own.
var withReleases = []rehearse.Model{rehearse.Mailbox}

// allButSerial are those under which they are too many next.
var allButSerial = []rehearse.Model{rehearse.Bag, rehearse.FIFO, rehearse.Causal, rehearse.Mailbox}

// deadLettersEnd is for programs that end with messages to actors that have stopped.
var deadLettersEnd = rehearse.Config{
	Checks: rehearse.Levels{rehearse.DeadLetter: rehearse.Off, rehearse.OrphanDead: rehearse.Off},
}

// allStop is for programs all of whose actors stop.
var allStop = rehearse.Config{Environment: rehearse.Empty}

// onProtoactor makes a program on protoactor-go a system. Creating its actors is set-up.
func onProtoactor[C any, P interface {
	Start()
	Check() error
}](c C, create func(*actor.ActorSystem, C) (P, error)) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		var p P
		t.SetUp(func() { p = must(create(protoactor.NewActorSystem(), c)) })
		p.Start()
		t.AtEnd(func() { judge(t, p.Check()) })
	})
}

// onNative makes a program on native actors a system.
func onNative[C any, P interface {
	Start(*native.Context)
	Check() error
}](c C, create func(*native.Context, C) (P, error)) rehearse.System {
	return native.New(func(t *rehearse.T, ctx *native.Context) {
		var p P
		t.SetUp(func() { p = must(create(ctx, c)) })
		p.Start(ctx)
		t.AtEnd(func() { judge(t, p.Check()) })
	})
}

// must gives a program whose Config makes sense.
func must[P any](p P, err error) P {
	if err != nil {
		panic(err)
	}
	return p
}

func judge(t *rehearse.T, err error) {
	if err != nil {
		t.Error(err)
	}
}

// TestPrograms explores every version in both ports under every model. It must find what it should and nothing else.
// The counts must be those of the program's file in testdata.
func TestPrograms(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			var rows []row
			for _, v := range p.versions {
				for _, port := range v.ports() {
					for _, model := range models {
						rows = append(rows, v.explore(t, port, model))
					}
				}
			}
			switch {
			case t.Failed():
			case *update:
				save(t, p.name, rows)
			default:
				compare(t, p.name, rows)
			}
		})
	}
}

// TestConfigs holds every program to its sizes, and to the refusal of what makes no sense.
func TestConfigs(t *testing.T) {
	for _, p := range programs {
		for _, c := range p.sizes {
			if err := c.Validate(); err != nil {
				t.Errorf("%s refuses %+v: %v", p.name, c, err)
			}
		}
		for _, c := range p.refused {
			if err := c.Validate(); err == nil || !strings.HasPrefix(err.Error(), p.name+": ") {
				t.Errorf("%s: the refusal of %+v is %v", p.name, c, err)
			}
		}
		if len(p.sizes) == 0 || len(p.refused) == 0 {
			t.Errorf("%s has no sizes, or refuses nothing", p.name)
		}
	}
}
