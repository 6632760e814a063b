package messenger

import "github.com/asynkron/protoactor-go/actor"

// server knows who is logged in.
type server struct{ users map[string]*actor.PID }

// Receive implements actor.Actor.
func (s *server) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case LogIn:
		s.users[msg.Name] = msg.User
		ctx.Send(msg.User, Welcome{})
	case LogOut:
		delete(s.users, msg.Name)
		ctx.Send(msg.User, Bye{})
	case Say:
		if to, ok := s.users[msg.To]; ok {
			ctx.Send(to, Hear{msg.Text})
		} else {
			ctx.Respond(Away{msg.To})
		}
	}
}
