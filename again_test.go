package rehearse_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/subjects"
)

// clients is a program with n! executions, and as many classes.
func clients(n int) rehearse.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		l := ctx.SpawnNamed("ledger", &ledger{Balance: 1000})
		for i := range n {
			ctx.Send(ctx.SpawnNamed("client", &client{l}), withdraw{i + 1})
		}
	})
}

// client hands on what it is sent.
type client struct{ to actor.Ref }

func (c *client) Receive(ctx *actor.Context, msg any) { ctx.Send(c.to, msg) }

// However few executions there are, each strategy makes all repeats; those that repeat some on the way make up for the
// rest.
func TestRepeats(t *testing.T) {
	programs := map[string]rehearse.System{"one": clients(1), "six": clients(3), "hundred": clients(4),
		"fails": several(3, "")}
	for _, strategy := range []string{"auto", "naive", "default", "random", "pos", "source", "optimal", "reverse",
		"reverse/1", "delay/1", "stateful", "persistent", "cover"} {
		for name, sys := range programs {
			if strategy == "stateful" && name == "fails" {
				continue // its clients are functions, whose states cannot be compared
			}
			if testing.Short() && name == "hundred" {
				continue // no hand-over between goroutines that the others lack
			}
			for _, wanted := range []int{0, 5, 100} {
				r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Recheck: wanted, Model: rehearse.FIFO}, sys)
				if wanted == 0 {
					wanted = 32
				}
				if err != nil || r.Diverged || r.Unrepeated > 0 || r.Rechecked < wanted {
					t.Errorf("%s %s: error %v, %d of %d repeats: %s", strategy, name, err, r.Rechecked, wanted, r)
				}
			}
		}
	}
}

// What there is no time for is said.
func TestRepeatsWithoutTime(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Budget: "1ns"}, clients(1))
	if err != nil || r.Rechecked != 0 || r.Unrepeated != 32 {
		t.Errorf("error %v, %d repeats, %d left out", err, r.Rechecked, r.Unrepeated)
	}
	if want := "no repeats (no time for 32 more)"; !strings.Contains(r.String(), want) {
		t.Errorf("got  %s\nwant %s", r, want)
	}
}

// executed counts the executions of this process.
var executed int

// TestRareChoice: a program that does something else every 20th time it is executed, with one execution.
func TestRareChoice(t *testing.T) {
	for _, strategy := range []string{"auto", "naive", "optimal", "stateful"} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: strategy}, rare())
		if err != nil || r.Complete || !r.Diverged || r.Reason != "done" || len(r.Findings) != 1 ||
			r.Findings[0].Violation.Kind != rehearse.Divergence {
			t.Errorf("%s: error %v, %s", strategy, err, r)
		}
	}
}

func rare() rehearse.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		if executed++; executed%20 == 0 {
			ctx.Send(ctx.SpawnNamed("ledger", &ledger{}), deposit{1})
		}
		ctx.Send(ctx.SpawnNamed("ledger", &ledger{}), deposit{1})
	})
}

// TestRepeatsOfWorkers: the process that starts workers repeats what they did not, in whatever process a choice is
// made.
func TestRepeatsOfWorkers(t *testing.T) {
	for _, strategy := range []string{"naive", "source", "optimal", "reverse"} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Workers: 2}, subjects.Fib(4))
		if err != nil || r.Unrepeated > 0 || !r.Complete || r.Rechecked < 32 {
			t.Errorf("%s: error %v, %s", strategy, err, r)
		}
		if r, err = rehearse.Explore(rehearse.Config{Strategy: strategy, Workers: 2}, rare()); err != nil ||
			!r.Diverged || r.Complete {
			t.Errorf("%s: error %v, %s", strategy, err, r)
		}
	}
}
