package causal

import (
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: what waits at a point of the record. The rules of the delivery models answer that (internal/delivery).

// before gives what waits right before event i. Len is the end.
func (o *Order) before(i int32) *delivery.At {
	at := o.cursor()
	at.To(o.first + int(i))
	return at
}

// cursor gives the cursor where it is.
func (o *Order) cursor() *delivery.At {
	if !o.reading {
		o.at.Reset(o.model, o.Timers(), o.tr)
		o.reading = true
	}
	return &o.at
}

// Timers says when timers may fire.
func (o *Order) Timers() trace.TimerMode {
	if o.async {
		return trace.Async
	}
	return trace.Quiescent
}

// lane gives the order that a message obeys at its receiver.
func (o *Order) lane(m int32) delivery.Lane { return delivery.LaneOf(o.model, &o.tr.Messages[m]) }
