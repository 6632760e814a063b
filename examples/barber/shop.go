package barber

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Shop.
type Config struct {
	Seats     int
	Customers []string // names
	Book      *Book    // nil: a new one
	Fixed     bool     // the barber looks once more if the bell rang while he was awake
}

// Book says what became of the customers. They alone write it; read it when the shop is at rest.
type Book struct{ Trimmed, Left []string }

// Shop runs the actors of one shop.
type Shop struct {
	system    *actor.ActorSystem
	customers []*actor.PID
}

// Open opens a shop in the given actor system.
func Open(system *actor.ActorSystem, cfg Config) (*Shop, error) {
	if cfg.Book == nil {
		cfg.Book = &Book{}
	}
	s := &Shop{system: system}
	waiting, err := s.spawn("room", func() actor.Actor { return &room{seats: cfg.Seats} })
	if err != nil {
		return nil, err
	}
	b, err := s.spawn("barber", func() actor.Actor { return newBarber(waiting, cfg.Fixed) })
	if err != nil {
		return nil, err
	}
	for _, name := range cfg.Customers {
		//rehearse:allow shared the book is what tests look at when the shop is at rest
		c, err := s.spawn(name, func() actor.Actor { return &customer{name, waiting, b, cfg.Book} })
		if err != nil {
			return nil, err
		}
		s.customers = append(s.customers, c)
	}
	return s, nil
}

func (s *Shop) spawn(name string, producer actor.Producer) (*actor.PID, error) {
	pid, err := s.system.Root.SpawnNamed(actor.PropsFromProducer(producer), name)
	if err != nil {
		return nil, fmt.Errorf("barber: start %s: %w", name, err)
	}
	return pid, nil
}

// Morning has every customer come.
func (s *Shop) Morning() {
	for _, c := range s.customers {
		s.system.Root.Send(c, Come{})
	}
}
