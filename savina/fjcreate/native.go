package fjcreate

import native "github.com/rehearse-go/rehearse/actor"

// NativeForkJoin is the program on native actors.
type NativeForkJoin struct {
	config Config
	actors []*nativeWorker
}

// NewNative spawns nothing yet: to create the actors is what the program does.
func NewNative(_ *native.Context, config Config) (*NativeForkJoin, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	return &NativeForkJoin{config: config}, nil
}

// Start creates the actors, and sends each its message at once.
func (f *NativeForkJoin) Start(ctx *native.Context) {
	for range f.config.Actors {
		w := &nativeWorker{}
		f.actors = append(f.actors, w)
		ctx.Send(ctx.Spawn(w), Message{})
	}
}

// Check judges the end.
func (f *NativeForkJoin) Check() error {
	stopped := 0
	for _, w := range f.actors {
		if w.stopped {
			stopped++
		}
	}
	return f.config.Check(stopped)
}

// nativeWorker ends at its only message.
type nativeWorker struct{ stopped bool }

// Receive implements native.Behavior.
func (w *nativeWorker) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Message:
		w.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
