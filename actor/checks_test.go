package actor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// checked are programs, with their checks, that draw where they are judged.
func checked(draw func() int) map[string]struct {
	program func(*explore.T, *actor.Context)
	check   check.Checker
	in      string
} {
	fails := func() error {
		if draw() == 1 {
			return errors.New("drawn")
		}
		return nil
	}
	type programs = map[string]struct {
		program func(*explore.T, *actor.Context)
		check   check.Checker
		in      string
	}
	idle := func(*explore.T, *actor.Context) {}
	return programs{
		"final check": {func(t *explore.T, _ *actor.Context) {
			t.AtEnd(func() {
				if fails() != nil {
					t.Error("drawn")
				}
			})
		}, check.Checker{}, "a final check"},
		"final state": {idle, check.Checker{Final: func(check.State) error { return fails() }}, "a final check"},
		"invariant":   {idle, check.Checker{Invariants: []check.Invariant{{Name: "i", Holds: func(check.State) error { return fails() }}}}, "an invariant"},
		"clean-up": {func(t *explore.T, _ *actor.Context) {
			t.Cleanup(func() {
				if fails() != nil {
					t.Error("drawn")
				}
			})
		}, check.Checker{}, "a clean-up"},
	}
}

// What checks draw takes "complete" away, with the kind of check. Without a finding it says so all the same.
func TestDrawsOfChecks(t *testing.T) {
	f := numberedDraws(t)
	for name, tt := range checked(func() int { f.Draw(chance.Map, 2); return 0 }) {
		for _, draws := range []int{0, 4} {
			out, err := explore.Run(actor.New(tt.program), search.NewNaive(),
				explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: draws}, Check: &tt.check})
			if err != nil || out.Complete || !out.ForOneSeed || out.OneSeed != "map at an unknown place in "+tt.in {
				t.Errorf("%s, %d draws: %+v, %v", name, draws, out, err)
			}
		}
	}
}

// Under one seed checks draw alike, in whatever execution, whatever was drawn before; another seed has them draw
// otherwise.
func TestDrawsOfChecksRepeat(t *testing.T) {
	f := numberedDraws(t)
	drawn := 0
	for name, tt := range checked(func() int { drawn = int(f.Draw(chance.Map, 1000)); return 0 }) {
		seen := map[int]int{}
		for seed := range uint64(40) {
			for range 2 {
				_, err := explore.Run(actor.New(tt.program), search.NewNaive(),
					explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Choices: 1 + seed}, Check: &tt.check})
				if err != nil {
					t.Fatal(err)
				}
				seen[drawn]++
				f.Draw(chance.Map, 1000)
			}
		}
		odd := 0
		for _, n := range seen {
			odd += n % 2
		}
		if odd > 0 || len(seen) < 20 {
			t.Errorf("%s: %d of %d values were drawn an odd number of times", name, odd, len(seen))
		}
	}
}

// Without numbers checks draw by the seed all the same: it is said that something was drawn, although no step draws.
func TestChecksFollowTheSeed(t *testing.T) {
	if !chance.Available() {
		t.Skip("Go's choices are not set")
	}
	entries := map[int]bool{1: true, 2: true, 3: true, 4: true}
	drawn := 0
	draw := func() int {
		for k := range entries {
			drawn = k
			break
		}
		return 0
	}
	for name, tt := range checked(draw) {
		seen := map[int]bool{}
		for seed := range uint64(30) {
			sys := actor.New(tt.program)
			first := 0
			for i := range 2 {
				out, err := explore.Run(sys, search.NewNaive(),
					explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Choices: seed, Draws: -1}, Check: &tt.check})
				if err != nil || !out.Draws || !strings.HasPrefix(out.Reason, "complete") {
					t.Fatalf("%s: %+v, %v", name, out, err)
				}
				if i > 0 && drawn != first {
					t.Errorf("%s: seed %d gave %d, and then %d", name, seed, first, drawn)
				}
				first = drawn
			}
			seen[drawn] = true
		}
		if len(seen) != len(entries) {
			t.Errorf("%s: under 30 seeds the loop began with %v", name, seen)
		}
	}
}

// In plain go test a check that fails under some seeds is found by the executions that are made under others: whatever
// entry it is that must not come first. The schedule fails again.
func TestChecksUnderOtherSeeds(t *testing.T) {
	if !chance.Available() || chance.Numbered() {
		t.Skip("Go's choices are not set, or are explored")
	}
	entries := map[int]bool{1: true, 2: true, 3: true, 4: true}
	for wrong := range 4 {
		draw := func() int {
			for k := range entries {
				if k == wrong+1 {
					return 1
				}
				break
			}
			return 0
		}
		for name, tt := range checked(draw) {
			sys := actor.New(func(t *explore.T, c *actor.Context) {
				tt.program(t, c)
				c.Send(c.Spawn(actor.Func(func(*actor.Context, any) {})), 1)
			})
			c := rehearse.Config{Strategy: "naive", Final: tt.check.Final}
			for _, i := range tt.check.Invariants {
				c.Invariants = append(c.Invariants, rehearse.Invariant(i))
			}
			r, err := rehearse.Explore(c, sys)
			if err != nil || len(r.Findings) == 0 || r.Diverged || r.Findings[0].Schedule == nil {
				t.Errorf("%s, entry %d: %v, %s, findings %v", name, wrong+1, err, r, r.Findings)
				continue
			}
			s, found := r.Findings[0].Schedule, 0
			for range 20 {
				_, err := explore.Run(sys, replay.New(s.Steps), explore.Options{Check: &tt.check,
					Conditions: explore.Conditions{Model: trace.Bag, Choices: s.Header.Choices, Draws: -1},
					Found:      func(explore.Found) bool { found++; return false }})
				if err != nil {
					t.Fatal(err)
				}
			}
			if found != 20 {
				t.Errorf("%s, entry %d: found by %d replays of 20", name, wrong+1, found)
			}
		}
	}
}
