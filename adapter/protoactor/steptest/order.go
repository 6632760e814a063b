package steptest

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/internal/onestep"
)

// Queue has messages of a peer wait in the mailbox when the handler begins, behind those of Queue before; nil: they
// have no sender. They are handled as Order says.
func (x *Test) Queue(from *actor.PID, msgs ...any) {
	x.t.Helper()
	x.before("Queue")
	x.queue = append(x.queue, &order{from: from, nobody: from == nil, to: x.Self(), msgs: msgs})
}

// Order says what the actor does, step by step, and those that it creates: they run, too. The first step is to take the
// message of Handle. A step is
//
//	"Pay"          to take a message of this type, written with or without its package
//	"Pay#3"        to take the third that came, instead of the oldest
//	"await Pay"    to go on in the handler of such a message, which has waited for a future
//	"reenter Pay"  to go on in what such a handler has passed to ReenterAfter
//	"#2 Pay"       what the second actor does that is created; also "#2 await Pay" and "#2 reenter Pay"
//	"answer 1"     a peer answers: the answers of Answers are counted as the messages come that they are for
//	"time"         time passes; it also does so where nothing else leads to the next step
//
// The test expects all that they do to actors, in the order in which it happens. It also expects that the order can be
// followed to its end, where nothing is left to do. A peer gets its messages at once.
func (x *Test) Order(steps ...string) {
	x.t.Helper()
	x.before("Order")
	moves, err := onestep.Moves(steps)
	if err != nil {
		x.t.Fatalf("steptest: %v", err)
	}
	x.moves = moves
}

// AnyOrder has Order choose among all messages that are there. The mailboxes of protoactor-go do not do so: such a test
// is of a hypothetical execution.
func (x *Test) AnyOrder() { x.before("AnyOrder"); x.bag = true }

// answered counts the answers of peers that come as steps of their own.
func (x *Test) answered() (n int) {
	if x.moves == nil {
		return 0
	}
	for _, p := range x.peers {
		for _, a := range p.answers {
			if _, none := a.(Nothing); !none {
				n++
			}
		}
	}
	return n
}

func answererName(n int) string { return fmt.Sprintf("answer %d", n) }

// answerers makes the actors that answer under Order: one for each answer, since a peer takes its messages in their
// order, and answers in any.
func (x *Test) answerers() (list []actor.Actor) {
	given := 0
	for range x.answered() {
		list = append(list, &answerer{})
	}
	for _, p := range x.peers {
		p.hand = respond
		if x.moves != nil {
			p.hand = func(ctx actor.Context, answer any) {
				list[given].(*answerer).answer = answer
				given++
				ctx.Forward(actor.NewPID(address, answererName(given)))
			}
		}
	}
	return list
}

// answerer answers one message.
type answerer struct{ answer any }

// Receive answers.
func (a *answerer) Receive(ctx actor.Context) {
	if ctx.Sender() != nil {
		respond(ctx, a.answer)
	}
}

// respond answers a message.
func respond(ctx actor.Context, answer any) {
	if _, dead := answer.(DeadLetter); dead {
		answer = &actor.DeadLetterResponse{}
	}
	ctx.Respond(answer)
}
