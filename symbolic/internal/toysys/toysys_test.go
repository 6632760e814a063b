package toysys

import (
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Each feature is in many systems, in reach and out of it.
func TestFeatures(t *testing.T) {
	yes, no := map[string]int{}, map[string]int{}
	for seed := range uint64(80) {
		s := Random(seed)
		r := s.Reach(Bounds{Model: trace.FIFO, Outside: 2, Runs: 3, States: 20_000})
		for _, f := range s.Features() {
			yes[f] += len(r.Runs)
			no[f] += s.Labels - len(r.Runs)
		}
	}
	for _, f := range AllFeatures {
		if yes[f] < 20 || no[f] < 20 {
			t.Errorf("systems with %s have %d places that can be reached and %d that cannot: want 20 of each", f, yes[f], no[f])
		}
	}
}

// The orders of mailbox-serial are among those of mailbox, and so on to bag, where neither system messages nor the
// clock interfere.
func TestModelsNest(t *testing.T) {
	order := []trace.Model{trace.MailboxSerial, trace.Mailbox, trace.Causal, trace.FIFO, trace.Bag}
	compared, more := 0, 0
	for seed := range uint64(60) {
		s := Random(seed)
		if f := s.Features(); slices.Contains(f, "stopactor") || slices.Contains(f, "watch") || slices.Contains(f, "timer") || slices.Contains(f, "calltimeout") {
			continue
		}
		var last *Reached
		for _, m := range order {
			r := s.Reach(Bounds{Model: m, Outside: 2, Runs: 4, States: 5_000})
			if r.Over {
				break
			}
			if last != nil {
				compared++
				more += bit(len(r.Runs) > len(last.Runs))
				for l, n := range last.Runs {
					if got, ok := r.Runs[l]; !ok || got > n {
						t.Errorf("seed %d: place %d takes %d runs, and under %v %d (found %v)", seed, l, n, m, got, ok)
					}
				}
			}
			last = r
		}
	}
	if compared < 60 || more < 1 {
		t.Errorf("%d comparisons, in %d of which more is reached: want 60 and 1", compared, more)
	}
}

// What is enumerated from outside covers what the driver sends itself.
func TestOutsideCoversTheDriver(t *testing.T) {
	compared, seeds := 0, uint64(8)
	if os.Getenv("REHEARSE_TOY") != "" {
		seeds = 25
	}
	for seed := range seeds {
		s := Random(seed)
		for _, m := range Models {
			all := s.Reach(Bounds{Model: m, Outside: len(s.Sends), Runs: 3, States: 4_000})
			own := s.Reach(Bounds{Model: m, Fixed: true, Runs: 3})
			if all.Over {
				continue
			}
			compared += len(own.Runs)
			for l, n := range own.Runs {
				if got, ok := all.Runs[l]; !ok || got > n {
					t.Errorf("seed %d, %v: place %d takes %d runs with the driver's own messages, and %d with any (found %v)", seed, m, l, n, got, ok)
				}
			}
		}
	}
	if want := int(8 * seeds); compared < want {
		t.Errorf("%d places compared: want %d", compared, want)
	}
}

func TestShrink(t *testing.T) {
	s := Random(1)
	for seed := uint64(1); !slices.Contains(s.Features(), "call"); seed++ {
		s = Random(seed)
	}
	small := Shrink(s, func(c *System) bool { return slices.Contains(c.Features(), "call") })
	if n := small.size(); n > 7 || small.Source("p") == s.Source("p") {
		// an actor, a message, a handler, a call, and what encloses it
		t.Errorf("it has size %d, and %d at first:\n%s", n, s.size(), small.Source("p"))
	}
	if s.Source("p") != Random(s.Seed).Source("p") {
		t.Error("the system itself was changed")
	}
}
