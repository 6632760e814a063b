package troupe

import (
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// CallTime is how long a call waits for its answer. The horizon is no multiple of it.
const CallTime = 13 * time.Second

// Explored is what an exploration of the program by a System is compared by. end is set by each execution at its end.
func Explored(sys explore.System, model trace.Model, end *string) *agree.Program {
	return &agree.Program{
		System:     sys,
		Conditions: explore.Conditions{Model: model, Horizon: time.Minute, MaxSteps: 1000, Blocked: 10 * time.Second},
		State:      func() string { return *end },
		Before:     func() { *end = "" },
		Limit:      2000,
	}
}

// Native is the program on native actors.
func (p *Program) Native(model trace.Model) *agree.Program {
	var end string
	return Explored(actor.New(func(t *explore.T, ctx *actor.Context) {
		w := p.NewWorld(nil)
		s := native{Context: ctx}
		t.SetUp(func() { w.SetUp(s) })
		t.AtEnd(func() { end = w.End() })
		w.Test(s)
	}), model, &end)
}

// native is a Stage of native actors.
type native struct{ *actor.Context }

// pill ends an actor when it is handled.
type pill struct{}

// Self is Stage.
func (s native) Self() any { return s.Context.Self() }

// Tell is Stage.
func (s native) Tell(to any, l Letter) { s.Send(to.(actor.Ref), l) }

// Call is Stage.
func (s native) Call(to any, l Letter) (Letter, error) {
	v, err := s.CallTimeout(to.(actor.Ref), l, CallTime)
	if err != nil {
		return Letter{}, err
	}
	return v.(Letter), nil
}

// Respond is Stage.
func (s native) Respond(l Letter) { s.Reply(l) }

// Spawn is Stage.
func (s native) Spawn(p *Player, name string) any { return s.SpawnNamed(name, &member{p}) }

// End is Stage.
func (s native) End(who any) { s.Send(who.(actor.Ref), pill{}) }

// member is a native actor.
type member struct{ player *Player }

// Receive implements actor.Behavior.
func (m *member) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Letter:
		m.player.Receive(native{ctx}, msg)
	case pill:
		ctx.Stop()
	}
}
