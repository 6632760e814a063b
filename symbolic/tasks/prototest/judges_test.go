package prototest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds what the search says of invariants and final checks, on actors of protoactor-go, to the naive
// exploration of the compiled program.

// pot keeps what is put into it, and gives some of it on. Nothing put in is a panic, by which it loses all.
type pot struct {
	has int
	to  *actor.PID
}

func (p *pot) Receive(ctx actor.Context) {
	m, ok := ctx.Message().(note)
	switch {
	case !ok:
	case m.n == 0:
		panic("nothing")
	case p.to != nil:
		p.has += m.n
		ctx.Send(p.to, note{m.n - 1})
	default:
		p.has -= m.n
		ctx.Stop(ctx.Self())
	}
}

// potted drives two pots, the first of which gives to the second.
func potted(t *rehearse.T) {
	root := newSystem().Root
	var from *actor.PID
	t.SetUp(func() {
		to, _ := root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &pot{has: 1} }), "second")
		from, _ = root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &pot{to: to} }), "first")
		root.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
	})
	root.Send(from, note{3})
	root.Send(from, note{0})
}

// pots gives what those that are there have, by name.
func pots(s rehearse.State) map[string]int {
	all := map[string]int{}
	s.Actors(func(name, _ string, value any) bool {
		if p, ok := value.(*pot); ok {
			all[name] = p.has
		}
		return true
	})
	return all
}

// judges are functions of a Config.
var judges = []func(rehearse.State) error{
	func(s rehearse.State) error {
		if pots(s)["second"] < 0 {
			return errors.New("the second owes")
		}
		return nil
	},
	func(s rehearse.State) error {
		if all := pots(s); all["first"] == 3 && all["second"] == 0 {
			return fmt.Errorf("%d", len(all))
		}
		return nil
	},
	func(s rehearse.State) error { // it is made anew
		if all := pots(s); all["first"] == 0 && all["second"] < 1 {
			return errors.New("both are empty")
		}
		return nil
	},
	func(s rehearse.State) error { // never
		if pots(s)["first"] > 3 {
			return errors.New("more than was put in")
		}
		return nil
	},
	func(s rehearse.State) error {
		if _, is := pots(s)["second"]; !is {
			return errors.New("it has stopped")
		}
		return nil
	},
	func(s rehearse.State) error { // by what it holds, and what came
		if text := s.Text("first"); text == "&pot{has:3 to:&second}" && len(s.Received("second")) == 1 && s.Received("second")[0] == "note{n:2} from first on note{n:3}" {
			return errors.New(text)
		}
		return nil
	},
	func(s rehearse.State) error { // never
		if list := s.Received("first"); len(list) != 2 || !slices.Contains(list, "note{n:0} from Driver") {
			return fmt.Errorf("%q", list)
		}
		return nil
	},
	func(s rehearse.State) (err error) {
		s.Actors(func(name, typ string, value any) bool {
			if _, is := value.(actor.ReceiveFunc); is && strings.HasPrefix(name, "potted") && strings.HasPrefix(typ, "prototest") {
				err = fmt.Errorf("%s is a %s", name, typ)
			} else if !strings.HasSuffix(typ, "prototest.pot") {
				err = errors.New("what else is there?")
			}
			return true
		})
		return err
	},
}

// wholeJudges makes a system for each of them: it is read, and not called. A panic is no violation there, so the actor
// is restarted.
func wholeJudges(t *testing.T) {
	for _, f := range judges {
		rehearse.Check(t, rehearse.Config{Checks: rehearse.Levels{rehearse.Panic: rehearse.Off}, Invariants: []rehearse.Invariant{{Name: "x", Holds: f}}}, protoactor.System(potted))
	}
	for _, f := range judges {
		rehearse.Check(t, rehearse.Config{Checks: rehearse.Levels{rehearse.Panic: rehearse.Off}, Final: f}, protoactor.System(potted))
	}
}

// failsNaively reports whether a function fails in some execution of the compiled program.
func failsNaively(t *testing.T, f func(rehearse.State) error, final bool, model trace.Model) bool {
	t.Helper()
	c := rehearse.Config{Strategy: "naive", Model: model, Budget: "20000x", Recheck: -1, Seed: 1, Checks: rehearse.Levels{rehearse.Panic: rehearse.Off}}
	if c.Final = f; !final {
		c.Final, c.Invariants = nil, []rehearse.Invariant{{Name: "x", Holds: f}}
	}
	r, err := rehearse.Explore(c, protoactor.System(potted))
	if err != nil || !r.Complete {
		t.Fatalf("%v: %v", err, r)
	}
	return slices.ContainsFunc(r.Findings, func(f rehearse.Finding) bool {
		return strings.HasPrefix(f.Violation.Text, "invariant x ") || strings.HasPrefix(f.Violation.Text, "the final state ")
	})
}

// A search says of each function of a Config that judges executions whether it can fail, as the naive exploration of
// the compiled program does.
func TestJudges(t *testing.T) {
	l, p := wholeProgram(t)
	failed, all := 0, 0
	for _, pkg := range l.Packages {
		if pkg.SSA.Func("wholeJudges") == nil {
			continue
		}
		ds := p.DriversOf(pkg.SSA.Func("wholeJudges"))
		for i, f := range judges {
			for _, final := range []bool{false, true} {
				d := *ds[map[bool]int{true: 1}[final]]
				d.Nth = i
				s, err := p.Start(t.Context(), &d, system.Config{})
				if err != nil || len(s.Checks) != 1 || s.Checks[0].Final != final || s.Unchecked != "" {
					t.Fatalf("function %d: %v, %+v", i, err, s)
				}
				for _, model := range restartModels() {
					goal := system.Goal{Check: s.Checks[0].Fn, Panic: true, AtEnd: final}
					found := p.Search(t.Context(), s, []system.Goal{goal}, model, system.Bounds{Steps: 1000, Actors: 100, Sent: true})
					want := failsNaively(t, f, final, model)
					if got := found.Ways[0] != nil; got != want || !got && !found.Complete() {
						t.Errorf("function %d, final %v, %v: fails %v, complete %v %v, want %v", i, final, model, got, found.Complete(), found.Unmodelled, want)
					}
					if all++; want {
						failed++
					}
				}
			}
		}
	}
	if failed < all/4 || failed > 3*all/4 {
		t.Errorf("%d of %d fail: want some that do, and some that do not", failed, all)
	}
}
