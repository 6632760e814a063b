// Package banking is a bank: a teller has accounts transfer amounts. An account that has sent an amount to another
// waits for its reply before it does anything else. The three variants differ in how: the handler blocks, the behaviour
// changes and messages are stashed, or they are kept in a list and sent again. It is program 15 of Savina [IS14]. Its
// hazards: a transfer back to a smaller number lets accounts wait for each other, which the suite avoids. Nothing keeps
// an account from being overdrawn: whether one is depends on the order.
package banking

import (
	"fmt"
	"math/rand/v2"
)

// Config sets the size of the program.
type Config struct {
	Accounts  int
	Balance   int // of each account in the beginning
	Transfers []Transfer
	Drawn     int // transfers that are drawn, in the place of Transfers; for 10 accounts or more
	Variant   Variant
	Covered   bool // Check: no account was overdrawn at any time
	NeverTold bool // a mutant: accounts do not tell the teller of a completed transfer
}

// Transfer is from an account to another, by number.
type Transfer struct{ From, To, Amount int }

// Variant says how an account waits for a reply.
type Variant int

// The variants.
const (
	Await       Variant = iota // the handler blocks
	Become                     // a behaviour that stashes all but the reply
	ManualStash                // a list, whose first the account sends to itself when it does not wait
)

// Small is a size to explore. Cyclic has a transfer back. Overdrawn has one that the balance covers behind another
// only. Published is that of the suite.
var (
	Small     = Config{Accounts: 3, Balance: 100, Transfers: []Transfer{{0, 1, 5}, {1, 2, 7}, {0, 2, 3}}}
	Cyclic    = Config{Accounts: 3, Balance: 100, Transfers: []Transfer{{0, 1, 5}, {1, 2, 7}, {2, 0, 3}}}
	Overdrawn = Config{Accounts: 3, Balance: 5, Transfers: []Transfer{{0, 1, 5}, {1, 2, 7}}, Covered: true}
	Published = Config{Accounts: 1_000, Balance: 1_000_000, Drawn: 50_000}
)

// mostDrawn is the largest amount that is drawn.
const mostDrawn = 1_000

// Validate says what makes no sense. A transfer back does: it is the hazard.
func (c Config) Validate() error {
	if c.Accounts < 1 || c.Drawn < 0 || c.Drawn > 0 && (c.Accounts < 10 || c.Transfers != nil) {
		return fmt.Errorf("banking: %d accounts, %d transfers, %d to draw: "+
			"want at least 1 account, 10 to draw, and one of both", c.Accounts, len(c.Transfers), c.Drawn)
	}
	for _, t := range c.Transfers {
		if min(t.From, t.To) < 0 || max(t.From, t.To) >= c.Accounts || t.From == t.To || t.Amount < 1 {
			return fmt.Errorf("banking: a transfer of %d from %d to %d: want an amount and two of %d accounts",
				t.Amount, t.From, t.To, c.Accounts)
		}
	}
	if c.Variant < Await || c.Variant > ManualStash {
		return fmt.Errorf("banking: there is no variant %d", c.Variant)
	}
	return nil
}

// transfers are those of Transfers, or as many as are drawn.
func (c Config) transfers() []Transfer {
	if c.Drawn == 0 {
		return c.Transfers
	}
	draw := rand.New(rand.NewPCG(1, 1))
	all := make([]Transfer, c.Drawn)
	for i := range all {
		from := draw.IntN(c.Accounts / 10 * 8)
		all[i] = Transfer{from, from + 1 + draw.IntN(c.Accounts-from-1), 1 + draw.IntN(mostDrawn)}
	}
	return all
}

// Start has the teller begin.
type Start struct{}

// Credit has an account send an amount to another. R refers to an actor of a framework.
type Credit[R any] struct {
	Teller R
	Amount int
	To     R
}

// Debit is the amount that comes.
type Debit[R any] struct {
	From   R
	Amount int
}

// Reply says that the amount has come: to the account that sent it, and from there to the teller.
type Reply struct{}

// Stop ends an account.
type Stop struct{}

// Balance is what an account has.
type Balance struct{ Now, Lowest int }

func (b *Balance) add(amount int) {
	b.Now += amount
	b.Lowest = min(b.Lowest, b.Now)
}

// Check says what is wrong with the end, nil if nothing is: the teller was told of every transfer, and each account has
// what it should.
func (c Config) Check(replies int, balances []Balance) error {
	transfers := c.transfers()
	if replies != len(transfers) {
		return fmt.Errorf("the teller was told of %d transfers, want %d", replies, len(transfers))
	}
	want := make([]int, c.Accounts)
	for _, t := range transfers {
		want[t.From] -= t.Amount
		want[t.To] += t.Amount
	}
	for i, b := range balances {
		if b.Now != c.Balance+want[i] {
			return fmt.Errorf("account %d has %d, want %d", i, b.Now, c.Balance+want[i])
		}
		if c.Covered && b.Lowest < 0 {
			return fmt.Errorf("account %d was overdrawn: %d", i, b.Lowest)
		}
	}
	return nil
}
