package stateful_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/stateful"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// identity is a reference to an actor or an address, as fmt prints it.
var identity = regexp.MustCompile(`\{n:\d+\}|actor \d+|0x[0-9a-f]+`)

// found gives the violations and the final states (the values of all actors, unordered and without identities) that a
// strategy finds.
func found(t *testing.T, sys explore.System, c explore.Conditions, s explore.Strategy) (out explore.Outcome, finals,
	violations []string) {
	t.Helper()
	ends, keys := map[string]bool{}, map[string]bool{}
	final := func(s check.State) error {
		var parts []string
		s.Actors(func(_, typ string, value any) bool {
			parts = append(parts, identity.ReplaceAllString(fmt.Sprintf("%s %+v", typ, value), "actor"))
			return true
		})
		slices.Sort(parts)
		ends[strings.Join(parts, "; ")] = true
		return nil
	}
	out, err := explore.Run(sys, s, explore.Options{
		Conditions: c,
		MaxSteps:   200,
		Check:      &check.Checker{Final: final, Levels: check.Levels{trace.OrphanDead: check.Error}},
		Found: func(f explore.Found) bool {
			for _, v := range f.Violations {
				keys[v.Key()] = true
			}
			return true
		}})
	if err != nil {
		t.Fatal(err)
	}
	return out, slices.Sorted(maps.Keys(ends)), slices.Sorted(maps.Keys(keys))
}

// Native programs with everything that native actors can do: stateful finds what naive finds, in three of its forms,
// with REHEARSE_TOY in all.
func TestNative(t *testing.T) {
	models := []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}
	forms := []string{"", "generic", "sleep"}
	if os.Getenv("REHEARSE_TOY") != "" {
		forms = append(forms, "literal", "bfs", "big")
	}
	for _, tt := range []struct {
		name string
		sys  *actor.System
	}{
		{"server", subjects.Server(true)},
		{"fib(4)", subjects.Fib(4)},
		{"leader(3)", subjects.Leader(3)},
		{"pi(3)", subjects.Pi(3)},
		{"philosophers(2)", subjects.Philosophers(2)},
		{"registry", subjects.Registry()},
		{"fib with tasks", subjects.FibTasks(3)},
		{"registers", actor.New(registering)},
		{"chooses", actor.New(choosing)},
		{"times out", actor.New(timing)},
		{"becomes", actor.New(becoming)},
		{"goes back", actor.New(goingBack)},
		{"leaves", actor.New(leaving)},
	} {
		for _, model := range models {
			c := explore.Conditions{Model: model, Copy: true}
			all, finals, violations := found(t, tt.sys, c, search.NewNaive())
			for _, options := range forms {
				if options == "sleep" && model.Queues() {
					continue
				}
				o, _ := stateful.Parse(options)
				out, f, v := found(t, tt.sys, c, stateful.New(o))
				if out.Complete != all.Complete || !slices.Equal(f, finals) || !slices.Equal(v, violations) {
					t.Errorf("%s, %v, %q: complete %v, finds\n%q and %q, naive\n%q and %q", tt.name, model, options, out.Complete, f,
						v, finals, violations)
				}
				if out.Executions > all.Executions {
					t.Errorf("%s, %v, %q: %d executions, naive has %d", tt.name, model, options, out.Executions, all.Executions)
				}
			}
		}
	}
}

type note struct{ from string }

// notary remembers only how many notes it had. What it registers remembers more.
type notary struct{ notes int }

func (n *notary) Receive(ctx *actor.Context, msg any) {
	from := msg.(note).from
	if n.notes++; n.notes == 1 {
		ctx.T().AtEnd(func() {
			if from == "c" {
				ctx.T().Error("c was first")
			}
		})
	}
}

// registering: the function that runs at the end knows what no state shows any more.
func registering(_ *explore.T, ctx *actor.Context) {
	n := ctx.Spawn(&notary{})
	for _, from := range []string{"a", "b", "c"} {
		relay := ctx.Spawn(&relay{n})
		ctx.Send(relay, note{from})
	}
}

type relay struct{ to actor.Ref }

func (r *relay) Receive(ctx *actor.Context, msg any) { ctx.Send(r.to, msg) }

type chooser struct {
	to    actor.Ref
	drawn int
}

func (c *chooser) Receive(ctx *actor.Context, _ any) {
	c.drawn += ctx.Choose(3)
	ctx.Send(c.to, note{fmt.Sprint(c.drawn % 2)})
	if ctx.Choose(2) == 1 && c.drawn == 3 {
		ctx.T().Error("three")
	}
}

// choosing: values are picked in the middle of steps.
func choosing(_ *explore.T, ctx *actor.Context) {
	n := ctx.Spawn(&notary{})
	c := ctx.Spawn(&chooser{to: n})
	ctx.Send(c, note{})
	ctx.Send(c, note{})
}

type (
	slow  struct{ busy int }
	hasty struct {
		callee actor.Ref
		failed int
	}
)

func (s *slow) Receive(ctx *actor.Context, _ any) {
	s.busy++
	ctx.Reply(s.busy)
}

func (h *hasty) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case note:
		ctx.After(time.Second, 1)
		if _, err := ctx.CallTimeout(h.callee, note{}, time.Second); err != nil {
			h.failed++
		}
	case int:
		h.failed *= 2
	}
}

// timing: calls that are given up, and timers.
func timing(_ *explore.T, ctx *actor.Context) {
	s := ctx.Spawn(&slow{})
	for range 2 {
		ctx.Send(ctx.Spawn(&hasty{callee: s}), note{})
	}
}

type (
	closed struct{ knocks int }
	opened struct{ of *closed }
)

func (c *closed) Receive(ctx *actor.Context, msg any) {
	if c.knocks++; msg.(note).from == "b" {
		ctx.Become(&opened{c})
	}
}

func (o *opened) Receive(ctx *actor.Context, msg any) {
	if msg.(note).from == "a" {
		ctx.Unbecome()
	}
}

// becoming: the value that was given at spawn does not tell what the actor does.
func becoming(_ *explore.T, ctx *actor.Context) {
	door := ctx.Spawn(&closed{})
	for _, from := range []string{"a", "b", "c"} {
		ctx.Send(ctx.Spawn(&relay{door}), note{from})
	}
}

// layer is a behaviour; below the top one only the system knows which there are.
type layer struct {
	name   string
	layers *int
}

func (l *layer) Receive(ctx *actor.Context, msg any) {
	switch from := msg.(note).from; {
	case from == "back":
		ctx.Unbecome()
		ctx.Send(ctx.Self(), note{"show"})
	case from == "show" && l.name == "a":
		belowIsA(ctx)
	case from == "show":
		belowIsB(ctx)
	default:
		ctx.Become(&layer{from, l.layers})
		if *l.layers++; *l.layers == 2 {
			ctx.Become(&layer{"top", l.layers})
			ctx.Send(ctx.Self(), note{"back"})
		}
	}
}

func belowIsA(ctx *actor.Context) { ctx.T().Error("a is below") }
func belowIsB(ctx *actor.Context) { ctx.T().Error("b is below") }

// goingBack: what an actor goes back to does not show before it does.
func goingBack(_ *explore.T, ctx *actor.Context) {
	l := ctx.Spawn(&layer{"ground", new(int)})
	ctx.Send(l, note{"a"})
	ctx.Send(ctx.Spawn(&relay{l}), note{"b"})
}

type ball struct{}

// player passes the ball on for ever.
type player struct{ partner actor.Ref }

func (p *player) Receive(ctx *actor.Context, msg any) {
	if r, ok := msg.(actor.Ref); ok {
		p.partner = r
		return
	}
	ctx.Send(p.partner, msg)
}

// A program that runs for ever has finitely many states: the search ends, having shown one such run.
func TestEndless(t *testing.T) {
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		var a actor.Ref
		t.SetUp(func() {
			a = ctx.Spawn(&player{})
			ctx.Send(a, ctx.Spawn(&player{partner: a}))
		})
		ctx.Send(a, ball{})
		for range 3 {
			ctx.Send(ctx.Spawn(&notary{}), note{"x"})
		}
	})
	for _, options := range []string{"", "generic", "literal"} {
		o, _ := stateful.Parse(options)
		out, _, violations := found(t, sys, explore.Conditions{Model: trace.Bag}, stateful.New(o))
		if !out.Exhausted || !out.Bounded || len(violations) != 1 || !strings.HasPrefix(violations[0], "livelock") {
			t.Errorf("%q: %v, %+v", options, violations, out)
		}
		if options != "literal" && out.States != 3*8 {
			t.Errorf("%q: %d states, want 24: the ball comes from the test, or from either player", options, out.States)
		}
	}
}

// Sleep sets need steps that commute, and depth first.
func TestSleepRefuses(t *testing.T) {
	s := stateful.New(stateful.Options{Sleep: true})
	_, err := explore.Run(subjects.Pi(2), s, explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox}})
	if err == nil || !strings.Contains(err.Error(), "model mailbox does not allow") {
		t.Errorf("got %v", err)
	}
	if _, err := stateful.Parse("sleep/bfs"); err == nil || !strings.Contains(err.Error(), "depth first only") {
		t.Errorf("got %v", err)
	}
	without, _ := count(t, subjects.Pi(4), "")
	with, _ := count(t, subjects.Pi(4), "sleep")
	if with.States != without.States || with.Deliveries >= without.Deliveries {
		t.Errorf("with sleep sets %d states and %d deliveries, without %d and %d", with.States, with.Deliveries,
			without.States, without.Deliveries)
	}
	t.Logf("pi(4): with sleep sets %d states and %d deliveries, without %d and %d", with.States, with.Deliveries,
		without.States, without.Deliveries)
}

// What native actors hold and nobody can compare is refused by name.
func TestNativeRefuses(t *testing.T) {
	for want, b := range map[string]actor.Behavior{
		"actor.Func (func)":                       actor.Func(func(*actor.Context, any) {}),
		"stateful_test.holding.f (*actor.Future)": &holding{},
		"stateful_test.waiting.wake (chan)":       &waiting{make(chan int)},
	} {
		sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
			r := ctx.Spawn(b)
			ctx.Send(r, note{})
			ctx.Send(r, note{})
		})
		_, err := explore.Run(sys, stateful.New(stateful.Options{}),
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error with %q", err, want)
		}
	}
}

type holding struct{ f *actor.Future }

func (h *holding) Receive(ctx *actor.Context, _ any) {
	if h.f == nil {
		h.f = ctx.Ask(ctx.Self(), note{})
	}
}

type waiting struct{ wake chan int }

func (*waiting) Receive(*actor.Context, any) {}
