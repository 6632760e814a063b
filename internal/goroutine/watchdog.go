package goroutine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// This file notices that a program under control makes no progress: its handler loops for ever, or blocks on something
// that nothing under control will release.
//
// It is the one place of the dynamic half that looks at real time. A step costs an atomic addition, an execution one
// reused timer; stacks are looked at only when time is up. Time that the exploration itself takes does not count
// (IsExploring).

// DefaultLimit is the limit that stands for 0.
const DefaultLimit = 10 * time.Second

// Slices is how often within the limit progress is looked for. Its absence is looked at twice, a slice apart, so it is
// noticed at most 2/Slices too late.
const Slices = 8

// Watchdog watches one program. Beat may be called from any goroutine, Watch from one at a time.
type Watchdog struct {
	// Stuck says which goroutines are the program's, and to show, given the text that runtime.Stack prints for one; nil
	// shows all.
	Stuck func(stack string) bool
	// Wedged reports whether it is known that there will be no more progress. It is asked where there was none for a
	// moment, and then less and less often; nil: it is not known.
	Wedged func() bool

	limit time.Duration
	beats atomic.Uint64
	timer *time.Timer
}

// StuckError says that nothing happened for too long.
type StuckError struct {
	Limit  time.Duration
	Stacks string // of the goroutines to show, as runtime.Stack prints them
}

func (e *StuckError) Error() string {
	return fmt.Sprintf("no progress for %v: it loops for ever, or it blocks on something outside control "+
		"(a mutex held elsewhere, a channel nobody serves, the network); end the wait or replace what it waits for in the "+
		"test\n%s",
		e.Limit, e.Stacks)
}

// NewWatchdog makes a watchdog that gives up after limit without a beat; 0 is DefaultLimit.
func NewWatchdog(limit time.Duration) *Watchdog {
	if limit == 0 {
		limit = DefaultLimit
	}
	return &Watchdog{limit: limit}
}

// Beat says that there was progress.
func (w *Watchdog) Beat() { w.beats.Add(1) }

// Watch waits for done (a value, or its closing). It gives a *StuckError if the limit passes without a beat before
// that.
// While a debugger traces the process, or the exploration itself is busy, it does not give up.
func (w *Watchdog) Watch(done <-chan struct{}) error {
	next, parts, stop := w.ticks()
	defer stop()
	last, still, idle := w.beats.Load(), 0, 0
	for {
		select {
		case <-done:
			return nil
		case <-next():
		}
		if now := w.beats.Load(); now != last || traced() {
			last, still, idle = now, 0, 0
			continue
		}
		if idle++; w.Wedged != nil && idle&(idle-1) == 0 && w.Wedged() {
			return ErrWedged
		}
		if idle%parts != 0 {
			continue
		}
		if still++; still >= Slices {
			switch stacks, ours := w.stacks(); {
			case ours:
				still = 0
			case still > Slices: // SUBTLE: one look may fall between the exploration's last thought and the program's next beat
				return &StuckError{Limit: w.limit, Stacks: stacks}
			}
		}
	}
}

// ErrWedged is what Watch gives where Wedged says so.
var ErrWedged = errors.New("it waits for ever")

// moment is after how long Wedged is asked first.
const moment = 10 * time.Millisecond

// ticks gives what waits for the next part of a slice of the limit, how many parts a slice has, and what ends that.
func (w *Watchdog) ticks() (next func() <-chan time.Time, parts int, stop func()) {
	if c := simulated.Load(); c != nil {
		return func() <-chan time.Time { return *c }, 1, func() {}
	}
	tick, parts := max(w.limit/Slices, time.Millisecond), 1
	if w.Wedged != nil && tick > moment {
		parts = int(tick / moment)
		tick /= time.Duration(parts)
	}
	if w.timer == nil {
		w.timer = time.NewTimer(tick)
	}
	return func() <-chan time.Time {
		w.timer.Reset(tick)
		return w.timer.C
	}, parts, func() { w.timer.Stop() }
}

// simulated is the time of tests, nil outside of them.
var simulated atomic.Pointer[chan time.Time]

// Simulate has all watchdogs of the process take each value of ticks for a slice of their limit that has passed, until
// restore is called. Whoever sends one knows that it was taken. For tests, which no machine is too slow for then.
func Simulate() (ticks chan<- time.Time, restore func()) {
	c := make(chan time.Time)
	simulated.Store(&c)
	return c, func() { simulated.Store(nil) }
}

// Hang is for programs of tests that never give control back, which call hangs before that: then the limit passes, and
// no time before that, however slow the machine is. restore ends that.
func Hang() (hangs, restore func()) {
	ticks, restored := Simulate()
	reached, over := make(chan struct{}, 1), make(chan struct{})
	go func() {
		for {
			select {
			case <-reached:
			case <-over:
				return
			}
			for range Slices + 2 { // one may go to what was done since the last look; the last is the second look
				select {
				case ticks <- time.Time{}:
				case <-over:
					return
				}
			}
		}
	}()
	return func() { reached <- struct{}{} }, func() { close(over); restored() }
}

// stacks gives the goroutines to show, or all if that says nothing; ours: one of them is busy with the exploration, not
// with the program.
func (w *Watchdog) stacks() (stacks string, ours bool) {
	buf := make([]byte, 1<<20)
	all := string(buf[:runtime.Stack(buf, true)])
	var shown []string
	for _, g := range strings.Split(all, "\n\n") {
		if w.Stuck == nil || w.Stuck(g) {
			shown = append(shown, g)
			ours = ours || IsExploring(g)
		}
	}
	if len(shown) == 0 {
		return all, false
	}
	return strings.Join(shown, "\n\n"), ours
}

// traced reports whether a debugger is attached. Only Linux says so cheaply; elsewhere the answer is no.
func traced() bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	_, rest, ok := bytes.Cut(status, []byte("TracerPid:"))
	if !ok {
		return false
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	pid, err := strconv.Atoi(string(bytes.TrimSpace(line)))
	return err == nil && pid != 0
}
