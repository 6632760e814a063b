package quotes

import "github.com/asynkron/protoactor-go/actor"

// supplier has one price.
type supplier struct {
	number, cents int
	refused       func(supplier, cents int)
}

// Receive implements actor.Actor.
func (s *supplier) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Ask:
		ctx.Respond(Quote{s.cents})
	case Order:
		if msg.Cents != s.cents {
			s.refused(s.number, msg.Cents)
		}
	}
}
