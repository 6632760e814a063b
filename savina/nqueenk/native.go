package nqueenk

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
	p := &NativeProgram{config: config, master: &nativeMaster{tally: tally{config: config}}}
	p.start = ctx.Spawn(p.master)
	for range config.Workers {
		p.master.workers = append(p.master.workers, ctx.Spawn(&nativeWorker{config: config, master: p.start}))
	}
	return p, nil
}

// Start has the master hand out the empty board.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error {
	return p.config.Check(p.master.found, p.master.stopped)
}

// nativeMaster hands out boards.
type nativeMaster struct {
	tally
	workers []native.Ref
	next    int // worker
}

// Receive implements native.Behavior.
func (m *nativeMaster) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Start:
		m.work(ctx, Work{})
	case Work:
		m.work(ctx, msg)
	case Result:
		if m.find() {
			m.stop(ctx)
		}
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

// work hands a board to the next worker.
func (m *nativeMaster) work(ctx *native.Context, w Work) {
	if !m.give() {
		return
	}
	ctx.Send(m.workers[m.next], w)
	m.next = (m.next + 1) % len(m.workers)
}

// stop tells the workers to end.
func (m *nativeMaster) stop(ctx *native.Context) {
	m.ending = true
	for _, w := range m.workers {
		ctx.Send(w, Stop{})
	}
}

// nativeWorker fills boards.
type nativeWorker struct {
	config Config
	master native.Ref
}

// Receive implements native.Behavior.
func (w *nativeWorker) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Work:
		w.fill(ctx, msg.Board)
	case Stop:
		ctx.Send(w.master, Stop{})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (w *nativeWorker) fill(ctx *native.Context, b Board) {
	boards, solutions := w.config.fill(b)
	for _, s := range solutions {
		ctx.Send(w.master, Result{s})
	}
	for _, b := range boards {
		ctx.Send(w.master, Work{b})
	}
	ctx.Send(w.master, Done{len(boards), len(solutions)})
}
