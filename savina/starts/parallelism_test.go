package starts_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	native "github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/savina/facloc"
	"github.com/rehearse-go/rehearse/savina/filterbank"
	"github.com/rehearse-go/rehearse/savina/piprecision"
	"github.com/rehearse-go/rehearse/savina/radixsort"
	"github.com/rehearse-go/rehearse/savina/sieve"
	"github.com/rehearse-go/rehearse/savina/trapezoid"
	"github.com/rehearse-go/rehearse/savina/uct"
)

func TestRadixSort(t *testing.T) {
	for _, c := range []radixsort.Config{radixsort.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := radixsort.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := radixsort.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestFilterBank(t *testing.T) {
	for _, c := range []filterbank.Config{
		filterbank.Small,
		{Channels: 2, Columns: 2, Signal: 5},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := filterbank.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := filterbank.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestSieve(t *testing.T) {
	for _, c := range []sieve.Config{
		sieve.Small,
		{Limit: 12, Room: 1},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := sieve.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := sieve.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestUCT(t *testing.T) {
	for _, c := range []uct.Config{
		{Children: 2, Nodes: 5, Choose: uct.Small.Choose},
		uct.Small,
		{Children: 2, Nodes: 7, Choose: uct.Small.Choose, Repaired: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := uct.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := uct.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestUCTCoins(t *testing.T) {
	for _, c := range []uct.Config{{Children: 2, Nodes: 5}, {Children: 2, Nodes: 5, Repaired: true}} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			coins := c
			coins.Choose = t.Choose
			p, err := uct.NewNative(ctx, coins)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			coins := c
			coins.Choose = t.Choose
			p, err := uct.New(protoactor.NewActorSystem(), coins)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestFacLoc(t *testing.T) {
	for _, c := range []facloc.Config{
		facloc.Small,
		{Side: 8, Threshold: 6, Customers: 3, Points: []facloc.Point{{1, 1}, {2, 4}, {7, 7}}, Repaired: true},
		{Side: 8, Threshold: 6, Customers: 6, Points: []facloc.Point{
			{1, 1}, {2, 7}, {0.5, 0.5}, {0.5, 1}, {0.6, 0.4}, {7, 7},
		}},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := facloc.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := facloc.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestTrapezoid(t *testing.T) {
	for _, c := range []trapezoid.Config{trapezoid.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := trapezoid.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := trapezoid.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestPiPrecision(t *testing.T) {
	for _, c := range []piprecision.Config{piprecision.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := piprecision.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := piprecision.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}
