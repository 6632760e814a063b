package cover

import "github.com/rehearse-go/rehearse/trace"

// watch follows an execution while it runs. It knows in which order receives were decided at each actor, and how many
// new goals an enabled step would achieve.
//
//	source:     ours; measured in star.go
//	assumes:    what decides about a receive is what frame.go says. What a handler is going to send is not known before
//	cost:       words of the receiver's bits for an enabled step
type watch struct {
	o      *Achieved
	model  trace.Model
	events int        // so many were looked at
	boxes  []*box     // by actor
	seqs   []sequence // by actor
	number []int32    // by message: its number in its box, unasked if nobody asked
}

const unasked = -2

// begin forgets the last execution.
func (w *watch) begin(o *Achieved, model trace.Model) {
	w.o, w.model, w.events = o, model, 0
	w.boxes, w.number = w.boxes[:0], w.number[:0]
}

// follow looks at what has happened since.
func (w *watch) follow(tr *trace.Trace) {
	for len(w.boxes) < len(tr.Actors) {
		a := len(w.boxes)
		w.boxes = append(w.boxes, w.o.box(tr.Actors[a].ID))
		if a == len(w.seqs) {
			w.seqs = append(w.seqs, sequence{})
		}
		w.seqs[a].reset()
	}
	for len(w.number) < len(tr.Messages) {
		w.number = append(w.number, unasked)
	}
	w.events = max(w.events, tr.Explored)
	for ; w.events < len(tr.Events); w.events++ {
		e := &tr.Events[w.events]
		switch w.model {
		case trace.Mailbox:
			if e.Released >= 0 {
				w.decided(tr, e.Released)
			}
		case trace.MailboxSerial:
			for _, m := range e.Sent {
				w.decided(tr, m)
			}
		default:
			if Asynchronous(tr, w.events) {
				w.decided(tr, e.Step.Message)
			}
		}
		if e.Step.Kind == trace.Timer { // in a mailbox model
			w.decided(tr, e.Step.Message)
		}
	}
}

// at gives a message's number in its box, -1 if it is none that goals are about.
func (w *watch) at(tr *trace.Trace, m int32) int32 {
	if w.number[m] == unasked {
		w.number[m] = -1
		if msg := &tr.Messages[m]; msg.Kind == trace.User || msg.Kind == trace.Timeout {
			w.number[m] = w.o.number(w.boxes[msg.Receiver], msg.ID)
		}
	}
	return w.number[m]
}

func (w *watch) decided(tr *trace.Trace, m int32) {
	if at := w.at(tr, m); at >= 0 {
		// Gains are of PR and PCR, for which changes of handlers do not count.
		w.seqs[tr.Messages[m].Receiver].put(at, false)
	}
}

// gain counts the goals of PR that a step would achieve for the first time.
func (w *watch) gain(tr *trace.Trace, s *trace.Step) int {
	decides := s.Kind == trace.Deliver && !w.model.Queues() || s.Kind == trace.Send
	if !decides || s.Message < 0 {
		return 0
	}
	to := tr.Messages[s.Message].Receiver
	at := w.at(tr, s.Message)
	return w.boxes[to].gain(PR, &w.seqs[to], at)*2 + w.boxes[to].gain(PCR, &w.seqs[to], at)
}
