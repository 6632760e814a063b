package timeout

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Status says how an order stands.
type Status int

// The states of an order.
const (
	Pending Status = iota
	Paid
	Cancelled
)

// String gives the status as the shop's customers read it.
func (s Status) String() string { return []string{"pending", "paid", "cancelled"}[s] }

// Books are the records of a shop and of its payment provider. Its actors alone write them; read them when the shop is
// at rest.
type Books struct {
	Status map[string]Status // of every order, kept by the order
	Taken  map[string]int    // what the provider took for every order and did not give back
}

// NewBooks makes empty books.
func NewBooks() *Books {
	return &Books{Status: map[string]Status{}, Taken: map[string]int{}}
}

// Config configures a Shop.
type Config struct {
	Patience time.Duration // how long an order waits for the provider; 0: 5 s
	Books    *Books        // nil: new ones
	Fixed    bool          // money that comes too late is given back
}

// Shop starts an actor for every order.
type Shop struct {
	cfg      Config
	system   *actor.ActorSystem
	provider *actor.PID
	front    *actor.PID
}

// Open starts a shop in an actor system of its own.
func Open(cfg Config) (*Shop, error) {
	if cfg.Patience == 0 {
		cfg.Patience = 5 * time.Second
	}
	if cfg.Books == nil {
		cfg.Books = NewBooks()
	}
	s := &Shop{cfg: cfg, system: actor.NewActorSystem()}
	var err error
	s.provider, err = s.system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &provider{cfg.Books} }), "provider")
	if err != nil {
		return nil, fmt.Errorf("shop: start provider: %w", err)
	}
	s.front, err = s.system.Root.SpawnNamed(actor.PropsFromFunc(s.take), "front")
	if err != nil {
		return nil, fmt.Errorf("shop: start front: %w", err)
	}
	return s, nil
}

// take starts the actor of an order.
func (s *Shop) take(ctx actor.Context) {
	if msg, ok := ctx.Message().(Place); ok {
		ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return s.order(msg) }))
	}
}

func (s *Shop) order(msg Place) actor.Actor {
	o := order{Place: msg, provider: s.provider, patience: s.cfg.Patience, books: s.cfg.Books}
	if s.cfg.Fixed {
		return &refundingOrder{o}
	}
	return &o
}

// Place places an order.
func (s *Shop) Place(order string, cents int) {
	s.system.Root.Send(s.front, Place{order, cents})
}
