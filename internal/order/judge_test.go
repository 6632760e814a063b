package order_test

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/trace"
)

// looker takes the first steps in an order of actors and tells of the first state.
type looker struct {
	judge  *order.Judge
	x      explore.Execution
	actors []int32
	stable []int32
}

func (*looker) Name() string               { return "looker" }
func (l *looker) Start() bool              { return l.actors == nil }
func (l *looker) Open(x explore.Execution) { l.judge.Open(x) }
func (*looker) Learn(*trace.Trace, bool)   {}
func (*looker) Complete() bool             { return false }
func (l *looker) Bind(e explore.Env) error { return l.judge.Bind(e) }
func (*looker) Close()                     {}

func (l *looker) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	l.actors = l.judge.Actors(nil, tr, enabled)
	for _, a := range l.actors {
		if l.judge.Stable(a) {
			l.stable = append(l.stable, a)
		}
	}
	return explore.Choice{Index: -1}
}

// look judges the first state of a program.
func look(t *testing.T, o order.StableOptions, calls trace.Calls,
	build func(t *explore.T, ctx *actor.Context)) *looker {
	t.Helper()
	l := &looker{judge: order.NewJudge(o)}
	if _, err := explore.Run(actor.New(build), l,
		explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Calls: calls}}); err != nil {
		t.Fatal(err)
	}
	return l
}

type (
	ping   struct{ body any }
	quiet  struct{}
	holder struct{ held any }
	inner  struct{ ref actor.Ref }
	nested struct {
		list []map[string]*inner
		any  any
	}
)

func (*holder) Receive(*actor.Context, any) {}

// TestReferences: an actor is not stable if another with something to do that may call it refers to it, wherever that
// reference is, and is if none does.
func TestReferences(t *testing.T) {
	calls := trace.Calls{{Actor: "holder", Message: "ping", May: []trace.MaySend{{Actor: "holder", Message: "ping"}}}}
	cycle := &nested{}
	cycle.any = cycle
	for name, tt := range map[string]struct {
		value  func(a actor.Ref) any
		stable bool
	}{
		"nothing":     {func(actor.Ref) any { return nil }, true},
		"numbers":     {func(actor.Ref) any { return map[string][]int{"a": {1}} }, true},
		"a cycle":     {func(actor.Ref) any { return cycle }, true},
		"a reference": {func(a actor.Ref) any { return a }, false},
		"behind pointers": {func(a actor.Ref) any { return &nested{list: []map[string]*inner{nil, {"x": {a}}}} },
			false},
		"in an interface":        {func(a actor.Ref) any { return nested{any: [2]any{1, inner{a}}} }, false},
		"a key of a map":         {func(a actor.Ref) any { return map[inner]int{{a}: 1} }, false},
		"a function":             {func(actor.Ref) any { return func() {} }, false},
		"a function that is nil": {func(actor.Ref) any { return (func())(nil) }, true},
		"a channel":              {func(actor.Ref) any { return make(chan int) }, false},
	} {
		for where, inMessage := range map[string]bool{"field": false, "message": true} {
			l := look(t, order.StableOptions{}, calls, func(t *explore.T, ctx *actor.Context) {
				var a, b actor.Ref
				h := &holder{}
				t.SetUp(func() {
					a = ctx.Spawn(&holder{})
					b = ctx.Spawn(h)
				})
				ctx.Send(a, ping{})
				if inMessage {
					ctx.Send(b, ping{tt.value(a)})
				} else {
					h.held = tt.value(a)
					ctx.Send(b, ping{})
				}
			})
			if got := slices.Contains(l.stable, 1); got != tt.stable {
				t.Errorf("%s in a %s: stable is %v, want %v", name, where, got, tt.stable)
			}
		}
	}
}

// TestUndeclared: without declared calls anybody may call anybody to whom there is a reference; with them who calls
// nobody disturbs nobody.
func TestUndeclared(t *testing.T) {
	build := func(t *explore.T, ctx *actor.Context) {
		var a, b actor.Ref
		t.SetUp(func() {
			a = ctx.Spawn(&holder{})
			b = ctx.Spawn(&holder{held: a})
		})
		ctx.Send(a, quiet{})
		ctx.Send(b, quiet{})
	}
	if l := look(t, order.StableOptions{}, nil, build); !slices.Equal(l.stable, []int32{2}) ||
		!slices.Equal(l.actors, []int32{2, 1}) {
		t.Errorf("undeclared: stable %v of %v, want 2 of 2 1", l.stable, l.actors)
	}
	if l := look(t, order.StableOptions{}, trace.Calls{{Actor: "holder", Message: "quiet"}},
		build); !slices.Equal(l.stable, []int32{1, 2}) {
		t.Errorf("declared: stable %v of %v, want both", l.stable, l.actors)
	}
}

type (
	first  struct{ other actor.Ref }
	second struct{ other actor.Ref }
)

func (*first) Receive(*actor.Context, any)  {}
func (*second) Receive(*actor.Context, any) {}

// TestLevels: two actors that may call each other are compared by weight; what is under conditions counts less, and who
// disturbs most goes first where that is asked for.
func TestLevels(t *testing.T) {
	calls := trace.Calls{
		{Actor: "first", Message: "quiet", May: []trace.MaySend{{Actor: "second", Message: "quiet", Depth: 2}}},
		{Actor: "second", Message: "quiet", May: []trace.MaySend{{Actor: "first", Message: "quiet"}}},
	}
	for _, tt := range []struct {
		o    order.StableOptions
		want []int32
	}{
		{order.StableOptions{}, []int32{2, 1}},
		{order.StableOptions{Heuristic: order.Plain}, []int32{1, 2}},
		{order.StableOptions{Heuristic: order.Breaks}, []int32{1, 2}},
	} {
		l := look(t, tt.o, calls, func(t *explore.T, ctx *actor.Context) {
			f, s := &first{}, &second{}
			var a, b actor.Ref
			t.SetUp(func() {
				a, b = ctx.Spawn(f), ctx.Spawn(s)
				f.other, s.other = b, a
			})
			ctx.Send(a, quiet{})
			ctx.Send(b, quiet{})
		})
		if len(l.stable) > 0 || !slices.Equal(l.actors, tt.want) {
			t.Errorf("%+v: %v, stable %v; want %v, none stable", tt.o, l.actors, l.stable, tt.want)
		}
	}
}
