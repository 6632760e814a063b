package causal

import "github.com/rehearse-go/rehearse/internal/delivery"

// This file: what waits at a point of the record. The rules of the delivery models answer that (internal/delivery).

// before gives what waits right before event i. Len is the end.
func (o *receives) before(i int32) *delivery.At {
	at := o.cursor()
	at.To(o.first + int(i))
	return at
}

// cursor gives the cursor where it is.
func (o *receives) cursor() *delivery.At {
	if !o.reading {
		o.at.Reset(o.model, o.Timers(), o.tr)
		o.reading = true
	}
	return &o.at
}
