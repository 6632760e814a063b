package steptest

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/onestep"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is for start hooks. Such a hook runs in the middle of the step that creates its actor, so what it creates
// comes right behind the actor. The peers have to be there before. Since nobody knows how many the test will make,
// there is room for them: the others are actors that nobody knows.

// peersOfStart is how many peers a test of a start hook may have.
const peersOfStart = 30

// NewStart prepares a test of the start hook of an actor. Peers are made, and expectations written, as for a message.
// There is no sender.
//
//	x := steptest.NewStart(t)
//	m := &Master{Workers: 2}
//	x.Start(m)
//	x.Spawns(&Worker{})
//	x.Spawns(&Worker{})
//	x.Sends(x.Spawned(1), Work{})
func NewStart(t testing.TB) *Test {
	x := New(t)
	x.starts, x.from = true, actor.Ref{}
	return x
}

// Start creates the actor, as its creator does, and has its start hook run. It is in the place of Handle.
func (x *Test) Start(b actor.Starter) {
	x.t.Helper()
	x.before("Start")
	x.handled = true
	switch {
	case !x.starts:
		x.t.Fatalf("steptest: Start of a test of a message: make it by NewStart")
	case x.begins || x.queue != nil || x.moves != nil || x.from != (actor.Ref{}):
		x.t.Fatalf("steptest: Start with From, Before, Queue or Order: nothing comes before a start hook")
	}
	n := &newborn{Starter: b}
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		for i := range peersOfStart {
			p := &peer{}
			if i+1 < len(x.peers) {
				p = x.peers[i+1]
			}
			ctx.SpawnNamed(p.name, p)
		}
		ctx.SpawnNamed("tested", n)
	})
	over := func() bool { return n.ended }
	r, err := onestep.Execute(sys, onestep.Plan{Tested: peersOfStart + 1, Hook: true, Begun: over, Ended: over,
		Choices: x.choices, Copy: true, Model: trace.FIFO})
	if err != nil {
		x.t.Fatalf("the start hook could not be executed: %v", err)
	}
	for _, p := range x.peers {
		x.judge.Peers = append(x.judge.Peers, p.name)
	}
	x.judge.Take(r.Renumbered(x.judged))
}

// number gives the place in the order of creation of what has a number in tests of messages: the tested actor, the
// sender, peers, and what is created.
func (x *Test) number(n int) int {
	switch last := tested + len(x.peers); {
	case !x.starts:
		return n
	case n == tested:
		return peersOfStart + 1
	case n <= last:
		return n - sender
	default:
		return peersOfStart + 1 + n - last
	}
}

// judged is the opposite of number.
func (x *Test) judged(n int32) int32 {
	switch {
	case n > peersOfStart+1:
		return n - peersOfStart - 1 + tested + int32(len(x.peers))
	case n == peersOfStart+1:
		return tested
	case n > 0:
		return n + sender
	}
	return n
}

// newborn is an actor of which only the start hook runs.
type newborn struct {
	actor.Starter
	ended bool
}

// Start runs the hook.
func (n *newborn) Start(ctx *actor.Context) {
	defer func() { n.ended = true }()
	n.Starter.Start(ctx)
}

// room fails if there are more peers than a test of a start hook may have.
func (x *Test) room() {
	x.t.Helper()
	if x.starts && len(x.peers)-1 > peersOfStart {
		x.t.Fatalf("steptest: more than %d peers in a test of a start hook", peersOfStart)
	}
}
