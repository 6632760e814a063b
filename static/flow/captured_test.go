package flow_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// capturing keeps a message and has it handled when it is told to, in two ways.
const capturing = `package capturing

import "github.com/asynkron/protoactor-go/actor"

type (
	order  struct{}
	open   struct{}
	resume struct{}
	served struct{}
	again  struct{}
)

type desk struct {
	kept *actor.CapturedContext
	open bool
	to   *actor.PID
}

func (d *desk) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case order:
		if !d.open {
			d.kept = ctx.Capture()
			return
		}
		ctx.Send(d.to, served{})
	case open:
		d.open = true
		d.kept.Receive()
	case resume:
		ctx.Apply(d.kept)
		if _, ok := ctx.Message().(order); ok {
			ctx.Respond(again{})
		}
	}
}

type guest struct{ desk *actor.PID }

func (g *guest) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Request(g.desk, order{})
	case served, again:
	}
}

func Run() {
	root := actor.NewActorSystem().Root
	to := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &guest{} }))
	d := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &desk{to: to} }))
	root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &guest{d} }))
	root.Send(d, open{})
	root.Send(d, resume{})
}
`

// A message that newer versions of the framework capture is handled again in the step in which it is put back, with its
// sender.
func TestCaptured(t *testing.T) {
	dir, err := filepath.Abs("../../adapter/protoactor")
	if err != nil {
		t.Fatal(err)
	}
	p, err := load.Config{Dir: dir, Patterns: []string{"./capturing"}, Flags: []string{"-modfile=go.newest.mod"},
		Env:     append(os.Environ(), "GOWORK=off"),
		Overlay: map[string][]byte{filepath.Join(dir, "capturing", "capturing.go"): []byte(capturing)}}.Load()
	whole(t, p, err)
	g, err := flow.Build(p, flow.Config{})
	if err != nil || len(g.Partial) > 0 {
		t.Fatalf("%v, missing %q", err, g.Partial)
	}
	var got []string
	for _, e := range g.Edges {
		if e.From.Name == "capturing.desk" {
			got = append(got, fmt.Sprintf("%s %s to %s in %s", e.Kind, short(e.Message), short(e.To.Name), short(e.In)))
		}
	}
	slices.Sort(got)
	// The first and the last do not happen: which of its messages a step is at when it captures is not told.
	want := []string{"respond again to guest in open", "respond again to guest in resume", "send served to guest in open",
		"send served to guest in order", "send served to guest in resume"}
	if !slices.Equal(got, want) {
		t.Errorf("desk sends %q, want %q", got, want)
	}
}
