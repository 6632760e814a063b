package protoactor_test

import (
	"maps"
	"math"
	"os"
	"testing"

	proto "github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// script is a program that can be written for any framework: what each actor does, in order, when it is told. An actor
// that is asked answers.
type script struct {
	name   string
	actors []string
	does   map[string][]move
	told   []string // by the driver, in this order
	more   int      // orders that mailbox has and bag has not, where a stop overtakes what its handler sent before
}

// move is one thing that an actor does: tell, ask and wait for the answer, or stop.
type move struct {
	call, stop bool
	to         string
}

func tell(to string) move { return move{to: to} }
func call(to string) move { return move{call: true, to: to} }
func halt(to string) move { return move{stop: true, to: to} }

// hello and query carry the name of their sender.
type (
	hello struct{ from string }
	query struct{ from string }
)

// scripts are chosen so that the models differ.
var scripts = []script{
	// a and b send to c and d crosswise: parallel handlers allow what no sequence of handlers does.
	{name: "crossing", actors: []string{"a", "b", "c", "d"}, told: []string{"a", "b"},
		does: map[string][]move{"a": {tell("c"), tell("d")}, "b": {tell("d"), tell("c")}}},
	// What a sends to c itself and what b sends to c because of a are ordered by cause only.
	{name: "triangle", actors: []string{"a", "b", "c"}, told: []string{"a", "b"},
		does: map[string][]move{"a": {tell("c"), tell("b"), tell("c")}, "b": {tell("c")}}},
	// a and b call s, to which a has sent something before; what they do next depends on the answer.
	{name: "calls", actors: []string{"a", "b", "s"}, told: []string{"a", "b"},
		does: map[string][]move{"a": {tell("s"), call("s"), tell("b")}, "b": {call("s"), tell("s")}}},
	// d stops a and then sends to b, both maybe after a has taken its message and before it sends.
	{name: "stopped", actors: []string{"a", "b", "d"}, told: []string{"d"}, more: 2,
		does: map[string][]move{"d": {tell("a"), halt("a"), tell("b")}, "a": {tell("b")}}},
}

// native is the script in native actors.
func (p script) native(j *journal) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		refs := map[string]actor.Ref{}
		t.SetUp(func() {
			for _, name := range p.actors {
				refs[name] = ctx.SpawnNamed(name, actor.Func(func(ctx *actor.Context, msg any) {
					switch m := msg.(type) {
					case query:
						j.Note("%s?%s", name, m.from)
						ctx.Reply(told{})
					case hello:
						j.Note("%s<%s", name, m.from)
						for _, act := range p.does[name] {
							if act.stop {
								ctx.StopActor(refs[act.to])
								continue
							}
							if !act.call {
								ctx.Send(refs[act.to], hello{name})
								continue
							}
							_, err := ctx.Call(refs[act.to], query{name})
							j.Note("%s! %v", name, err)
						}
					}
				}))
			}
		})
		for _, name := range p.told {
			ctx.Send(refs[name], hello{"driver"})
		}
	})
}

// proto is the script in protoactor-go.
func (p script) proto(j *journal, mode adapter.Mode) *adapter.System {
	sys := protoactor.System(func(t *explore.T) {
		pids := map[string]*proto.PID{}
		s := world(t, func(s *proto.ActorSystem) {
			for _, name := range p.actors {
				pids[name] = start(s, name, func(ctx proto.Context) {
					switch m := ctx.Message().(type) {
					case query:
						j.Note("%s?%s", name, m.from)
						ctx.Respond(told{})
					case hello:
						j.Note("%s<%s", name, m.from)
						for _, act := range p.does[name] {
							if act.stop {
								ctx.Stop(pids[act.to])
								continue
							}
							if !act.call {
								ctx.Send(pids[act.to], hello{name})
								continue
							}
							_, err := ctx.RequestFuture(pids[act.to], query{name}, -1).Result()
							j.Note("%s! %v", name, err)
						}
					}
				})
			}
		})
		for _, name := range p.told {
			s.Root.Send(pids[name], hello{"driver"})
		}
	})
	sys.Mode = mode
	return sys
}

// explored counts the executions by their journals.
func explored(t *testing.T, sys explore.System, model trace.Model, j *journal) map[string]int {
	t.Helper()
	journals := map[string]int{}
	out, err := explore.Run(sys, search.NewNaive(), explore.Options{
		Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: 50_000},
		Before: func() { *j = journal{} },
		After:  func(*explore.Counters, *trace.Trace) { journals[j.String()]++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	if !out.Complete {
		t.Fatalf("not complete: %+v", out)
	}
	return journals
}

func total(journals map[string]int) (n int) {
	for _, k := range journals {
		n += k
	}
	return n
}

// Under every delivery model a protoactor-go program has the executions of the same program in native actors: as many,
// with the same orders of receipt, each as often. The largest is explored with REHEARSE_TOY.
func TestModelsAgreeWithNative(t *testing.T) {
	for _, p := range scripts {
		counts := map[trace.Model]int{}
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			if p.name == "calls" && model == trace.Mailbox && os.Getenv("REHEARSE_TOY") == "" {
				counts[model] = math.MaxInt
				continue
			}
			t.Run(p.name+"/"+model.String(), func(t *testing.T) {
				var j journal
				want := explored(t, p.native(&j), model, &j)
				got := explored(t, p.proto(&j, adapter.TakeOver), model, &j)
				counts[model] = len(got)
				if total(got) != total(want) {
					t.Errorf("%d executions, in native actors %d", total(got), total(want))
				}
				if maps.Equal(got, want) {
					return
				}
				for o, n := range got {
					if want[o] != n {
						t.Errorf("%d executions with %q, in native actors %d", n, o, want[o])
					}
				}
				for o, n := range want {
					if got[o] == 0 {
						t.Errorf("no execution with %q, in native actors %d", o, n)
					}
				}
			})
		}
		if p.more > 0 {
			if more := counts[trace.Mailbox] - counts[trace.Bag]; more != p.more {
				t.Errorf("%s: mailbox has %d orders more than bag, want %d", p.name, more, p.more)
			}
			continue
		}
		// The models nest; all the same would say nothing.
		if counts[trace.MailboxSerial] > counts[trace.Mailbox] || counts[trace.FIFO] > counts[trace.Bag] ||
			counts[trace.Causal] > counts[trace.FIFO] || counts[trace.Bag] == counts[trace.MailboxSerial] {
			t.Errorf("%s: orders by model: %v", p.name, counts)
		}
		t.Logf("%s: orders by model: %v", p.name, counts)
	}
}
