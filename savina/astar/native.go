package astar

import native "github.com/rehearse-go/rehearse/actor"

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config Config
	start  native.Ref
	master *nativeMaster
	grid   Grid
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, grid: config.grid()}
	owner := ctx.Spawn(&nativeOwner{grid: p.grid})
	p.master = &nativeMaster{tally: tally{config: config}, owner: owner}
	p.start = ctx.Spawn(p.master)
	for range config.Workers {
		w := &nativeWorker{config: config, master: p.start, owner: owner}
		if config.Shared {
			w.grid = &p.grid
		}
		p.master.workers = append(p.master.workers, ctx.Spawn(w))
	}
	return p, nil
}

// Start has the master begin at the origin.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error {
	return p.config.Check(p.grid, p.master.found, p.master.stopped)
}

// nativeOwner has the grid.
type nativeOwner struct{ grid Grid }

// Receive implements native.Behavior.
func (o *nativeOwner) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Claim:
		ctx.Reply(o.grid.claim(msg))
	case Stop:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeMaster hands out nodes.
type nativeMaster struct {
	tally
	owner   native.Ref
	workers []native.Ref
	next    int // worker
}

// Receive implements native.Behavior.
func (m *nativeMaster) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Start:
		m.work(ctx, Work{origin})
	case Work:
		m.work(ctx, msg)
	case Received:
		if m.finish(msg) {
			m.stop(ctx)
		}
	case Done:
		if m.find() {
			m.stop(ctx)
		}
	case Stop:
		m.end(ctx)
	default:
		ctx.Unhandled()
	}
}

// work hands a node to the next worker.
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

// end counts a worker that has ended, and ends with the last.
func (m *nativeMaster) end(ctx *native.Context) {
	m.stopped++
	if m.stopped == len(m.workers) {
		ctx.Send(m.owner, Stop{})
		ctx.Stop()
	}
}

// nativeWorker goes on from nodes.
type nativeWorker struct {
	config        Config
	master, owner native.Ref
	grid          *Grid // shared with the others; nil: the owner is asked
}

// Receive implements native.Behavior.
func (w *nativeWorker) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Work:
		w.work(ctx, msg)
	case Stop:
		ctx.Send(w.master, Stop{})
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (w *nativeWorker) work(ctx *native.Context, msg Work) {
	left, found := w.config.search(msg.Node, func(c Claim) bool { return w.claim(ctx, c) })
	if found {
		ctx.Send(w.master, Done{})
	}
	for _, n := range left {
		ctx.Send(w.master, Work{n})
	}
	ctx.Send(w.master, Received{len(left), found})
}

// claim waits for the owner's answer.
func (w *nativeWorker) claim(ctx *native.Context, c Claim) bool {
	if w.grid != nil {
		return w.grid.claim(c)
	}
	answer, err := ctx.Call(w.owner, c)
	if err != nil {
		panic(err)
	}
	return answer.(bool)
}
