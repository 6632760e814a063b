package protoactor_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// deed is what a shape deed with the next message.
type deed string

// phases are behaviours of an actor of any shape: each changes what the message says.
func phases(b *actor.Behavior) actor.ReceiveFunc {
	var receive actor.ReceiveFunc
	fixed := func(ctx actor.Context) { receive(ctx) }
	receive = func(ctx actor.Context) {
		m, ok := ctx.Message().(deed)
		if !ok {
			return
		}
		switch m {
		case "become":
			b.Become(func(ctx actor.Context) { receive(ctx) }) // another one each time: it captures
		case "stack":
			b.BecomeStacked(fixed)
		case "unstack":
			b.UnbecomeStacked()
		case "twice":
			b.BecomeStacked(fixed)
			b.UnbecomeStacked()
		case "panic":
			panic("as told")
		case "wait":
			ctx.RequestFuture(ctx.Sender(), "go on?", -1).Wait()
			b.BecomeStacked(fixed)
		}
	}
	return receive
}

// The shapes: where an actor may keep its Behavior.
type (
	embedded struct{ actor.Behavior }
	hidden   struct {
		n    int
		deep struct{ two [2]struct{ b actor.Behavior } }
	}
	pointed struct {
		name string
		kept *embedded
	}
	byValue struct{ kept *embedded } // an actor that is no pointer
	far     struct{ p *pointed }
	plain   struct{ n int }
)

func (h *hidden) Receive(ctx actor.Context)  { h.deep.two[1].b.Receive(ctx) }
func (p *pointed) Receive(ctx actor.Context) { p.kept.Receive(ctx) }
func (b byValue) Receive(ctx actor.Context)  { b.kept.Receive(ctx) }
func (f *far) Receive(ctx actor.Context)     { f.p.Receive(ctx) }
func (p *plain) Receive(ctx actor.Context)   { phases(&actor.Behavior{nil, nil})(ctx) }

func begun(b *actor.Behavior) { b.Become(phases(b)) }

var shapes = map[string]actor.Producer{
	"embedded": func() actor.Actor { e := &embedded{}; begun(&e.Behavior); return e },
	"hidden":   func() actor.Actor { h := &hidden{}; begun(&h.deep.two[1].b); return h },
	"pointed":  func() actor.Actor { p := &pointed{kept: &embedded{}}; begun(&p.kept.Behavior); return p },
	"byValue":  func() actor.Actor { b := byValue{&embedded{}}; begun(&b.kept.Behavior); return b },
	"far":      func() actor.Actor { f := &far{&pointed{kept: &embedded{}}}; begun(&f.p.kept.Behavior); return f },
	"plain":    func() actor.Actor { return &plain{} },
}

// changed gives the messages whose events changed the handlers of the actor of that name.
func changed(tr *trace.Trace, name string) string {
	var got []string
	for i := range tr.Events {
		e := &tr.Events[i]
		if !e.Changes {
			continue
		}
		what := "?"
		if e.Step.Kind == trace.Fault {
			what = "fault"
		} else if m := e.Step.Message; m >= 0 {
			what = trace.ShortType(tr.Messages[m].Type.Name)
			if d, ok := tr.Messages[m].Value.(deed); ok {
				what = string(d)
			}
		}
		if tr.ActorName(e.Step.Actor) != name {
			what += " at " + tr.ActorName(e.Step.Actor)
		}
		got = append(got, what)
	}
	return strings.Join(got, " ")
}

func TestChanges(t *testing.T) {
	for _, tt := range []struct {
		name, shape string
		messages    []deed
		want        string
	}{
		{"become", "embedded", []deed{"-", "become", "-", "become"}, "become become"},
		{"stacked", "embedded", []deed{"stack", "-", "unstack", "-"}, "stack unstack"},
		{"undone", "embedded", []deed{"twice"}, ""},
		{"empty", "embedded", []deed{"unstack"}, "unstack"},
		{"nested", "hidden", []deed{"stack", "-"}, "stack"},
		{"pointer", "pointed", []deed{"-", "stack"}, "stack"},
		{"value", "byValue", []deed{"-", "stack"}, "stack"},
		{"two pointers", "far", []deed{"stack"}, ""},
		{"none", "plain", []deed{"stack"}, ""},
		{"restart", "embedded", []deed{"-", "panic", "stack"}, "Restart stack"},
		{"restart of a plain one", "plain", []deed{"panic", "-"}, "Restart"},
		{"blocked", "embedded", []deed{"wait", "-"}, "string"},
	} {
		for _, mode := range []adapter.Mode{adapter.TakeOver, adapter.Wait} {
			t.Run(fmt.Sprint(tt.name, " ", mode), func(t *testing.T) {
				program := func(t *explore.T, _ *journal) {
					var pid, echo *actor.PID
					s := world(t, func(s *actor.ActorSystem) {
						pid, _ = s.Root.SpawnNamed(actor.PropsFromProducer(shapes[tt.shape]), "it")
						echo = start(s, "echo", func(ctx actor.Context) {
							if m, ok := ctx.Message().(string); ok {
								ctx.Respond(m)
							}
						})
					})
					for _, m := range tt.messages {
						s.Root.RequestWithCustomSender(pid, m, echo)
					}
				}
				visited := 0
				x := trial{Mode: mode, Checker: off(trace.Panic, trace.DeadLetter)}
				x.Try(t, protoactor.System, program, func(tr *trace.Trace) {
					visited++
					if got := changed(tr, "it"); got != tt.want {
						t.Errorf("changes %q, want %q", got, tt.want)
					}
				})
				if visited == 0 {
					t.Error("nothing was executed")
				}
			})
		}
	}
}

// TestChangesByFault: an injected restart changes the handlers of the actor that it hits.
func TestChangesByFault(t *testing.T) {
	hit := 0
	trial{Faults: "restart"}.Try(t, protoactor.System, func(t *explore.T, _ *journal) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pid, _ = s.Root.SpawnNamed(actor.PropsFromProducer(shapes["plain"]), "it")
		})
		s.Root.Send(pid, deed("-"))
	}, func(tr *trace.Trace) {
		want := ""
		for _, e := range tr.Events {
			if e.Step.Kind == trace.Fault {
				want = "fault"
				hit++
			}
		}
		if got := changed(tr, "it"); got != want {
			t.Errorf("changes %q, want %q", got, want)
		}
	})
	if hit == 0 {
		t.Error("no fault was injected")
	}
}
