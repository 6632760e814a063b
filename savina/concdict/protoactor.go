package concdict

import "github.com/asynkron/protoactor-go/actor"

type (
	write = Write[*actor.PID]
	read  = Read[*actor.PID]
)

// Program is the program on protoactor-go.
type Program struct {
	config     Config
	system     *actor.ActorSystem
	master     *actor.PID
	dictionary *dictionary
	workers    []*worker
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, dictionary: &dictionary{holds: newDictionary()}}
	m := &master{dictionary: p.spawn(p.dictionary)}
	p.master = p.spawn(m)
	for i := range config.Workers {
		w := &worker{script: config.script(i), master: p.master, dictionary: m.dictionary}
		p.workers = append(p.workers, w)
		m.workers = append(m.workers, p.spawn(w))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// Start has the master start the workers.
func (p *Program) Start() { p.system.Root.Send(p.master, Start{}) }

// Results are the answers to each worker.
func (p *Program) Results() [][]int {
	var results [][]int
	for _, w := range p.workers {
		results = append(results, w.results)
	}
	return results
}

// Check judges the end.
func (p *Program) Check() error { return p.config.Check(p.dictionary.holds, p.Results()) }

// master starts the workers, and ends the dictionary behind them.
type master struct {
	dictionary *actor.PID
	workers    []*actor.PID
	ended      int
}

// Receive implements actor.Actor.
func (m *master) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Start:
		for _, w := range m.workers {
			ctx.Send(w, DoWork{})
		}
	case EndWork:
		m.ended++
		if m.ended == len(m.workers) {
			ctx.Send(m.dictionary, EndWork{})
			ctx.Stop(ctx.Self())
		}
	}
}

// worker sends the operations of its script, one after the other.
type worker struct {
	script             []Op
	master, dictionary *actor.PID
	sent               int
	results            []int
}

// Receive implements actor.Actor.
func (w *worker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case DoWork:
		w.next(ctx)
	case Result:
		w.results = append(w.results, msg.Value)
		w.next(ctx)
	}
}

func (w *worker) next(ctx actor.Context) {
	if w.sent == len(w.script) {
		ctx.Send(w.master, EndWork{})
		ctx.Stop(ctx.Self())
		return
	}
	op := w.script[w.sent]
	w.sent++
	if op.Write {
		ctx.Send(w.dictionary, write{ctx.Self(), op.Key, op.Value})
	} else {
		ctx.Send(w.dictionary, read{ctx.Self(), op.Key})
	}
}

// dictionary does what the workers ask for.
type dictionary struct{ holds Dictionary }

// Receive implements actor.Actor.
func (d *dictionary) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case write:
		d.holds.write(msg.Key, msg.Value)
		ctx.Send(msg.Sender, Result{msg.Value})
	case read:
		ctx.Send(msg.Sender, Result{d.holds.read(msg.Key)})
	case EndWork:
		ctx.Stop(ctx.Self())
	}
}
