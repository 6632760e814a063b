package goakt_test

import (
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/log"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/internal/tests/troupe"
	"github.com/rehearse-go/rehearse/trace"
)

// role is a troupe.Stage of GoAkt.
type role struct {
	system  actor.ActorSystem
	handler *actor.ReceiveContext // nil: the test
	asked   bool                  // who has sent the letter waits
}

// called is a letter whose sender waits for the answer.
type called struct{ troupe.Letter }

func (r role) Self() any {
	if r.handler == nil {
		return nil
	}
	return r.handler.Self()
}

func (r role) Tell(to any, l troupe.Letter) { r.tell(to, l) }

func (r role) tell(to, message any) {
	if r.handler == nil {
		_ = actor.Tell(background, to.(*actor.PID), message)
		return
	}
	r.handler.Tell(to.(*actor.PID), message)
}

func (r role) Call(to any, l troupe.Letter) (troupe.Letter, error) {
	v, err := any(nil), error(nil)
	if r.handler == nil {
		v, err = actor.Ask(background, to.(*actor.PID), called{l}, troupe.CallTime)
	} else {
		v, err = r.handler.Self().Ask(background, to.(*actor.PID), called{l}, troupe.CallTime)
	}
	if err != nil {
		return troupe.Letter{}, err
	}
	return v.(troupe.Letter), nil
}

func (r role) Respond(l troupe.Letter) {
	if r.asked {
		r.handler.Response(l)
		return
	}
	r.handler.Tell(r.handler.Sender(), l)
}

func (r role) Spawn(p *troupe.Player, name string) any {
	pid, err := r.system.Spawn(background, name, member{p})
	if err != nil {
		panic(err)
	}
	return pid
}

func (r role) End(who any) { r.tell(who, leave{}) }

// leave ends an actor in its turn. PoisonPill comes before what waits.
type leave struct{}

// member is an actor of GoAkt.
type member struct{ player *troupe.Player }

func (m member) PreStart(*actor.Context) error { return nil }
func (m member) PostStop(*actor.Context) error { return nil }

// Receive implements actor.Actor.
func (m member) Receive(c *actor.ReceiveContext) {
	switch l := c.Message().(type) {
	case troupe.Letter:
		m.player.Receive(role{c.ActorSystem(), c, false}, l)
	case called:
		m.player.Receive(role{c.ActorSystem(), c, true}, l.Letter)
	case leave:
		c.Shutdown()
	}
}

// controlled is the program on GoAkt, under control.
func controlled(p *troupe.Program, model trace.Model) *agree.Program {
	var end string
	return troupe.Explored(goakt.System(func(t *explore.T) {
		w := p.NewWorld(nil)
		s := role{system: start()}
		t.SetUp(func() { w.SetUp(s) })
		t.AtEnd(func() { end = w.End() })
		w.Test(s)
	}), model, &end)
}

// free executes the program on the framework itself, in a bubble, which tells when all is quiet. Its goroutines yield
// before each deed.
func free(t *testing.T, p *troupe.Program) (end string) {
	synctest.Test(t, func(*testing.T) {
		goakt.Stock()
		e, err := actor.NewActorSystem("test", actor.WithLogger(log.DiscardLogger))
		if err == nil {
			err = e.Start(background)
		}
		if err != nil {
			t.Fatal(err)
		}
		w := p.NewWorld(func() {
			for range rand.IntN(4) {
				runtime.Gosched()
			}
		})
		s := role{system: e}
		w.SetUp(s)
		synctest.Wait()
		go w.Test(s)
		time.Sleep(time.Minute) // all calls are over
		synctest.Wait()
		end = w.End()
		time.Sleep(time.Hour) // and those that come of them
		_ = e.Stop(background)
		goakt.StopDrain(e)
	})
	return end
}

// scale is the variable REHEARSE_TOY, 0 if it is not set.
func scale(t *testing.T) int {
	s := os.Getenv("REHEARSE_TOY")
	if s == "" {
		return 0
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The same program comes to the same orders on native actors and on GoAkt, under every delivery model.
func TestNativeAgrees(t *testing.T) {
	programs, compared, orders := 8+5*scale(t), 0, 0
	if testing.Short() {
		programs = 4
	}
	for seed := range programs {
		p := troupe.Draw(uint64(seed), troupe.Kinds)
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			theirs, err := controlled(p, model).Show("optimal")
			ours, errs := p.Native(model).Show("optimal")
			switch {
			case err != nil || errs != nil:
				t.Errorf("%v, %v\n%s", err, errs, p)
			case theirs.Exhausted != ours.Exhausted:
				t.Errorf("%s: one is complete\n%s\n%s\n%s", model, ours, theirs, p)
			case !theirs.Exhausted, late(ours.Ends()): // which calls time out first is not the same: time passes as steps do
			case !slices.Equal(ours.Ends(), theirs.Ends()):
				t.Errorf("%s: native actors come to\n  %q\nGoAkt to\n  %q\n%s", model, ours.Ends(), theirs.Ends(), p)
			default:
				compared++
				orders += len(ours.Ends())
			}
		}
	}
	t.Logf("%d comparisons, %d orders", compared, orders)
	if compared < 2*programs || orders <= compared {
		t.Errorf("too little was compared: %d comparisons, %d orders", compared, orders)
	}
}

// late reports whether calls time out.
func late(ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.Contains(end, "=late") })
}

// What GoAkt does by itself is among what the mailbox model explores. REHEARSE_TOY=30 compares 608 programs.
func TestPlainIsExplored(t *testing.T) { plainIsExplored(t, troupe.Kinds) }

func plainIsExplored(t *testing.T, kinds []troupe.Kind) {
	// The framework has a worker for each processor. One that waits in a call is not there for others, and a program of
	// which all wait goes on by timeouts only.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	programs, runs := 8+20*scale(t), 60
	if testing.Short() {
		programs = 5
	}
	compared, named, orders, seen := 0, 0, 0, 0
	for seed := uint64(1000); compared < programs; seed++ {
		p := troupe.Draw(seed, kinds)
		all, err := controlled(p, trace.Mailbox).Show("optimal")
		if err != nil {
			t.Fatalf("%v\n%s", err, p)
		}
		ends := all.Ends()
		switch {
		case all.PassedOver != "" || all.Beyond != "": // calls of several that time out at once
			named++
			continue
		case !all.Exhausted || len(ends) == 1:
			continue
		}
		compared++
		orders += len(ends)
		came := map[string]bool{}
		for range runs {
			end := free(t, p)
			if !slices.Contains(ends, end) {
				t.Fatalf("GoAkt comes to what no exploration does, of %d orders:\n  %s\n%s", len(ends), end, p)
			}
			came[end] = true
		}
		seen += len(came)
	}
	t.Logf("%d programs, %d orders explored, %d seen in free runs; of %d more the result names what is left out", compared,
		orders, seen, named)
	if seen <= compared {
		t.Errorf("free runs show too little: %d orders in %d programs", seen, compared)
	}
}
