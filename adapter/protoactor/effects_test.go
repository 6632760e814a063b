package protoactor_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// shelf is an actor that does what a poke says.
type shelf struct {
	left, right int
	tags        map[string]int
	same        map[string]int // the map behind tags, too
	calls       []func()
	behavior    actor.Behavior
	router      *actor.PID
}

type poke struct {
	what func(s *shelf, ctx actor.Context)
	note *string
}

type peek struct{}

func (s *shelf) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(poke); ok {
		msg.what(s, ctx)
	}
}

// process is no actor.
type process struct{}

func (process) SendUserMessage(*actor.PID, any)   {}
func (process) SendSystemMessage(*actor.PID, any) {}
func (process) Stop(*actor.PID)                   {}

// poked executes a program with an actor that is poked, in every order.
func poked(effect trace.Effect, props func(*actor.Props) *actor.Props, value func() actor.Actor, before func(*actor.ActorSystem, *poke), what func(*shelf, actor.Context)) (last *trace.Trace, err error) {
	sys := protoactor.System(func(t *explore.T) {
		s := protoactor.NewActorSystem()
		msg := poke{what: what}
		var a *actor.PID
		t.SetUp(func() {
			a = s.Root.Spawn(props(actor.PropsFromProducer(func() actor.Actor {
				v := value()
				if sh, ok := v.(*shelf); ok && before != nil {
					sh.router = s.Root.Spawn(router.NewRoundRobinPool(2, actor.WithFunc(func(actor.Context) {})))
				}
				return v
			})))
		})
		if before != nil {
			before(s, &msg)
		}
		s.Root.Send(a, msg)
		s.Root.Send(a, peek{})
	})
	_, err = explore.Run(sys, search.NewNaive(), explore.Options{
		Conditions: explore.Conditions{Model: trace.Bag, Effects: trace.Effects{effect}, Horizon: time.Minute, Blocked: 10 * time.Second},
		After:      func(_ *explore.Counters, tr *trace.Trace) { last = tr.Clone() }})
	return last, err
}

func newShelf() actor.Actor {
	tags := map[string]int{}
	return &shelf{tags: tags, same: tags}
}

func plainProps(p *actor.Props) *actor.Props { return p }

const (
	shelfType = "protoactor_test.shelf"
	pokeType  = "protoactor_test.poke"
)

// What a handler does against its declaration is an error that says who, on what message, and what; of a fact, also
// where it is claimed.
func TestEffectsAreChecked(t *testing.T) {
	fields := trace.Effect{Actor: "shelf", Message: "poke", Reads: []string{"right"}, Writes: []string{"left"}}
	for _, tt := range []struct {
		name   string
		effect trace.Effect
		poke   func(s *shelf, ctx actor.Context)
		want   string // "": it keeps to it
	}{
		{"as declared", fields, func(s *shelf, _ actor.Context) { s.left += s.right }, ""},
		{"with packages", trace.Effect{Actor: shelfType, Message: pokeType}, func(*shelf, actor.Context) {}, ""},
		{"sends", trace.Effect{Actor: "shelf", Message: "poke", Sends: true}, func(_ *shelf, ctx actor.Context) { ctx.Send(ctx.Self(), peek{}) }, ""},
		{"another field", fields, func(s *shelf, _ actor.Context) { s.right++ }, "changed the field right"},
		{"behind a map", fields, func(s *shelf, _ actor.Context) { s.tags["a"]++ }, "changed the field tags"},
		{"by another name", trace.Effect{Actor: "shelf", Message: "poke", Writes: []string{"tags"}}, func(s *shelf, _ actor.Context) { s.tags["a"]++ }, "changed the field same"},
		{"a silent send", fields, func(_ *shelf, ctx actor.Context) { ctx.Send(ctx.Self(), peek{}) }, "sent protoactor_test.peek and is not "},
		{"a stop", fields, func(_ *shelf, ctx actor.Context) { ctx.Stop(ctx.Self()) }, "sends a system message"},
		{"poison", fields, func(_ *shelf, ctx actor.Context) { ctx.Poison(ctx.Self()) }, "sent actor.PoisonPill and is not "},
		{"a child", fields, func(_ *shelf, ctx actor.Context) { ctx.Spawn(actor.PropsFromProducer(newShelf)) }, "creates actors"},
		{"a receive timeout", fields, func(_ *shelf, ctx actor.Context) { ctx.SetReceiveTimeout(time.Second) }, "sets a timer"},
		{"a watch", fields, func(_ *shelf, ctx actor.Context) { ctx.Watch(ctx.Self()) }, "sends a system message"},
		{"a wait", fields, func(_ *shelf, ctx actor.Context) {
			_, _ = ctx.RequestFuture(ctx.Self(), peek{}, time.Second).Result()
		}, "waits"},
		{"a call", fields, func(_ *shelf, ctx actor.Context) { ctx.RequestFuture(ctx.Self(), peek{}, time.Second) }, "makes a call"},
		{"a stash", fields, func(_ *shelf, ctx actor.Context) { ctx.Stash() }, "stashes messages"},
		{"another behaviour", trace.Effect{Actor: "shelf", Message: "poke", Writes: []string{"behavior"}},
			func(s *shelf, _ actor.Context) { s.behavior = actor.NewBehavior(); s.behavior.Become(s.Receive) }, "changes its behaviour"},
		{"no such field", trace.Effect{Actor: "shelf", Message: "poke", Reads: []string{"middle"}}, func(*shelf, actor.Context) {}, "access middle, which is no field of protoactor_test.shelf"},
	} {
		fact := tt.effect
		fact.Origin, fact.At = "facts:7", "shelf.go:3"
		if fact.Sends {
			fact.Announced = []string{"protoactor_test.peek"}
		}
		for _, effect := range []trace.Effect{tt.effect, fact} {
			tr, err := poked(effect, plainProps, newShelf, nil, tt.poke)
			want := []string{tt.want, pokeType + " by " + shelfType}
			if effect.Origin != "" {
				want = append(want, "a broken fact", "facts:7 says otherwise", "(shelf.go:3)")
			}
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("%s: %v", tt.name, err)
			case tt.want == "":
				onlyPokesHave(t, tt.name, tr)
			case err == nil:
				t.Errorf("%s: no error, want %q", tt.name, tt.want)
			default:
				for _, w := range want {
					if !strings.Contains(err.Error(), w) && !(effect.Origin != "" && strings.Contains(w, "no field")) {
						t.Errorf("%s: error %v, want %q", tt.name, err, w)
					}
				}
			}
		}
	}
}

// onlyPokesHave fails unless the deliveries of pokes are known to have kept to what is declared, and nothing else is.
func onlyPokesHave(t *testing.T, name string, tr *trace.Trace) {
	t.Helper()
	for e := range tr.Events {
		m := tr.Events[e].Step.Message
		if is := m >= 0 && tr.Messages[m].Type.Name == pokeType; is != (tr.Events[e].Effect != nil) {
			t.Errorf("%s: event %d has effect %v", name, e, tr.Events[e].Effect)
		}
	}
}

// Where handlers are more than methods of structs, or reach more than their fields, a declaration is refused with the
// reason, and a fact is told to be inapplicable.
func TestInapplicableEffects(t *testing.T) {
	nothing := func(*shelf, actor.Context) {}
	receiver := actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc { return next })
	sender := actor.WithSenderMiddleware(func(next actor.SenderFunc) actor.SenderFunc { return next })
	decorator := actor.WithContextDecorator(func(next actor.ContextDecoratorFunc) actor.ContextDecoratorFunc { return next })
	with := func(o actor.PropsOption) func(*actor.Props) *actor.Props {
		return func(p *actor.Props) *actor.Props { return p.Configure(o) }
	}
	spoil := func(s *shelf, ctx actor.Context) { *ctx.Message().(poke).note = "read" }
	for _, tt := range []struct {
		want   string
		props  func(*actor.Props) *actor.Props
		before func(*actor.ActorSystem, *poke)
		poke   func(*shelf, actor.Context)
	}{
		{"receiver middleware", with(receiver), nil, nothing},
		{"sender middleware", with(sender), nil, nothing},
		{"a decorated context", with(decorator), nil, nothing},
		{"what the framework shares between actors", plainProps, func(*actor.ActorSystem, *poke) {}, func(s *shelf, ctx actor.Context) { ctx.Send(s.router, peek{}) }},
		{"what the framework shares between actors", plainProps, nil, func(s *shelf, ctx actor.Context) { ctx.ActorSystem().EventStream.Publish(peek{}) }},
		{"listens for dead letters", plainProps, func(s *actor.ActorSystem, _ *poke) { s.EventStream.Subscribe(func(any) {}) },
			func(_ *shelf, ctx actor.Context) { ctx.Send(actor.NewPID("nonhost", "nobody"), peek{}) }},
		{"it only replies, and its peek goes to shelf, where Driver has sent", plainProps, nil, func(_ *shelf, ctx actor.Context) { ctx.Send(ctx.Self(), peek{}) }},
		{"the program has registered stranger", plainProps, func(s *actor.ActorSystem, _ *poke) { s.ProcessRegistry.Add(process{}, "stranger") }, nothing},
		{"what a poke holds was changed after it was sent, by", plainProps, func(s *actor.ActorSystem, p *poke) {
			p.note = new(string)
			other := *p
			other.what = spoil
			s.Root.Send(s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return other2{} })), &other)
		}, nothing},
	} {
		effect := trace.Effect{Actor: "shelf", Message: "poke", Sends: true, Replies: strings.HasPrefix(tt.want, "it only replies")}
		fact := effect
		fact.Origin, fact.Announced = "facts:7", []string{"protoactor_test.peek"}
		_, err := poked(effect, tt.props, newShelf, tt.before, tt.poke)
		var inapplicable *explore.Inapplicable
		if err == nil || errors.As(err, &inapplicable) || !strings.Contains(err.Error(), "Config.Effects: ") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("declared: error %v, want %q", err, tt.want)
		}
		if _, err = poked(fact, tt.props, newShelf, tt.before, tt.poke); !errors.As(err, &inapplicable) || !strings.Contains(inapplicable.Why, tt.want) {
			t.Errorf("fact: error %v, want %q", err, tt.want)
		}
	}
}

// other2 changes what a poke leads to.
type other2 struct{}

func (other2) Receive(ctx actor.Context) {
	if p, ok := ctx.Message().(*poke); ok {
		*p.note += "x"
	}
}

// Of an actor that has no fields nothing can be declared; in a field that holds functions nobody sees a change.
func TestEffectsOfOtherActors(t *testing.T) {
	nothing := func(*shelf, actor.Context) {}
	for want, x := range map[string]struct {
		actor string
		value func() actor.Actor
	}{
		"but its actor is a actor.ReceiveFunc, which has no fields": {"", func() actor.Actor { return actor.ReceiveFunc(func(actor.Context) {}) }},
		"whether it changes the field calls cannot be seen":         {"shelf", func() actor.Actor { return &shelf{calls: []func(){func() {}}} }},
	} {
		if x.actor == "" {
			x.actor = "protoactor_test.TestEffectsOfOtherActors"
		}
		if _, err := poked(trace.Effect{Actor: x.actor, Message: "poke"}, plainProps, x.value, nil, nothing); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// As long as an actor has another behaviour than at first, or a timer that starts anew with each message, or has made a
// call, nothing is declared of it.
func TestEffectsWhileItLasts(t *testing.T) {
	for name, change := range map[string]func(*shelf, actor.Context){
		"behaviour": func(s *shelf, _ actor.Context) { s.behavior = actor.NewBehavior(); s.behavior.Become(s.Receive) },
		"timeout":   func(_ *shelf, ctx actor.Context) { ctx.SetReceiveTimeout(time.Second) },
		"call":      func(_ *shelf, ctx actor.Context) { ctx.RequestFuture(ctx.Self(), told{}, time.Second) },
	} {
		tr, err := poked(trace.Effect{Actor: "shelf", Message: "peek"}, plainProps, newShelf, nil, change)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		changed, seen := false, false
		for e := range tr.Events {
			m := tr.Events[e].Step.Message
			if m < 0 {
				continue
			}
			switch tr.Messages[m].Type.Name {
			case pokeType:
				changed = true
			case "protoactor_test.peek":
				seen = true
				if changed == (tr.Events[e].Effect != nil) {
					t.Errorf("%s: changed %v, and the peek has effect %v", name, changed, tr.Events[e].Effect)
				}
			}
		}
		if !seen {
			t.Errorf("%s: nobody peeked", name)
		}
	}
}
