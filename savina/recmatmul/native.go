package recmatmul

import native "github.com/rehearse-go/rehearse/actor"

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config Config
	start  native.Ref
	master *nativeMaster
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, master: &nativeMaster{tally: config.tally()}}
	p.start = ctx.Spawn(p.master)
	for range config.Workers {
		w := &nativeWorker{config: config, master: p.start, product: config.shared(p.master.product)}
		p.master.workers = append(p.master.workers, ctx.Spawn(w))
	}
	return p, nil
}

// Start has the master hand out the whole product.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error { return p.config.Check(p.master.product, p.master.stopped) }

// nativeMaster hands out products.
type nativeMaster struct {
	tally
	workers []native.Ref
}

// Receive implements native.Behavior.
func (m *nativeMaster) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Start:
		m.work(ctx, Work{Size: m.config.Size})
	case Work:
		m.work(ctx, msg)
	case Done:
		if m.finish(msg) {
			m.stop(ctx)
		}
	case Stop:
		m.stopped++
		if m.stopped == len(m.workers) {
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

func (m *nativeMaster) work(ctx *native.Context, w Work) { ctx.Send(m.workers[m.route(w)], w) }

func (m *nativeMaster) stop(ctx *native.Context) {
	for _, w := range m.workers {
		ctx.Send(w, Stop{})
	}
}

// nativeWorker multiplies blocks.
type nativeWorker struct {
	config  Config
	master  native.Ref
	product Matrix // shared with the others; nil: the master adds
}

// Receive implements native.Behavior.
func (w *nativeWorker) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Work:
		w.multiply(ctx, msg)
	case Stop:
		ctx.Send(w.master, Stop{})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (w *nativeWorker) multiply(ctx *native.Context, msg Work) {
	parts := w.config.divide(msg)
	done := Done{C: msg.C, Works: len(parts)}
	switch {
	case parts != nil:
		for _, p := range parts {
			ctx.Send(w.master, p)
		}
	case w.config.Shared:
		w.product.add(msg.C, msg.product())
	default:
		done.Block = msg.product()
	}
	ctx.Send(w.master, done)
}
