// Package long holds programs whose executions are as long as a test asks for. What an execution costs is to grow with
// its length, and not with the square of that.
package long

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Program is a program whose executions have about n steps.
type Program struct {
	Name string
	Make func(n int) *actor.System
}

// Programs are all of them.
var Programs = []Program{{"pipe", Pipe}, {"chain", Chain}, {"flood", Flood}}

type (
	token   struct{ left int } // of what goes on after it
	opening struct{}
	item    struct{ number int }
	consume struct{}
	stray   struct{}
)

// Pipe is a source that has three items on their way to a sink, which answers each with leave to send one more: n
// deliveries. Those of the items on their way may come in any order.
func Pipe(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var source actor.Ref
		t.SetUp(func() { source = ctx.Spawn(&producer{sink: ctx.Spawn(&consumer{}), left: n / 2}) })
		ctx.Send(source, opening{})
	})
}

type producer struct {
	sink actor.Ref
	left int
}

func (p *producer) Receive(ctx *actor.Context, msg any) {
	count := 1
	if _, ok := msg.(opening); ok {
		count = 3
	}
	for ; count > 0 && p.left > 0; count-- {
		ctx.Send(p.sink, item{p.left})
		p.left--
	}
}

type consumer struct{}

func (*consumer) Receive(ctx *actor.Context, _ any) { ctx.Send(ctx.Sender(), consume{}) }

// Flood is a source that sends itself tokens and with each an item to a sink: n deliveries, and half of them could
// come in nearly any order.
func Flood(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var source actor.Ref
		t.SetUp(func() { source = ctx.Spawn(&flooder{sink: ctx.Spawn(&ignorant{})}) })
		ctx.Send(source, token{n / 2})
	})
}

type flooder struct{ sink actor.Ref }

func (f *flooder) Receive(ctx *actor.Context, msg any) {
	left := msg.(token).left
	ctx.Send(f.sink, item{left})
	if left > 1 {
		ctx.Send(ctx.Self(), token{left - 1})
	}
}

type ignorant struct{}

func (*ignorant) Receive(*actor.Context, any) {}

// Chain is a ring of ten actors through which a token goes n steps, and a stray message to one of them that may come
// at any time.
func Chain(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var first actor.Ref
		t.SetUp(func() {
			last := &link{}
			first = ctx.Spawn(last)
			for range 9 {
				l := &link{next: first}
				first = ctx.Spawn(l)
				if last.next == (actor.Ref{}) {
					last.next = first
				}
			}
			last.next = first
		})
		ctx.Send(first, token{n - 1})
		ctx.Send(first, stray{})
	})
}

type link struct{ next actor.Ref }

func (l *link) Receive(ctx *actor.Context, msg any) {
	if k, ok := msg.(token); ok && k.left > 1 {
		ctx.Send(l.next, token{k.left - 1})
	}
}

// Budget is how many executions First makes.
const Budget = 20

// First makes the first few executions.
func First(tb testing.TB, sys explore.System, s explore.Strategy, model trace.Model) explore.Outcome {
	o := explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: Budget}}
	out, err := explore.Run(sys, s, o)
	if err != nil || out.Blocked > 0 {
		tb.Fatal(out, err)
	}
	return out
}

// CheckWork holds a strategy, which comes with a count of what it has looked at, to work that grows with the length of
// an execution. Four times the steps take about four times the looks, where a walk over all steps for each of them
// would take sixteen times as many.
func CheckWork(t *testing.T, newStrategy func() (explore.Strategy, func() int)) {
	t.Helper()
	for _, p := range Programs[:2] { // not flood, which has half of its messages race
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox} {
			var looks, steps [2]int
			name := ""
			for i, n := range []int{400, 1600} {
				strategy, looked := newStrategy()
				out := First(t, p.Make(n), strategy, model)
				name, looks[i], steps[i] = strategy.Name(), looked(), out.Depth
			}
			found := fmt.Sprintf("%s under %s, %s: %v looks in executions of %v steps", p.Name, model, name, looks, steps)
			t.Log(found)
			if looks[0] < steps[0] || looks[1] > 6*looks[0] {
				t.Error(found)
			}
		}
	}
}
