package flow_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// programs puts files into packages of the module of the examples, where the frameworks are, and loads each by itself,
// by name.
func programs(t *testing.T, sources map[string]string) map[string]*load.Program {
	t.Helper()
	dir, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	c, paths := load.Config{Dir: dir, Overlay: map[string][]byte{}}, map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(sources)) {
		pkg := fmt.Sprintf("scratch%d", i)
		c.Overlay[filepath.Join(dir, pkg, "main.go")] = []byte("package main\n" + sources[name])
		c.Patterns = append(c.Patterns, "./"+pkg)
		paths[name] = "github.com/rehearse-go/rehearse/examples/" + pkg
	}
	p, err := c.Load()
	if err != nil || p.Partial() {
		t.Fatalf("%v, %v", err, p.Problems)
	}
	all := map[string]*load.Program{}
	for name, path := range paths {
		all[name] = only(p, path)
	}
	return all
}

const native = `
import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

func run(f func(ctx *actor.Context)) { actor.New(func(t *explore.T, ctx *actor.Context) { f(ctx) }) }

type ping struct{ from actor.Ref }
type pong struct{}
`

const protoactor = `
import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"
)

var _ = time.Second
var _ = scheduler.NewTimerScheduler

type ping struct{ from *actor.PID }
type pong struct{}
`

// sends lists the edges that are no creations, without repetition.
func sends(g *flow.Graph) string {
	var out []string
	seen := map[string]bool{}
	for _, e := range g.Edges {
		line := string(e.Kind) + " " + short(e.From.Name) + " " + short(e.Message) + " " + short(e.To.Name)
		if e.Kind != flow.Create && !seen[line] {
			seen[line] = true
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func TestGraphs(t *testing.T) {
	cases := map[string]struct{ source, want, partial string }{
		"a reference in a message": {native + `
type a struct{}
func (a) Receive(ctx *actor.Context, msg any) { if m, ok := msg.(ping); ok { ctx.Send(m.from, pong{}) } }
type b struct{}
func (b) Receive(ctx *actor.Context, msg any) {}
func main() { run(func(ctx *actor.Context) { x, y := ctx.Spawn(a{}), ctx.Spawn(b{}); ctx.Send(x, ping{y}) }) }
`, "send a pong b; send environment ping a", ""},
		"become": {native + `
type a struct{}
func (a) Receive(ctx *actor.Context, msg any) { ctx.Become(b{}) }
type b struct{}
func (b) Receive(ctx *actor.Context, msg any) { if _, ok := msg.(pong); ok { ctx.Send(ctx.Self(), ping{}) } }
func main() { run(func(ctx *actor.Context) { x := ctx.Spawn(a{}); ctx.Send(x, pong{}) }) }
`, "send environment pong a; send a ping a", ""},
		"functions and a name": {native + `
func main() { run(func(ctx *actor.Context) {
	x := ctx.SpawnNamed("echo", actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(pong{}) }))
	y := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { if _, ok := msg.(ping); ok { ctx.Call(x, ping{}) } }))
	ctx.Send(y, ping{})
}) }
`, "respond echo pong main; send environment ping main; request main ping echo", ""},
		"start hook and timer": {native + `
type a struct{}
func (a) Start(ctx *actor.Context) { ctx.After(1, pong{}) }
func (a) Receive(ctx *actor.Context, msg any) {}
func main() { run(func(ctx *actor.Context) { ctx.Spawn(a{}) }) }
`, "timer a pong a", ""},
		"dead branch": {native + `
type a struct{ to actor.Ref }
func (a a) Receive(ctx *actor.Context, msg any) { switch msg.(type) { case ping: a.both(ctx, msg) } }
func (a a) both(ctx *actor.Context, msg any) { if _, ok := msg.(pong); ok { ctx.Send(a.to, msg) } }
func main() { run(func(ctx *actor.Context) { x := ctx.Spawn(a{}); ctx.Send(x, ping{}); ctx.Send(x, pong{}) }) }
`, "send environment ping a; send environment pong a", ""},
		"maps, slices and closures": {native + `
type a struct{ known map[string][]actor.Ref }
func (a *a) Receive(ctx *actor.Context, msg any) {
	if m, ok := msg.(ping); ok { a.known["x"] = append(a.known["x"], m.from) }
	send := func(r actor.Ref) { ctx.Send(r, pong{}) }
	if _, ok := msg.(pong); ok { for _, rs := range a.known { for _, r := range rs { send(r) } } }
}
type b struct{}
func (b) Receive(ctx *actor.Context, msg any) {}
func main() { run(func(ctx *actor.Context) { x := ctx.Spawn(&a{known: map[string][]actor.Ref{}}); ctx.Send(x, ping{ctx.Spawn(b{})}); ctx.Send(x, pong{}) }) }
`, "send a pong b; send environment ping a; send environment pong a", ""},
		"behaviours of protoactor": {protoactor + `
type a struct{ behavior actor.Behavior; to *actor.PID }
func (a *a) Receive(ctx actor.Context) { a.behavior.Receive(ctx) }
func (a *a) closed(ctx actor.Context) { if _, ok := ctx.Message().(ping); ok { a.behavior.BecomeStacked(a.open) } }
func (a *a) open(ctx actor.Context) { if _, ok := ctx.Message().(ping); ok { ctx.Send(a.to, pong{}) } }
func main() {
	root := actor.NewActorSystem().Root
	sink := root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {}))
	x := root.Spawn(actor.PropsFromProducer(func() actor.Actor { a := &a{behavior: actor.NewBehavior(), to: sink}; a.behavior.Become(a.closed); return a }))
	root.Send(x, ping{})
}
`, "send environment ping a; send a pong main", ""},
		"futures, pipes and forwarding": {protoactor + `
type a struct{ to *actor.PID }
func (a *a) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		f := ctx.RequestFuture(a.to, ping{}, time.Second)
		f.PipeTo(ctx.Self())
		ctx.ReenterAfter(f, func(res any, err error) { if _, ok := res.(pong); ok { ctx.Forward(a.to) } })
	}
}
type b struct{}
func (b *b) Receive(ctx actor.Context) { if _, ok := ctx.Message().(ping); ok { ctx.Respond(pong{}) } }
func main() {
	root := actor.NewActorSystem().Root
	y := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &b{} }))
	x := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &a{y} }))
	root.Send(x, ping{})
}
`, "request a ping b; send a pong a; send b pong a; forward a ping b; send environment ping a; respond b pong a", ""},
		"lifecycle, watching and timers": {protoactor + `
type a struct{ to *actor.PID }
func (a *a) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		ctx.Watch(a.to)
		scheduler.NewTimerScheduler(ctx).SendOnce(time.Second, a.to, pong{})
		ctx.SetReceiveTimeout(time.Second)
	case *actor.Terminated:
		ctx.Send(msg.Who, ping{})
	}
}
type b struct{}
func (b *b) Receive(ctx actor.Context) {}
func main() {
	root := actor.NewActorSystem().Root
	y := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &b{} }))
	root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &a{y} }))
}
`, "watch a  b; timer a pong b; timer a ReceiveTimeout a; send a ping b", ""},
		"props that get middleware when actors were made from them": {protoactor + `
type a struct{ props *actor.Props; to *actor.PID }
func (a *a) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Request(ctx.Spawn(a.props), ping{})
	case pong:
		ctx.Send(ctx.Self(), tick{})
	case tick:
		a.props.Configure(actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc {
			return func(c actor.ReceiverContext, e *actor.MessageEnvelope) { c.ActorSystem().Root.Send(a.to, pong{}); next(c, e) }
		}))
	}
}
type tick struct{}
type b struct{}
func (b *b) Receive(ctx actor.Context) { if _, ok := ctx.Message().(ping); ok { ctx.Respond(pong{}) } }
func main() {
	root := actor.NewActorSystem().Root
	sink := root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {}))
	root.Send(root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &a{actor.PropsFromProducer(func() actor.Actor { return &b{} }), sink} })), ping{})
}
`, "request a ping b; respond b pong a; send a tick a; send b pong main; send environment ping a", ""},
		"middleware of the framework's": {strings.Replace(protoactor, "import (", "import (\n\"github.com/asynkron/protoactor-go/actor/middleware\"", 1) + `
type a struct{}
func (a *a) Receive(ctx actor.Context) { if _, ok := ctx.Message().(ping); ok { ctx.Send(ctx.Self(), pong{}) } }
func main() {
	root := actor.NewActorSystem().Root
	root.Send(root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &a{} }, actor.WithReceiverMiddleware(middleware.Logger))), ping{})
}
`, "send a pong a; send environment ping a", ""},
		"middleware that no model tells about": {strings.Replace(protoactor, "import (", "import (\n\"github.com/asynkron/protoactor-go/plugin\"", 1) + `
type a struct{}
func (a *a) Receive(ctx actor.Context) {}
func main() {
	root := actor.NewActorSystem().Root
	root.Send(root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &a{} }, actor.WithReceiverMiddleware(plugin.Use(&plugin.PassivationPlugin{})))), ping{})
}
`, "", "what is done here besides is unknown: it comes from github.com/asynkron/protoactor-go/plugin.Use, which no model tells about"},
		"what no model tells": {strings.Replace(native, "import (", "import (\n\"encoding/json\"", 1) + `
type a struct{}
func (a) Receive(ctx *actor.Context, msg any) { ctx.Send(*external.(*actor.Ref), pong{}) }
var external any
func init() { _ = json.Unmarshal(nil, &external) }
func main() { run(func(ctx *actor.Context) { x := ctx.Spawn(a{}); ctx.Send(x, ping{}) }) }
`, "", "main.go:15: who gets this message is unknown: it comes from encoding/json.Unmarshal, which no model tells about"},
	}
	sources := map[string]string{}
	for name, c := range cases {
		sources[name] = c.source
	}
	loaded := programs(t, sources)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g, err := flow.Build(loaded[name], flow.Config{})
			if err != nil {
				t.Fatal(err)
			}
			if missing := strings.Join(g.Partial, "\n"); (c.partial == "") != (missing == "") || !strings.Contains(missing, c.partial) {
				t.Errorf("missing: %q, want %q", missing, c.partial)
			}
			want := strings.Split(c.want, "; ")
			slices.Sort(want)
			if got := sends(g); c.partial == "" && got != strings.Join(want, "; ") {
				t.Errorf("the graph is\n\t%s\nand not\n\t%s", got, strings.Join(want, "; "))
			}
		})
	}
}

// A message and a pointer to it are two messages. Where a program has both, the pointer has a star.
func TestForms(t *testing.T) {
	g, err := flow.Build(programs(t, map[string]string{"": protoactor + `
type a struct{ n int }
func (a *a) Receive(c actor.Context) {
	switch c.Message().(type) {
	case ping:
		a.n++
	case *pong:
		a.n--
	case *late:
	case *actor.Started:
	}
}
type late struct{}
func main() {
	root := actor.NewActorSystem().Root
	x := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &a{} }))
	root.Send(x, &ping{})
	root.Send(x, pong{})
	root.Send(x, &late{})
}
`})[""], flow.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, h := range g.Actors[1].Handlers {
		got = append(got, fmt.Sprintf("%s %t", h.Message, h.Known))
	}
	for _, e := range g.Edges {
		if e.Message != "" {
			got = append(got, "sent "+e.Message)
		}
	}
	for _, f := range finding.Of(g).Findings {
		got = append(got, string(f.Kind)+" "+f.Text)
	}
	want := []string{"*main.ping false", "*main.pong true", "actor.Started true", "main.late true", "main.ping true", "main.pong false",
		"sent *main.ping", "sent main.pong", "sent main.late",
		"unhandled-send *main.ping goes to main.a, which has no branch for it (scratch0/main.go:16)",
		"unhandled-send main.pong goes to main.a, which has no branch for it (scratch0/main.go:16)",
		"unsent-message nobody sends main.ping, which main.a handles", "unsent-message nobody sends *main.pong, which main.a handles"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// A receptionist gets everything that it has a branch for.
func TestReceptionists(t *testing.T) {
	source := native + `
type a struct{ to actor.Ref }
func (a a) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) { case ping: ctx.Send(a.to, pong{}); ctx.Spawn(late{}) }
}
type b struct{}
func (b) Receive(ctx *actor.Context, msg any) {}
type late struct{}
func (late) Receive(ctx *actor.Context, msg any) { switch msg.(type) { case pong: } }
func main() { run(func(ctx *actor.Context) { ctx.Spawn(a{ctx.Spawn(b{})}) }) }
`
	p := programs(t, map[string]string{"": source})[""]
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"main.a"}, "send a pong b; send environment ping a"},
		{[]string{"main.a", "main.late"}, "send a pong b; send environment ping a; send environment pong late"},
	} {
		g, err := flow.Build(p, flow.Config{Receptionists: c.names})
		if err != nil || sends(g) != c.want {
			t.Errorf("receptionists %q: %v, %s, want %s", c.names, err, sends(g), c.want)
		}
	}
	_, err := flow.Build(p, flow.Config{Receptionists: []string{"main.c"}})
	if err == nil || !strings.Contains(err.Error(), "there are main.a, main.b") {
		t.Errorf("an unknown receptionist: %v", err)
	}
	if _, err := flow.Build(p, flow.Config{Precision: "best"}); err == nil || !strings.Contains(err.Error(), "want instances") {
		t.Errorf("an unknown precision: %v", err)
	}
}

// What could not be read makes a graph partial.
func TestPartial(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GOWORK", "off")
	for name, text := range map[string]string{"go.mod": "module m\n\ngo 1.25.0\n", "a/a.go": "package a\n", "b/b.go": "package b\nvar X int = \"\"\n"} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p, err := load.Load(dir, "./...")
	if err != nil {
		t.Fatal(err)
	}
	g, err := flow.Build(p, flow.Config{})
	if err != nil {
		t.Fatal(err)
	}
	missing := strings.Join(g.Partial, "\n")
	if !strings.Contains(missing, "b/b.go:2: m/b: left out") || !strings.Contains(missing, "no actors are spawned") {
		t.Errorf("missing: %s", missing)
	}
}
