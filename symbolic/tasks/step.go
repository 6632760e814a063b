package tasks

// Step is one run of a task until it waits or ends.
type Step struct {
	Actor, Message string
	Number         int  // of the actor: 0 is the tested one, then those that were created
	Nth            int  // which of the messages of this name that have come to the actor, from 1
	Overtakes      bool // an older one of this name waits in the queue
	Resumed        bool
	Lost           bool // under Polling: the task could not go on
	Time           bool // under Async: no run, but time passes until a request of the actor times out
	// of a resumption in protoactor-go: the actor waited for it in the middle of a handler, and handled nothing meanwhile
	Blocked bool
	AtOnce  bool // of the same: the request has timed out when it was made, since its limit is 0
	Came    int  // of a resumption in protoactor-go: how many of the steps were before the answer, or the timeout
	// of a resumption in protoactor-go: which input it got as an answer, and which error if any; empty for the reply of an
	// actor of the case
	Answer string
}

func (s Step) String() string {
	if s.Time {
		return "time passes for " + s.Actor
	}
	text := s.Actor + "." + s.Message
	switch {
	case s.Resumed && s.Answer != "":
		text += " (await " + s.Answer + ")"
	case s.Resumed:
		text += " (await)"
	}
	if s.Lost {
		text += " lost"
	}
	return text
}

// step tells of a run of a task.
func (t *task) step() Step {
	step := Step{Actor: t.obj.name, Number: t.obj.number, Message: t.name, Nth: t.nth, Resumed: t.stack != nil ||
		t.on != nil, Blocked: t.stack != nil && t.sender != nil}
	for _, u := range t.obj.queue {
		step.Overtakes = step.Overtakes || !step.Resumed && u.name == t.name && u.nth < t.nth
	}
	for _, f := range []*future{t.on, t.awaited} {
		if f != nil {
			step.Answer, step.Came, step.AtOnce = f.how, f.came, f.atOnce
		}
	}
	return step
}

// count numbers a message that comes to an actor.
func (t *task) count() {
	if t.nth > 0 {
		return
	}
	if t.obj.came == nil {
		t.obj.came = map[string]int{}
	}
	t.obj.came[t.name]++
	t.nth = t.obj.came[t.name]
}
