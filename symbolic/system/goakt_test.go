package system

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Programs of GoAkt do the same symbolically and for real, step by step, under all models. With REHEARSE_TOY: the
// framework takes seconds to read and to compile, and those of Hollywood are compared by default.
func TestTwinGoAkt(t *testing.T) {
	if os.Getenv("REHEARSE_TOY") == "" {
		return
	}
	twins(t, "goakt", func(d *Driver) bool { return d.GoAkt })
}

// extra are programs of which it matters what the execution says of itself.
const extra = `
// Stopping ends its system, which runs each PostStop.
func Stopping() rehearse.System {
	return goakt.System(func(t *explore.T) {
		s := system(t)
		spawn(t, s, "a", &mortal{})
		_ = s.Stop(background)
	})
}

type breaker struct{ quiet }

func (*breaker) PreStart(*actor.Context) error { panic("broken") }

func (*breaker) Receive(*actor.ReceiveContext) {}

type risky struct {
	quiet
	other *actor.PID
}

func (r *risky) attempt(c *actor.ReceiveContext) {
	defer func() { _ = recover() }()
	_, _ = c.ActorSystem().Spawn(background, "x", &breaker{})
}

func (r *risky) Receive(c *actor.ReceiveContext) {
	if _, ok := c.Message().(ping); ok {
		r.attempt(c)
		if p, ok := c.Message().(ping); ok {
			c.Tell(r.other, note{"still"})
			_ = p
		}
	}
}

// Recovering has an actor go on behind a PreStart that panics.
func Recovering() rehearse.System {
	return goakt.System(func(t *explore.T) {
		s := system(t)
		o := spawn(t, s, "o", &answerer{})
		_ = actor.Tell(background, spawn(t, s, "r", &risky{other: o}), ping{1})
	})
}
`

// The end of a system is not followed, and so is a reason not to call anything infeasible. Behind the panic of a
// PreStart the handler still has its message.
func TestGoAktBesides(t *testing.T) {
	dir, err := filepath.Abs("../../adapter/goakt")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/goakt/twins.go")
	if err != nil {
		t.Fatal(err)
	}
	p := loadedTwins(t, dir, append(source, extra...))
	s, err := p.Start(t.Context(), p.DriversOf(function(t, p, "Stopping"))[0], Config{})
	if err != nil || !strings.Contains(strings.Join(s.Inexact, "\n"), "the end of the actor system") {
		t.Errorf("%v, %+v", err, s)
	}
	tr, path, err := p.Run(t.Context(), p.DriversOf(function(t, p, "Recovering"))[0], trace.FIFO, Config{})
	if err != nil || !strings.Contains(strings.Join(written(tr), "\n"), "note") {
		t.Errorf("%v, %+v: %v", err, path, tr)
	}
}
