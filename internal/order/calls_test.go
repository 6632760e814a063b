package order_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// busy does what its message says.
type busy struct{ other actor.Ref }

type do struct{ what string }

func (b *busy) Receive(ctx *actor.Context, msg any) {
	d, ok := msg.(do)
	if !ok {
		return
	}
	switch d.what {
	case "send":
		ctx.Send(b.other, quiet{})
	case "stop":
		ctx.StopActor(b.other)
	case "wait":
		ctx.Receive(func(any) bool { return false })
	case "become":
		ctx.Become(&holder{})
	case "time":
		ctx.After(1, quiet{})
	}
}

// TestCallsAreChecked: a handler that does what follows from no declaration ends the exploration with an error that
// says which and what to do.
func TestCallsAreChecked(t *testing.T) {
	declared := []trace.MaySend{{Actor: "busy", Message: "quiet"}}
	for _, tt := range []struct {
		what string
		may  []trace.MaySend
		want string // part of the error; "": none
	}{
		{"nothing", nil, ""},
		{"send", declared, ""},
		{"send", []trace.MaySend{{Actor: "order_test.busy", Message: "order_test.quiet"}}, ""},
		{"send", nil, "Config.Calls: the handler of order_test.do by order_test.busy sent order_test.quiet to order_test.busy"},
		{"send", []trace.MaySend{{Actor: "holder", Message: "quiet"}}, "add that to its May"},
		{"stop", declared, "which is a system message or a timer"},
		{"time", declared, "which is a system message or a timer"},
		{"wait", declared, "waits, which no handler with declared calls may"},
		{"become", declared, "changes its actor's behaviour"},
	} {
		sys := actor.New(func(t *explore.T, ctx *actor.Context) {
			var a actor.Ref
			t.SetUp(func() { a = ctx.Spawn(&busy{ctx.Spawn(&busy{})}) })
			ctx.Send(a, do{tt.what})
		})
		calls := trace.Calls{{Actor: "busy", Message: "do", May: tt.may}}
		_, err := explore.Run(sys, search.NewNaive(),
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Calls: calls}})
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %v: error %v, want %q", tt.what, tt.may, err, tt.want)
		}
	}
}

// TestValidate: what cannot be meant is refused before anything runs.
func TestValidate(t *testing.T) {
	for _, tt := range []struct {
		calls trace.Calls
		want  string
	}{
		{trace.Calls{{Actor: "a", Message: "m", May: []trace.MaySend{{Actor: "b", Message: "n"}}},
			{Actor: "a", Message: "n"}}, ""},
		{trace.Calls{{Message: "m"}}, "want the type of an actor"},
		{trace.Calls{{Actor: "a", Message: "m"}, {Actor: "a", Message: "m"}}, "declared before"},
		{trace.Calls{{Actor: "a", Message: "m", May: []trace.MaySend{{Actor: "b"}}}}, "want two types"},
		{trace.Calls{{Actor: "a", Message: "m", May: []trace.MaySend{{Actor: "b", Message: "n", Depth: -1}}}}, "0 or more"},
	} {
		err := tt.calls.Validate()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: error %v, want %q", tt.calls, err, tt.want)
		}
	}
}
