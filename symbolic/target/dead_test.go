package target_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// lost is a program whose messages may reach nobody: the desk answers whom the message names, and the guest asks a desk
// that may have closed.
const lost = `package lost

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type ask struct{ back actor.Ref }
type end struct{}

type desk struct{}

func (*desk) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case ask:
		ctx.Send(m.back, end{})
	case end:
		ctx.Stop()
	}
}

type guest struct{ desk actor.Ref }

func (g *guest) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(end); ok {
		ctx.Send(g.desk, ask{ctx.Self()})
	}
}

func main() {
	actor.New(func(_ *explore.T, ctx *actor.Context) {
		d := ctx.Spawn(&desk{})
		ctx.Send(d, ask{ctx.Self()})
		ctx.Send(ctx.Spawn(&guest{d}), end{})
	})
}
`

// TestDead: what is sent to nobody is found backwards, what is sent to an actor that has stopped forwards. Where
// nothing stops there is no way.
func TestDead(t *testing.T) {
	t.Setenv("GOWORK", "off")
	for stop, want := range map[string]target.Verdict{"ctx.Stop()": target.Found, "_ = m": target.Infeasible} {
		dir := toysys.TestModule(t, nil, false)
		write(t, dir, "lost/main.go", strings.NewReplacer("package lost", "package main", "ctx.Stop()", stop).Replace(lost))
		b, s, p := opened(t, filepath.Join(dir, "lost"), "main")
		list := target.NewLister(t.Context(), b.loaded, p.Summaries()).DeadLetters()
		same(t, "dead letters", lines(list), "16 main.desk dead letter", "26 main.guest dead letter")
		for i, to := range []target.Verdict{target.Found, want} {
			for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
				a, err := b.engine.Reach(t.Context(), s, &list[i].Target, target.Config{Model: model, Steps: 3, Usual: true})
				if err != nil || a.Verdict != to {
					t.Errorf("%s, %s, %v: %v (%s %q), %v, want %v", stop, list[i].Name, model, a.Verdict, a.Why, a.Reasons, err, to)
				}
			}
		}
	}
}
