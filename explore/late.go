package explore

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// This file ends what takes too long. A budget of time is looked at between executions. Where thousands of messages
// wait, or a handler sleeps, one execution and the planning of the next may take longer than all of it. So it is looked
// at in between as well. Nothing here knows a clock.

// late reports whether the time is up. Once it is, nothing begins any more.
func (r *run) late() bool {
	r.expired = r.expired || r.o.Late != nil && r.o.Late()
	return r.expired
}

// unhurried is the number of steps for which the first execution follows its strategy in any case.
const unhurried = 64

// mayHalt reports whether halts has to be asked.
func (r *run) mayHalt() bool {
	return r.timed || r.left || r.steps > r.o.MaxSteps || r.looksAt()
}

// halts ends the execution before a step if it must: the time is up and it is not the first, or it does not come to an
// end. That is a livelock if why says so.
func (r *run) halts() bool {
	r.why, r.remedy = "", ""
	if (r.left || r.late()) && !r.abandon() {
		return true
	}
	why, remedy := r.endless(), "raise MaxSteps"
	if why == "" && r.o.Over != nil {
		if why, remedy = r.o.Over(); why != "" {
			r.expired = true
			r.leave()
		}
	}
	if why == "" {
		return false
	}
	if r.cut = true; r.counts || !r.left {
		r.out.Bounded = true
		r.why, r.remedy = why, remedy
	}
	return true
}

// livelock is the violation for which the execution ends before a step that was possible.
func (r *run) livelock(next *trace.Step) {
	tr := r.x.Trace()
	v := trace.Violation{Kind: trace.Livelock, Event: len(tr.Events), Actor: tr.ActorName(next.Actor),
		ActorType: tr.Actors[next.Actor].Type.Name,
		Text:      fmt.Sprintf("%s: next is %s; %s if the program is right", r.why, tr.StepName(*next), r.remedy)}
	if next.Message >= 0 {
		v.MessageType = tr.Messages[next.Message].Type.Name
	}
	r.add([]trace.Violation{v})
}

// leave leaves the strategy alone in the middle of an execution. It learns nothing of it, so nothing can be said of its
// parts: the execution has one finding, the first.
func (r *run) leave() { r.left, r.representative = true, nil }

// abandon reports whether the execution goes on although the time is up. The first does, in the default order if it is
// long, so that a program is executed once however short the budget is. Another one is cut and counts for nothing. So
// is a repetition, which shows nothing before its end.
func (r *run) abandon() bool {
	if goes := r.counts && r.out.Executions+r.out.Blocked == 0 && len(r.found) == 0; !goes {
		r.leave()
		r.cut = true
		return false
	}
	if r.steps > unhurried {
		r.leave()
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
