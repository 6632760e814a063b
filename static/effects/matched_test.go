package effects

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/load"
)

// matching are actors each of which does something else with messages that it has no case for.
const matching = `package matching

import (
	"fmt"
	"log"
	"reflect"

	"github.com/asynkron/protoactor-go/actor"
)

type (
	ping  struct{}
	pong  struct{ n int }
	named interface{ Name() string }
)

type plain struct{ n int }

func (a *plain) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
	case ping, *pong:
		a.n++
	case pong:
		a.n += m.n
	}
}

type silent struct{}

func (silent) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
	default:
	}
}

type logging struct{ n int }

func (a *logging) Receive(ctx actor.Context) {
	msg := ctx.Message()
	log.Printf("got %v", msg)
	fmt.Println(msg)
	if _, ok := msg.(ping); ok {
		a.n++
	}
}

type reflecting struct{ n int }

func (a *reflecting) Receive(ctx actor.Context) {
	if reflect.TypeOf(ctx.Message()) == reflect.TypeFor[ping]() {
		a.n++
	}
	if _, ok := ctx.Message().(pong); ok {
		a.n++
	}
}

type counting struct{ n int }

func (a *counting) Receive(ctx actor.Context) {
	a.n++
	if _, ok := ctx.Message().(ping); ok {
		ctx.Respond(pong{a.n})
	}
}

type echoing struct{}

func (echoing) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(ping); ok {
		return
	}
	ctx.Respond(pong{})
}

type general struct{ n int }

func (a *general) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		a.n++
	case named:
		a.n--
	}
}

func (ping) Name() string { return "ping" }

type (
	event  interface{ event() }
	opened struct{}
	closed struct{ n int }
	other  struct{} // sent, and no event
	told   struct{} // as other, by way of a function that takes anything
)

func (opened) event()  {}
func (*closed) event() {}

type sealed struct{ n int }

func (a *sealed) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
	case event:
		m.event()
		a.n++
	}
}

type noting struct{ n int }

func (a *noting) Receive(ctx actor.Context) {
	if e, ok := ctx.Message().(event); ok {
		e.event()
	} else {
		a.n++
	}
}

type open struct{ n int }

func (a *open) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case event:
		a.n++
	case any:
		fmt.Println("another")
	}
}

type lenient struct{ n int }

func (a *lenient) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case event:
		a.n++
	default:
	}
}

type turning struct {
	handlers actor.Behavior
	n        int
}

func newTurning() actor.Actor {
	a := &turning{handlers: actor.NewBehavior()}
	a.handlers.Become(a.first)
	return a
}

func (a *turning) Receive(ctx actor.Context) { a.handlers.Receive(ctx) }

func (a *turning) first(ctx actor.Context) {
	if _, ok := ctx.Message().(event); ok {
		a.handlers.Become(a.second)
	}
}

func (a *turning) second(ctx actor.Context) {
	if _, ok := ctx.Message().(pong); ok {
		a.n++
	}
}

func tell(s *actor.ActorSystem, to *actor.PID, message any) { s.Root.Send(to, message) }

func publish(s *actor.ActorSystem, to *actor.PID, e event) { s.Root.Send(to, e) }

func send(s *actor.ActorSystem, to *actor.PID) {
	s.Root.Send(to, other{})
	tell(s, to, told{})
	publish(s, to, opened{})
	publish(s, to, &closed{})
	tell(s, to, closed{})
}

type taking struct{ last any }

func (a *taking) Receive(ctx actor.Context) { a.last = ctx.Message() }

type helped struct{ n int }

func (a *helped) Receive(ctx actor.Context) {
	if a.system(ctx.Message()) {
		return
	}
	switch m := ctx.Message().(type) {
	case pong:
		a.n += m.n
	}
}

func (a *helped) system(msg any) bool {
	switch msg.(type) {
	case *actor.Started, ping:
		return true
	}
	return false
}

type handing struct{ n int }

func (a *handing) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case pong:
		a.n += m.n
	case ping:
		switch any(a.n).(type) {
		default:
			a.n = 1
		}
	}
}

type changing struct {
	handlers actor.Behavior
	n        int
}

func newChanging() actor.Actor {
	a := &changing{handlers: actor.NewBehavior()}
	a.handlers.Become(a.closed)
	return a
}

func (a *changing) Receive(ctx actor.Context) { a.handlers.Receive(ctx) }

func (a *changing) closed(ctx actor.Context) {
	if _, ok := ctx.Message().(ping); ok {
		a.handlers.Become(a.open)
	}
}

func (a *changing) open(ctx actor.Context) {
	if _, ok := ctx.Message().(pong); ok {
		a.n++
	}
}

type settled struct {
	handlers actor.Behavior
	n        int
}

func newSettled() actor.Actor {
	a := &settled{handlers: actor.NewBehavior()}
	a.handlers.Become(a.open)
	return a
}

func (a *settled) Receive(ctx actor.Context) { a.handlers.Receive(ctx) }

func (a *settled) open(ctx actor.Context) {
	if _, ok := ctx.Message().(pong); ok {
		a.n++
	}
}

type embedding struct{ plain }

var total int

type global struct{}

func (global) Receive(ctx actor.Context) {
	total++
	if _, ok := ctx.Message().(ping); ok {
		total = 0
	}
}

type panicking struct{}

func (panicking) Receive(ctx actor.Context) { _ = ctx.Message().(ping) }

type box[T any] struct{ last T }

func (b *box[T]) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(T); ok {
		b.last = m
	}
}

func made() {
	s := actor.NewActorSystem()
	f := func(ctx actor.Context) {
		if _, ok := ctx.Message().(ping); ok {
			ctx.Respond(pong{})
		}
	}
	s.Root.Spawn(actor.PropsFromFunc(f))
	for _, a := range []actor.Actor{newChanging(), newSettled(), newTurning(), &box[pong]{}} {
		s.Root.Send(s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a })), pong{})
	}
}
`

// matchingFacts gives what is said of them.
func matchingFacts(t *testing.T) *facts.File {
	t.Helper()
	dir, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	c := load.Config{Dir: dir, Patterns: []string{"./matching"}, Overlay: map[string][]byte{filepath.Join(dir, "matching", "matching.go"): []byte(matching)}}
	p, err := c.Load()
	if err != nil || p.Partial() {
		t.Fatal(err, p)
	}
	r := Analyze(p)
	return &facts.File{Actors: r.Actors}
}

// A handler ignores a message if it has no case for it and nothing comes of it. Where that is not clear, the facts say
// why.
func TestMatched(t *testing.T) {
	f := matchingFacts(t)
	for name, want := range map[string]facts.Matched{
		"plain":    {Cases: []string{"*actor.Started", "*matching.pong", "matching.ping", "matching.pong"}, Ignores: true},
		"silent":   {Cases: []string{"matching.ping"}},
		"logging":  {Cases: []string{"matching.ping"}, Ignores: true},
		"counting": {Cases: []string{"matching.ping"}, Unclear: "whatever the message, its handler writes n"},
		"echoing":  {Cases: []string{"matching.ping"}, Unclear: "whatever the message, its handler sends"},
		"general": {Cases: []string{"matching.ping"}, Ignored: []string{"*matching.closed", "matching.closed", "matching.opened", "matching.other", "matching.pong", "matching.told"},
			Unclear: "it has a case for an interface, and the facts do not know all types of its messages"},
		"sealed": {Cases: []string{"*actor.Started", "*matching.closed", "matching.opened"}, Ignored: []string{"matching.closed", "matching.other", "matching.pong", "matching.told"},
			Unclear: "it has a case for an interface, and the facts do not know all types of its messages"},
		"noting":     {Cases: []string{"*matching.closed", "matching.opened"}, Unclear: "it has a case for an interface, and whatever the message, its handler writes n"},
		"open":       {},
		"lenient":    {},
		"turning":    {Ignored: []string{"matching.closed", "matching.other", "matching.told"}, Unclear: "it has a case for an interface, and its behaviour changes"},
		"reflecting": {Unclear: "it calls reflect.TypeOf, whose source was not read (matching/matching.go:"},
		"taking":     {},
		"helped":     {Cases: []string{"*actor.Started", "matching.ping", "matching.pong"}, Ignores: true},
		"handing":    {Cases: []string{"matching.ping", "matching.pong"}, Ignores: true},
		"changing":   {Cases: []string{"matching.ping", "matching.pong"}, Ignores: true, Unclear: "its behaviour changes, and a case in any of its behaviours counts"},
		"settled":    {Cases: []string{"matching.pong"}, Ignores: true},
		"embedding":  {Cases: []string{"*actor.Started", "*matching.pong", "matching.ping", "matching.pong"}, Ignores: true},
		"global":     {Unclear: "it writes to a package variable"},
		"panicking":  {Cases: []string{"matching.ping"}, Ignores: true},
		"box[github.com/rehearse-go/rehearse/examples/matching.pong]": {Cases: []string{"matching.pong"}, Ignores: true},
		"made": {Cases: []string{"matching.ping"}, Ignores: true},
	} {
		a := f.Actor("matching." + name)
		if a == nil {
			t.Errorf("%s: nothing is said of it", name)
			continue
		}
		got := a.Matched
		if strings.Join(got.Cases, " ") != strings.Join(want.Cases, " ") || strings.Join(got.Ignored, " ") != strings.Join(want.Ignored, " ") || got.Ignores != want.Ignores || !strings.HasPrefix(got.Unclear, want.Unclear) || want.Unclear == "" && got.Unclear != "" {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}
