package explore

import "github.com/rehearse-go/rehearse/trace"

// This file ends an execution: what is judged, and in which order.

// Finish is Driver.Finish. The system's own end state is judged before the test's final assertions run, which may ask
// actors for more. They do not run after a finding, whose consequences they would report.
func (r *run) Finish() {
	natural := !r.cut && !r.t.Ended() && len(r.found) == 0
	r.end = len(r.tr.Events)
	if r.observer != nil && natural {
		r.observer.Close()
	}
	r.takeIn()
	r.judge(natural, r.t.take())
	if r.t.Ended() && len(r.found) == 0 && r.o.Check != nil {
		// Somebody judged the failure and let it pass. Without checks nobody did: FailNow is then how an execution may end.
		r.out.Ended = true
	}
	if r.t.Ended() && r.representative != nil {
		r.out.Ended = true // nobody executes what would have come after it
	}
	if natural && len(r.found) == 0 {
		r.t.runEnds()
		if h, ok := r.x.(Abandoner); ok {
			h.Abandoned(r.t) // takes the lock: a timer may wake a function, whose order the race detector does not see
		}
		r.judge(false, r.t.take())
		r.judgeFrom(int32(r.end))
	}
	if len(r.t.cleanups) > 0 {
		r.t.RunCleanups()
		r.judge(false, r.t.take())
	}
	r.t.over.Store(true)
}

// judgeFrom judges what handlers did for the final assertions: events that nobody observed.
func (r *run) judgeFrom(event int32) {
	for ; r.o.Check != nil && event < int32(len(r.x.Trace().Events)); event++ {
		r.add(r.o.Check.Step(r.x, event))
	}
}

func (r *run) judge(natural bool, late []trace.Incident) {
	if r.o.Check != nil {
		r.add(r.o.Check.End(r.x, natural, late))
	}
}
