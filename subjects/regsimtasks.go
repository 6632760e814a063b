package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// RegSimTasks is RegSim of [ASTS]: a simulation opens a registry and gives each of n workers work in k rounds; after
// the last one each worker registers.
func RegSimTasks(n, k int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		s := &sim{}
		var first actor.Ref
		t.SetUp(func() {
			first = ctx.Spawn(s)
			s.registry = ctx.Spawn(&reg{})
			for id := range n {
				s.workers = append(s.workers, ctx.Spawn(&simWorker{id: id, left: k, registry: s.registry}))
			}
		})
		ctx.Send(first, simOpen{})
		for range k {
			ctx.Send(first, simRound{})
		}
	})
}

type (
	simOpen  struct{}
	simRound struct{}
	simWork  struct{}
	regOpen  struct{}         // p in the paper
	regEnter struct{ id int } // m
)

type sim struct {
	registry actor.Ref
	workers  []actor.Ref
}

func (s *sim) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(simOpen); ok {
		ctx.Send(s.registry, regOpen{})
		return
	}
	for _, w := range s.workers {
		ctx.Send(w, simWork{})
	}
}

type reg struct {
	f    int
	list []int
}

func (r *reg) Receive(_ *actor.Context, msg any) {
	switch msg := msg.(type) {
	case regOpen:
		r.f++
	case regEnter:
		r.list = append(r.list, msg.id)
	}
}

type simWorker struct {
	id, left int
	registry actor.Ref
}

func (w *simWorker) Receive(ctx *actor.Context, _ any) {
	if w.left--; w.left == 0 {
		ctx.Send(w.registry, regEnter{w.id})
	}
}

var regSimCalls = trace.Calls{
	calls("sim", "simOpen", trace.MaySend{Actor: "reg", Message: "regOpen"}),
	calls("sim", "simRound", trace.MaySend{Actor: "simWorker", Message: "simWork", Depth: 1}),
	calls("simWorker", "simWork", trace.MaySend{Actor: "reg", Message: "regEnter", Depth: 1}),
	calls("reg", "regOpen"),
	calls("reg", "regEnter"),
}

var regSimEffects = trace.Effects{
	{Actor: "sim", Message: "simOpen", Reads: []string{"registry"}, Sends: true},
	{Actor: "sim", Message: "simRound", Reads: []string{"workers"}, Sends: true},
	{Actor: "simWorker", Message: "simWork", Reads: []string{"id", "registry"}, Writes: []string{"left"}, Sends: true},
	{Actor: "reg", Message: "regOpen", Writes: []string{"f"}},
	{Actor: "reg", Message: "regEnter", Writes: []string{"list"}},
}
