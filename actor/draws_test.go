package actor_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// anyOf gives one of eight numbers, as a loop over a map comes to them.
func anyOf() int {
	for k := range map[int]bool{0: true, 1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: true} {
		return k
	}
	return 0
}

// selected gives one of two numbers that are both ready.
func selected() int {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 0
	b <- 1
	select {
	case n := <-a:
		return n
	case n := <-b:
		return n
	}
}

// What Go chooses by itself repeats, and a result says that it decides.
func TestGoChoosesAlike(t *testing.T) {
	needsChance(t)
	for name, decide := range map[string]func() int{"random number": rand.Int, "map": anyOf} {
		for _, c := range []explore.Conditions{bag, mailbox} {
			h := repeated(t, decider(decide), c)
			if len(h.texts) > 0 || h.out.Diverged || h.out.Complete {
				t.Errorf("%s under %v: found %q, %+v", name, c.Model, h.texts, h.out)
			}
			if !strings.Contains(h.out.Drawn, "the first run sent") || !h.out.Draws {
				t.Errorf("%s under %v: draws %v, depends %q", name, c.Model, h.out.Draws, h.out.Drawn)
			}
		}
	}
}

// A select draws from a state that the runtime draws from too, so it may diverge; it is never taken to decide nothing.
func TestSelectIsNotSilent(t *testing.T) {
	if h := repeated(t, decider(selected), bag); h.out.Complete || h.out.Drawn == "" && !h.out.Diverged {
		t.Errorf("found %q, %+v", h.texts, h.out)
	}
}

// A step draws the same whatever came before it, also where steps are taken back and handlers that waited are run
// again: searches that take steps back make the executions of those that do not.
func TestDrawsBelongToSteps(t *testing.T) {
	needsChance(t)
	p := func(_ *explore.T, ctx *actor.Context) {
		sink := ctx.SpawnNamed("sink", &drained{})
		ctx.Send(ctx.SpawnNamed("A", &drawer{sink: sink}), ping{})
		ctx.Send(sink, hello{})
	}
	executions := func(s explore.Strategy, again bool) map[string]int {
		seen := map[string]int{}
		o := explore.Options{Conditions: bag, Rerun: again,
			After: func(_ *explore.Counters, tr *trace.Trace) { seen[drawnIn(tr)]++ }}
		if again {
			o.Again, o.Redraw, o.Repeat = func(int) bool { return true }, true,
				func(tr *trace.Trace) explore.Strategy { return replay.NewRepeat(tr) }
		}
		out, err := explore.Run(actor.New(p), s, o)
		if err != nil || out.Diverged || !out.Exhausted || again != (out.Drawn != "") {
			t.Errorf("%s: error %v, %+v", s.Name(), err, out)
		}
		return seen
	}
	fromStart := executions(search.NewNaive(), true)
	for _, s := range []explore.Strategy{search.NewNaive(), dpor.NewOptimal(nil), reverse.New()} {
		seen := executions(s, false)
		for k := range seen {
			if fromStart[k] == 0 {
				t.Errorf("%s makes an execution in which steps draw otherwise:\n%s", s.Name(), k)
			}
		}
		if len(seen) == 0 {
			t.Errorf("%s makes no execution", s.Name())
		}
	}
}

// drained takes messages. It is no function, into which nobody can look, so that steps can be taken back.
type drained struct{}

func (*drained) Receive(*actor.Context, any) {}

// drawer draws before and after it waits, and beside a start hook that draws.
type drawer struct {
	sink  actor.Ref
	drawn int
}

func (d *drawer) Receive(ctx *actor.Context, _ any) {
	n := anyOf()
	echo := ctx.Spawn(&echoer{})
	ctx.Send(d.sink, hello{n + rand.IntN(1000)})
	if v, err := ctx.Call(echo, ping{}); err == nil {
		ctx.Send(d.sink, v)
	}
	d.drawn = anyOf() + rand.IntN(1000)
	if d.drawn%2 == 0 {
		ctx.Send(d.sink, hello{d.drawn})
	} else {
		ctx.Send(d.sink, pong{})
	}
}

// echoer answers with what it has drawn when it started.
type echoer struct{ n int }

func (e *echoer) Start(*actor.Context)              { e.n = rand.IntN(1000) }
func (e *echoer) Receive(ctx *actor.Context, _ any) { ctx.Reply(hello{e.n + anyOf()}) }

// drawnIn gives all that messages hold, in an order that does not depend on that of steps.
func drawnIn(tr *trace.Trace) string {
	var all []string
	for i := range tr.Messages {
		m := &tr.Messages[i]
		all = append(all, fmt.Sprint(m.ID, m.Value))
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// needsChance leaves a test out where Go cannot be told what to choose.
func needsChance(t *testing.T) {
	t.Helper()
	if !chance.Available() {
		t.Skip(chance.Why())
	}
}

// marks has the log of a test leave one of its helpers out.
func marks(t *testing.T, also func(*testing.T)) {
	t.Helper()
	if also != nil {
		also(t)
	}
}

// Loops of the library over maps are no choices of the program where their order does not show: those of what prints
// a map, compares it, encodes it, and that over the helpers of a test, which its log makes once.
func TestDrawsOfTheLibrary(t *testing.T) {
	entries := map[string]int{"a": 1, "b": 2, "c": 3}
	for name, handle := range map[string]func(*testing.T) error{
		"print":   func(*testing.T) error { _ = fmt.Sprint(entries); return nil },
		"compare": func(*testing.T) error { _ = reflect.DeepEqual(entries, maps.Clone(entries)); return nil },
		"encode":  func(*testing.T) error { _, err := json.Marshal(entries); return err },
		"log":     func(t *testing.T) error { t.Log("handled"); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			marks(t, func(t *testing.T) { t.Helper() })
			var wrong error
			r, err := rehearse.Explore(rehearse.Config{Strategy: "naive"}, actor.New(func(_ *explore.T, ctx *actor.Context) {
				ctx.Send(ctx.Spawn(actor.Func(func(*actor.Context, any) { wrong = handle(t) })), ping{})
			}))
			if err != nil || wrong != nil || r.Executions != 1 || !r.Complete {
				t.Errorf("errors %v, %v: %s", err, wrong, r)
			}
		})
	}
}

// selfNamed is a key that makes its own text for JSON, always the same.
type selfNamed int

func (selfNamed) MarshalText() ([]byte, error) { return []byte("key"), nil }

// Such loops are choices of the program where their order shows: it prints keys that are unequal to themselves, or
// encodes keys that make the same text. Both orders are executed.
func TestDrawsOfTheLibraryThatShow(t *testing.T) {
	if !chance.Numbered() {
		return
	}
	for name, show := range map[string]func() string{
		"print": func() string { return fmt.Sprint(map[float64]int{math.NaN(): 1, math.NaN(): 2}) },
		"struct": func() string {
			return fmt.Sprint(map[struct{ f [1]float64 }]int{{[1]float64{math.NaN()}}: 1, {[1]float64{math.NaN()}}: 2})
		},
		"any":    func() string { return fmt.Sprint(map[any]int{math.NaN(): 1, math.NaN(): 2}) },
		"encode": func() string { b, _ := json.Marshal(map[selfNamed]int{1: 1, 2: 2}); return string(b) },
	} {
		shown := map[string]bool{}
		r, err := rehearse.Explore(rehearse.Config{Strategy: "naive"}, actor.New(func(_ *explore.T, ctx *actor.Context) {
			ctx.Send(ctx.Spawn(actor.Func(func(*actor.Context, any) { shown[show()] = true })), ping{})
		}))
		if err != nil || !r.Complete || r.Executions != 2 || len(shown) != 2 {
			t.Errorf("%s: error %v, %s: shown %v", name, err, r, shown)
		}
	}
}

// Programs run on one thread at first, for good once something was drawn, and the process is left as it was.
func TestOneThread(t *testing.T) {
	needsChance(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	const late, all = 80, 100
	var procs []int
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		procs = append(procs, runtime.GOMAXPROCS(0))
		if len(procs) == late {
			anyOf()
		}
		ctx.Send(ctx.SpawnNamed("A", &drained{}), ping{})
	})
	out, err := explore.Run(sys, sample.NewRandom(1),
		explore.Options{Conditions: bag, Budget: explore.Budget{Executions: all}})
	if err != nil || len(procs) != all || !out.Draws {
		t.Fatalf("error %v, %d executions, %+v", err, len(procs), out)
	}
	for i, n := range procs {
		want := 1
		if i+1 >= 64 && i+1 <= late && !chance.Numbered() { // else it is under control all the time
			want = 2
		}
		if n != want {
			t.Errorf("GOMAXPROCS is %d in execution %d, want %d", n, i+1, want)
		}
	}
	if n := runtime.GOMAXPROCS(0); n != 2 {
		t.Errorf("GOMAXPROCS is %d afterwards", n)
	}
}
