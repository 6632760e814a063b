package flow_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/static/flow"
)

// What becomes known of an actor after its handlers were looked at is not lost: another object that it is made from, a
// child that its parent asks for.
func TestLate(t *testing.T) {
	cases := map[string]struct{ source, want string }{
		"a second object": {native + `
type last struct{}
type maker struct{ made *made; sink actor.Ref }
func (m *maker) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case ping: ctx.Send(ctx.Spawn(m.made), ping{})
	case pong: m.made = &made{m.sink, last{}}
	}
}
type made struct{ to actor.Ref; say any }
func (m *made) Receive(ctx *actor.Context, msg any) { ctx.Send(m.to, m.say) }
type sink struct{}
func (sink) Receive(ctx *actor.Context, msg any) {}
func main() { run(func(ctx *actor.Context) {
	m := &maker{sink: ctx.Spawn(sink{})}
	x := ctx.Spawn(m)
	m.made = &made{x, pong{}}
	ctx.Send(x, ping{})
}) }
`, "send environment ping maker; send made last sink; send made pong maker; send maker ping made"},
		"a child": {protoactor + `
type parent struct{}
func (parent) Receive(c actor.Context) {
	switch c.Message().(type) {
	case *ping: for _, child := range c.Children() { c.Send(child, &pong{}) }
	case *pong: c.Spawn(actor.PropsFromProducer(func() actor.Actor { return child{} }))
	}
}
type child struct{}
func (child) Receive(c actor.Context) {}
func main() {
	s := actor.NewActorSystem()
	p := s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return parent{} }))
	s.Root.Send(p, &ping{})
	s.Root.Send(p, &pong{})
}
`, "send environment ping parent; send environment pong parent; send parent pong child"},
	}
	sources := map[string]string{}
	for name, c := range cases {
		sources[name] = c.source
	}
	for name, p := range programs(t, sources) {
		g, err := flow.Build(p, flow.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if got := sends(g); got != cases[name].want {
			t.Errorf("%s: %s\nwant %s", name, got, cases[name].want)
		}
	}
}
