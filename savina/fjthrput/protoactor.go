package fjthrput

import "github.com/asynkron/protoactor-go/actor"

// ForkJoin is the program on protoactor-go.
type ForkJoin struct {
	config Config
	system *actor.ActorSystem
	pids   []*actor.PID
	actors []*worker
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*ForkJoin, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	f := &ForkJoin{config: config, system: system}
	for range config.Actors {
		w := &worker{n: config.Messages}
		f.actors = append(f.actors, w)
		f.pids = append(f.pids, system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return w })))
	}
	return f, nil
}

// Start sends all messages in rounds, one to each actor.
func (f *ForkJoin) Start() {
	for range f.config.Messages {
		for _, p := range f.pids {
			f.system.Root.Send(p, Message{})
		}
	}
}

// Check judges the end.
func (f *ForkJoin) Check() error {
	var seen []Seen
	for _, w := range f.actors {
		seen = append(seen, w.seen)
	}
	return f.config.Check(seen)
}

// worker counts its messages, and ends at the n-th.
type worker struct {
	n    int
	seen Seen
}

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Message:
		w.seen.Messages++
		if w.seen.Messages == w.n {
			w.seen.Stopped = true
			ctx.Stop(ctx.Self())
		}
	}
}
