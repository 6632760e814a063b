package dpor

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// lengths are the steps of an execution: what one costs is to grow with them, and not with their square.
var lengths = []int{100, 1000, 10000}

type (
	token   struct{ left int } // of what goes on after it
	opening struct{}
	item    struct{ number int }
	consume struct{}
	stray   struct{}
)

// pipe is a source that has three items on their way to a sink, which answers each with leave to send one more: n
// deliveries. Those of the items on their way may come in any order.
func pipe(n int) *actor.System {
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

// flood is a source that sends itself tokens and with each an item to a sink: n deliveries, and half of them could
// come in nearly any order.
func flood(n int) *actor.System {
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

// chain is a ring of ten actors through which a token goes n steps, and a stray message to one of them that may come
// at any time.
func chain(n int) *actor.System {
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

// What is looked at in an execution grows with its length. Four times the steps take about four times the looks,
// where a walk over all steps for each of them would take sixteen times as many.
func TestWorkGrowsWithLength(t *testing.T) {
	for _, p := range []struct {
		name string
		sys  func(n int) *actor.System
	}{{"pipe", pipe}, {"chain", chain}} {
		for _, s := range []func() (explore.Strategy, func() int){
			func() (explore.Strategy, func() int) {
				s := NewSource(nil)
				return s, func() int { return s.looked + s.order.Walked() }
			},
			func() (explore.Strategy, func() int) {
				o := NewOptimal(nil)
				return o, func() int { return o.looked + o.order.Walked() }
			},
			func() (explore.Strategy, func() int) {
				r := NewReverse()
				return r, func() int { return r.class.looked + r.order.Walked() }
			},
		} {
			for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
				var looks, steps [2]int
				name := ""
				for i, n := range []int{400, 1600} {
					strategy, work := s()
					out := exploredFirst(t, p.sys(n), strategy, model)
					name, looks[i], steps[i] = strategy.Name(), work(), out.Depth
				}
				found := fmt.Sprintf("%s under %s, %s: %v looks in executions of %v steps", p.name, model, name, looks, steps)
				t.Log(found)
				if looks[0] < steps[0] || looks[1] > 6*looks[0] {
					t.Error(found)
				}
			}
		}
	}
}

// The paths of all levels together are about as long as an execution.
func TestPathsShareWhatTheyBeginWith(t *testing.T) {
	const n = 1000
	r := NewReverse()
	exploredFirst(t, chain(n), r, trace.Bag)
	choices := 0
	for _, rec := range r.levels {
		choices += len(rec.path.ids)
	}
	if len(r.levels) != lengthBudget || choices > 2*n {
		t.Errorf("%d levels hold %d choices of executions of %d", len(r.levels), choices, n)
	}
}

// BenchmarkLength is one of a few executions of growing length.
func BenchmarkLength(b *testing.B) {
	for _, p := range []struct {
		name string
		sys  func(n int) *actor.System
	}{{"pipe", pipe}, {"chain", chain}, {"flood", flood}} {
		for _, s := range []func() explore.Strategy{
			func() explore.Strategy { return NewOptimal(nil) },
			func() explore.Strategy { return NewSource(nil) },
			func() explore.Strategy { return NewReverse() },
		} {
			for _, n := range lengths {
				name := fmt.Sprintf("%s/%s/%d", p.name, s().Name(), n)
				b.Run(name, func(b *testing.B) { measureLength(b, p.sys(n), s) })
			}
		}
	}
}

const lengthBudget = 20

func measureLength(b *testing.B, sys explore.System, s func() explore.Strategy) {
	var before, after runtime.MemStats
	var out explore.Outcome
	var last explore.Strategy
	runtime.GC()
	runtime.ReadMemStats(&before)
	executions, began := 0, processorTime(b)
	for b.Loop() {
		last = s()
		out = exploredFirst(b, sys, last, trace.Bag)
		executions += out.Executions
	}
	spent := processorTime(b) - began
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(last)
	b.ReportMetric(float64(spent.Microseconds())/float64(executions), "us/execution")
	b.ReportMetric(float64(allocated)/float64(executions)/1024, "KB/execution")
	b.ReportMetric(float64(after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))/1024, "KB-kept")
	b.ReportMetric(float64(out.Executions), "executions")
	b.ReportMetric(float64(out.Deliveries+out.Replayed), "deliveries")
	b.ReportMetric(float64(out.Classes), "classes")
	b.ReportMetric(0, "ns/op")
}

// processorTime is what the process has taken so far, that of collecting memory included.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// exploredFirst makes the first few executions.
func exploredFirst(tb testing.TB, sys explore.System, s explore.Strategy, model trace.Model) explore.Outcome {
	o := explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: lengthBudget}}
	out, err := explore.Run(sys, s, o)
	if err != nil || out.Blocked > 0 {
		tb.Fatal(out, err)
	}
	return out
}
