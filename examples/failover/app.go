package failover

import "github.com/asynkron/protoactor-go/actor"

// Config configures an App.
type Config struct {
	Desk  *Desk // nil: a new one
	Fixed bool  // queries wait for a store
}

// Desk says what became of the queries. The service alone writes it; read it when the app is at rest.
type Desk struct{ Answered, Failed []string }

// App runs the service and what belongs to it.
type App struct {
	system  *actor.ActorSystem
	openers []*actor.PID
	gateway *actor.PID
}

// New prepares an app in the given actor system.
func New(system *actor.ActorSystem, cfg Config) *App {
	if cfg.Desk == nil {
		cfg.Desk = &Desk{}
	}
	a := &App{system: system}
	s := a.spawn(func() actor.Actor {
		if cfg.Fixed {
			return &patientService{service: service{desk: cfg.Desk}}
		}
		return &service{desk: cfg.Desk}
	})
	for _, store := range []string{"primary", "fallback"} {
		a.openers = append(a.openers, a.spawn(func() actor.Actor { return &opener{store, s} }))
	}
	a.gateway = a.spawn(func() actor.Actor { return &gateway{s} })
	return a
}

func (a *App) spawn(producer actor.Producer) *actor.PID {
	return a.system.Root.Spawn(actor.PropsFromProducer(producer))
}

// Open has the stores opened.
func (a *App) Open() {
	for _, o := range a.openers {
		a.system.Root.Send(o, Open{})
	}
}

// Query asks for something.
func (a *App) Query(key string) { a.system.Root.Send(a.gateway, Query{key}) }
