package target_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// door is a program whose actor refuses strings as long as it is shut, and gets one before each number.
const door = `package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

type zzDoor struct{ open bool }

func (d *zzDoor) Accepts(msg any) bool {
	switch msg.(type) {
	case string:
		return d.open
	}
	return true
}

func (d *zzDoor) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case int:
		ctx.T().Helper()
	}
}

type zzGuest struct{ door actor.Ref }

func (g *zzGuest) Receive(ctx *actor.Context, msg any) {
	switch n := msg.(type) {
	case int:
		ctx.Send(g.door, "ring")
		ctx.Send(g.door, n)
	}
}

func ZZ() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		door := ctx.Spawn(&zzDoor{})
		ctx.Send(ctx.Spawn(&zzGuest{door}), 1)
	})
}
`

// TestRefusedIsOvertaken: with mailboxes a message that is refused stays there, and the next one is handled. Where
// messages are in order without one, it holds the next one up, which the search backward leaves to the execution of its
// plans.
func TestRefusedIsOvertaken(t *testing.T) {
	b, s := written(t, "../../subjects/tap", door)
	without := target.Parts{Judge: true}
	b.check(s, b.calls("zzDoor", "", "Helper"), []golden{
		{target.Config{Model: trace.Bag, Steps: 3, Usual: true, Without: without}, target.Found, 2, 3, 4},
		{target.Config{Model: trace.FIFO, Steps: 3, Usual: true, Without: without}, target.GaveUp, 0, 5, 6},
		{target.Config{Model: trace.Mailbox, Steps: 3, Usual: true, Without: without}, target.Found, 2, 3, 4},
		{target.Config{Model: trace.MailboxSerial, Steps: 3, Usual: true, Without: without}, target.Found, 2, 3, 4},
	})
}
