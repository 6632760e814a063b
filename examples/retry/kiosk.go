package retry

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Books are the records of a kiosk. Its actors alone write them; read them when it is at rest.
type Books struct {
	Cash  int            // that the terminal took, in cents
	Cards map[string]int // what is on the cards, in cents
}

// NewBooks makes empty books.
func NewBooks() *Books { return &Books{Cards: map[string]int{}} }

// Config configures a Kiosk.
type Config struct {
	Patience time.Duration // how long the terminal waits for the ledger; 0: 5 s
	Books    *Books        // nil: new ones
	Fixed    bool          // the ledger knows what it has credited
}

// Kiosk is a terminal and its ledger.
type Kiosk struct {
	system   *actor.ActorSystem
	terminal *actor.PID
}

// Open starts a kiosk in an actor system of its own.
func Open(cfg Config) (*Kiosk, error) {
	if cfg.Patience == 0 {
		cfg.Patience = 5 * time.Second
	}
	if cfg.Books == nil {
		cfg.Books = NewBooks()
	}
	k := &Kiosk{system: actor.NewActorSystem()}
	books, err := k.system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return newLedger(cfg) }), "ledger")
	if err != nil {
		return nil, fmt.Errorf("kiosk: start ledger: %w", err)
	}
	k.terminal, err = k.system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor {
		return &terminal{ledger: books, patience: cfg.Patience, books: cfg.Books}
	}), "terminal")
	if err != nil {
		return nil, fmt.Errorf("kiosk: start terminal: %w", err)
	}
	return k, nil
}

func newLedger(cfg Config) actor.Actor {
	if cfg.Fixed {
		return &carefulLedger{ledger{cfg.Books}, map[int]bool{}}
	}
	return &ledger{cfg.Books}
}

// Load puts cash into the terminal.
func (k *Kiosk) Load(card string, cents int) { k.system.Root.Send(k.terminal, Load{card, cents}) }
