package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Registry is Figure 3 of [ASTS]: the main block sends the registry p, worker 1 q and worker 2 h. On that worker 1
// sends the registry m and worker 2 sends it t. p touches one field, m and t another.
func Registry() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var rg, wk1, wk2 actor.Ref
		t.SetUp(func() {
			rg = ctx.Spawn(&registry{})
			wk1, wk2 = ctx.Spawn(&registryWorker{}), ctx.Spawn(&registryWorker{})
		})
		ctx.Send(rg, taskP{})
		ctx.Send(wk1, taskQ{rg})
		ctx.Send(wk2, taskH{rg})
	})
}

type (
	taskP struct{}
	taskQ struct{ registry actor.Ref }
	taskH struct{ registry actor.Ref }
	taskM struct{}
	taskT struct{}
)

// RegistryEffects is what the tasks of Registry read and write.
func RegistryEffects() trace.Effects {
	return trace.Effects{
		{Actor: "registry", Message: "taskP", Writes: []string{"f"}},
		{Actor: "registry", Message: "taskM", Writes: []string{"g"}},
		{Actor: "registry", Message: "taskT", Writes: []string{"g"}},
	}
}

// RegistryCalls is what they may send.
func RegistryCalls() trace.Calls {
	return trace.Calls{
		calls("registryWorker", "taskQ", trace.MaySend{Actor: "registry", Message: "taskM"}),
		calls("registryWorker", "taskH", trace.MaySend{Actor: "registry", Message: "taskT"}),
		calls("registry", "taskP"), calls("registry", "taskM"), calls("registry", "taskT"),
	}
}

type registry struct{ f, g int }

func (r *registry) Receive(_ *actor.Context, msg any) {
	switch msg.(type) {
	case taskP:
		r.f++
	case taskM:
		r.g++
	case taskT:
		r.g *= 2
	}
}

type registryWorker struct{}

func (*registryWorker) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case taskQ:
		ctx.Send(msg.registry, taskM{})
	case taskH:
		ctx.Send(msg.registry, taskT{})
	}
}
