package starts_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	native "github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/savina/apsp"
	"github.com/rehearse-go/rehearse/savina/astar"
	"github.com/rehearse-go/rehearse/savina/bitonicsort"
	"github.com/rehearse-go/rehearse/savina/nqueenk"
	"github.com/rehearse-go/rehearse/savina/quicksort"
	"github.com/rehearse-go/rehearse/savina/recmatmul"
	"github.com/rehearse-go/rehearse/savina/sor"
)

func TestRecMatMul(t *testing.T) {
	for _, c := range []recmatmul.Config{
		recmatmul.Small,
		{Workers: 2, Size: 2, Threshold: 1, Shared: true},
		{Workers: 2, Size: 2, Threshold: 1, RoundRobin: true},
		{Workers: 2, Size: 2, Threshold: 1, Repaired: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := recmatmul.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := recmatmul.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestQuickSort(t *testing.T) {
	for _, c := range []quicksort.Config{quicksort.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := quicksort.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := quicksort.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestAPSP(t *testing.T) {
	for _, c := range []apsp.Config{
		apsp.Small,
		{Nodes: 2, Block: 1, Weights: apsp.Small.Weights, Repaired: true},
		{Nodes: 2, Block: 1, Weights: apsp.Small.Weights, Checked: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := apsp.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := apsp.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestSOR(t *testing.T) {
	for _, c := range []sor.Config{
		sor.Small,
		{Side: 2, Steps: 2, Values: sor.Small.Values},
		{Side: 2, Steps: 1, Values: sor.Small.Values, Drops: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := sor.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := sor.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestAStar(t *testing.T) {
	for _, c := range []astar.Config{
		astar.Near,
		astar.Small,
		{Side: 2, Target: astar.Small.Target, Workers: 2, Limit: 1, Shared: true},
		{Side: 2, Target: astar.Small.Target, Workers: 2, Limit: 1, Repaired: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := astar.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := astar.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestNQueens(t *testing.T) {
	for _, c := range []nqueenk.Config{
		nqueenk.Small,
		nqueenk.Limited,
		{Size: 4, Workers: 2, Threshold: 1, Limit: 1_000, Repaired: true},
		{Size: 4, Workers: 2, Threshold: 1, Limit: 1, Repaired: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := nqueenk.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := nqueenk.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestBitonicSort(t *testing.T) {
	for _, c := range []bitonicsort.Config{
		bitonicsort.Small,
		bitonicsort.Four,
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := bitonicsort.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := bitonicsort.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}
