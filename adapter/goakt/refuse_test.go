package goakt_test

import (
	"context"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/log"
	"github.com/tochemey/goakt/v4/remote"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/features"
)

// stock makes a system as a program does.
func stock(started bool) actor.ActorSystem {
	s, err := actor.NewActorSystem("stock", actor.WithLogger(log.DiscardLogger))
	if err == nil && started {
		err = s.Start(background)
	}
	if err != nil {
		panic(err)
	}
	return s
}

// grain is one that does nothing.
type grain struct{}

func (grain) OnActivate(context.Context, *actor.GrainProps) error   { return nil }
func (grain) OnReceive(c *actor.GrainContext)                       { c.NoErr() }
func (grain) OnDeactivate(context.Context, *actor.GrainProps) error { return nil }

// What cannot be controlled is refused, and the error names the place.
func TestRefused(t *testing.T) {
	var before actor.ActorSystem
	var old *actor.PID
	n := 0
	evicts, _ := actor.NewEvictionStrategy(1, actor.LRU, 10)
	for name, c := range map[string]struct {
		program func(*explore.T)
		want    []string
	}{
		"Remote": {func(*explore.T) { start(actor.WithRemote(remote.NewConfig("127.0.0.1", 4000))) },
			[]string{"WithRemote", "harness_test.go:", "not control"}},
		"PubSub": {func(*explore.T) { start(actor.WithPubSub()) }, []string{"WithPubSub", "harness_test.go:"}},
		"Eviction": {func(*explore.T) { start(actor.WithEvictionStrategy(evicts, time.Second)) },
			[]string{"WithEvictionStrategy", "harness_test.go:"}},
		"NotStarted": {func(*explore.T) { goakt.Control(stock(false)) },
			[]string{"has not started", "refuse_test.go:", "after ActorSystem.Start"}},
		"Late": {func(*explore.T) {
			s := stock(true)
			spawn(s, "a", idle)
			goakt.Control(s)
		}, []string{"has 1 actors", "refuse_test.go:", "right after ActorSystem.Start"}},
		"Cron": {func(*explore.T) {
			s := start()
			_ = s.ScheduleWithCron(background, tick{}, spawn(s, "a", idle), "0 * * * * *")
		}, []string{"ScheduleWithCron", "refuse_test.go:"}},
		"Router": {func(*explore.T) { _, _ = start().SpawnRouter(background, "r", 2, &acts{}) },
			[]string{"SpawnRouter", "refuse_test.go:"}},
		"Grain": {func(*explore.T) {
			s := start()
			makes := func(context.Context) (actor.Grain, error) { return &grain{}, nil }
			id, err := s.GrainIdentity(background, "g", makes)
			if err == nil {
				_, _ = s.AskGrain(background, id, tick{}, time.Second)
			}
		}, []string{"grain is activated in the step start of Driver"}},
		"OldSystem": {func(*explore.T) {
			if before == nil {
				before = start()
			}
			n++
			spawn(before, string(rune('a'+n)), idle)
		}, []string{"earlier execution"}},
		"OldActor": {func(*explore.T) {
			if old == nil {
				old = spawn(start(), "a", idle)
			}
			tell(old, told{})
		}, []string{"earlier execution"}},
		"OldControl": {func(*explore.T) {
			if before == nil {
				before = start()
			}
			goakt.Control(before)
		}, []string{"created outside of this execution", "refuse_test.go:"}},
		"Foreign": {func(t *explore.T) {
			s := stock(true)
			t.Cleanup(func() {
				_ = s.Stop(background)
				goakt.StopDrain(s)
			})
		}, []string{"not handed over", "goakt.Control"}},
	} {
		t.Run(name, func(t *testing.T) {
			before, old = nil, nil
			features.Refused(t, goakt.System(c.program), c.want)
		})
	}
}
