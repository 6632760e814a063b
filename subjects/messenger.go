package subjects

import (
	"slices"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Messenger is an instant messenger in the manner of the program of that name of [Bita13], which is not published: n
// users log in at a server and out again. The first stays, and writes to the last when it is welcome. The server
// forwards to those who are logged in and says so if the addressee is not. The bug: the addressee logs out after the
// server has forwarded the message, and before it gets it.
func Messenger(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		users := make([]actor.Ref, n)
		t.SetUp(func() {
			s := ctx.Spawn(&chatServer{})
			for i := n - 1; i > 0; i-- {
				users[i] = ctx.Spawn(&user{server: s})
			}
			users[0] = ctx.Spawn(&user{server: s, friend: users[n-1]})
		})
		for i, u := range users {
			ctx.Send(u, logIn{})
			if i > 0 {
				ctx.Send(u, logOut{})
			}
		}
	})
}

type (
	logIn   struct{ who actor.Ref }
	logOut  struct{ who actor.Ref }
	welcome struct{}
	say     struct {
		to   actor.Ref
		text string
	}
	unavailable struct{ who actor.Ref }
	deliver     struct{ text string }
)

type chatServer struct{ online []actor.Ref }

func (s *chatServer) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case logIn:
		s.online = append(s.online, msg.who)
		ctx.Send(msg.who, welcome{})
	case logOut:
		s.online = slices.DeleteFunc(s.online, func(u actor.Ref) bool { return u == msg.who })
	case say:
		if slices.Contains(s.online, msg.to) {
			ctx.Send(msg.to, deliver{msg.text})
		} else {
			ctx.Send(ctx.Sender(), unavailable{msg.to})
		}
	}
}

type user struct {
	server actor.Ref
	friend actor.Ref // to write to, nobody if there is none
	out    bool
}

func (u *user) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case logIn:
		ctx.Send(u.server, logIn{ctx.Self()})
	case welcome:
		if u.friend != (actor.Ref{}) {
			ctx.Send(u.server, say{u.friend, "hello"})
		}
	case logOut:
		u.out = true
		ctx.Send(u.server, logOut{ctx.Self()})
	case deliver:
		if u.out {
			ctx.T().Errorf("%q came to a user who had logged out", msg.text)
		}
	}
}
