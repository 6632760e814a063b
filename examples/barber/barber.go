package barber

import "github.com/asynkron/protoactor-go/actor"

// barber has two behaviours. Asleep, he hears the bell; awake, he asks the room for customers until there are none.
type barber struct {
	actor.Behavior
	room  *actor.PID
	rang  bool // while he was awake
	heeds bool // the fix: a bell that he heard awake, he looks after before he sleeps
}

func newBarber(room *actor.PID, heeds bool) *barber {
	b := &barber{room: room, heeds: heeds}
	b.Become(b.asleep)
	return b
}

func (b *barber) asleep(ctx actor.Context) {
	if _, ok := ctx.Message().(Ring); ok {
		b.Become(b.awake)
		b.ask(ctx)
	}
}

func (b *barber) awake(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Ring:
		b.rang = true
	case Customer:
		ctx.Send(msg.Customer, Trimmed{})
		b.ask(ctx)
	case Nobody:
		if b.heeds && b.rang {
			b.ask(ctx)
			return
		}
		b.Become(b.asleep)
	}
}

func (b *barber) ask(ctx actor.Context) {
	b.rang = false
	ctx.Send(b.room, Next{ctx.Self()})
}
