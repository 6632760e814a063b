package restart

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Shop.
type Config struct {
	Season string // prefix of voucher codes
	Till   *Till  // takes the receipts; nil: a new one
	Fixed  bool   // the cart's items outlive a restart
}

// Shop runs the actors of one cart.
type Shop struct {
	system             *actor.ActorSystem
	shopper, marketing *actor.PID
}

// Open starts a shop in the given actor system.
func Open(system *actor.ActorSystem, cfg Config) (*Shop, error) {
	if cfg.Till == nil {
		cfg.Till = &Till{}
	}
	s := &Shop{system: system}
	shelf := &Shelf{}
	basket, err := s.spawn("cart", func() actor.Actor {
		c := cart{till: cfg.Till}
		if cfg.Fixed {
			return &durableCart{c, shelf}
		}
		return &c
	})
	if err != nil {
		return nil, err
	}
	mint, err := s.spawn("codes", func() actor.Actor { return &codes{cfg.Season} })
	if err != nil {
		return nil, err
	}
	s.marketing, err = s.spawn("marketing", func() actor.Actor { return &marketing{mint, basket} })
	if err != nil {
		return nil, err
	}
	s.shopper, err = s.spawn("shopper", func() actor.Actor { return &shopper{basket} })
	return s, err
}

func (s *Shop) spawn(name string, producer actor.Producer) (*actor.PID, error) {
	pid, err := s.system.Root.SpawnNamed(actor.PropsFromProducer(producer), name)
	if err != nil {
		return nil, fmt.Errorf("shop: start %s: %w", name, err)
	}
	return pid, nil
}

// Buy lets the shopper buy something.
func (s *Shop) Buy(item string, cents int) {
	s.system.Root.Send(s.shopper, Buy{item, cents})
}

// Mail lets marketing send a voucher.
func (s *Shop) Mail(percent int) {
	s.system.Root.Send(s.marketing, Mailing{percent})
}
