package rehearse

import (
	"fmt"
	"sync/atomic"
	"time"
)

// This file says how long a Check, or an Explore, may take. Its parts have ends of their own, so that each keeps to the budget and leaves time to the
// tests that come later:
//
//	exploring       a budget of time; else a share of what is left of -timeout. After that nothing begins, and what runs is cut, but for the first
//	                execution, which is given some time more (patience).
//	investigating   minimising, explaining and replaying what was found: what is left of the budget, or a part of it (see investigation)
//	saved schedules the share
//
// All of them end before -timeout, in time to report.

// share is the part of what is left of -timeout that is given to what has no budget of time: one in so many.
const share = 4

// patience is how long the first execution may go on at least when the time to explore is up.
const patience = 10 * time.Second

// The least time for the investigation of what was found, where the budget is a number of executions, and where it is a time that is over.
const (
	leastInvestigation = 30 * time.Second
	leastOvertime      = time.Second
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

// margin is the part of the time left that is kept for minimising, reporting and what else the test does.
func margin(left time.Duration) time.Duration { return min(max(left/10, time.Second), 30*time.Second) }

// endBefore has everything end before -timeout. A handler that hangs is given up early enough to tell of it.
func (s *session) endBefore(deadline time.Time) {
	left := time.Until(deadline)
	s.limit = deadline.Add(-margin(left))
	s.Blocked = min(s.Blocked, max((left/2).Round(10*time.Millisecond), 10*time.Millisecond))
}

// shared gives the end of something that begins now and has no budget of its own; zero: none.
func (s *session) shared() time.Time {
	if s.limit.IsZero() {
		return time.Time{}
	}
	return time.Now().Add(time.Until(s.limit) / share)
}

// exploreUntil says when the exploration begins nothing more, zero if never. late: because of -timeout.
func (s *session) exploreUntil() (at time.Time, late bool) {
	switch b := s.budget; {
	case b.Time > 0:
		at = s.began.Add(b.Time)
	case b.Executions > 0 && !s.limit.IsZero():
		return s.began.Add(s.limit.Sub(s.began) / share), true
	}
	if !s.limit.IsZero() && (at.IsZero() || s.limit.Before(at)) {
		return s.limit, true
	}
	return at, false
}

// exploring sets the alarms of the exploration: soft says that nothing is to begin any more, s.end that nothing is to go on.
func (s *session) exploring() (soft *alarm, release func()) {
	at, _ := s.exploreUntil()
	hard := at
	if !at.IsZero() {
		hard = s.within(at.Add(max(patience, at.Sub(s.began)/2)))
	}
	soft = alarmAt(at)
	done := s.endAt(hard)
	return soft, func() {
		soft.stop()
		done()
	}
}

// within is a time that is not after -timeout.
func (s *session) within(at time.Time) time.Time {
	if !s.limit.IsZero() && s.limit.Before(at) {
		return s.limit
	}
	return at
}

// endAt lets what follows go on until then.
func (s *session) endAt(at time.Time) (done func()) {
	oldEnd, oldMemory := s.end, s.memory
	end, memory := alarmAt(at), guardMemory()
	s.end, s.memory = end, memory
	return func() {
		end.stop()
		memory.stop()
		s.end, s.memory = oldEnd, oldMemory
	}
}

// investigation gives the end of the investigation, from now on, of the first of so many findings: an even part of the time that there is.
func (s *session) investigation(findings int) time.Time {
	now := time.Now()
	end := now.Add(max(leastInvestigation, now.Sub(s.began)))
	if b := s.budget.Time; b > 0 {
		end = s.began.Add(b)
		if least := now.Add(max(leastOvertime, b/10)); end.Before(least) {
			end = least
		}
	} else if at := s.shared(); !at.IsZero() && at.Before(end) {
		end = at
	}
	return now.Add(s.within(end).Sub(now) / time.Duration(max(1, findings)))
}

// over is explore.Options.Over.
func (s *session) over() (why, remedy string) {
	if s.end.rings() {
		return fmt.Sprintf("the time was up after %s, and still going", s.end.after.Round(time.Millisecond)), "raise Config.Budget or -timeout"
	}
	return s.memory.over()
}

func (s *session) isOver() bool {
	why, _ := s.over()
	return why != ""
}

// stop is asked before each execution.
func (s *session) stop() bool {
	at, late := s.exploreUntil()
	now := time.Now()
	if at.IsZero() || now.Before(at) {
		return false
	}
	// However short the time and slow the machine, the program is executed once, unless even that takes too long or -timeout is near.
	if s.done == 0 && now.Before(s.within(at.Add(2*patience))) {
		return false
	}
	s.late, s.timeUp = late, !late
	return true
}
