package lostsub

import "github.com/asynkron/protoactor-go/actor"

// feed hands every new price to the boards that subscribed to its symbol.
type feed struct {
	boards map[string][]*actor.PID
}

func newFeed() *feed { return &feed{boards: map[string][]*actor.PID{}} }

// Receive implements actor.Actor.
func (f *feed) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Subscribe:
		f.boards[msg.Symbol] = append(f.boards[msg.Symbol], msg.Board)
	case Publish:
		for _, board := range f.boards[msg.Symbol] {
			ctx.Send(board, Price(msg))
		}
	}
}

// retainingFeed keeps the last price of every symbol and begins each subscription with it.
type retainingFeed struct {
	feed
	last map[string]Publish
}

func newRetainingFeed() *retainingFeed {
	return &retainingFeed{*newFeed(), map[string]Publish{}}
}

// Receive implements actor.Actor.
func (f *retainingFeed) Receive(ctx actor.Context) {
	f.feed.Receive(ctx)
	switch msg := ctx.Message().(type) {
	case Subscribe:
		if p, ok := f.last[msg.Symbol]; ok {
			ctx.Send(msg.Board, Price(p))
		}
	case Publish:
		f.last[msg.Symbol] = msg
	}
}
