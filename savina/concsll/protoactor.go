package concsll

import "github.com/asynkron/protoactor-go/actor"

type (
	write    = Write[*actor.PID]
	contains = Contains[*actor.PID]
	size     = Size[*actor.PID]
)

// Program is the program on protoactor-go.
type Program struct {
	config  Config
	system  *actor.ActorSystem
	master  *actor.PID
	list    *list
	workers []*worker
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, list: &list{}}
	m := &master{list: p.spawn(p.list)}
	p.master = p.spawn(m)
	for i := range config.Workers {
		w := &worker{script: config.script(i), master: p.master, list: m.list}
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
func (p *Program) Check() error { return p.config.Check(p.list.holds, p.Results()) }

// master starts the workers, and ends the list behind them.
type master struct {
	list    *actor.PID
	workers []*actor.PID
	ended   int
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
			ctx.Send(m.list, EndWork{})
			ctx.Stop(ctx.Self())
		}
	}
}

// worker sends the operations of its script, one after the other.
type worker struct {
	script       []Op
	master, list *actor.PID
	sent         int
	results      []int
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
	switch op.Kind {
	case Adds:
		ctx.Send(w.list, write{ctx.Self(), op.Value})
	case Asks:
		ctx.Send(w.list, contains{ctx.Self(), op.Value})
	case Measures:
		ctx.Send(w.list, size{ctx.Self()})
	}
}

// list does what the workers ask for.
type list struct{ holds List }

// Receive implements actor.Actor.
func (l *list) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case write:
		l.holds.write(msg.Value)
		ctx.Send(msg.Sender, Result{msg.Value})
	case contains:
		ctx.Send(msg.Sender, Result{l.holds.contains(msg.Value)})
	case size:
		ctx.Send(msg.Sender, Result{len(l.holds.Values)})
	case EndWork:
		ctx.Stop(ctx.Self())
	}
}
