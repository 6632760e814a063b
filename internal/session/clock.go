package session

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

// clock says how long a session may take. Its parts have ends of their own, so that each keeps to the budget and leaves
// time to the tests that come later:
//
//	exploring       a budget of time; else a share of what is left of -timeout. After that nothing begins, and what runs
//	                is cut, but for the first execution, which is given some time more (patience).
//	investigating   minimising, explaining and replaying what was found: what is left of the budget, or a part of it (see
//	                investigation)
//	saved schedules the share
//
// All of them end before -timeout, in time to report.
type clock struct {
	budget explore.Budget
	began  time.Time
	limit  time.Time    // when to stop because of -timeout; zero: never
	end    *alarm       // of what goes on: nothing is executed after it; nil: none
	memory *memoryGuard // of what goes on; nil: none
	late   bool         // stopped because of limit
	timeUp bool         // stopped because of the budget
}

// share is the part of what is left of -timeout that is given to what has no budget of time: one in so many.
const share = 4

// patience is how long the first execution may go on at least when the time to explore is up.
const patience = 10 * time.Second

// The least time for the investigation of what was found, where the budget is a number of executions, and where it is a
// time that is over.
const (
	leastInvestigation = 30 * time.Second
	leastOvertime      = time.Second
)

// margin is the part of the time left that is kept for minimising, reporting and what else the test does.
func margin(left time.Duration) time.Duration { return min(max(left/10, time.Second), 30*time.Second) }

// endBefore has everything end before -timeout, and says how much time is left until then.
func (c *clock) endBefore(deadline time.Time) (left time.Duration) {
	left = time.Until(deadline)
	c.limit = deadline.Add(-margin(left))
	return left
}

// Share lets what follows take what something takes that has no budget of its own.
func (c *clock) Share() (done func()) { return c.endAt(c.shared()) }

// UntilTimeout lets what follows go on until shortly before -timeout.
func (c *clock) UntilTimeout() (done func()) { return c.endAt(c.limit) }

// shared gives the end of something that begins now and has no budget of its own; zero: none.
func (c *clock) shared() time.Time {
	if c.limit.IsZero() {
		return time.Time{}
	}
	return time.Now().Add(time.Until(c.limit) / share)
}

// exploreUntil says when the exploration begins nothing more, zero if never. late: because of -timeout.
func (c *clock) exploreUntil() (at time.Time, late bool) {
	switch b := c.budget; {
	case b.Time > 0:
		at = c.began.Add(b.Time)
	case b.Executions > 0 && !c.limit.IsZero():
		return c.began.Add(c.limit.Sub(c.began) / share), true
	}
	if !c.limit.IsZero() && (at.IsZero() || c.limit.Before(at)) {
		return c.limit, true
	}
	return at, false
}

// exploring sets the alarms of the exploration: soft says that nothing is to begin any more, c.end that nothing is to
// go on.
func (c *clock) exploring() (soft *alarm, release func()) {
	at, _ := c.exploreUntil()
	hard := at
	if !at.IsZero() {
		hard = c.within(at.Add(max(patience, at.Sub(c.began)/2)))
	}
	soft = alarmAt(at)
	done := c.endAt(hard)
	return soft, func() {
		soft.stop()
		done()
	}
}

// within is a time that is not after -timeout.
func (c *clock) within(at time.Time) time.Time {
	if !c.limit.IsZero() && c.limit.Before(at) {
		return c.limit
	}
	return at
}

// endAt lets what follows go on until then.
func (c *clock) endAt(at time.Time) (done func()) {
	oldEnd, oldMemory := c.end, c.memory
	end, memory := alarmAt(at), guardMemory()
	c.end, c.memory = end, memory
	return func() {
		end.stop()
		memory.stop()
		c.end, c.memory = oldEnd, oldMemory
	}
}

// investigation gives the end of the investigation, from now on, of the first of so many findings: an even part of the
// time that there is.
func (c *clock) investigation(findings int) time.Time {
	now := time.Now()
	end := now.Add(max(leastInvestigation, now.Sub(c.began)))
	if b := c.budget.Time; b > 0 {
		end = c.began.Add(b)
		if least := now.Add(max(leastOvertime, b/10)); end.Before(least) {
			end = least
		}
	} else if at := c.shared(); !at.IsZero() && at.Before(end) {
		end = at
	}
	return now.Add(c.within(end).Sub(now) / time.Duration(max(1, findings)))
}

// over is explore.Options.Over.
func (c *clock) over() (why, remedy string) {
	if c.end.rings() {
		return fmt.Sprintf("the time was up after %s, and still going", c.end.after.Round(time.Millisecond)),
			"raise Config.Budget or -timeout"
	}
	return c.memory.over()
}

func (c *clock) isOver() bool {
	why, _ := c.over()
	return why != ""
}

// stop is asked before each execution; done is how many there were.
func (c *clock) stop(done int) bool {
	at, late := c.exploreUntil()
	now := time.Now()
	if at.IsZero() || now.Before(at) {
		return false
	}
	// However short the time and slow the machine, the program is executed once, unless even that takes too long or
	// -timeout is near.
	if done == 0 && now.Before(c.within(at.Add(2*patience))) {
		return false
	}
	c.late, c.timeUp = late, !late
	return true
}

// leastSpare is the time that repeats may always take when the exploration is over.
const leastSpare = time.Second

// spare gives what reports whether there is time for another repeat when the exploration is over: as long as it took
// itself.
func (c *clock) spare() func() bool {
	var end time.Time
	return func() bool {
		now := time.Now()
		if end.IsZero() {
			end = now.Add(max(leastSpare, now.Sub(c.began)))
		}
		return now.Before(end)
	}
}
