package steptest

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/onestep"
)

// Queue has messages of a peer wait in the mailbox when the handler begins, behind those of Queue before. They are
// handled as Order says.
func (x *Test) Queue(from actor.Ref, msgs ...any) {
	x.t.Helper()
	x.before("Queue")
	if i := x.index(from); i < sender || i > sender+int32(len(x.peers))-1 {
		x.t.Fatalf("steptest: Queue of messages from %v, which is no peer: make it by Peer", from)
	}
	x.queue = append(x.queue, &order{from: from, to: x.Self(), msgs: msgs})
}

// Order says what the actor does, step by step, and those that it creates: they run, too. The first step is to take the
// message of Handle. A step is
//
//	"Pay"        to take a message of this type, written with or without its package
//	"Pay#3"      to take the third that came, instead of the oldest
//	"await Pay"  to go on in the handler of such a message, which has waited; of several the first that can
//	"#2 Pay"     what the second actor does that is created; also "#2 await Pay"
//
// The test expects all that they do to actors, in the order in which it happens. It expects that the order can be
// followed to its end, where nothing is left to do. A peer gets its messages at once.
func (x *Test) Order(steps ...string) {
	x.t.Helper()
	x.before("Order")
	moves, err := onestep.Moves(steps)
	if err != nil {
		x.t.Fatalf("steptest: %v", err)
	}
	for i := range moves {
		if k := moves[i].Kind; k != onestep.Takes && k != onestep.Awaits {
			x.t.Fatalf("steptest: the step %q of an order is none of native actors", steps[i])
		}
	}
	x.moves = moves
}

// AnyOrder has Order choose among all messages that are there. Without it an actor takes its messages as they come.
func (x *Test) AnyOrder() { x.before("AnyOrder"); x.bag = true }
