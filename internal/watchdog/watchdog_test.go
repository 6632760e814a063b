package watchdog

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// The limits below bound how long a passing test may wait, not how fast the code has to be.

func TestWatchReturnsWhenDone(t *testing.T) {
	w := New(0)
	done := make(chan struct{}, 1)
	for range 3 {
		done <- struct{}{}
		if err := w.Watch(done); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWatchGivesUpAndShowsTheStuckGoroutine(t *testing.T) {
	w := New(20 * time.Millisecond)
	w.Stuck = func(stack string) bool { return strings.Contains(stack, "watchdog.stuckHere(") }
	release := make(chan struct{})
	defer close(release)
	go stuckHere(release)
	err := w.Watch(make(chan struct{}))
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	if !strings.Contains(e.Stacks, "stuckHere") || strings.Contains(e.Stacks, "TestWatchGivesUp") && !strings.Contains(e.Stacks, "created by") {
		t.Errorf("want the stack of the stuck goroutine alone, got\n%s", e.Stacks)
	}
	if !strings.Contains(err.Error(), "no progress for 20ms") {
		t.Errorf("the message does not say how long: %v", err)
	}
}

func stuckHere(release chan struct{}) { <-release }

func TestBeatsKeepItQuiet(t *testing.T) {
	w := New(200 * time.Millisecond)
	done := make(chan struct{})
	go func() {
		for range 60 {
			w.Beat()
			time.Sleep(10 * time.Millisecond)
		}
		close(done)
	}()
	if err := w.Watch(done); err != nil {
		t.Errorf("gave up in spite of beats: %v", err)
	}
}
