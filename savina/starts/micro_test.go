package starts_test

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	native "github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/savina/big"
	"github.com/rehearse-go/rehearse/savina/chameneos"
	"github.com/rehearse-go/rehearse/savina/count"
	"github.com/rehearse-go/rehearse/savina/fib"
	"github.com/rehearse-go/rehearse/savina/fjcreate"
	"github.com/rehearse-go/rehearse/savina/fjthrput"
	"github.com/rehearse-go/rehearse/savina/pingpong"
	"github.com/rehearse-go/rehearse/savina/threadring"
)

func TestPingPong(t *testing.T) {
	for _, c := range []pingpong.Config{
		pingpong.Small,
		{Pings: 2, Twice: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := pingpong.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := pingpong.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestCount(t *testing.T) {
	for _, c := range []count.Config{
		count.Small,
		{Increments: 3, Second: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := count.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := count.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestForkJoinThroughput(t *testing.T) {
	for _, c := range []fjthrput.Config{fjthrput.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := fjthrput.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := fjthrput.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestForkJoinCreate(t *testing.T) {
	for _, c := range []fjcreate.Config{fjcreate.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := fjcreate.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := fjcreate.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestThreadRing(t *testing.T) {
	for _, c := range []threadring.Config{
		threadring.Small,
		{Actors: 3, Hops: 4, Repaired: true},
		{Actors: 3, Hops: 4, Wired: true},
		{Actors: 3, Hops: 4, Wired: true, Repaired: true},
		{Actors: 3, Hops: 4, Endless: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := threadring.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := threadring.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestChameneos(t *testing.T) {
	for _, c := range []chameneos.Config{
		chameneos.Small,
		{Creatures: 3, Meetings: 1, NoNewMeeting: true},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := chameneos.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := chameneos.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestBig(t *testing.T) {
	for _, c := range []big.Config{
		big.Small,
		{Actors: 2, Pings: 1, Targets: big.Small.Targets, Actor: true, Sink: true},
		{Actors: 3, Pings: 1, Targets: [][]int{{1}, {2}, {2}}},
	} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := big.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := big.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}

func TestFib(t *testing.T) {
	for _, c := range []fib.Config{fib.Small} {
		rehearse.Check(t, once, native.New(func(t *rehearse.T, ctx *native.Context) {
			p, err := fib.NewNative(ctx, c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start(ctx)
		}))
		rehearse.Check(t, once, protoactor.System(func(t *rehearse.T) {
			p, err := fib.New(protoactor.NewActorSystem(), c)
			if err != nil {
				t.Fatal(err)
			}
			p.Start()
		}))
	}
}
