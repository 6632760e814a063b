package explore

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// This file says when an execution is taken not to end. It may take MaxSteps steps, and as many more as it takes to
// deliver what waited at one time: many messages that become fewer come to an end. Where more and more messages wait,
// that is not enough. Each step is chosen among all that wait. So time is the square of the length, and 100,000 steps
// take hours.
//
//	assumes:    a program that is right has not more messages wait than ever after 400 of them have waited on average
//	            over MaxSteps steps
//	invariants: I1 every execution ends: what more steps are allowed is what has waited in the first MaxSteps, or
//	            waits behind them, and is not added to
//	            I2 executions that begin alike are judged alike up to there
//	checked by: crowd_test.go, hostile_test.go in the root

const (
	// crowdEvery is how often it is looked at what waits, in steps. Before, it is looked at after powers of two whether
	// steps send by the thousand.
	crowdEvery = 1 << 10
	// crowdBefore is how many steps before that it is looked too: messages that became more, and no longer do, come to an
	// end.
	crowdBefore = 1 << 4
	// crowd is how many messages may wait, on average over MaxSteps steps.
	crowd = 400
	// few is for how many messages no more steps are allowed than MaxSteps.
	few = 16
	// flood is after how many steps no more than MaxSteps messages may wait, if they become more. As many that a few steps
	// have sent, and no more, come to an end.
	flood = 1 << 7
)

// crowding is what is known of how many messages waited.
type crowding struct {
	looks []look // of this execution, in order
	limit int    // on the steps, once there are more than MaxSteps
}

// look is how many messages waited before a step.
type look struct{ step, waited int }

// back forgets what was seen before steps that are not taken.
func (c *crowding) back(steps int) {
	for n := len(c.looks); n > 0 && c.looks[n-1].step > steps; n-- {
		c.looks = c.looks[:n-1]
	}
}

// most is how many have waited at most when it was looked at.
func (c *crowding) most() (most int) {
	for _, l := range c.looks {
		most = max(most, l.waited)
	}
	return most
}

// looksAt reports whether it is looked at what waits before the present step. Few messages do not matter.
func (r *run) looksAt() bool {
	if r.steps%crowdBefore != 0 || len(r.tr.Messages) <= crowd {
		return false
	}
	return judgedAt(r.steps) || judgedAt(r.steps+crowdBefore)
}

// judgedAt reports whether a number of steps is one after which it is judged what waits.
func judgedAt(steps int) bool {
	return steps%crowdEvery == 0 || steps < crowdEvery && steps&(steps-1) == 0
}

// endless says why the execution is ended, "" if it is not. It is asked before each step.
func (r *run) endless() string {
	if r.steps > r.o.MaxSteps {
		if why := r.tooLong(); why != "" {
			return why
		}
	}
	if !r.looksAt() {
		return ""
	}
	c, n, most := &r.crowding, r.waits(), r.crowding.most()
	c.looks = append(c.looks, look{r.steps, n})
	if n > most && judgedAt(r.steps) &&
		(r.steps >= crowdEvery && c.crowded(r.o.MaxSteps) || r.steps >= flood && n > r.o.MaxSteps) {
		return fmt.Sprintf("after %d steps %d messages wait, more than ever, and still going", r.steps-1, n)
	}
	return ""
}

// tooLong says why an execution of more than MaxSteps steps is ended, "" if it is not.
func (r *run) tooLong() string {
	c, bound := &r.crowding, r.o.MaxSteps
	if r.steps == bound+1 {
		if c.limit = bound; max(c.most(), r.waits()) > few {
			c.limit += r.toDeliver(max(c.most(), r.waits()))
		}
	}
	switch {
	case r.steps <= c.limit:
		return ""
	case c.limit > bound:
		return fmt.Sprintf("more than %d steps, %d of them for what waited at one time, and still going", c.limit,
			c.limit-bound)
	}
	return fmt.Sprintf("more than %d steps and still going", bound)
}

// toDeliver is how many steps it takes to deliver so many messages: under mailbox they are released first.
func (r *run) toDeliver(messages int) int {
	if r.o.Conditions.Model == trace.Mailbox {
		return 2 * messages
	}
	return messages
}

// crowded reports whether too many waited all along. Where each step leaves one more that is so after 9,216 steps.
func (c *crowding) crowded(maxSteps int) bool {
	sum := 0
	for _, l := range c.looks {
		if l.step%crowdEvery == 0 {
			sum += l.waited
		}
	}
	return sum > crowd*maxSteps/crowdEvery
}

// waits counts the messages that wait.
func (r *run) waits() (n int) {
	r.x.Pending(func(int32) { n++ })
	return n
}
