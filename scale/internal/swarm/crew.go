package swarm

import (
	"context"
	"sync"
	"time"
)

// crew are the hands of an agent that work at a job.
type crew struct {
	mu      sync.Mutex
	hands   []hand
	stopped bool
	late    bool          // and those that go on are killed
	busy    int           // hands that have a task
	since   time.Time     // when that became so few
	ended   chan struct{} // closed when no hand works any more
	within  time.Duration // that they end, when all is stopped
}

// endWithin is how long a hand may take to end what it does when all is stopped. An execution that hangs never ends.
const endWithin = 5 * time.Second

// idleFor is how long a job may have no tasks before its agents look at another one.
const idleFor = 3 * time.Second

// works says that a hand has a task, or that it has none any more.
func (c *crew) works(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.busy += n
	c.since = time.Now()
}

// forsaken waits until nobody has had a task for some time while another job is there; false: the job was over before.
func (c *crew) forsaken(ctx context.Context, another func() bool) bool {
	look := time.NewTicker(idleFor / 3)
	defer look.Stop()
	c.works(0)
	for {
		select {
		case <-ctx.Done():
			return false
		case now := <-look.C:
			c.mu.Lock()
			idle := c.busy == 0 && now.Sub(c.since) > idleFor
			c.mu.Unlock()
			if idle && another() {
				return true
			}
		}
	}
}

func (c *crew) join(h hand) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hands = append(c.hands, h)
	if c.stopped {
		h.Stop()
	}
	if c.late {
		h.Abandon()
	}
}

// stop has them answer with what they have. Those that do not end are killed.
func (c *crew) stop() {
	c.each(hand.Stop, func() { c.stopped = true })
	late := time.NewTimer(c.within)
	defer late.Stop()
	select {
	case <-c.ended:
	case <-late.C:
		c.each(hand.Abandon, func() { c.late = true })
	}
}

// each does something with all hands, and before that what makes join do it with later ones.
func (c *crew) each(do func(hand), before func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before()
	for _, h := range c.hands {
		do(h)
	}
}
