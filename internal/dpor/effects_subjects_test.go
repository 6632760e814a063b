package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// The programs of [ASTS] with its tasks' reads and writes: so many classes without, so many with them.
var declared = []struct {
	name    string
	make    func() *actor.System
	effects trace.Effects
	model   trace.Model
	without int
	with    int
}{
	{"registry", subjects.Registry, subjects.RegistryEffects(), trace.Bag, 6, 2},
	{"registry", subjects.Registry, subjects.RegistryEffects(), trace.FIFO, 6, 2},
	{"registry", subjects.Registry, subjects.RegistryEffects(), trace.Causal, 2, 2}, // p comes first
	{"registry", subjects.Registry, subjects.RegistryEffects(), trace.MailboxSerial, 2, 2},
	{"RegSim(6,1)", func() *actor.System { return regSim(6, 1) }, regSimEffects, trace.Bag, 10080, 720},
	{"RegSim(4,2)", func() *actor.System { return regSim(4, 2) }, regSimEffects, trace.Bag, 11520, 384},
	{"DHT(a)", dht, dhtEffects, trace.Bag, 1152, 36},
}

func TestDeclaredSubjects(t *testing.T) {
	for _, tt := range declared {
		for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil)} {
			for _, effects := range []trace.Effects{nil, tt.effects} {
				want := tt.without
				if effects != nil {
					want = tt.with
				}
				out, err := explore.Run(tt.make(), s, explore.Options{Conditions: explore.Conditions{Model: tt.model, Effects: effects, Copy: true}})
				if err != nil {
					t.Fatalf("%s: %v", tt.name, err)
				}
				if out.Executions != want || out.Blocked > 0 || !out.Complete {
					t.Errorf("%s of %s under %s, %d effects: %d executions and %d blocked, want %d", s.Name(), tt.name, tt.model, len(effects), out.Executions, out.Blocked, want)
				}
				s = map[string]func() explore.Strategy{"source": newSource, "optimal": newOptimal}[s.Name()]()
			}
		}
	}
}

// RegSim: a simulation opens a registry and sends every worker k rounds of work; after the last each registers.
type (
	sim       struct{ registry, workers []actor.Ref }
	reg       struct{ open, list int }
	simWorker struct {
		left     int
		registry actor.Ref
	}
	openUp  struct{}
	round   struct{}
	work    struct{}
	opened  struct{}
	entered struct{}
)

func (s *sim) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(openUp); ok {
		ctx.Send(s.registry[0], opened{})
		return
	}
	for _, w := range s.workers {
		ctx.Send(w, work{})
	}
}

func (r *reg) Receive(_ *actor.Context, msg any) {
	if _, ok := msg.(opened); ok {
		r.open++
	} else {
		r.list++
	}
}

func (w *simWorker) Receive(ctx *actor.Context, _ any) {
	if w.left--; w.left == 0 {
		ctx.Send(w.registry, entered{})
	}
}

func regSim(n, k int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		s := &sim{}
		var first actor.Ref
		t.SetUp(func() {
			first = ctx.Spawn(s)
			r := ctx.Spawn(&reg{})
			s.registry = append(s.registry, r)
			for range n {
				s.workers = append(s.workers, ctx.Spawn(&simWorker{k, r}))
			}
		})
		ctx.Send(first, openUp{})
		for range k {
			ctx.Send(first, round{})
		}
	})
}

var regSimEffects = trace.Effects{
	{Actor: "sim", Message: "openUp", Reads: []string{"registry"}, Sends: true},
	{Actor: "sim", Message: "round", Reads: []string{"workers"}, Sends: true},
	{Actor: "reg", Message: "opened", Writes: []string{"open"}},
	{Actor: "reg", Message: "entered", Writes: []string{"list"}},
}

// DHT(a): three puts and a get of all three keys, to two nodes.
type (
	dhtFront struct{ nodes [2]actor.Ref }
	dhtNode  struct {
		values map[int]int
	}
	put    struct{ key, value int }
	getAll struct{ keys [3]int }
	get    struct{ key int }
)

func (d *dhtFront) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case put:
		ctx.Send(d.nodes[msg.key%2], msg)
	case getAll:
		for _, k := range msg.keys {
			ctx.Send(d.nodes[k%2], get{k})
		}
	}
}

func (d *dhtNode) Receive(_ *actor.Context, msg any) {
	if msg, ok := msg.(put); ok {
		d.values[msg.key] = msg.value
	}
}

func dht() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var front actor.Ref
		t.SetUp(func() {
			var nodes [2]actor.Ref
			for i := range nodes {
				nodes[i] = ctx.Spawn(&dhtNode{map[int]int{}})
			}
			front = ctx.Spawn(&dhtFront{nodes})
		})
		for i, k := range []int{2, 4, 7} {
			ctx.Send(front, put{k, 5 + i})
		}
		ctx.Send(front, getAll{[3]int{2, 4, 7}})
	})
}

var dhtEffects = trace.Effects{
	{Actor: "dhtFront", Message: "put", Reads: []string{"nodes"}, Sends: true},
	{Actor: "dhtFront", Message: "getAll", Reads: []string{"nodes"}, Sends: true},
	{Actor: "dhtNode", Message: "put", Writes: []string{"values"}},
	{Actor: "dhtNode", Message: "get", Reads: []string{"values"}},
}
