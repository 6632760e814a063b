package explore

import "github.com/rehearse-go/rehearse/trace"

// This file ends what takes too long. A budget of time is looked at between executions; where thousands of messages wait, one execution and
// the planning of the next may take longer than all of it, so it is looked at in between as well. Nothing here knows a clock.

// unhurried is the number of choices of an execution before anybody asks for the time: short executions, of which there are many, are not
// slowed down.
const unhurried = 64

// late reports whether the time is up. Once it is, nothing begins any more.
func (r *run) late() bool {
	r.expired = r.expired || r.o.Late != nil && r.o.Late()
	return r.expired
}

// abandon leaves the strategy alone in the middle of an execution, and reports whether that goes on: the first does, in the default order, so
// that a program is executed once however short the budget is; another one is cut and counts for nothing. The strategy learns nothing of it, so nothing
// can be said of its parts: it has one finding, the first.
func (r *run) abandon() bool {
	r.left, r.whole = true, nil
	if r.out.Executions+r.out.Blocked > 0 || len(r.found) > 0 {
		r.cut = true
		return false
	}
	return true
}

// choice is the strategy's, or the default order's where that was left alone.
func (r *run) choice(enabled []trace.Step) Choice {
	if r.left {
		return Choice{Index: trace.First(enabled)}
	}
	return r.chooser.Choose(r.tr, enabled)
}
