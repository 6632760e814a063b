package system

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds what the search says of invariants and final checks to the naive exploration of the compiled program.

// purse and what it is told: half of it is moved, and it comes to an end by several of them.
type purse struct {
	coins, moves int
	peer         actor.Ref
}

type (
	coin struct{ n int }
	move struct{}
	end  struct{}
)

func (p *purse) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case coin:
		p.coins += m.n
	case move:
		p.moves++
		half := p.coins / 2
		p.coins -= half
		ctx.Send(p.peer, coin{half})
		if half > 4 {
			ctx.Spawn(&purse{})
		}
	case end:
		switch {
		case p.coins > 8:
			ctx.Become(actor.Func(func(*actor.Context, any) {}))
		case p.coins < 6:
			ctx.Stop()
		}
	}
}

// judged drives two purses.
func judged(_ *rehearse.T, ctx *actor.Context) {
	left, right := &purse{coins: 10}, &purse{}
	a, b := ctx.SpawnNamed("left", left), ctx.SpawnNamed("right", right)
	left.peer, right.peer = b, a
	ctx.Send(a, move{})
	ctx.Send(b, move{})
	ctx.Send(a, end{})
}

// purses gives those that are there, by name.
func purses(s rehearse.State) map[string]*purse {
	all := map[string]*purse{}
	s.Actors(func(name, _ string, value any) bool {
		if p, ok := value.(*purse); ok {
			all[name] = p
		}
		return true
	})
	return all
}

var errLeft = errors.New("the left one is gone")

// judges are functions of a Config. Of each executions tell whether it can fail, as an invariant and in the end.
var judges = []func(rehearse.State) error{
	func(s rehearse.State) error { // while coins are on their way
		sum := 0
		s.Actors(func(_, _ string, value any) bool {
			if p, ok := value.(*purse); ok {
				sum += p.coins
			}
			return true
		})
		if sum != 10 {
			return fmt.Errorf("%d coins", sum)
		}
		return nil
	},
	func(s rehearse.State) error { // never
		for name, p := range purses(s) {
			if p.coins < 0 || p.coins > 10 {
				return errors.New(name)
			}
		}
		return nil
	},
	func(s rehearse.State) error { // in one order
		all := purses(s)
		if l, r := all["left"], all["right"]; l != nil && r != nil && l.moves == 0 && r.moves == 1 && l.coins == 10 {
			return errors.New("the right one moves first")
		}
		return nil
	},
	func(s rehearse.State) error {
		if all := purses(s); all["left"] == nil {
			return errLeft
		}
		return nil
	},
	func(s rehearse.State) error { // it stops looking at the first
		n := 0
		s.Actors(func(name, _ string, _ any) bool { n++; return name != "left" })
		if n == 2 {
			return errors.New("left is not the first")
		}
		return nil
	},
	func(s rehearse.State) (err error) { // by the type of the actor
		s.Actors(func(name, typ string, value any) bool {
			if _, is := value.(actor.Func); is {
				err = fmt.Errorf("%s is a function", name)
			}
			if typ != "system.purse" && typ != "github.com/rehearse-go/rehearse/symbolic/system.purse" {
				err = fmt.Errorf("%s is a %s", name, typ)
			}
			return true
		})
		return err
	},
	func(s rehearse.State) error { // itself
		few := []string{"no", "one", "two"}
		s.Actors(func(_, _ string, value any) bool {
			if p, ok := value.(*purse); ok && p.moves > 0 {
				_ = few[p.coins-3]
			}
			return true
		})
		return nil
	},
	func(s rehearse.State) error { // by what it holds
		if text := s.Text("right"); strings.Contains(text, "coins:-") || text == "&purse{coins:2 moves:1 peer:left}" {
			return errors.New(text)
		}
		return nil
	},
	func(s rehearse.State) error { // by what came, and who is not there
		if list := s.Received("right"); len(list) > 2 || s.Text("nobody") != "" || len(s.Received("nobody")) > 0 {
			return fmt.Errorf("%q", list)
		}
		return nil
	},
	func(s rehearse.State) error { // by a message
		if list := s.Received("left"); s.Like("a{n:1}", "a{n:<any>}") && slices.Contains(list, "coin{n:2} from right on move{}") {
			return fmt.Errorf("%q", list)
		}
		return nil
	},
	func(s rehearse.State) error { // two of them
		n := 0
		s.Actors(func(name, _ string, _ any) bool {
			if strings.HasPrefix(name, "purse") {
				n++
			}
			return true
		})
		if n > 0 {
			return fmt.Errorf("%d were made", n)
		}
		return nil
	},
}

// twinJudges makes a system for each of them: it is read, and not called.
func twinJudges(t *testing.T) {
	for _, f := range judges {
		rehearse.Check(t, rehearse.Config{Invariants: []rehearse.Invariant{{Name: "x", Holds: f}}}, actor.New(judged))
	}
	for _, f := range judges {
		cfg := rehearse.Config{Final: f}
		sys := actor.New(judged)
		_, _ = rehearse.Explore(cfg, sys)
	}
}

// failsNaively reports whether a function fails in some execution of the compiled program.
func failsNaively(t *testing.T, f func(rehearse.State) error, final bool, model trace.Model) bool {
	t.Helper()
	c := rehearse.Config{Strategy: "naive", Model: model, Budget: "unlimited", Recheck: -1, Seed: 1}
	if c.Final = f; !final {
		c.Final, c.Invariants = nil, []rehearse.Invariant{{Name: "x", Holds: f}}
	}
	r, err := rehearse.Explore(c, actor.New(judged))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(r.Findings, func(f rehearse.Finding) bool {
		text := f.Violation.Text
		return strings.HasPrefix(text, "invariant x ") || strings.HasPrefix(text, "the final state ") || strings.HasPrefix(text, "Config.Final itself ")
	})
}

// A search says of each function of a Config that judges executions whether it can fail, as the naive exploration of
// the compiled program does: of every fourth one as an invariant and of every fourth one as a final check, with
// REHEARSE_TOY of all as both.
func TestJudges(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	ds := p.DriversOf(function(t, p, "twinJudges"))
	if len(ds) != 2 {
		t.Fatalf("%d drivers, want 2", len(ds))
	}
	some, failed, all := someModels(), 0, 0
	for i, f := range judges {
		for _, final := range []bool{false, true} {
			if os.Getenv("REHEARSE_TOY") == "" && i%4 != map[bool]int{true: 1, false: 2}[final] {
				continue
			}
			d := *ds[map[bool]int{true: 1}[final]]
			d.Nth = i
			s, err := p.Start(t.Context(), &d, Config{})
			if err != nil || len(s.Checks) != 1 || s.Checks[0].Final != final || s.Unchecked != "" {
				t.Fatalf("function %d: %v, %+v", i, err, s)
			}
			for _, model := range some {
				all++
				goal := Goal{Check: s.Checks[0].Fn, Panic: true, AtEnd: final}
				found := p.Search(t.Context(), s, []Goal{goal}, model, Bounds{Steps: 1000, Actors: 100, Sent: true})
				want := failsNaively(t, f, final, model)
				if got := found.Ways[0] != nil; got != want || !got && !found.Complete() {
					t.Errorf("function %d, final %v, %v: fails %v, complete %v, want %v", i, final, model, got, found.Complete(), want)
				}
				if want {
					failed++
				}
			}
		}
	}
	if failed < all/4 || failed > 3*all/4 {
		t.Errorf("%d of %d fail: want some that do, and some that do not", failed, all)
	}
}

// Of a driver that was run for real the Config is known, too, and what it says of executions.
func TestJudgesOfRan(t *testing.T) {
	p := program(t, ".", ".", "github.com/rehearse-go/rehearse/subjects")
	d := *p.DriversOf(function(t, p, "twinJudges"))[0]
	for i, f := range judges[:4] {
		d.Nth = i
		s, err := p.Start(t.Context(), d.RanAs(ran(t, actor.New(judged))), Config{})
		if err != nil || len(s.Inexact) > 0 || len(s.Checks) != 1 || s.Unchecked != "" {
			t.Fatalf("function %d: %v, %+v", i, err, s)
		}
		found := p.Search(t.Context(), s, []Goal{{Check: s.Checks[0].Fn, Panic: true}}, trace.Bag, Bounds{Steps: 1000, Actors: 100, Sent: true})
		if got, want := found.Ways[0] != nil, failsNaively(t, f, false, trace.Bag); got != want || !got && !found.Complete() {
			t.Errorf("function %d: fails %v, complete %v, want %v", i, got, found.Complete(), want)
		}
	}
	s, err := p.Start(t.Context(), p.DriversOf(function(t, p, "twinJudgeCaptures"))[0].RanAs(ran(t, actor.New(judged))), Config{})
	if err != nil || len(s.Checks) != 1 || len(s.Inexact) != 1 || !strings.Contains(s.Inexact[0], "what functions of the Config capture") {
		t.Errorf("%v, %+v", err, s)
	}
}

// twinJudgeCaptures has a function that captures what the driver may have changed: it is read, and not called.
func twinJudgeCaptures(t *testing.T) {
	least := 1
	rehearse.Check(t, rehearse.Config{Final: func(s rehearse.State) error {
		if len(purses(s)) < least {
			return errLeft
		}
		return nil
	}}, actor.New(func(t *rehearse.T, ctx *actor.Context) { least++; judged(t, ctx) }))
}
