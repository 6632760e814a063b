package actor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
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
}

type (
	poke struct {
		what func(s *shelf, ctx *actor.Context)
	}
	peek struct{}
)

func (s *shelf) Receive(ctx *actor.Context, msg any) {
	if msg, ok := msg.(poke); ok {
		msg.what(s, ctx)
	}
}

// picky is a shelf with constraints.
type picky struct{ shelf }

func (*picky) Accepts(any) bool { return true }

// asShelf is a behaviour without fields.
type asShelf int

func (asShelf) Receive(*actor.Context, any) {}

// poked executes a program with an actor that is poked, in every order.
func poked(effect trace.Effect, b func() actor.Behavior,
	what func(s *shelf, ctx *actor.Context)) (last *trace.Trace, err error) {
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(b())
		ctx.Send(a, poke{what})
		ctx.Send(a, peek{})
	})
	_, err = explore.Run(sys, search.NewNaive(), explore.Options{
		Conditions: explore.Conditions{Model: trace.Bag, Effects: trace.Effects{effect}, Horizon: time.Minute,
			Blocked: 10 * time.Second},
		After: func(_ *explore.Counters, tr *trace.Trace) { last = tr.Clone() }})
	return last, err
}

// What a handler does against its declaration is an error that says who, on what message, and what.
func TestEffectsAreChecked(t *testing.T) {
	fields := trace.Effect{Actor: "shelf", Message: "poke", Reads: []string{"right"}, Writes: []string{"left"}}
	for _, tt := range []struct {
		name   string
		effect trace.Effect
		poke   func(s *shelf, ctx *actor.Context)
		want   string // "": it keeps to it
	}{
		{"as declared", fields, func(s *shelf, _ *actor.Context) { s.left += s.right }, ""},
		{"with packages", trace.Effect{Actor: "actor_test.shelf", Message: "actor_test.poke"},
			func(*shelf, *actor.Context) {}, ""},
		{"sends", trace.Effect{Actor: "shelf", Message: "poke", Sends: true},
			func(_ *shelf, ctx *actor.Context) { ctx.Send(ctx.Self(), peek{}) }, ""},
		{"another field", fields, func(s *shelf, _ *actor.Context) { s.right++ }, "changed the field right"},
		{"behind a map", fields, func(s *shelf, _ *actor.Context) { s.tags["a"]++ }, "changed the field tags"},
		{"by another name", trace.Effect{Actor: "shelf", Message: "poke", Writes: []string{"tags"}},
			func(s *shelf, _ *actor.Context) { s.tags["a"]++ }, "changed the field same"},
		{"a silent send", fields, func(_ *shelf, ctx *actor.Context) { ctx.Send(ctx.Self(), peek{}) },
			"sent actor_test.peek and is not declared to"},
		{"a stop", fields, func(_ *shelf, ctx *actor.Context) { ctx.Stop() }, "stops its actor"},
		{"a child", fields, func(s *shelf, ctx *actor.Context) { ctx.Spawn(&shelf{}) }, "creates actors"},
		{"a timer", fields, func(s *shelf, ctx *actor.Context) { ctx.After(time.Second, peek{}) }, "sets a timer"},
		{"a watch", fields, func(s *shelf, ctx *actor.Context) { ctx.Watch(ctx.Sender()) }, "sends a system message"},
		{"a wait", fields, func(s *shelf, ctx *actor.Context) { ctx.Receive(func(any) bool { return true }) }, "waits"},
		{"a choice", fields, func(s *shelf, ctx *actor.Context) { ctx.Choose(2) }, "chooses a value"},
		{"a stash", fields, func(s *shelf, ctx *actor.Context) { ctx.Stash() }, "stashes messages"},
		{"another behaviour", fields, func(s *shelf, ctx *actor.Context) { ctx.Become(&shelf{}) }, "changes its behaviour"},
		{"no such field", trace.Effect{Actor: "shelf", Message: "poke", Reads: []string{"middle"}},
			func(*shelf, *actor.Context) {}, "access middle, which is no field of actor_test.shelf"},
		{"what cannot be compared", fields, func(s *shelf, _ *actor.Context) {},
			"whether it changes the field calls cannot be seen"},
	} {
		tr, err := poked(tt.effect, func() actor.Behavior {
			tags := map[string]int{}
			b := &shelf{tags: tags, same: tags}
			if tt.name == "what cannot be compared" {
				b.calls = append(b.calls, func() {})
			}
			return b
		}, tt.poke)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.want == "":
			for e := range tr.Events {
				m := tr.Events[e].Step.Message
				if handled := m >= 0 && tr.Messages[m].Type.Name == "actor_test.poke"; handled != (tr.Events[e].Effect != nil) {
					t.Errorf("%s: event %d has effect %v", tt.name, e, tr.Events[e].Effect)
				}
			}
		case err == nil || !strings.Contains(err.Error(), tt.want) ||
			!strings.Contains(err.Error(), "actor_test.poke by actor_test.shelf"):
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Actors whose handlers nobody can tell apart by fields.
func TestEffectsOfOthers(t *testing.T) {
	nothing := func(*shelf, *actor.Context) {}
	for want, b := range map[string]actor.Behavior{
		"poke by actor_test.picky is declared, but its actor has constraints": &picky{},
		"poke by actor_test.asShelf is declared, but its actor is a":          asShelf(0),
	} {
		name := strings.TrimPrefix(fmt.Sprintf("%T", b), "*")
		if _, err := poked(trace.Effect{Actor: name, Message: "poke"}, func() actor.Behavior { return b },
			nothing); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// An actor with another behaviour than at first is one of which nothing is declared.
func TestEffectsAfterBecome(t *testing.T) {
	become := func(s *shelf, ctx *actor.Context) { ctx.Become(&shelf{}) }
	tr, err := poked(trace.Effect{Actor: "shelf", Message: "peek"}, func() actor.Behavior { return &shelf{} }, become)
	if err != nil {
		t.Fatal(err)
	}
	// The last execution handles the peek first or last.
	for e := range tr.Events {
		m := tr.Events[e].Step.Message
		first := m >= 0 && tr.Events[e-1].Step.Message < 0
		if m >= 0 && tr.Messages[m].Type.Name == "actor_test.peek" && first != (tr.Events[e].Effect != nil) {
			t.Errorf("event %d: effect %v", e, tr.Events[e].Effect)
		}
	}
}
