package effects

import (
	"os"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// goaktTally is a program of GoAkt whose handlers write fields of their own, beside some of which more has to be said.
const goaktTally = `package tally

import (
	"context"
	"time"

	"github.com/tochemey/goakt/v4/actor"
)

type (
	Named   struct{ name string }
	Visited struct{}
	Asked   struct{}
	Count   struct{ n int }
	Grow    struct{}
	Switch  struct{}
	Later   struct{}
)

type hooks struct{}

func (hooks) PreStart(*actor.Context) error { return nil }
func (hooks) PostStop(*actor.Context) error { return nil }

type counter struct {
	hooks
	name   string
	visits int
}

func (c *counter) Receive(ctx *actor.ReceiveContext) {
	switch m := ctx.Message().(type) {
	case *actor.PostStart:
	case Named:
		c.name = m.name
	case Visited:
		c.visits++
	case Asked:
		ctx.Response(Count{c.visits})
	}
}

type asker struct {
	hooks
	to  *actor.PID
	got int
}

func (a *asker) Receive(ctx *actor.ReceiveContext) {
	switch m := ctx.Message().(type) {
	case *actor.PostStart:
	case Asked:
		ctx.Tell(a.to, m)
	case Visited:
		ctx.Forward(a.to)
	case Count:
		ctx.Logger().Infof("%d of %s", m.n, ctx.Self().Name())
		a.got = m.n
	case Grow:
		ctx.Spawn("child", &counter{})
	case Switch:
		ctx.Ask(a.to, Asked{}, time.Second)
	case Later:
		ctx.BatchTell(a.to, Visited{}, Named{"two"})
	}
}

type turning struct {
	hooks
	n, m int
}

func (t *turning) Receive(ctx *actor.ReceiveContext) {
	switch ctx.Message().(type) {
	case *actor.PostStart:
	case Visited:
		t.n++
	case Switch:
		ctx.Become(t.turned)
	}
}

func (t *turning) turned(ctx *actor.ReceiveContext) {
	if _, ok := ctx.Message().(Visited); ok {
		t.m++
	}
}

func Start(ctx context.Context, s actor.ActorSystem) error {
	c, err := s.Spawn(ctx, "counter", &counter{})
	if err != nil {
		return err
	}
	a, err := s.Spawn(ctx, "asker", &asker{to: c})
	if err != nil {
		return err
	}
	if _, err := s.Spawn(ctx, "turning", &turning{}); err != nil {
		return err
	}
	for _, m := range []any{Named{"one"}, Visited{}} {
		if err := actor.Tell(ctx, c, m); err != nil {
			return err
		}
	}
	return actor.Tell(ctx, a, Asked{})
}
`

const goaktTallyTest = `package tally_test

import (
	"context"
	"tally"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/goakt"
)

func counts() rehearse.System {
	return goakt.System(func(t *rehearse.T) {
		s, err := goakt.NewActorSystem("tally", actor.WithLoggingDisabled())
		if err == nil {
			err = tally.Start(context.Background(), s)
		}
		if err != nil {
			t.Errorf("%v", err)
		}
	})
}
`

// What handlers of GoAkt do is known.
func TestGoAkt(t *testing.T) {
	f, _, err := Facts(moduleOf(t, "goakt", map[string]string{"tally.go": goaktTally}), ".")
	if err != nil {
		t.Fatal(err)
	}
	for who, want := range map[string]string{
		"tally.counter/tally.Named":   "writes [name]",
		"tally.counter/tally.Visited": "reads [visits], writes [visits]",
		"tally.counter/tally.Asked":   "reads [visits], sends [tally.Count back to []]", // nobody waits for it
		"tally.asker/tally.Asked":     "reads [to], sends [tally.Asked to [tally.counter]], also [receiver]",
		"tally.asker/tally.Count":     "writes [got]",
		"tally.asker/tally.Grow":      "unknown: it spawns an actor, which handles its first messages in the same step",
		"tally.asker/tally.Switch":    "reads [to], sends [tally.Asked to []], blocks",
		"tally.asker/tally.Later":     "unknown: it calls",
		"tally.turning/tally.Visited": "reads [m n], writes [m n]",
		"tally.turning/tally.Switch":  "becomes",
	} {
		actor, message, _ := strings.Cut(who, "/")
		if got := toldWithReceivers(f.Of(actor, message)); got != want {
			t.Errorf("%s: %s\n\twant %s", who, got, want)
		}
	}
	for _, a := range f.Actors {
		if a.Framework != facts.GoAkt {
			t.Errorf("%s is of %s", a.Name, a.Framework)
		}
	}
}

// With REHEARSE_TOY: with facts the same is found in a program of GoAkt, in fewer executions. Whether a receiver is
// alive is shared, but of no matter where no actor ends, so that no fact is set aside.
func TestFactsOnGoAkt(t *testing.T) {
	if os.Getenv("REHEARSE_TOY") == "" {
		return // to link the framework takes long
	}
	dir := moduleOf(t, "goakt", map[string]string{"tally.go": goaktTally, "tally_test.go": goaktTallyTest})
	rows := example{"tally", "rehearse.Config{}", "", "counts()"}.exploreIn(t, dir, "source optimal select", 500)
	compared, saved := 0, 0
	for at, with := range rows {
		if at.facts {
			compared++
			saved += sameWithFacts(t, "tally", at, rows, with, "")
		}
	}
	if compared < 6 || saved == 0 {
		t.Errorf("%d executions saved in %d comparisons", saved, compared)
	}
}
