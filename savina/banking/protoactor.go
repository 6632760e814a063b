package banking

import "github.com/asynkron/protoactor-go/actor"

type (
	credit = Credit[*actor.PID]
	debit  = Debit[*actor.PID]
)

// Program is the program on protoactor-go.
type Program struct {
	config   Config
	system   *actor.ActorSystem
	start    *actor.PID
	teller   *teller
	accounts []*account
}

// New starts the actors.
func New(system *actor.ActorSystem, config Config) (*Program, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &Program{config: config, system: system, teller: &teller{transfers: config.transfers()}}
	p.start = p.spawn(p.teller)
	for range config.Accounts {
		a := &account{balance: Balance{config.Balance, config.Balance}, neverTold: config.NeverTold}
		p.accounts = append(p.accounts, a)
		p.teller.accounts = append(p.teller.accounts, p.spawn(variant(config.Variant, a)))
	}
	return p, nil
}

func (p *Program) spawn(a actor.Actor) *actor.PID {
	return p.system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return a }))
}

// variant is the actor of an account.
func variant(v Variant, a *account) actor.Actor {
	switch v {
	case Become:
		b := &becomer{account: a}
		b.Become(b.idle)
		return b
	case ManualStash:
		return &stasher{account: a}
	}
	return &awaiter{a}
}

// Start has the teller begin.
func (p *Program) Start() { p.system.Root.Send(p.start, Start{}) }

// Check judges the end.
func (p *Program) Check() error {
	var balances []Balance
	for _, a := range p.accounts {
		balances = append(balances, a.balance)
	}
	return p.config.Check(p.teller.replies, balances)
}

// teller has accounts transfer amounts.
type teller struct {
	transfers []Transfer
	accounts  []*actor.PID
	replies   int
}

// Receive implements actor.Actor.
func (t *teller) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case Start:
		for _, each := range t.transfers {
			ctx.Send(t.accounts[each.From], credit{ctx.Self(), each.Amount, t.accounts[each.To]})
		}
	case Reply:
		t.replies++
		if t.replies == len(t.transfers) {
			t.end(ctx)
		}
	}
}

func (t *teller) end(ctx actor.Context) {
	for _, a := range t.accounts {
		ctx.Send(a, Stop{})
	}
	ctx.Stop(ctx.Self())
}

// account is what an account has in all variants.
type account struct {
	balance   Balance
	teller    *actor.PID // of the transfer that waits for a reply
	neverTold bool
}

// send sends an amount to another account.
func (a *account) send(ctx actor.Context, order credit) {
	a.balance.add(-order.Amount)
	a.teller = order.Teller
	ctx.Send(order.To, debit{ctx.Self(), order.Amount})
}

// take takes an amount that comes.
func (a *account) take(ctx actor.Context, sum debit) {
	a.balance.add(sum.Amount)
	ctx.Send(sum.From, Reply{})
}

// complete tells the teller.
func (a *account) complete(ctx actor.Context) {
	if !a.neverTold {
		ctx.Send(a.teller, Reply{})
	}
}

// awaiter blocks until the other account has replied.
type awaiter struct{ *account }

// Receive implements actor.Actor.
func (a *awaiter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case credit:
		a.transfer(ctx, msg)
	case debit:
		a.balance.add(msg.Amount)
		ctx.Respond(Reply{})
	case Stop:
		ctx.Stop(ctx.Self())
	}
}

func (a *awaiter) transfer(ctx actor.Context, order credit) {
	a.balance.add(-order.Amount)
	a.teller = order.Teller
	if _, err := ctx.RequestFuture(order.To, debit{ctx.Self(), order.Amount}, -1).Result(); err != nil {
		panic(err)
	}
	a.complete(ctx)
}

// becomer has a behaviour for waiting. The framework has no stash for it: what comes meanwhile is handled as soon as
// the account does not wait any more, before it takes another message.
type becomer struct {
	*account
	actor.Behavior
	waits bool
	stash []any
}

func (b *becomer) idle(ctx actor.Context) { b.handle(ctx, ctx.Message()) }

func (b *becomer) handle(ctx actor.Context, msg any) {
	switch msg := msg.(type) {
	case credit:
		b.send(ctx, msg)
		b.Become(b.waiting)
		b.waits = true
	case debit:
		b.take(ctx, msg)
	case Stop:
		ctx.Stop(ctx.Self())
	}
}

func (b *becomer) waiting(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Reply:
		b.complete(ctx)
		b.waits = false
		b.Become(b.idle)
		b.unstash(ctx)
	case credit, debit, Stop:
		b.stash = append(b.stash, msg)
	}
}

func (b *becomer) unstash(ctx actor.Context) {
	for !b.waits && len(b.stash) > 0 {
		msg := b.stash[0]
		b.stash = b.stash[1:]
		b.handle(ctx, msg)
	}
}

// stasher keeps messages in a list while it waits.
type stasher struct {
	*account
	waiting bool
	stash   []any
}

// Receive implements actor.Actor.
func (a *stasher) Receive(ctx actor.Context) {
	if a.waiting {
		a.wait(ctx)
	} else {
		a.handle(ctx)
	}
	if !a.waiting && len(a.stash) > 0 {
		ctx.Send(ctx.Self(), a.stash[0])
		a.stash = a.stash[1:]
	}
}

func (a *stasher) wait(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case Reply:
		a.complete(ctx)
		a.waiting = false
	case credit, debit, Stop:
		a.stash = append(a.stash, msg)
	}
}

func (a *stasher) handle(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case credit:
		a.send(ctx, msg)
		a.waiting = true
	case debit:
		a.take(ctx, msg)
	case Stop:
		ctx.Stop(ctx.Self())
	}
}
