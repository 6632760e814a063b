package odd

import (
	"fmt"
	"math/big"
	"testing"

	core "github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/trace"
)

var _ trace.Order // as in the tests that are written

// The literal stands in the test, and so do what it needs and a Config.
func TestInline(t *testing.T) {
	size := 2
	names := []string{"a", "b"}
	core.Check(t, core.Config{Strategy: "naive", Checks: core.Levels{core.Orphan: core.Off}, Budget: "3x"}, actor.New(func(_ *core.T, ctx *actor.Context) {
		var last actor.Ref
		for i := range size {
			last = ctx.SpawnNamed(names[i], &Worker{})
			ctx.Send(last, Job{N: i})
		}
		w := ctx.Spawn(&Worker{})
		ctx.Send(w, Job{N: 1, Back: last})
	}))
}

// The function has a name.
func TestNamed(t *testing.T) { core.Check(t, core.Config{}, actor.New(named)) }

func named(t *core.T, c *actor.Context) {
	w, v := c.SpawnNamed("w", &Worker{}), c.SpawnNamed("v", &Worker{})
	text := fmt.Sprint("x")
	job := Job{N: 2, Text: text}
	if w != v {
		c.Send(v, job)
	}
	c.Send(w, job)
}

// A function gives it.
func TestGiven(t *testing.T) { core.Check(t, core.Config{}, actor.New(given(2))) }

func given(n int) func(*core.T, *actor.Context) {
	return func(t *core.T, ctx *actor.Context) {
		var w actor.Ref
		t.SetUp(func() { w = ctx.SpawnNamed("w", &Worker{}) })
		if err := Post(ctx, w, 3, "three"); err != nil {
			t.Fatal(err)
		}
		err := Post(ctx, w, 4, "four")
		if err != nil {
			t.Fatal(err)
		}
		post := func(n int) { _ = Post(ctx, w, n, "") }
		post(n)
		for range n {
			post(5)
		}
	}
}

// It is a method, two calls away.
type suite struct{ workers int }

func (s suite) system() *actor.System { return s.made("w") }

func (s suite) made(name string) *actor.System {
	return actor.New(func(t *core.T, ctx *actor.Context) {
		hired := Hire(ctx)
		w := ctx.SpawnNamed(name, &Worker{})
		again := ctx.SpawnNamed("again", &Worker{})
		defer ctx.Send(again, Job{N: 8})
		ctx.Send(hired, Job{N: 9})
		ctx.Send(w, Pair{})
	})
}

func TestMethod(t *testing.T) {
	for i, sys := range []core.System{suite{1}.system()} {
		t.Run(fmt.Sprint(i), func(t *testing.T) { core.Check(t, core.Config{}, sys) })
	}
}

// Each turn has another one.
func TestTurns(t *testing.T) {
	for _, n := range []int{1, 2} {
		core.Check(t, core.Config{}, actor.New(given(n)))
	}
}

// What is sent has more parts than its function has arguments.
func TestBatch(t *testing.T) {
	core.Check(t, core.Config{}, actor.New(func(_ *core.T, ctx *actor.Context) {
		w := ctx.SpawnNamed("w", &Worker{})
		PostAll(ctx, w, 1)
		_ = w
	}))
}

// A message has a number of any size.
func TestSums(t *testing.T) {
	core.Check(t, core.Config{}, actor.New(func(_ *core.T, ctx *actor.Context) {
		a := ctx.SpawnNamed("adder", &Adder{})
		ctx.Send(a, Sum{big.NewInt(3)})
	}))
}
