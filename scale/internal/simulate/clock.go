package simulate

import (
	"container/heap"
	"time"
)

// event is something that happens at a time.
type event struct {
	at     time.Duration
	number int // events of the same time happen in the order in which they were planned
	do     func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].number < e[j].number
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// clock is virtual time.
type clock struct {
	now     time.Duration
	planned events
	number  int
}

// after plans what is to happen in d.
func (c *clock) after(d time.Duration, do func()) {
	c.number++
	heap.Push(&c.planned, event{at: c.now + d, number: c.number, do: do})
}

// step lets the next event happen, false if there is none.
func (c *clock) step() bool {
	if len(c.planned) == 0 {
		return false
	}
	e := heap.Pop(&c.planned).(event)
	c.now = e.at
	e.do()
	return true
}

// station does one thing after the other.
type station struct {
	clock *clock
	free  time.Duration // when it has done all that it was given
	busy  time.Duration // in all
	wait  time.Duration // the longest that something waited for its turn
}

// serve does something that takes cost, when all that came before is done.
func (s *station) serve(cost time.Duration, done func()) {
	start := max(s.clock.now, s.free)
	s.wait = max(s.wait, start-s.clock.now)
	s.free = start + cost
	s.busy += cost
	s.clock.after(s.free-s.clock.now, done)
}
