package concsll

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeWrite    = Write[native.Ref]
	nativeContains = Contains[native.Ref]
	nativeSize     = Size[native.Ref]
)

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config  Config
	master  native.Ref
	list    *nativeList
	workers []*nativeWorker
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, list: &nativeList{}}
	m := &nativeMaster{list: ctx.Spawn(p.list)}
	p.master = ctx.Spawn(m)
	for i := range config.Workers {
		w := &nativeWorker{script: config.script(i), master: p.master, list: m.list}
		p.workers = append(p.workers, w)
		m.workers = append(m.workers, ctx.Spawn(w))
	}
	return p, nil
}

// Start has the master start the workers.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.master, Start{}) }

// Results are the answers to each worker.
func (p *NativeProgram) Results() [][]int {
	var results [][]int
	for _, w := range p.workers {
		results = append(results, w.results)
	}
	return results
}

// Check judges the end.
func (p *NativeProgram) Check() error { return p.config.Check(p.list.holds, p.Results()) }

// nativeMaster starts the workers, and ends the list behind them.
type nativeMaster struct {
	list    native.Ref
	workers []native.Ref
	ended   int
}

// Receive implements native.Behavior.
func (m *nativeMaster) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Start:
		for _, w := range m.workers {
			ctx.Send(w, DoWork{})
		}
	case EndWork:
		m.ended++
		if m.ended == len(m.workers) {
			ctx.Send(m.list, EndWork{})
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

// nativeWorker sends the operations of its script, one after the other.
type nativeWorker struct {
	script       []Op
	master, list native.Ref
	sent         int
	results      []int
}

// Receive implements native.Behavior.
func (w *nativeWorker) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case DoWork:
		w.next(ctx)
	case Result:
		w.results = append(w.results, msg.Value)
		w.next(ctx)
	default:
		ctx.Unhandled()
	}
}

func (w *nativeWorker) next(ctx *native.Context) {
	if w.sent == len(w.script) {
		ctx.Send(w.master, EndWork{})
		ctx.Stop()
		return
	}
	op := w.script[w.sent]
	w.sent++
	switch op.Kind {
	case Adds:
		ctx.Send(w.list, nativeWrite{ctx.Self(), op.Value})
	case Asks:
		ctx.Send(w.list, nativeContains{ctx.Self(), op.Value})
	case Measures:
		ctx.Send(w.list, nativeSize{ctx.Self()})
	}
}

// nativeList does what the workers ask for.
type nativeList struct{ holds List }

// Receive implements native.Behavior.
func (l *nativeList) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeWrite:
		l.holds.write(msg.Value)
		ctx.Send(msg.Sender, Result{msg.Value})
	case nativeContains:
		ctx.Send(msg.Sender, Result{l.holds.contains(msg.Value)})
	case nativeSize:
		ctx.Send(msg.Sender, Result{len(l.holds.Values)})
	case EndWork:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
