package actor_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// This file runs handlers again that do something else then, or share what they made.

// teller replies to ping only.
type teller struct{ n int }

func (s *teller) Receive(ctx *actor.Context, msg any) {
	s.n++
	if _, ok := msg.(ping); ok {
		ctx.Reply(hello{s.n})
	}
}

// strayer is an actor that lives on a package variable, which is not restored.
type strayer struct {
	to  actor.Ref
	how string
}

var strayed int

func (s *strayer) Receive(ctx *actor.Context, _ any) {
	strayed++
	odd := strayed > 1
	switch {
	case s.how == "sends more" && odd:
		ctx.Send(s.to, pong{})
	case s.how == "sends less" && !odd:
		ctx.Send(s.to, pong{})
	case s.how == "sends another value":
		ctx.Send(s.to, hello{strayed})
	case s.how == "spawns" && odd:
		ctx.Spawn(&replier{})
	case s.how == "waits for something else" && odd:
		ctx.Receive(func(any) bool { return true })
	case s.how == "does not wait" && odd:
		return
	case s.how == "chooses" && odd:
		ctx.Choose(2)
	case s.how == "panics" && odd:
		panic("odd")
	case s.how == "becomes" && odd:
		ctx.Become(&replier{})
	case s.how == "asks" && odd:
		ctx.Ask(s.to, ping{})
	case s.how == "sets a timer" && odd:
		ctx.After(time.Second, ping{})
	case s.how == "stashes" && odd:
		ctx.Stash()
	}
	ctx.Call(s.to, ping{})
}

// TestRedoDivergence: a handler that does something else when it is run again is named, never accepted.
func TestRedoDivergence(t *testing.T) {
	for how, want := range map[string]string{
		"sends more": "it sent pong to server", "sends less": "it did not send pong to server",
		"sends another value": "it sent hello to server, with other contents", "spawns": "it spawned replier",
		"waits for something else": "it did wait for a message that matches and not wait for a reply",
		"does not wait":            "it did not send ping to server", "chooses": "it chose a value",
		"panics":       "it panicked: odd",
		"becomes":      "it did become another behaviour and not wait for a reply",
		"asks":         "it asked server instead of calling it",
		"sets a timer": "it set a timer for ping", "stashes": "it did stash a message and not wait for a reply",
	} {
		strayed = 0
		sys := actor.New(func(t *explore.T, ctx *actor.Context) {
			s := ctx.SpawnNamed("server", &teller{})
			ctx.Send(ctx.SpawnNamed("strayer", &strayer{s, how}), ping{})
			ctx.Send(s, tick{})
			ctx.Send(s, tick{})
		})
		_, found, out := naively(t, sys, bag, false, 20)
		at := slices.IndexFunc(found,
			func(f string) bool { return strings.Contains(f, "the handler of strayer did something else") })
		if at < 0 || !strings.Contains(found[at], want) || !out.Diverged || out.Complete {
			t.Errorf("%s: found %q, diverged %v, complete %v; want %q", how, found, out.Diverged, out.Complete, want)
		}
	}
}

// A loop over a map sends in another order when it is run again: that is no divergence.
func TestRedoMapOrder(t *testing.T) {
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		to := map[int]actor.Ref{}
		for i := range 8 {
			to[i] = ctx.Spawn(&teller{})
		}
		s := ctx.Spawn(&teller{})
		ctx.Send(ctx.Spawn(&fan{to, s}), ping{})
		ctx.Send(s, tick{})
	})
	if _, found, out := naively(t, sys, bag, false, 3000); len(found) > 0 || out.Diverged {
		t.Errorf("found %q", found)
	}
}

type fan struct {
	to     map[int]actor.Ref
	server actor.Ref
}

func (f *fan) Receive(ctx *actor.Context, _ any) {
	for _, r := range f.to {
		ctx.Send(r, pong{})
	}
	ctx.Call(f.server, ping{})
}

// sharer shares memory with its child, with a message, with a function that runs at the end, or with others of its
// kind: what it has made is not its own.
type sharer struct {
	how    string
	to     actor.Ref
	child  *listener
	log    *[]int
	waited int
}

// listener adds to a list that it was sent before.
type listener struct {
	log  *[]int
	told int
}

func (l *listener) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case ping:
		ctx.Reply(hello{1})
	case *[]int:
		l.log = msg
	case hello:
		l.told++
		if l.log != nil {
			*l.log = append(*l.log, 7)
		}
	}
}

func (s *sharer) Receive(ctx *actor.Context, _ any) {
	heard := s.to
	switch s.how {
	case "child":
		s.child = &listener{}
		heard = ctx.Spawn(s.child)
	case "message":
		s.log = &[]int{0}
		ctx.Send(s.to, s.log)
	case "end":
		log := []int{}
		s.log = &log
		ctx.T().AtEnd(func() {
			if len(log) == 0 {
				ctx.T().Error("empty")
			}
		})
	}
	ctx.Call(s.to, ping{})
	s.waited++
	ctx.Send(heard, hello{})
	ctx.Call(s.to, ping{})
	seen := 0
	if s.child != nil {
		seen = s.child.told
	} else {
		*s.log = append(*s.log, 1)
		seen = len(*s.log)
	}
	for range seen {
		ctx.Send(s.to, pong{})
	}
}

// Where an actor shares memory although it should not, or has something made that others keep, the machine goes back
// further, and the executions are those of running from the start.
func TestRedoNotWhereShared(t *testing.T) {
	for how, n := range map[string]int{"child": 1, "message": 1, "end": 2, "others": 2} {
		sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
			s, log := ctx.Spawn(&listener{}), []int{}
			for range n {
				ctx.Send(ctx.Spawn(&sharer{how: how, to: s, log: &log}), ping{})
			}
		})
		c := bag
		c.Copy = how != "message"
		e0, f0, out0 := naively(t, sys, c, true, 2000)
		e1, f1, out1 := naively(t, sys, c, false, 2000)
		if !slices.Equal(e0, e1) || !slices.Equal(f0, f1) || out0.Executions != out1.Executions || out1.Diverged {
			t.Errorf("%s: %d executions with findings %v, with undo %d with %v", how, len(e0), f0[:min(3, len(f0))], len(e1),
				f1[:min(3, len(f1))])
		}
	}
}
