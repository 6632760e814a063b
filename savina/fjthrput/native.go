package fjthrput

import native "github.com/rehearse-go/rehearse/actor"

// NativeForkJoin is the program on native actors.
type NativeForkJoin struct {
	config Config
	refs   []native.Ref
	actors []*nativeWorker
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeForkJoin, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	f := &NativeForkJoin{config: config}
	for range config.Actors {
		w := &nativeWorker{n: config.Messages}
		f.actors = append(f.actors, w)
		f.refs = append(f.refs, ctx.Spawn(w))
	}
	return f, nil
}

// Start sends all messages in rounds, one to each actor.
func (f *NativeForkJoin) Start(ctx *native.Context) {
	for range f.config.Messages {
		for _, r := range f.refs {
			ctx.Send(r, Message{})
		}
	}
}

// Check judges the end.
func (f *NativeForkJoin) Check() error {
	var seen []Seen
	for _, w := range f.actors {
		seen = append(seen, w.seen)
	}
	return f.config.Check(seen)
}

// nativeWorker counts its messages, and ends at the n-th.
type nativeWorker struct {
	n    int
	seen Seen
}

// Receive implements native.Behavior.
func (w *nativeWorker) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Message:
		w.seen.Messages++
		if w.seen.Messages == w.n {
			w.seen.Stopped = true
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}
