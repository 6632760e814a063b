package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file begins the events of the steps that were chosen.

// stepper takes steps.
type stepper struct {
	*execution
	cast         *cast
	recorder     *recorder
	declarations *declarations
	clock        *clock
	injector     *injector
	drawing      *drawing

	enabled []trace.Step // what was listed last
	offer   offer        // what is not listed
}

func (st *stepper) take(s trace.Step) {
	switch s.Kind {
	case trace.Advance:
		st.clock.letTimePass(s, false, st.clock.rest())
	case trace.Send:
		st.recorder.begin(s, false)
		st.act = actSend
	default:
		st.deliver(s, false)
	}
}

// deliver begins the event that handles a message.
func (st *stepper) deliver(s trace.Step, auto bool) {
	st.recorder.begin(s, auto)
	st.pool.Deliver(s.Message)
	st.message = s.Message
	st.act = actHandle
	if st.tr.Messages[s.Message].Kind == trace.Answer {
		st.act = actAnswer
		return
	}
	st.declarations.declare(s.Message)
	if !auto && st.phase == exploring && !st.drawing.anew {
		st.injector.askBefore()
	}
}
