package goroutine

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// The limits below bound how long a passing test may wait, not how fast the code has to be.

func TestWatchReturnsWhenDone(t *testing.T) {
	w := NewWatchdog(0)
	done := make(chan struct{}, 1)
	for range 3 {
		done <- struct{}{}
		if err := w.Watch(done); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWatchGivesUpAndShowsTheStuckGoroutine(t *testing.T) {
	w := NewWatchdog(20 * time.Millisecond)
	w.Stuck = func(stack string) bool { return strings.Contains(stack, "watchdog.stuckHere(") }
	release := make(chan struct{})
	defer close(release)
	there := make(chan struct{})
	go stuckHere(there, release)
	<-there
	err := w.Watch(make(chan struct{}))
	var e *StuckError
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a *StuckError", err)
	}
	if !strings.Contains(e.Stacks, "stuckHere") || strings.Contains(e.Stacks, "TestWatchGivesUp") &&
		!strings.Contains(e.Stacks, "created by") {
		t.Errorf("want the stack of the stuck goroutine alone, got\n%s", e.Stacks)
	}
	if !strings.Contains(err.Error(), "no progress for 20ms") {
		t.Errorf("the message does not say how long: %v", err)
	}
}

func stuckHere(there, release chan struct{}) {
	close(there)
	<-release
}

func TestBeatsKeepItQuiet(t *testing.T) {
	ticks, restore := Simulate()
	defer restore()
	w := NewWatchdog(0)
	done := make(chan struct{})
	go func() {
		for range 60 {
			w.Beat()
			for range Slices { // the look at the last is the first, which accuses nobody
				ticks <- time.Time{}
			}
		}
		close(done)
	}()
	if err := w.Watch(done); err != nil {
		t.Errorf("gave up in spite of beats: %v", err)
	}
}

// Who is busy is told by the innermost function of the core.
func TestOurs(t *testing.T) {
	const (
		core = "github.com/rehearse-go/rehearse/explore."
		user = "example.com/shop_test.TestOrders.func1(...)\n\t/shop/orders_test.go:20 +0x1\n"
		loop = "github.com/rehearse-go/rehearse/actor.(*machine).drive(0xc0001)\n\t/rehearse/explore.(*run).Choose(.go:3 " +
			"+0x9\n"
	)
	for _, c := range []struct {
		name, stack string
		want        bool
	}{
		{"a handler", user + loop, false},
		{"choosing", "dpor.(*search).Choose(0x1)\n" + core + "(*run).Choose(0x1, {0x2, 0x3})\n" + loop, true},
		{"learning, inlined", core + "(*run).next(...)\n" + core + "(*run).Rewind(0x1)\n" + loop, true},
		{"a handler that has a value chosen",
			core + "(*run).Choose(0x1)\n" + core + "(*T).Choose(0x1)\n" + user + loop, true},
		{"what an actor accepts", user + "actor.(*host).WouldAccept(0x1)\n" + core + "(*run).Choose(0x1)\n" + loop, false},
		{"an invariant", user + "check.(*Checker).Step(0x1)\n" + core + "(*run).Observe(0x1, 0x2)\n" + loop, false},
		{"a final assertion", user + core + "(*T).runEnds(0x1)\n" + core + "(*run).Finish(0x1)\n" + loop, false},
		{"who started it", user + "created by " + core + "(*run).execute in goroutine 7\n", false},
	} {
		if got := IsExploring("goroutine 5 [running]:\n" + c.stack); got != c.want {
			t.Errorf("%s: ours %v, want %v", c.name, got, c.want)
		}
	}
}
