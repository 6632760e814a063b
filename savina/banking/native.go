package banking

import native "github.com/rehearse-go/rehearse/actor"

type (
	nativeCredit = Credit[native.Ref]
	nativeDebit  = Debit[native.Ref]
)

// NativeProgram is the program on native actors.
type NativeProgram struct {
	config   Config
	start    native.Ref
	teller   *nativeTeller
	accounts []*nativeAccount
}

// NewNative spawns the actors.
func NewNative(ctx *native.Context, config Config) (*NativeProgram, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	p := &NativeProgram{config: config, teller: &nativeTeller{transfers: config.transfers()}}
	p.start = ctx.Spawn(p.teller)
	for range config.Accounts {
		a := &nativeAccount{balance: Balance{config.Balance, config.Balance}, neverTold: config.NeverTold}
		p.accounts = append(p.accounts, a)
		p.teller.accounts = append(p.teller.accounts, ctx.Spawn(nativeVariant(config.Variant, a)))
	}
	return p, nil
}

// nativeVariant is the actor of an account.
func nativeVariant(v Variant, a *nativeAccount) native.Behavior {
	switch v {
	case Become:
		return &nativeIdle{a}
	case ManualStash:
		return &nativeStasher{nativeAccount: a}
	}
	return &nativeAwaiter{a}
}

// Start has the teller begin.
func (p *NativeProgram) Start(ctx *native.Context) { ctx.Send(p.start, Start{}) }

// Check judges the end.
func (p *NativeProgram) Check() error {
	var balances []Balance
	for _, a := range p.accounts {
		balances = append(balances, a.balance)
	}
	return p.config.Check(p.teller.replies, balances)
}

// nativeTeller has accounts transfer amounts.
type nativeTeller struct {
	transfers []Transfer
	accounts  []native.Ref
	replies   int
}

// Receive implements native.Behavior.
func (t *nativeTeller) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Start:
		for _, each := range t.transfers {
			ctx.Send(t.accounts[each.From], nativeCredit{ctx.Self(), each.Amount, t.accounts[each.To]})
		}
	case Reply:
		t.replies++
		if t.replies == len(t.transfers) {
			t.end(ctx)
		}
	default:
		ctx.Unhandled()
	}
}

func (t *nativeTeller) end(ctx *native.Context) {
	for _, a := range t.accounts {
		ctx.Send(a, Stop{})
	}
	ctx.Stop()
}

// nativeAccount is what an account has in all variants.
type nativeAccount struct {
	balance   Balance
	teller    native.Ref // of the transfer that waits for a reply
	neverTold bool
}

// send sends an amount to another account.
func (a *nativeAccount) send(ctx *native.Context, credit nativeCredit) {
	a.balance.add(-credit.Amount)
	a.teller = credit.Teller
	ctx.Send(credit.To, nativeDebit{ctx.Self(), credit.Amount})
}

// take takes an amount that comes.
func (a *nativeAccount) take(ctx *native.Context, debit nativeDebit) {
	a.balance.add(debit.Amount)
	ctx.Send(debit.From, Reply{})
}

// complete tells the teller.
func (a *nativeAccount) complete(ctx *native.Context) {
	if !a.neverTold {
		ctx.Send(a.teller, Reply{})
	}
}

// nativeAwaiter blocks until the other account has replied.
type nativeAwaiter struct{ *nativeAccount }

// Receive implements native.Behavior.
func (a *nativeAwaiter) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeCredit:
		a.transfer(ctx, msg)
	case nativeDebit:
		a.balance.add(msg.Amount)
		ctx.Reply(Reply{})
	case Stop:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

func (a *nativeAwaiter) transfer(ctx *native.Context, credit nativeCredit) {
	a.balance.add(-credit.Amount)
	a.teller = credit.Teller
	if _, err := ctx.Call(credit.To, nativeDebit{ctx.Self(), credit.Amount}); err != nil {
		panic(err)
	}
	a.complete(ctx)
}

// nativeIdle is the behaviour of an account that does not wait.
type nativeIdle struct{ *nativeAccount }

// Receive implements native.Behavior.
func (a *nativeIdle) Receive(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeCredit:
		a.send(ctx, msg)
		ctx.Become(&nativeWaiting{a.nativeAccount})
	case nativeDebit:
		a.take(ctx, msg)
	case Stop:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}

// nativeWaiting is that of one that waits.
type nativeWaiting struct{ *nativeAccount }

// Receive implements native.Behavior.
func (a *nativeWaiting) Receive(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Reply:
		a.complete(ctx)
		ctx.UnstashAll()
		ctx.Unbecome()
	default:
		ctx.Stash()
	}
}

// nativeStasher keeps messages in a list while it waits.
type nativeStasher struct {
	*nativeAccount
	waiting bool
	stash   []any
}

// Receive implements native.Behavior.
func (a *nativeStasher) Receive(ctx *native.Context, msg any) {
	if a.waiting {
		a.wait(ctx, msg)
	} else {
		a.handle(ctx, msg)
	}
	if !a.waiting && len(a.stash) > 0 {
		ctx.Send(ctx.Self(), a.stash[0])
		a.stash = a.stash[1:]
	}
}

func (a *nativeStasher) wait(ctx *native.Context, msg any) {
	switch msg.(type) {
	case Reply:
		a.complete(ctx)
		a.waiting = false
	default:
		a.stash = append(a.stash, msg)
	}
}

func (a *nativeStasher) handle(ctx *native.Context, msg any) {
	switch msg := msg.(type) {
	case nativeCredit:
		a.send(ctx, msg)
		a.waiting = true
	case nativeDebit:
		a.take(ctx, msg)
	case Stop:
		ctx.Stop()
	default:
		ctx.Unhandled()
	}
}
