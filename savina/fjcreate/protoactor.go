package fjcreate

import "github.com/asynkron/protoactor-go/actor"

// ForkJoin is the program on protoactor-go.
type ForkJoin struct {
	config Config
	system *actor.ActorSystem
	actors []*worker
}

// New starts nothing yet: to create the actors is what the program does.
func New(system *actor.ActorSystem, config Config) (*ForkJoin, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	return &ForkJoin{config: config, system: system}, nil
}

// Start creates the actors, and sends each its message at once.
func (f *ForkJoin) Start() {
	for range f.config.Actors {
		w := &worker{}
		f.actors = append(f.actors, w)
		f.system.Root.Send(f.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return w })), Message{})
	}
}

// Check judges the end.
func (f *ForkJoin) Check() error {
	stopped := 0
	for _, w := range f.actors {
		if w.stopped {
			stopped++
		}
	}
	return f.config.Check(stopped)
}

// worker ends at its only message.
type worker struct{ stopped bool }

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Message:
		w.stopped = true
		ctx.Stop(ctx.Self())
	}
}
