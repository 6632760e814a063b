package trapezoid

import native "github.com/rehearse-go/rehearse/actor"

// NativeIntegral is the program on native actors.
type NativeIntegral struct {
	config  Config
	master  *nativeMaster
	workers []*nativeWorker
	to      native.Ref // the master
}

// NewNative spawns the master and its workers.
func NewNative(ctx *native.Context, config Config) (*NativeIntegral, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeIntegral{config: config, master: &nativeMaster{}}
	p.to = ctx.Spawn(p.master)
	for i := range config.Workers {
		w := &nativeWorker{id: i, master: p.to}
		p.workers = append(p.workers, w)
		p.master.workers = append(p.master.workers, ctx.Spawn(w))
	}
	return p, nil
}

// Start gives the master the interval.
func (p *NativeIntegral) Start(ctx *native.Context) {
	c := p.config
	ctx.Send(p.to, Work{c.Left, c.Right, (c.Right - c.Left) / float64(c.Pieces)})
}

// Check judges the end.
func (p *NativeIntegral) Check() error {
	s := Seen{Area: p.master.area, MasterStopped: p.master.stopped}
	for _, w := range p.workers {
		if w.stopped {
			s.WorkersStopped++
		}
	}
	return p.config.Check(s)
}

// nativeMaster adds the areas.
type nativeMaster struct {
	workers []native.Ref
	got     int
	area    float64
	stopped bool
}

// Receive implements native.Behavior.
func (m *nativeMaster) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Work:
		for i, w := range m.workers {
			ctx.Send(w, msg.part(i, len(m.workers)))
		}
	case Result:
		m.area += msg.Area
		m.got++
		if m.got == len(m.workers) {
			m.stopped = true
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

// nativeWorker computes one area.
type nativeWorker struct {
	id      int
	master  native.Ref
	stopped bool
}

// Receive implements native.Behavior.
func (w *nativeWorker) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Work:
		ctx.Send(w.master, Result{msg.area(), w.id})
		w.stopped = true
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
