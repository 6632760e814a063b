package protoactor_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/ctxext"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
)

type beginner struct{ n int }

func (n *beginner) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(int); ok {
		n.n++
	}
}

// What decides what actors do beside their values is told where an analysis begins at a state; a plain program has none
// of it.
func TestStartTellsWhatItLeavesOut(t *testing.T) {
	props := func(more ...actor.PropsOption) *actor.Props {
		return actor.PropsFromProducer(func() actor.Actor { return &beginner{n: 3} }, more...)
	}
	middle := func(next actor.ReceiverFunc) actor.ReceiverFunc {
		return func(c actor.ReceiverContext, e *actor.MessageEnvelope) { next(c, e) }
	}
	for name, c := range map[string]struct {
		do   func(s *actor.ActorSystem)
		want string
	}{
		"plain":      {func(s *actor.ActorSystem) { s.Root.Send(s.Root.Spawn(props()), 1) }, ""},
		"middleware": {func(s *actor.ActorSystem) { s.Root.Send(s.Root.Spawn(props(actor.WithReceiverMiddleware(middle))), 1) }, "its props have receiverMiddleware"},
		"router": {func(s *actor.ActorSystem) {
			s.Root.Send(s.Root.Spawn(router.NewRoundRobinPool(2, actor.WithFunc(func(actor.Context) {}))), 1)
		}, "it is a router"},
		"listener": {func(s *actor.ActorSystem) {
			s.EventStream.Subscribe(func(any) {})
			s.Root.Send(s.Root.Spawn(props()), 1)
		}, "the program listens to an event stream"},
		"goroutine": {func(s *actor.ActorSystem) {
			pid := s.Root.Spawn(props())
			go s.Root.Send(pid, 1)
			s.Root.Send(pid, 2)
		}, "goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := protoactor.System(func(*rehearse.T) { c.do(protoactor.NewActorSystem()) })
			s, err := startstate.Of(sys, explore.Conditions{Model: trace.Mailbox}, func() *explore.T { return explore.NewT("T", nil) })
			if err != nil {
				t.Fatal(err)
			}
			open := s.Unread
			for _, a := range s.Actors {
				if a.Unread != "" {
					open = append(open, a.Unread)
				}
			}
			got := strings.Join(open, "; ")
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("it leaves open %q, want %q", got, c.want)
			}
		})
	}
}

type (
	reader struct {
		prices   map[string]int
		extended bool
	}
	priced struct{ price int }
	wanted struct{ what string }
)

// Receive reads what it knows when it begins, and has a child for each.
func (r *reader) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*actor.Started); !ok {
		return
	}
	if err := json.Unmarshal([]byte(`{"tea": 2, "cake": 3}`), &r.prices); err != nil {
		panic(err)
	}
	if r.extended {
		ctx.Set(&extension{})
	}
	for _, what := range slices.Sorted(maps.Keys(r.prices)) {
		c := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &priced{} }))
		ctx.Send(c, r.prices[what])
	}
}

type extension struct{}

var extensionID = ctxext.NextContextExtensionID()

func (*extension) ExtensionID() ctxext.ContextExtensionID { return extensionID }

func (c *priced) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(int); ok {
		c.price = m
	}
}

// stateOfReader gives the state of a system of one reader.
func stateOfReader(t *testing.T, extended bool) *startstate.State {
	t.Helper()
	sys := protoactor.System(func(*rehearse.T) {
		s := protoactor.NewActorSystem()
		s.Root.Send(s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &reader{extended: extended} })), wanted{"tea"})
	})
	s, err := startstate.Of(sys, explore.Conditions{Model: trace.Mailbox}, func() *explore.T { return explore.NewT("T", nil) })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An extension of a context is told; the room that the framework makes for some is not.
func TestStartTellsExtensions(t *testing.T) {
	if a := stateOfReader(t, true).Begun.Actors[0]; a.Unread != "its extensions" {
		t.Errorf("not told: %q, want its extensions", a.Unread)
	}
}

// Where actors are to be started, what they make of themselves is told too, and what they send then is on its way.
func TestStartBehindStarted(t *testing.T) {
	s := stateOfReader(t, false)
	if len(s.Actors) != 1 || len(s.Messages) != 2 || s.Begun == nil {
		t.Fatalf("before: %d actors, %d messages, and behind it %v; want the reader, Started and an order, and another state", len(s.Actors), len(s.Messages), s.Begun)
	}
	b := s.Begun
	var on []string
	for _, m := range b.Messages {
		on = append(on, fmt.Sprintf("%d to %d: %s", m.From, m.To, m.Type))
	}
	got := strings.Join(on, ", ")
	if want := "-1 to 0: protoactor_test.wanted, 0 to 1: int, 0 to 2: int"; b.Err != "" || len(b.Actors) != 3 || got != want {
		t.Errorf("behind it: %d actors, messages %s; want 3, %s; %s", len(b.Actors), got, want, b.Err)
	}
	for i, a := range b.Actors {
		if a.Unread != "" {
			t.Errorf("of actor %d is not told: %s", i, a.Unread)
		}
	}
	if len(b.Memory) == 0 || b.Memory[0].Value.Parts[0].Kind != startstate.Map || len(b.Memory[b.Memory[0].Value.Parts[0].Index].Entries) != 2 {
		t.Errorf("the reader holds %+v, want two prices", b.Memory)
	}
}
