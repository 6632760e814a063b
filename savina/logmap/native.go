package logmap

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
	p := &NativeProgram{config: config, master: &nativeMaster{terms: config.Terms}}
	p.start = ctx.Spawn(p.master)
	for i := range config.Series {
		computer := ctx.Spawn(&nativeComputer{rate: rate(i)})
		p.master.computers = append(p.master.computers, computer)
		s := &nativeSeries{computer: computer, master: p.start, x: first(i)}
		p.master.workers = append(p.master.workers, ctx.Spawn(nativeWorker(config.Variant, s)))
	}
	return p, nil
}

// nativeWorker is the worker of a series.
func nativeWorker(v Variant, s *nativeSeries) native.Behavior {
	switch v {
	case Become:
		return &nativeIdle{s}
	case ManualStash:
		return &nativeStasher{nativeSeries: s}
	}
	return &nativeAwaiter{s}
}

// Start has the master start the series.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error { return p.config.Check(p.master.sum) }

// nativeMaster asks for the terms, and adds them up.
type nativeMaster struct {
	terms              int
	computers, workers []native.Ref
	asked, got, sum    int
}

// Receive implements native.Behavior.
func (m *nativeMaster) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Start:
		m.ask(ctx)
	case Result:
		m.sum += msg.X
		m.got++
		if m.got == m.asked {
			m.end(ctx)
		}
	default:
		ctx.Unhandled()
	}
}

func (m *nativeMaster) ask(ctx *native.Context) {
	for range m.terms {
		for _, w := range m.workers {
			ctx.Send(w, Next{})
		}
	}
	for _, w := range m.workers {
		ctx.Send(w, Get{})
		m.asked++
	}
}

func (m *nativeMaster) end(ctx *native.Context) {
	for _, c := range m.computers {
		ctx.Send(c, Stop{})
	}
	for _, w := range m.workers {
		ctx.Send(w, Stop{})
	}
	ctx.Stop()
}

// nativeComputer makes terms.
type nativeComputer struct{ rate int }

// Receive implements native.Behavior.
func (c *nativeComputer) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Compute:
		ctx.Reply(Result{next(c.rate, msg.X)})
	case Stop:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeSeries is what a worker has in all variants.
type nativeSeries struct {
	computer, master native.Ref
	x                int
}

// nativeAwaiter blocks until the computer has answered.
type nativeAwaiter struct{ *nativeSeries }

// Receive implements native.Behavior.
func (w *nativeAwaiter) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Next:
		w.next(ctx)
	case Get:
		ctx.Send(w.master, Result{w.x})
	case Stop:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (w *nativeAwaiter) next(ctx *native.Context) {
	answer, err := ctx.Call(w.computer, Compute{w.x})
	if err != nil {
		panic(err)
	}
	w.x = answer.(Result).X
}

// nativeIdle is the behaviour of a worker that does not wait.
type nativeIdle struct{ *nativeSeries }

// Receive implements native.Behavior.
func (w *nativeIdle) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Next:
		ctx.Send(w.computer, Compute{w.x})
		ctx.Become(&nativeWaiting{w.nativeSeries})
	case Get:
		ctx.Send(w.master, Result{w.x})
	case Stop:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeWaiting is that of one that waits.
type nativeWaiting struct{ *nativeSeries }

// Receive implements native.Behavior.
func (w *nativeWaiting) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case Result:
		w.x = msg.X
		ctx.UnstashAll()
		ctx.Unbecome()
	default:
		ctx.Stash()
	}
}

// nativeStasher keeps messages in a list while it waits.
type nativeStasher struct {
	*nativeSeries
	waiting bool
	stash   []any
}

// Receive implements native.Behavior.
func (w *nativeStasher) Receive(ctx *native.Context, msg any) {
	if w.waiting {
		w.wait(msg)
	} else {
		w.handle(ctx, msg)
	}
	if !w.waiting && len(w.stash) > 0 {
		ctx.Send(ctx.Self(), w.stash[0])
		w.stash = w.stash[1:]
	}
}

func (w *nativeStasher) wait(msg any) {
	switch msg := msg.(type) {
	case Result:
		w.x, w.waiting = msg.X, false
	default:
		w.stash = append(w.stash, msg)
	}
}

func (w *nativeStasher) handle(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Next:
		ctx.Send(w.computer, Compute{w.x})
		w.waiting = true
	case Get:
		if len(w.stash) > 0 {
			w.stash = append(w.stash, msg)
			return
		}
		ctx.Send(w.master, Result{w.x})
	case Stop:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
