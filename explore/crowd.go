package explore

import "fmt"

// This file says when an execution is taken not to end. Where more and more messages wait, the bound on steps is not
// enough. Each step is chosen among all that wait. So time is the square of the length, and 100,000 steps take hours.

const (
	// crowdEvery is how often it is looked at what waits, in steps. Before, it is looked at after powers of two whether
	// steps send by the thousand.
	crowdEvery = 1 << 10
	// crowd is how many messages may wait, on average over MaxSteps steps.
	crowd = 400
)

// endless says why the execution is ended, "" if it is not. It is asked before each step.
func (r *run) endless() string {
	if r.steps > r.o.MaxSteps {
		return fmt.Sprintf("more than %d steps and still going", r.o.MaxSteps)
	}
	if r.steps >= 8 && r.steps < crowdEvery && r.steps&(r.steps-1) == 0 {
		if n := r.waits(); n > r.o.MaxSteps {
			return fmt.Sprintf("after %d steps %d messages wait, more than can be delivered in %d, and still going",
				r.steps-1, n, r.o.MaxSteps)
		}
	}
	if r.steps%crowdEvery == 0 {
		if n := r.crowded(); n > 0 {
			return fmt.Sprintf("after %d steps %d messages wait, more than ever, and still going", r.steps-1, n)
		}
	}
	return ""
}

// crowded gives how many messages wait, if that is more than before and too many waited all along; else 0. Where each
// step leaves one more that is so after 9,216 steps. As many messages that become fewer come to an end.
func (r *run) crowded() int {
	n := r.waits()
	// An execution that begins like the last one has its beginning's numbers.
	before := r.waiting[:r.steps/crowdEvery-1]
	r.waiting = append(before, n)
	sum, most := n, 0
	for _, w := range before {
		sum, most = sum+w, max(most, w)
	}
	if n > most && sum > crowd*r.o.MaxSteps/crowdEvery {
		return n
	}
	return 0
}

// waits counts the messages that wait.
func (r *run) waits() (n int) {
	r.x.Pending(func(int32) { n++ })
	return n
}
