package actor_test

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// gather starts two goroutines and waits for them: in which order they run is the Go scheduler's choice.
func gather() (got []int) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	for i := range 2 {
		wg.Add(1)
		go func() { // gathered
			defer wg.Done()
			mu.Lock()
			got = append(got, i)
			mu.Unlock()
		}()
	}
	wg.Wait()
	return got
}

const gathered = "strays_test.go:25"

// gatherer gathers when it starts.
type gatherer struct{}

func (gatherer) Start(*actor.Context)        { gather() }
func (gatherer) Receive(*actor.Context, any) {}

// twoOrders is a program of two orders: first runs in the first step of the receiver, late where the second message is
// the first to come.
func twoOrders(driver func(*explore.T, *actor.Context), first, late func()) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		driver(t, ctx)
		n := 0
		to := ctx.Spawn(actor.Func(func(_ *actor.Context, msg any) {
			if n++; n > 1 {
				return
			}
			first()
			if msg == 2 {
				late()
			}
		}))
		ctx.Send(to, 1)
		ctx.Send(to, 2)
	})
}

func nothing()                                  {}
func noDriver(*explore.T, *actor.Context)       {}
func gathers()                                  { gather() }
func startsHook(_ *explore.T, c *actor.Context) { c.Spawn(gatherer{}) }

// What handlers, start hooks and the driver start and wait for leaves the result incomplete, with its place; also where
// steps are taken back, in one order only, and beside handlers that wait.
func TestStrays(t *testing.T) {
	for name, sys := range map[string]*actor.System{
		"driver":          twoOrders(func(*explore.T, *actor.Context) { gather() }, nothing, nothing),
		"set-up":          twoOrders(func(t *explore.T, _ *actor.Context) { t.SetUp(gathers) }, nothing, nothing),
		"handler":         twoOrders(noDriver, gathers, nothing),
		"handler, rarely": twoOrders(noDriver, nothing, gathers),
		"start hook":      twoOrders(startsHook, nothing, nothing),
		"call": twoOrders(func(_ *explore.T, ctx *actor.Context) {
			to := ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Reply(1) }))
			ctx.Spawn(gatherer{})
			ctx.Call(to, 1)
		}, nothing, nothing),
	} {
		for _, strategy := range []func() explore.Strategy{func() explore.Strategy { return search.NewNaive() },
			func() explore.Strategy { return reverse.New() }} {
			s := strategy()
			out, err := explore.Run(sys, s, twice(explore.Options{}))
			if err != nil {
				t.Fatal(err)
			}
			checkStrays(t, name+", "+s.Name(), out)
		}
	}
}

func twice(o explore.Options) explore.Options {
	o.Conditions.Model = trace.Bag
	o.Again = func(int) bool { return true }
	o.Repeat = func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) }
	return o
}

func checkStrays(t *testing.T, name string, out explore.Outcome) {
	t.Helper()
	switch {
	case !goroutine.Countable():
		if !strings.Contains(out.Remarks, "not looked for") {
			t.Errorf("%s: nothing says that goroutines were not counted: %+v", name, out)
		}
	case chance.Numbered():
		// The orders of goroutines that end with their handler are draws, of which these options want none explored.
		if out.Complete || out.Uncontrolled != "" || !out.ForOneSeed ||
			!strings.Contains(out.Remarks, gathered+": "+chance.OrdersExplored) {
			t.Errorf("%s: %+v; want %s in the remarks", name, out, gathered)
		}
	case out.Complete || !strings.Contains(out.Uncontrolled, gathered):
		t.Errorf("%s: complete %v, uncontrolled %q; want %s", name, out.Complete, out.Uncontrolled, gathered)
	}
}

// Where handlers wait for their goroutines, all orders of messages were executed for one order of these. Where they do
// not, nothing of the kind is said. Where draws have numbers there is no such one order.
func TestOneOrderOfGoroutines(t *testing.T) {
	if !chance.Available() || !goroutine.Countable() {
		t.Skip("their order is Go's, or they are not counted: ", chance.Why())
	}
	ends := make(chan bool)
	defer close(ends)
	for name, tt := range map[string]struct {
		handle func()
		ends   bool
	}{
		"waited for": {gathers, true},
		"outlives":   {func() { go func() { <-ends }() }, false},
	} {
		out, err := explore.Run(twoOrders(noDriver, tt.handle, nothing), search.NewNaive(), twice(explore.Options{}))
		if err != nil || out.Complete || out.OneOrder != (tt.ends && !chance.Numbered()) ||
			strings.Contains(out.Uncontrolled, "; goroutines outlive the handlers that start them") == tt.ends {
			t.Errorf("%s: error %v, %+v", name, err, out)
		}
	}
}

// A goroutine that is started once in many executions, late, is counted all the same, though nobody records it.
func TestRareStray(t *testing.T) {
	n := 0
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		to := ctx.Spawn(actor.Func(func(*actor.Context, any) {
			if n++; n == 200 {
				gather()
			}
		}))
		for i := range 5 {
			ctx.Send(to, i)
		}
	})
	out, err := explore.Run(sys, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
	if chance.Numbered() { // they end with their handler
		if err != nil || out.Complete || !out.ForOneSeed || !strings.Contains(out.Remarks, "goroutines were started") {
			t.Errorf("error %v, %+v", err, out)
		}
		return
	}
	if err != nil || goroutine.Countable() &&
		(out.Complete || !strings.Contains(out.Uncontrolled, "goroutines were started")) {
		t.Errorf("error %v, complete %v, uncontrolled %q", err, out.Complete, out.Uncontrolled)
	}
}

// A worker explores item by item. What costs much is looked for in some of all executions, not of those of each item,
// and what an early item has shown is told of each later one.
func TestItemByItem(t *testing.T) {
	n, sampled, strays := 0, 0, 0
	sys := twoOrders(noDriver, func() {
		if n++; n > 40 {
			gather()
		}
		if runtime.MemProfileRate == 1 {
			sampled++
		}
	}, nothing)
	for range 100 {
		out, err := explore.Run(sys, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.Bag},
			Budget: explore.Budget{Executions: 1}, Sample: true})
		if err != nil {
			t.Fatal(err)
		}
		if out.Uncontrolled != "" || out.Remarks != "" {
			strays++
		}
	}
	if sampled == 0 || sampled > 7 { // the executions of 100 that are powers of two
		t.Errorf("of %d executions all allocations were sampled, want those of 1, 2, 4 ... 64", sampled)
	}
	if want := 60; goroutine.Countable() && strays != want {
		t.Errorf("goroutines were told of %d items, want %d", strays, want)
	}
}

// What handlers that wait cost, collections, and what is started between explorations is nobody's.
func TestNoStrays(t *testing.T) {
	sys := twoOrders(func(_ *explore.T, ctx *actor.Context) {
		to := ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Reply(1) }))
		for range 3 {
			ctx.Spawn(callsOnStart{to})
		}
		ctx.Call(to, 1)
	}, runtime.GC, nothing)
	for range 3 {
		out, err := explore.Run(sys, search.NewNaive(),
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Budget: explore.Budget{Executions: 60}})
		if err != nil || out.Uncontrolled != "" {
			t.Errorf("error %v, uncontrolled %q", err, out.Uncontrolled)
		}
		gather()
	}
}

// callsOnStart sends itself a message when it starts, and makes a call in its handler.
type callsOnStart struct{ to actor.Ref }

func (c callsOnStart) Start(ctx *actor.Context)          { ctx.Send(ctx.Self(), 1) }
func (c callsOnStart) Receive(ctx *actor.Context, _ any) { ctx.Call(c.to, 1) }
