package goroutine

import (
	"context"
	"crypto/rand"
	"runtime"
	"strings"
	"testing"
	"time"
)

// program is what RealTimers take for ours: what it calls is the program.
//
//go:noinline
func program(f func()) { f() }

// Timers that the program sets are found, each place once and again in the next exploration, and no others.
func TestRealTimers(t *testing.T) {
	before := runtime.MemProfileRate
	find := func(f func()) string {
		r := RealTimers{Program: "goroutine.program"}
		for range 3 {
			r.Begin()
			f()
			r.End()
		}
		return strings.Join(r.Places(), ", ")
	}
	for _, tt := range []struct {
		name string
		set  func()
		want string
	}{
		{"nothing", func() { program(func() { sink = new([4]int) }) }, ""},
		{"AfterFunc", func() { program(func() { time.AfterFunc(time.Hour, rings).Stop() }) }, "realtimers_test.go:35"},
		{"NewTimer", func() { program(func() { time.NewTimer(time.Hour).Stop() }) }, "realtimers_test.go:36"},
		{"NewTicker", func() { program(func() { time.NewTicker(time.Hour).Stop() }) }, "realtimers_test.go:37"},
		{"After", func() { program(func() { time.After(time.Hour) }) }, "realtimers_test.go:38"},
		{"a context", func() {
			program(func() {
				_, cancel := context.WithTimeout(context.Background(), time.Hour)
				cancel()
			})
		}, "realtimers_test.go:41"},
		{"the first random number", func() { program(func() { rand.Text() }) }, ""},
		{"another's", func() { time.AfterFunc(time.Hour, rings).Stop() }, ""},
	} {
		if got := find(tt.set); got != tt.want {
			t.Errorf("%s: found %q, want %q", tt.name, got, tt.want)
		}
	}
	again := func() { program(func() { time.AfterFunc(time.Hour, rings).Stop() }) }
	for range 2 {
		if got := find(again); !strings.HasPrefix(got, "realtimers_test.go:") || strings.Contains(got, ",") {
			t.Errorf("again: found %q", got)
		}
		if got := find(func() { program(rings) }); got != "" {
			t.Errorf("after that: found %q in a program that sets no timer", got)
		}
	}
	if runtime.MemProfileRate != before {
		t.Errorf("the rate is %d, and was %d", runtime.MemProfileRate, before)
	}
}

var sink *[4]int
