package chance

import "github.com/rehearse-go/rehearse/trace"

// Widest is the number of values of a draw that are asked for at most.
const Widest = widest

// Key is what comes before the next draw of the open part.
func (x *Explorer) Key(tr *trace.Trace) trace.ID {
	x.findKey(tr)
	return x.key
}

// Looked is the number of events that were compared with those of the last execution.
func (x *Explorer) Looked() int { return x.looked }

// Place says where a draw was made.
func Place(d *Draw) string { return place(d) }
