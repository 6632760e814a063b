package starts_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	native "github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/savina/banking"
	"github.com/rehearse-go/rehearse/savina/barber"
	"github.com/rehearse-go/rehearse/savina/bndbuffer"
	"github.com/rehearse-go/rehearse/savina/cigsmok"
	"github.com/rehearse-go/rehearse/savina/concdict"
	"github.com/rehearse-go/rehearse/savina/concsll"
	"github.com/rehearse-go/rehearse/savina/logmap"
	"github.com/rehearse-go/rehearse/savina/philosopher"
)

func TestConcDict(t *testing.T) {
	for _, c := range []concdict.Config{concdict.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := concdict.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := concdict.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestConcSll(t *testing.T) {
	for _, c := range []concsll.Config{concsll.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := concsll.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := concsll.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestBndBuffer(t *testing.T) {
	for _, c := range []bndbuffer.Config{
		bndbuffer.Small,
		bndbuffer.Stuck,
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := bndbuffer.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := bndbuffer.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestPhilosopher(t *testing.T) {
	for _, c := range []philosopher.Config{
		philosopher.Small,
		{Philosophers: 2, Rounds: 1, Repaired: true},
		{Philosophers: 3, Rounds: 1, Misplaced: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := philosopher.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := philosopher.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestBarber(t *testing.T) {
	for _, c := range []barber.Config{
		barber.Small,
		{Haircuts: 2, Seats: 2, Repaired: true},
		{Haircuts: 2, Seats: 1, Repaired: true},
		{Haircuts: 2, Seats: 2, Repaired: true, DoneFirst: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := barber.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := barber.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestCigSmok(t *testing.T) {
	for _, c := range []cigsmok.Config{
		cigsmok.Small,
		{Rounds: 2, Smokers: 2, Chosen: []int{1, 0}, Twice: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := cigsmok.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := cigsmok.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestLogMap(t *testing.T) {
	for _, c := range []logmap.Config{
		{Series: 1, Terms: 2},
		{Series: 2, Terms: 2},
		{Series: 1, Terms: 2, Variant: logmap.Become},
		{Series: 2, Terms: 2, Variant: logmap.Become},
		{Series: 1, Terms: 2, Variant: logmap.ManualStash},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := logmap.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := logmap.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestBanking(t *testing.T) {
	for _, c := range []banking.Config{
		banking.Small,
		{Accounts: 3, Balance: 100, Transfers: banking.Small.Transfers, Variant: banking.Become},
		{Accounts: 3, Balance: 100, Transfers: banking.Small.Transfers, Variant: banking.ManualStash},
		banking.Overdrawn,
		{Accounts: 3, Balance: 100, Transfers: banking.Small.Transfers, NeverTold: true},
		{Accounts: 3, Balance: 100, Transfers: banking.Small.Transfers, Variant: banking.Become, NeverTold: true},
		{Accounts: 3, Balance: 100, Transfers: banking.Small.Transfers, Variant: banking.ManualStash, NeverTold: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := banking.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := banking.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}
