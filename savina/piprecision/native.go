package piprecision

import native "github.com/rehearse-go/rehearse/actor"

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config  Config
	start   native.Ref
	master  *nativeMaster
	workers []*nativeWorker
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, master: &nativeMaster{tally: tally{config: config}}}
	p.start = ctx.Spawn(p.master)
	for i := range config.Workers {
		w := &nativeWorker{id: i, master: p.start}
		p.workers = append(p.workers, w)
		p.master.workers = append(p.master.workers, ctx.Spawn(w))
	}
	return p, nil
}

// Start has the master ask for terms.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error {
	var terms [][]int
	for _, w := range p.workers {
		terms = append(terms, w.terms)
	}
	return p.config.Check(&p.master.sum, p.master.asked, terms, p.master.stopped)
}

// nativeMaster adds terms.
type nativeMaster struct {
	tally
	workers []native.Ref
}

// Receive implements native.Behavior.
func (m *nativeMaster) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Start:
		for i := range m.first() {
			ctx.Send(m.workers[i%len(m.workers)], m.ask())
		}
	case Result:
		m.take(ctx, msg)
	case Stop:
		m.stopped++
		if m.stopped == len(m.workers) {
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

// take adds a term. It asks its worker for another, or ends all.
func (m *nativeMaster) take(ctx *native.Context, r Result) {
	m.add(r)
	if !m.enough {
		ctx.Send(m.workers[r.ID], m.ask())
	}
	if m.got == m.asked {
		for _, w := range m.workers {
			ctx.Send(w, Stop{})
		}
	}
}

// nativeWorker computes terms.
type nativeWorker struct {
	id     int
	master native.Ref
	terms  []int
}

// Receive implements native.Behavior.
func (w *nativeWorker) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Work:
		w.terms = append(w.terms, msg.Term)
		ctx.Send(w.master, Result{msg.Value(), w.id})
	case Stop:
		ctx.Send(w.master, Stop{})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
