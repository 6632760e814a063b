package messenger

import "github.com/asynkron/protoactor-go/actor"

// user reads what he hears while he is in.
type user struct {
	name     string
	server   *actor.PID
	log      *Log
	in       bool
	patient  bool // the fix: he stays in until the server has let him go
	messages []Say
}

// Receive implements actor.Actor.
func (u *user) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Enter:
		u.in, u.messages = true, msg.Messages
		ctx.Send(u.server, LogIn{u.name, ctx.Self()})
	case Welcome:
		for _, m := range u.messages {
			ctx.Request(u.server, m)
		}
	case Leave:
		u.in = u.patient
		ctx.Send(u.server, LogOut{u.name, ctx.Self()})
	case Bye:
		u.in = false
	case Hear:
		if u.in {
			u.log.Read = append(u.log.Read, msg.Text)
		}
	case Away:
		u.log.Returned++
	}
}
