package session

import (
	"sync/atomic"
	"time"
)

// alarm rings at a time. It may be asked in the middle of an execution, where the clock is a virtual one. A goroutine
// beside it rings. It is there from the beginning, since one that begins in the middle of a step would be taken for the
// program's. A nil alarm never rings.
type alarm struct {
	after time.Duration // from when it was set
	rung  atomic.Bool
	quit  chan struct{} // nil: there is no goroutine
}

// alarmAt sets an alarm; none for the zero time.
func alarmAt(at time.Time) *alarm {
	if at.IsZero() {
		return nil
	}
	a := &alarm{after: max(0, time.Until(at))}
	if a.after == 0 {
		a.rung.Store(true)
		return a
	}
	a.quit = make(chan struct{})
	go a.wait()
	return a
}

// wait rings after its time, and is there until stop.
func (a *alarm) wait() {
	timer := time.NewTimer(a.after)
	defer timer.Stop()
	select {
	case <-timer.C:
		a.rung.Store(true)
		<-a.quit
	case <-a.quit:
	}
}

func (a *alarm) rings() bool { return a != nil && a.rung.Load() }

func (a *alarm) stop() {
	if a != nil && a.quit != nil {
		close(a.quit)
	}
}
