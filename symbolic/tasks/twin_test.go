package tasks_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/subjects/apet"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds cases to executions: the native program, given inputs of a case and led through its order, replies
// what the case tells, and leaves the same state.

// inputs are numbers by the names that cases give them.
type inputs map[string]int

// native is a program with an actor to test.
type native struct {
	actor, message string
	make           func(inputs) actor.Behavior
	ask            func(inputs) any
	state          func(actor.Behavior) inputs
}

var natives = []native{
	{"apet.Starter", "apet.DoSum", func(in inputs) actor.Behavior { return &apet.Starter{Value: in["b.Value"]} },
		func(in inputs) any { return apet.DoSum{M: in["msg.M"], N: in["msg.N"]} },
		func(b actor.Behavior) inputs { return inputs{"b.Value": b.(*apet.Starter).Value} }},
	{"apet.Check", "apet.RunCheck", func(in inputs) actor.Behavior { return &apet.Check{A: in["c.A"]} },
		func(inputs) any { return apet.RunCheck{} },
		func(b actor.Behavior) inputs { return inputs{"c.A": b.(*apet.Check).A} }},
	{"apet.Pruning", "apet.RunPruning", func(in inputs) actor.Behavior { return &apet.Pruning{B: in["p.B"], C: in["p.C"]} },
		func(inputs) any { return apet.RunPruning{} },
		func(b actor.Behavior) inputs {
			return inputs{"p.B": b.(*apet.Pruning).B, "p.C": b.(*apet.Pruning).C}
		}},
}

// queuedMessage makes a message that is in the queue in the beginning.
func queuedMessage(name string, n int) any {
	switch name {
	case "apet.SetB":
		return apet.SetB{N: n}
	case "apet.SetC":
		return apet.SetC{N: n}
	}
	return map[string]any{"apet.SetBC": apet.SetBC{}, "apet.ToOdd": apet.ToOdd{}, "apet.ToEven": apet.ToEven{}}[name]
}

// follower leads an execution, by a function that picks one of the steps that are enabled. It gives -1 to end the
// execution.
type follower struct {
	pick    func(tr *trace.Trace, enabled []trace.Step) int
	started bool
}

func (*follower) Name() string             { return "follower" }
func (*follower) Learn(*trace.Trace, bool) {}
func (*follower) Complete() bool           { return false }
func (f *follower) Start() (first bool)    { first, f.started = !f.started, true; return first }
func (f *follower) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	return explore.Choice{Index: f.pick(tr, enabled)}
}

// execute runs a program on inputs and gives the reply, nil for none, with the state in the end.
func (n native) execute(t *testing.T, in inputs, queued []string, pick func(*trace.Trace, []trace.Step) int) (reply any, state inputs) {
	t.Helper()
	tested := n.make(in)
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		var ref actor.Ref
		t.SetUp(func() { ref = ctx.Spawn(tested) })
		for i, name := range queued {
			ctx.Send(ref, queuedMessage(name, in[fmt.Sprintf("queued%d.N", i+1)]))
		}
		reply, _ = ctx.Call(ref, n.ask(in))
	})
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Budget: explore.Budget{Executions: 1}, Rerun: true}
	if _, err := explore.Run(sys, &follower{pick: pick}, o); err != nil {
		t.Fatal(err)
	}
	return reply, n.state(tested)
}

// through picks the steps of a case, then the reply to the driver. It tells what does not fit.
func through(steps []tasks.Step, misfit *string) func(*trace.Trace, []trace.Step) int {
	steps = slices.DeleteFunc(slices.Clone(steps), func(s tasks.Step) bool { return s.Lost })
	return func(tr *trace.Trace, enabled []trace.Step) int {
		if i := slices.IndexFunc(enabled, func(e trace.Step) bool { return e.Kind == trace.Start }); i >= 0 {
			return i
		}
		if len(steps) == 0 {
			if len(enabled) != 1 || enabled[0].Kind != trace.Reply || enabled[0].Actor != 0 {
				*misfit = fmt.Sprintf("%d steps are left", len(enabled))
				return -1
			}
			return 0
		}
		want := steps[0]
		best := -1
		for i, e := range enabled {
			if e.Actor != 0 && fits(tr, e, want) && (best < 0 || e.Message < enabled[best].Message) {
				best = i
			}
		}
		if best < 0 {
			*misfit = fmt.Sprintf("%v is not possible", want)
		}
		steps = steps[1:]
		return best
	}
}

func fits(tr *trace.Trace, e trace.Step, want tasks.Step) bool {
	if tr.Actors[e.Actor].Type.Name != strings.TrimRight(want.Actor, "0123456789") {
		return false
	}
	if want.Resumed {
		return e.Kind == trace.Resume || e.Kind == trace.Reply
	}
	return e.Kind == trace.Deliver && tr.Messages[e.Message].Type.Name == want.Message
}

// draw makes random small inputs for the variables of a result.
func draw(rng *rand.Rand, r *tasks.Result) (inputs, *term.Model) {
	in, m := inputs{"b.Value": 0, "msg.M": 0, "msg.N": 0}, &term.Model{Vars: map[*term.Term]term.Value{}}
	for _, c := range r.Cases {
		list := slices.Clone(c.Constraints)
		for _, named := range slices.Concat(c.Initial, c.Final, c.Result) {
			list = append(list, named.Term)
		}
		for _, v := range term.Vars(list...) {
			if _, known := m.Vars[v]; !known {
				in[v.Name] = rng.IntN(6) - 2
				m.Vars[v] = term.WordValue(v.Sort, uint64(in[v.Name]))
			}
		}
	}
	return in, m
}

// agree executes a case, and compares.
func agree(t *testing.T, n native, c *tasks.Case, in inputs, m *term.Model) {
	t.Helper()
	var misfit string
	reply, state := n.execute(t, in, c.Queued, through(c.Steps, &misfit))
	eval := m.Evaluator()
	i := slices.IndexFunc(c.Result, func(r exec.Named) bool { return r.Name == "result.(int)" })
	if i < 0 || misfit != "" || reply != int(eval.Eval(c.Result[i].Term).Int()) {
		t.Fatalf("%v through %v: replies %v, want %v; %s", in, c.Steps, reply, c.Result, misfit)
	}
	for _, f := range c.Final {
		if got, ok := state[f.Name]; ok && got != int(eval.Eval(f.Term).Int()) {
			t.Fatalf("%v through %v: %s is %d in the end, want %v", in, c.Steps, f.Name, got, f.Term)
		}
	}
}

// repeated reports whether two messages of a queue have one name, so that an order does not tell them apart.
func repeated(queued []string) bool {
	sorted := slices.Sorted(slices.Values(queued))
	return len(slices.Compact(sorted)) < len(queued)
}

// TestTwinNative: random inputs, executed through the order of each case whose constraints they meet.
func TestTwinNative(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range natives {
		executed := 0
		for _, policy := range []tasks.Policy{tasks.FIFO, tasks.LIFO, tasks.Priority, tasks.Any} {
			for _, mode := range []tasks.AwaitMode{tasks.Ready, tasks.Polling} {
				r := cases(t, n.actor, n.message, tasks.Config{Switches: 5, Policy: policy, Await: mode, Queue: 2, Pruning: 1, Paths: 400})
				for range 12 {
					in, m := draw(rng, r)
					for _, c := range r.Cases {
						if m.Evaluator().Holds(c.Constraints...) && (policy == tasks.FIFO || !repeated(c.Queued)) {
							agree(t, n, c, in, m)
							executed++
						}
					}
				}
			}
		}
		t.Logf("%s: %d executions", n.message, executed)
		if executed < 40 {
			t.Errorf("%s: only %d executions", n.message, executed)
		}
	}
}

// plain is FIFO without the engine: the tested message first, then what can go on, then the oldest message; the reply
// to the driver last.
func plain(tested string) func(*trace.Trace, []trace.Step) int {
	begun := false
	return func(tr *trace.Trace, enabled []trace.Step) int {
		best, rank := 0, 1<<40
		for i, e := range enabled {
			r := int(e.Message)
			switch {
			case e.Kind == trace.Start:
				return i
			case e.Actor == 0:
				r = 1 << 30
			case e.Kind == trace.Resume || !begun && tr.Messages[e.Message].Type.Name == tested:
				r = -1
			}
			if r < rank {
				best, rank = i, r
			}
		}
		begun = true
		return best
	}
}

// TestTwinComplete: of the cases of one queue, random inputs meet one, or none if the program does not reply.
func TestTwinComplete(t *testing.T) {
	n := natives[2]
	r := cases(t, n.actor, n.message, tasks.Config{Queue: 2, Pruning: 1})
	queues := [][]string{nil}
	for _, a := range r.Pool {
		queues = append(queues, []string{a})
		for _, b := range r.Pool {
			queues = append(queues, []string{a, b})
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	replied, silent := 0, 0
	for range 20 {
		in, m := draw(rng, r)
		for _, queue := range queues {
			var met []*tasks.Case
			for _, c := range r.Cases {
				if slices.Equal(c.Queued, queue) && m.Evaluator().Holds(c.Constraints...) {
					met = append(met, c)
				}
			}
			reply, _ := n.execute(t, in, queue, plain(n.message))
			switch {
			case reply == nil && len(met) == 0:
				silent++
			case reply != nil && len(met) == 1 && met[0].Result[1].Name == "result.(int)" && int(m.Eval(met[0].Result[1].Term).Int()) == reply:
				replied++
			default:
				t.Fatalf("%v with %v: replies %v, and meets %d cases", in, queue, reply, len(met))
			}
		}
	}
	if len(queues) != 13 || replied < 50 || silent < 50 {
		t.Errorf("%d queues, %d replies, %d without: want 13 and 50 of each", len(queues), replied, silent)
	}
}

// TestTwinOrders: with any next task there are as many cases as the naive search executes orders of the same program.
func TestTwinOrders(t *testing.T) {
	for _, tt := range []struct {
		native native
		in     inputs
		want   int
	}{{natives[0], inputs{"msg.M": 1, "msg.N": 3}, 1}, {natives[1], inputs{}, 12}} {
		r := cases(t, tt.native.actor, tt.native.message, tasks.Config{Switches: 9, Policy: tasks.Any})
		m := &term.Model{Vars: map[*term.Term]term.Value{}}
		for _, c := range r.Cases {
			for _, v := range term.Vars(c.Constraints...) {
				m.Vars[v] = term.WordValue(v.Sort, uint64(tt.in[v.Name]))
			}
		}
		met := 0
		for _, c := range r.Cases {
			if m.Evaluator().Holds(c.Constraints...) {
				met++
			}
		}
		sys := actor.New(func(t *explore.T, ctx *actor.Context) {
			var ref actor.Ref
			t.SetUp(func() { ref = ctx.Spawn(tt.native.make(tt.in)) })
			ctx.Send(ref, tt.native.ask(tt.in)) // its reply is a message that the driver does not take, which is no step
		})
		out, err := explore.Run(sys, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
		if err != nil {
			t.Fatal(err)
		}
		if met != tt.want || out.Executions != tt.want || !out.Complete {
			t.Errorf("%s: %d cases and %d executions, want %d", tt.native.message, met, out.Executions, tt.want)
		}
	}
}
