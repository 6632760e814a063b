package hollywood_test

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

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/internal/tests/troupe"
	"github.com/rehearse-go/rehearse/trace"
)

// role is a troupe.Stage of Hollywood.
type role struct {
	engine  *actor.Engine
	handler *actor.Context // nil: the test
}

func (r role) Self() any {
	if r.handler == nil {
		return nil
	}
	return r.handler.PID()
}

func (r role) Tell(to any, l troupe.Letter) {
	if r.handler == nil {
		r.engine.Send(to.(*actor.PID), l)
		return
	}
	r.handler.Send(to.(*actor.PID), l)
}

func (r role) Call(to any, l troupe.Letter) (troupe.Letter, error) {
	v, err := r.engine.Request(to.(*actor.PID), l, troupe.CallTime).Result()
	if err != nil {
		return troupe.Letter{}, err
	}
	return v.(troupe.Letter), nil
}

func (r role) Respond(l troupe.Letter) { r.handler.Respond(l) }

func (r role) Spawn(p *troupe.Player, name string) any {
	return r.engine.Spawn(func() actor.Receiver { return member{p} }, name, actor.WithID("x"))
}

func (r role) Poison(who any) { r.engine.Poison(who.(*actor.PID)) }

func (r role) End(who any) { r.engine.Stop(who.(*actor.PID)) }

// member is an actor of Hollywood.
type member struct{ player *troupe.Player }

// Receive implements actor.Receiver.
func (m member) Receive(c *actor.Context) {
	if l, ok := c.Message().(troupe.Letter); ok {
		m.player.Receive(role{c.Engine(), c}, l)
	}
}

// controlled is the program on Hollywood, under control.
func controlled(p *troupe.Program, model trace.Model) *agree.Program {
	var end string
	return troupe.Explored(hollywood.System(func(t *explore.T) {
		w := p.NewWorld(nil)
		s := role{engine: hollywood.NewEngine()}
		t.SetUp(func() { w.SetUp(s) })
		t.AtEnd(func() { end = w.End() })
		w.Test(s)
	}), model, &end)
}

// free executes the program on the framework itself, in a bubble, which tells when all is quiet. Its goroutines yield
// before each deed.
func free(t *testing.T, p *troupe.Program) (end string) {
	synctest.Test(t, func(*testing.T) {
		e, err := actor.NewEngine(actor.NewEngineConfig())
		if err != nil {
			t.Fatal(err)
		}
		w := p.NewWorld(func() {
			for range rand.IntN(4) {
				runtime.Gosched()
			}
		})
		s := role{engine: e}
		w.SetUp(s)
		synctest.Wait()
		go w.Test(s)
		time.Sleep(time.Minute) // all calls are over
		synctest.Wait()
		end = w.End()
		time.Sleep(time.Hour) // and those that come of them
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

// The same program comes to the same orders on native actors and on Hollywood, under every delivery model.
func TestNativeAgrees(t *testing.T) {
	programs, compared, orders := 12+5*scale(t), 0, 0
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
				t.Errorf("%s: native actors come to\n  %q\nHollywood to\n  %q\n%s", model, ours.Ends(), theirs.Ends(), p)
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

// What Hollywood does by itself is among what the mailbox model explores. REHEARSE_TOY=30 compares 620 programs.
func TestPlainIsExplored(t *testing.T) { plainIsExplored(t, troupe.Kinds) }

// The same of programs that poison actors: what follows Poison in its batch is handled, what comes later is not.
func TestPlainPoisonIsExplored(t *testing.T) { plainIsExplored(t, troupe.Poisons) }

func plainIsExplored(t *testing.T, kinds []troupe.Kind) {
	programs, runs := 20+20*scale(t), 100
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
				t.Fatalf("Hollywood comes to what no exploration does, of %d orders:\n  %s\n%s", len(ends), end, p)
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
