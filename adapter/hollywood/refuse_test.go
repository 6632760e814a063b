package hollywood_test

import (
	"sync"
	"testing"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/features"
)

// wire is a remote that leads nowhere.
type wire struct{}

func (wire) Address() string                  { return "127.0.0.1:4000" }
func (wire) Send(*actor.PID, any, *actor.PID) {}
func (wire) Start(*actor.Engine) error        { return nil }
func (wire) Stop() *sync.WaitGroup            { return new(sync.WaitGroup) }
func stockEngine(c actor.EngineConfig) *actor.Engine {
	e, err := actor.NewEngine(c)
	if err != nil {
		panic(err)
	}
	return e
}

// own is a process of the program's own.
type own struct{ pid *actor.PID }

func (own) Start()                           {}
func (o own) PID() *actor.PID                { return o.pid }
func (own) Send(*actor.PID, any, *actor.PID) {}
func (own) Invoke([]actor.Envelope)          {}
func (own) Shutdown()                        {}

// What cannot be controlled is refused, and the error names the place.
func TestRefused(t *testing.T) {
	outside := stockEngine(actor.NewEngineConfig())
	var before *actor.Engine
	var old *actor.PID
	for name, c := range map[string]struct {
		program func(*explore.T)
		want    []string
	}{
		"Remote": {func(*explore.T) { hollywood.Control(stockEngine(actor.NewEngineConfig().WithRemote(wire{}))) },
			[]string{"hollywood.Control with an engine that has a remote", "refuse_test.go:", "not control"}},
		"Late": {func(*explore.T) {
			e := stockEngine(actor.NewEngineConfig())
			e.SpawnFunc(func(*actor.Context) {}, "a")
			hollywood.Control(e)
		}, []string{"has 1 actors", "refuse_test.go:", "right after actor.NewEngine"}},
		"SpawnProc": {func(*explore.T) {
			hollywood.NewEngine().SpawnProc(own{actor.NewPID("local", "own/1")})
		}, []string{"SpawnProc", "own/1", "hollywood_test.own", "refuse_test.go:"}},
		"OtherExecution": {func(*explore.T) {
			hollywood.Control(outside)
		}, []string{"created outside of this execution", "refuse_test.go:"}},
		"OldEngine": {func(*explore.T) {
			if before == nil {
				before = hollywood.NewEngine()
			}
			before.SpawnFunc(func(*actor.Context) {}, "a")
		}, []string{"earlier execution"}},
		"OldActor": {func(*explore.T) {
			e := hollywood.NewEngine()
			if before == nil {
				before = e
			}
			if old == nil {
				old = e.SpawnFunc(func(*actor.Context) {}, "a")
			}
			before.Send(old, told{})
		}, []string{"earlier execution"}},
		"Foreign": {func(*explore.T) {
			e := stockEngine(actor.NewEngineConfig())
			e.Send(e.SpawnFunc(func(*actor.Context) {}, "a"), told{})
		}, []string{"not handed over", "hollywood.Control"}},
	} {
		t.Run(name, func(t *testing.T) {
			before, old = nil, nil
			features.Refused(t, hollywood.System(c.program), c.want)
		})
	}
}
