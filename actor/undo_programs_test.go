package actor_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// gadget is an actor that does what it is told, with state of every kind. It is for tests of undo: what it does depends
// on all of its state, so that anything that is not restored shows in what it does next.
type gadget struct {
	n      int
	name   string
	table  map[string]int
	list   []int
	shared *[]string // with the test function
	peers  []actor.Ref
	inner  *gadget // points back
	outer  *gadget
	future *actor.Future
	any    any
	timer  actor.TimerID
	other  bool // a second behaviour of the same actor
}

// order tells a gadget what to do. It refers to memory that the gadget changes.
type order struct {
	op, arg int
	then    []order
	count   map[string]int
}

type refused struct{ order }

var ops = []string{"send", "spread", "spawn", "become", "unbecome", "stash", "unstash", "stop", "stopActor",
	"watch", "after", "cancel",
	"choose", "call", "callTimeout", "ask", "await", "awaitUntil", "receive", "panic", "reply", "error", "atEnd", "data",
	"data", "data", "send", "send"}

func newGadget(name string, shared *[]string, peers ...actor.Ref) *gadget {
	g := &gadget{name: name, table: map[string]int{}, shared: shared, peers: peers, inner: &gadget{}}
	g.inner.outer = g
	return g
}

func (g *gadget) Receive(ctx *actor.Context, msg any) {
	*g.shared = append(*g.shared, fmt.Sprintf("%s %T", g.name, msg))
	g.n++
	switch msg := msg.(type) {
	case order:
		msg.count["handled"]++
		g.do(ctx, msg)
		for i := range msg.then {
			msg.then[i].arg += g.n // in place: the message must be restored too
			if msg.then[i].count == nil {
				msg.then[i].count = map[string]int{}
			}
			ctx.Send(g.peer(msg.then[i].arg), msg.then[i])
		}
	case *order:
		msg.arg++
		g.list = append(g.list, msg.arg)
	case actor.Terminated:
		g.table["terminated"]++
	}
}

// Accepts refuses for a while, depending on the state.
func (g *gadget) Accepts(msg any) bool {
	_, no := msg.(refused)
	return !no || g.n%2 == 0
}

func (g *gadget) peer(i int) actor.Ref { return g.peers[i%len(g.peers)] }

func (g *gadget) do(ctx *actor.Context, o order) {
	if n := len(*g.shared) % 7; n == 3 {
		g.inner.n += n
	}
	switch ops[o.op%len(ops)] {
	case "send":
		ctx.Send(g.peer(o.arg), &order{arg: g.n})
	case "spread":
		for i := range 2 {
			ctx.Send(g.peer(o.arg+i), refused{order{count: map[string]int{}}})
		}
	case "spawn":
		child := newGadget(g.name+"'", g.shared, g.peers...)
		child.inner.list = g.list // two actors share memory
		g.peers = append(g.peers, ctx.Spawn(child))
	case "become":
		b := newGadget(g.name, g.shared, g.peers...)
		b.other, b.inner = true, g.inner
		ctx.Become(b)
	case "unbecome":
		ctx.Unbecome()
	case "stash":
		if g.n%3 != 0 {
			ctx.Stash()
		}
	case "unstash":
		ctx.UnstashAll()
	case "stop":
		ctx.Stop()
	case "stopActor":
		ctx.StopActor(g.peer(o.arg))
	case "watch":
		ctx.Watch(g.peer(o.arg))
	case "panic":
		g.table["panicked"]++
		if o.arg%2 == 0 {
			panic("told to")
		}
	case "error":
		ctx.T().Error("told to")
	case "atEnd":
		n := g.n
		ctx.T().AtEnd(func() {
			if n == g.n {
				ctx.T().Error("still ", n)
			}
		})
	case "data":
		g.data(o)
	default:
		g.wait(ctx, o)
	}
}

// data changes state of every kind in place.
func (g *gadget) data(o order) {
	g.list = append(g.list, o.arg, g.n)
	if len(g.list) > 3 {
		g.list = g.list[1:3]
	}
	g.list[0]++
	g.table[fmt.Sprint(o.arg%3)] += len(g.list)
	delete(g.table, fmt.Sprint((o.arg+1)%3))
	g.inner.table = map[string]int{"n": g.n}
	g.inner.outer.inner.list = g.list
	g.any = []any{g.n, &g.n, g.list, map[int]*gadget{g.n: g.inner}, *g.inner, nil}[o.arg%6]
	if p, ok := g.any.(*int); ok {
		*p += 2
	}
	if l, ok := g.any.([]int); ok {
		l[0]--
	}
}

// wait does what has to do with time, choice, and waiting.
func (g *gadget) wait(ctx *actor.Context, o order) {
	switch ops[o.op%len(ops)] {
	case "after":
		g.timer = ctx.After(time.Duration(1+o.arg%3)*time.Second, order{op: 23, count: map[string]int{}})
	case "cancel":
		if g.timer > 0 && !g.other && !ctx.Cancel(g.timer) {
			g.n += 10
		}
	case "choose":
		g.n += 10 * ctx.Choose(2)
		if g.n > 9 {
			g.list = append(g.list, ctx.Choose(2))
		}
	case "call":
		if v, err := ctx.Call(g.peer(o.arg), order{op: 20, arg: o.arg, count: map[string]int{}}); err == nil {
			g.data(v.(order))
		}
	case "callTimeout":
		if _, err := ctx.CallTimeout(g.peer(o.arg), order{op: 20 + o.arg%2, count: map[string]int{}},
			time.Second); err != nil {
			g.table["late"]++
		}
	case "ask":
		g.future = ctx.Ask(g.peer(o.arg), order{op: 20, arg: o.arg, count: map[string]int{}})
	case "await":
		if g.future == nil {
			g.future = ctx.Ask(g.peer(o.arg), order{op: 20, arg: o.arg, count: map[string]int{}})
		}
		defer func() { g.n += 100 }()
		if v, err := ctx.Await(g.future); err == nil {
			v.(order).count["awaited"]++
			g.n += v.(order).count["awaited"]
		}
	case "awaitUntil":
		n := g.n
		ctx.AwaitUntil(func() bool { return g.n > n+o.arg%2 })
		g.table["until"] = g.n
	case "receive":
		got := ctx.Receive(func(msg any) bool { _, ok := msg.(*order); return ok })
		g.list = append(g.list, got.(*order).arg)
	case "reply":
		ctx.Reply(order{arg: o.arg + g.n, count: map[string]int{}})
	}
}

// gadgets is a random program. only: the operations; nil for all.
func gadgets(seed uint64, only ...string) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		r := rand.New(rand.NewPCG(seed, 7))
		var shared []string
		var refs []actor.Ref
		t.SetUp(func() {
			var made []*gadget
			for i := range 2 + r.IntN(2) {
				g := newGadget(string(rune('a'+i)), &shared)
				refs, made = append(refs, ctx.SpawnNamed(g.name, g)), append(made, g)
			}
			for _, g := range made {
				g.peers = append([]actor.Ref(nil), refs...)
			}
		})
		for range 2 + r.IntN(3) {
			o := randomOrder(r, only)
			for range r.IntN(3) {
				o.then = append(o.then, randomOrder(r, only))
			}
			ctx.Send(refs[r.IntN(len(refs))], o)
		}
	})
}

func randomOrder(r *rand.Rand, only []string) order {
	op := r.IntN(len(ops))
	if only != nil {
		name := only[r.IntN(len(only))]
		for op = 0; ops[op] != name; op++ {
		}
	}
	return order{op: op, arg: r.IntN(6), count: map[string]int{}}
}

// dump writes down a value, with pointers numbered in the order in which they are met.
func dump(b *strings.Builder, v reflect.Value, seen map[uintptr]int) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		n, known := seen[v.Pointer()]
		if !known {
			n = len(seen)
			seen[v.Pointer()] = n
		}
		fmt.Fprintf(b, "*%d", n)
		if ty := v.Type(); !known && ty != reflect.TypeFor[*explore.T]() && ty != reflect.TypeFor[*actor.Context]() &&
			ty != reflect.TypeFor[*actor.Future]() {
			dump(b, v.Elem(), seen)
		}
	case reflect.Struct:
		b.WriteByte('{')
		for i := range v.NumField() {
			dump(b, v.Field(i), seen)
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	case reflect.Slice, reflect.Array:
		b.WriteByte('[')
		for i := range v.Len() {
			dump(b, v.Index(i), seen)
			b.WriteByte(' ')
		}
		b.WriteByte(']')
	case reflect.Map:
		fmt.Fprint(b, "map", v.Len())
		keys := v.MapKeys()
		for i := range keys { // by insertion: few
			for j := i; j > 0 && fmt.Sprint(keys[j]) < fmt.Sprint(keys[j-1]); j-- {
				keys[j], keys[j-1] = keys[j-1], keys[j]
			}
		}
		for _, k := range keys {
			fmt.Fprint(b, k, ":")
			dump(b, v.MapIndex(k), seen)
			b.WriteByte(' ')
		}
	case reflect.Interface:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteString(v.Elem().Type().String())
		dump(b, v.Elem(), seen)
	default:
		fmt.Fprint(b, v)
	}
}

// record writes down all that can be seen of an execution: the record, what is pending, the states of the actors and
// how they stand.
func record(x explore.Execution, enabled []trace.Step) string {
	var b strings.Builder
	tr := x.Trace()
	b.WriteString(recordTrace(tr))
	seen := map[uintptr]int{}
	for _, m := range tr.Messages {
		dump(&b, reflect.ValueOf(&m.Value).Elem(), seen)
		b.WriteByte('\n')
	}
	for i := range tr.Actors {
		fmt.Fprint(&b, x.Status(int32(i)), " ")
		state := x.State(int32(i))
		dump(&b, reflect.ValueOf(&state).Elem(), seen)
		b.WriteByte('\n')
	}
	x.Pending(func(m int32) { fmt.Fprint(&b, " ", m) })
	fmt.Fprint(&b, "\n", enabled)
	return b.String()
}

func recordTrace(tr *trace.Trace) string {
	var b strings.Builder
	for _, e := range tr.Events {
		fmt.Fprintln(&b, e.Step, e.Sent, e.Created, e.Released, e.Stopped, e.Cancelled, e.Due, e.Touched, e.Registered,
			e.Changes, e.Completed, e.Auto, e.Time, kinds(e.Incidents))
	}
	for _, m := range tr.Messages {
		fmt.Fprintln(&b, m.ID, m.Type.Name, m.Kind, m.Sender, m.Receiver, m.SentBy, m.Index, m.Depth)
	}
	for _, a := range tr.Actors {
		fmt.Fprintln(&b, a.ID, a.Type.Name, a.Name, a.Parent, a.Creator)
	}
	fmt.Fprintln(&b, tr.Explored, tr.Uncontrolled, tr.Beyond)
	return b.String()
}

func kinds(ins []trace.Incident) (ks []string) {
	for _, in := range ins {
		ks = append(ks, fmt.Sprint(in.Kind, in.Actor, in.Message, in.Type, in.Text))
	}
	return ks
}
