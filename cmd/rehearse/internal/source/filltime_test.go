package source

import (
	"slices"
	"testing"
	"time"
)

// Where the time is enough each block has all of its own; else all have a part of it first.
func TestFirstSlice(t *testing.T) {
	f := &fillRun{whole: 10 * time.Hour, deadline: time.Now().Add(10 * time.Hour)}
	f.seconds = 8
	if got := f.firstSlice(100); got != 8*time.Second {
		t.Errorf("100 blocks: %v", got)
	}
	if got := f.firstSlice(1e6); got != time.Second/2 {
		t.Errorf("a million blocks: %v", got)
	}
}

// Searches leave time for what comes behind them, but never more than half.
func TestSpare(t *testing.T) {
	f := &fillRun{whole: time.Hour, orders: 2 * time.Second,
		costs: fillCosts{profile: 7 * time.Second, confirm: 6 * time.Second}}
	if got := f.spare(0); got != 13*time.Second {
		t.Errorf("without tests: %v", got)
	}
	if got := f.spare(10); got != 48*time.Second {
		t.Errorf("with 10 tests: %v", got)
	}
	if got := f.spare(1e6); got != time.Hour/8+13*time.Second {
		t.Errorf("with a million tests: %v", got)
	}
}

// Blocks that are left out for one reason are told together.
func TestLeftText(t *testing.T) {
	var list []leftOut
	for _, at := range []string{"a/x.go:1:2", "a/x.go:3:4", "b/y.go:5:6", "b/y.go:7:8"} {
		list = append(list, leftOut{at, "the time was over"})
	}
	list = append(list, leftOut{"c/z.go:9:1", "infeasible"})
	want := []string{"4 blocks: the time was over\n    a/x.go: 1:2, 3:4\n    b/y.go: 5:6, 7:8", "c/z.go:9:1: infeasible"}
	if got := leftText(list, "blocks"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := leftText(list[1:], "blocks"); len(got) != 4 || got[0] != "a/x.go:3:4: the time was over" {
		t.Errorf("%q", got)
	}
}

func TestFailedTests(t *testing.T) {
	said := "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:3: no\n    --- FAIL: TestA/sub " +
		"(0.00s)\nFAIL\nFAIL\tx\t0.1s\n--- FAIL: TestB (1.00s)\nok  \ty\t0.2s\n"
	if got := failedTests([]byte(said)); !slices.Equal(got, []string{"TestA", "TestB"}) {
		t.Error(got)
	}
}
