package overdraft

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// Config configures a Bank.
type Config struct {
	Opening int      // what is in the account at the beginning
	Limit   int      // payments above it need approval
	Clients []string // names of the clients
	Ledger  *Ledger  // takes the bookings; nil: a new one
	Fixed   bool     // the account decides, not the clients
}

func (cfg Config) account() actor.Actor {
	a := newAccount(cfg.Opening, cfg.Ledger)
	if cfg.Fixed {
		return &guardedAccount{*a}
	}
	return a
}

func (cfg Config) client(c client) actor.Actor {
	if cfg.Fixed {
		return &trustingClient{c}
	}
	return &c
}

// Bank runs the actors of one account in an actor system of its own.
type Bank struct {
	system  *actor.ActorSystem
	clients map[string]*actor.PID
}

// Open starts a bank.
func Open(cfg Config) (*Bank, error) {
	if cfg.Ledger == nil {
		cfg.Ledger = &Ledger{}
	}
	b := &Bank{system: actor.NewActorSystem(), clients: map[string]*actor.PID{}}
	account, err := b.spawn("account", cfg.account)
	if err != nil {
		return nil, err
	}
	second, err := b.spawn("officer-2", func() actor.Actor { return &officer{} })
	if err != nil {
		return nil, err
	}
	first, err := b.spawn("officer-1", func() actor.Actor { return &officer{second: second} })
	if err != nil {
		return nil, err
	}
	for _, name := range cfg.Clients {
		c := client{account: account, officer: first, limit: cfg.Limit}
		b.clients[name], err = b.spawn(name, func() actor.Actor { return cfg.client(c) })
		if err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (b *Bank) spawn(name string, producer actor.Producer) (*actor.PID, error) {
	pid, err := b.system.Root.SpawnNamed(actor.PropsFromProducer(producer), name)
	if err != nil {
		return nil, fmt.Errorf("bank: start %s: %w", name, err)
	}
	return pid, nil
}

// Pay asks a client to pay an amount.
func (b *Bank) Pay(client string, amount int) error {
	pid, ok := b.clients[client]
	if !ok {
		return fmt.Errorf("bank: no client %q", client)
	}
	b.system.Root.Send(pid, Pay{amount})
	return nil
}
