package goroutine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// seen lists the timers of the bubble: the last part of their functions' names, and whether they run.
func seen() (all []string) {
	BubbleTimers(func(t Timer) bool {
		state := "runs"
		if t.When == 0 {
			state = "stopped"
		}
		name := t.Func().Name()
		all = append(all, fmt.Sprint(name[strings.LastIndexByte(name, '.')+1:], " ", state))
		return true
	})
	slices.Sort(all)
	return all
}

func rings()  {}
func chimes() {}

// The timers with functions of a bubble are seen, those that were stopped too, and those of no other bubble.
func TestBubbleTimers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if found := FindTimers(); found != readsG {
			t.Fatalf("found: %v", found)
		}
		if !readsG {
			return
		}
		want := func(when string, want ...string) {
			t.Helper()
			if got := seen(); !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", when, got, want)
			}
		}
		want("before")
		ring := time.AfterFunc(time.Second, rings)
		want("set", "rings runs")
		chime := time.AfterFunc(time.Minute, chimes)
		tick := time.NewTimer(time.Second)
		go func() { <-tick.C }()
		go time.Sleep(time.Second)
		synctest.Wait()
		want("beside a sleep and a channel", "chimes runs", "rings runs")
		chime.Stop()
		want("stopped", "chimes stopped", "rings runs")
		chime.Reset(time.Hour)
		want("set again", "chimes runs", "rings runs")
		BubbleTimers(func(x Timer) bool {
			after := map[*time.Timer]time.Duration{ring: time.Second, chime: time.Hour}[x.Timer]
			if want := time.Now().Add(after).UnixNano(); after == 0 || x.When != want {
				t.Errorf("%+v is no timer that was set here, or fires at another time", x)
			}
			return true
		})
		time.Sleep(2 * time.Second)
		want("fired", "chimes runs")
		for range 1000 {
			time.AfterFunc(time.Minute, rings)
		}
		if n := len(seen()); n != 1001 {
			t.Errorf("%d timers are seen, want 1001", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		if got := seen(); len(got) > 0 {
			t.Errorf("in another bubble %q are seen", got)
		}
	})
	if got := seen(); len(got) > 0 {
		t.Errorf("outside of bubbles %q are seen", got)
	}
}
