package lostsub

import "github.com/asynkron/protoactor-go/actor"

// Config configures a Service.
type Config struct {
	Fixed bool // the feed begins each subscription with the last price
}

// Service runs the actors between the market and the boards.
type Service struct {
	system        *actor.ActorSystem
	feed, gateway *actor.PID
}

// Start starts the service in an actor system of its own.
func Start(cfg Config) *Service {
	s := &Service{system: actor.NewActorSystem()}
	s.feed = s.spawn(func() actor.Actor {
		if cfg.Fixed {
			return newRetainingFeed()
		}
		return newFeed()
	})
	form := s.spawn(func() actor.Actor { return &normaliser{s.feed} })
	s.gateway = s.spawn(func() actor.Actor { return &gateway{form} })
	return s
}

func (s *Service) spawn(producer actor.Producer) *actor.PID {
	return s.system.Root.Spawn(actor.PropsFromProducer(producer))
}

// NewBoard starts a board that shows its prices on the screen.
func (s *Service) NewBoard(screen *Screen) *actor.PID {
	return s.spawn(func() actor.Actor { return &board{s.feed, screen} })
}

// Open makes a board show the price of a symbol.
func (s *Service) Open(board *actor.PID, symbol string) {
	s.system.Root.Send(board, Open{symbol})
}

// Report takes a trade from the market.
func (s *Service) Report(symbol string, cents int) {
	s.system.Root.Send(s.gateway, Trade{symbol, cents})
}
