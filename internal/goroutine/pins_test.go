package goroutine

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// Of the timers that were stopped since pins are held one at least is seen when the next one runs, whatever was set
// before. Pins are few.
func TestPins(t *testing.T) {
	if !readsG {
		t.Log("timers are not looked at here")
		return
	}
	hidden := 0
	for seed := range uint64(200) {
		synctest.Test(t, func(t *testing.T) {
			FindTimers()
			r := rand.New(rand.NewPCG(seed, 3))
			anyDelay := func() time.Duration { return time.Duration(2+r.IntN(20)) * time.Duration(1+r.IntN(2)*1e6) }
			var pins Pins
			for range 6 {
				for range r.IntN(8) {
					timer := time.AfterFunc(anyDelay(), chimes)
					if r.IntN(3) == 0 {
						timer.Stop()
					}
				}
				holds := seed%4 > 0
				if holds {
					pins.Hold()
				}
				stopped := false
				for range 1 + r.IntN(6) {
					if r.IntN(2) == 0 {
						time.AfterFunc(anyDelay(), rings).Stop()
						stopped = true
						continue
					}
					time.AfterFunc(anyDelay(), chimes)
					seen := slices.Contains(seen(), "rings stopped")
					if holds && stopped && !seen {
						t.Errorf("seed %d: no timer is seen that was stopped", seed)
					}
					if !holds && stopped && !seen {
						hidden++
					}
					if stopped = false; holds {
						pins.Hold()
					}
				}
				pins.Release()
				time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
			}
			if n := len(pins.rest); n > 200 {
				t.Errorf("seed %d: %d pins", seed, n)
			}
			pins.Remove()
		})
	}
	if hidden == 0 {
		t.Error("no timer is hidden without pins")
	}
}
