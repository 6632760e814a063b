// Package asks has handlers that ask interfaces for which the program has no type.
package asks

import (
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

type clock interface{ Now() int }

// Store keeps numbers. The program has no type that does so.
type Store interface {
	Get(key string) (int, error)
	Put(key string, n int)
	names(of ...string) []string
}

// Add puts what a store has, and some more, back into it.
type Add struct{ N int }

// Tick asks the time.
type Tick struct{}

// Done says how many numbers there were.
type Done struct{ N int }

// Rate asks a function.
type Rate struct{ Cents int }

// Keeper asks a clock and a store, and a function.
type Keeper struct {
	clock  clock
	store  Store
	Out    actor.Ref
	Opened int
	failed bool
	rate   func(from string, cents int) (int, error)
}

// Receive handles messages.
func (k *Keeper) Receive(c *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Tick:
		if k.clock.Now() > 9+k.Opened {
			k.Opened = k.clock.Now()
		}
	case Rate:
		n, err := k.rate("eur", msg.Cents)
		if err == nil && n > 3 {
			k.Opened = n
			c.After(time.Duration(n)*time.Second, Tick{})
		}
	case Add:
		n, err := k.store.Get("n")
		if err != nil {
			k.failed = true
			return
		}
		if n > 5 {
			k.store.Put("n", n+msg.N)
			c.Send(k.Out, Done{N: len(k.store.names("a", "b"))})
		}
	}
}

// late asks a clock of its own.
func late(c clock, limit int) bool {
	if c.Now() > limit+2 {
		return true
	}
	return false
}

// quoter is of a type that tests cannot make.
var quoter = strings.NewReplacer("a", "b")

// Spell is a text to quote.
type Spell struct{ Text string }

// Speller uses a variable of the package, of which it knows nothing.
type Speller struct{ Out actor.Ref }

// Receive handles messages.
func (s *Speller) Receive(c *actor.Context, msg any) {
	if m, ok := msg.(Spell); ok {
		_ = quoter.Replace(m.Text)
		c.Send(s.Out, m)
	}
}
