package boxoffice

import "github.com/asynkron/protoactor-go/actor"

// hall knows which seats are taken, and by whom.
type hall struct{ guests map[string]string }

// Receive implements actor.Actor.
func (h *hall) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Look:
		ctx.Respond(Seen{h.guests[msg.Seat] == ""})
	case Sell:
		h.guests[msg.Seat] = msg.Guest
		ctx.Respond(Sold{true})
	}
}

// carefulHall sells no seat twice, whatever those who ask have seen before.
type carefulHall struct{ hall }

// Receive implements actor.Actor.
func (h *carefulHall) Receive(ctx actor.Context) {
	if msg, ok := ctx.Message().(Sell); ok && h.guests[msg.Seat] != "" {
		ctx.Respond(Sold{false})
		return
	}
	h.hall.Receive(ctx)
}
