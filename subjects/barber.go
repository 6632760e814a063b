package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Barber is a sleeping barber in the manner of the program of that name of [Bita13], which is not published. C
// customers come to a waiting room with s seats and ring the barber's bell. An awake barber ignores it: when he is
// through with a customer, he asks the room for the next, and changes his behaviour to sleep when there is none. The
// bug: a customer comes in between. The room hears of him only after it has said that it is empty, and his bell rings
// before the barber hears that. He falls asleep, and the customer waits for ever.
func Barber(s, c int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		customers := make([]*customer, c)
		refs := make([]actor.Ref, c)
		t.SetUp(func() {
			room := ctx.Spawn(&waitingRoom{seats: s})
			barber := ctx.Spawn(&asleep{room: room})
			for i := range customers {
				customers[i] = &customer{room: room, barber: barber}
				refs[i] = ctx.Spawn(customers[i])
			}
		})
		for _, r := range refs {
			ctx.Send(r, start{})
		}
		t.AtEnd(func() {
			for i, c := range customers {
				if c.waits {
					t.Errorf("customer %d waits for ever while the barber sleeps", i+1)
				}
			}
		})
	})
}

type (
	arrive   struct{ who actor.Ref }
	seated   struct{}
	turned   struct{}                   // away: all seats are taken
	wake     struct{}                   // the bell
	next     struct{ barber actor.Ref } // who is next
	nobody   struct{}
	sitsDown struct{ who actor.Ref }
	trimmed  struct{}
)

type customer struct {
	room, barber actor.Ref
	waits        bool
}

func (c *customer) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case start:
		ctx.Send(c.room, arrive{ctx.Self()})
		ctx.Send(c.barber, wake{})
	case seated:
		c.waits = true
	case trimmed:
		c.waits = false
	}
}

type waitingRoom struct {
	seats int
	queue []actor.Ref
}

func (r *waitingRoom) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case arrive:
		if len(r.queue) == r.seats {
			ctx.Send(msg.who, turned{})
			return
		}
		r.queue = append(r.queue, msg.who)
		ctx.Send(msg.who, seated{})
	case next:
		if len(r.queue) == 0 {
			ctx.Send(msg.barber, nobody{})
			return
		}
		ctx.Send(msg.barber, sitsDown{r.queue[0]})
		r.queue = r.queue[1:]
	}
}

// asleep is the barber until somebody wakes him.
type asleep struct{ room actor.Ref }

func (b *asleep) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(wake); ok {
		ctx.Become(&awake{room: b.room})
		ctx.Send(b.room, next{ctx.Self()})
	}
}

// awake ignores who wants to wake him.
type awake struct{ room actor.Ref }

func (b *awake) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case sitsDown:
		ctx.Send(msg.who, trimmed{})
		ctx.Send(b.room, next{ctx.Self()})
	case nobody:
		ctx.Unbecome()
	}
}
