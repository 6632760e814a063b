package concdict

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeWrite = Write[native.Ref]
	nativeRead  = Read[native.Ref]
)

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config     Config
	master     native.Ref
	dictionary *nativeDictionary
	workers    []*nativeWorker
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, dictionary: &nativeDictionary{holds: newDictionary()}}
	m := &nativeMaster{dictionary: ctx.Spawn(p.dictionary)}
	p.master = ctx.Spawn(m)
	for i := range config.Workers {
		w := &nativeWorker{script: config.script(i), master: p.master, dictionary: m.dictionary}
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
func (p *NativeProgram) Check() error { return p.config.Check(p.dictionary.holds, p.Results()) }

// nativeMaster starts the workers, and ends the dictionary behind them.
type nativeMaster struct {
	dictionary native.Ref
	workers    []native.Ref
	ended      int
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
			ctx.Send(m.dictionary, EndWork{})
			ctx.Stop()
		}
	default:
		ctx.Unhandled()
	}
}

// nativeWorker sends the operations of its script, one after the other.
type nativeWorker struct {
	script             []Op
	master, dictionary native.Ref
	sent               int
	results            []int
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
	if op.Write {
		ctx.Send(w.dictionary, nativeWrite{ctx.Self(), op.Key, op.Value})
	} else {
		ctx.Send(w.dictionary, nativeRead{ctx.Self(), op.Key})
	}
}

// nativeDictionary does what the workers ask for.
type nativeDictionary struct{ holds Dictionary }

// Receive implements native.Behavior.
func (d *nativeDictionary) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeWrite:
		d.holds.write(msg.Key, msg.Value)
		ctx.Send(msg.Sender, Result{msg.Value})
	case nativeRead:
		ctx.Send(msg.Sender, Result{d.holds.read(msg.Key)})
	case EndWork:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
