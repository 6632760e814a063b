package barber

import "github.com/asynkron/protoactor-go/actor"

// room is the waiting room.
type room struct {
	seats   int
	waiting []*actor.PID
}

// Receive implements actor.Actor.
func (r *room) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Arrive:
		if len(r.waiting) == r.seats {
			ctx.Send(msg.Customer, Full{})
			return
		}
		r.waiting = append(r.waiting, msg.Customer)
	case Next:
		if len(r.waiting) == 0 {
			ctx.Send(msg.Barber, Nobody{})
			return
		}
		ctx.Send(msg.Barber, Customer{r.waiting[0]})
		r.waiting = r.waiting[1:]
	}
}

// customer takes a seat and rings the bell.
type customer struct {
	name         string
	room, barber *actor.PID
	book         *Book
}

// Receive implements actor.Actor.
func (c *customer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Come:
		ctx.Send(c.room, Arrive{ctx.Self()})
		ctx.Send(c.barber, Ring{})
	case Trimmed:
		c.book.Trimmed = append(c.book.Trimmed, c.name)
	case Full:
		c.book.Left = append(c.book.Left, c.name)
	}
}
