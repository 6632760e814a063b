package overdraft

import "github.com/asynkron/protoactor-go/actor"

// account keeps a balance. Clients look at the balance before they withdraw.
type account struct {
	ledger  *Ledger
	balance int
}

func newAccount(opening int, ledger *Ledger) *account {
	ledger.Book("opening", opening)
	return &account{ledger: ledger, balance: opening}
}

// Receive implements actor.Actor.
func (a *account) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case GetBalance:
		ctx.Respond(Balance{Current: a.balance, Amount: msg.Amount})
	case Withdraw:
		a.debit(msg.Amount)
		ctx.Respond(Paid{msg.Amount})
	}
}

func (a *account) debit(amount int) {
	a.balance -= amount
	a.ledger.Book("withdrawal", -amount)
}

// guardedAccount decides in the same step as it debits: between the two nothing else can be booked.
type guardedAccount struct{ account }

// Receive implements actor.Actor.
func (a *guardedAccount) Receive(ctx actor.Context) {
	msg, ok := ctx.Message().(Withdraw)
	switch {
	case !ok:
		a.account.Receive(ctx)
	case msg.Amount > a.balance:
		ctx.Respond(Declined{msg.Amount})
	default:
		a.debit(msg.Amount)
		ctx.Respond(Paid{msg.Amount})
	}
}
