package order

import "github.com/rehearse-go/rehearse/trace"

// Messages are numbered in the order of sending. A step without a message (a fault, a value for Choose) comes first.

// fifo is [Basset11] 4.2, 3: the actor whose oldest deliverable message was sent first.
type fifo struct{ keyed }

func (*fifo) Name() string { return "FIFO" }

// Actors has those first whose oldest message was sent first.
func (f *fifo) Actors(into []int32, _ *trace.Trace, enabled []trace.Step) []int32 {
	return f.actors(into, enabled, func(actor int32) int {
		oldest := int32(-1)
		for i := range enabled {
			if s := &enabled[i]; s.Actor == actor && (oldest < 0 || s.Message < oldest) {
				oldest = s.Message
			}
		}
		return int(oldest)
	})
}

// lifo is [Basset11] 4.2, 4: the actor whose youngest deliverable message was sent last.
type lifo struct{ keyed }

func (*lifo) Name() string { return "LIFO" }

// Actors has those first whose youngest message was sent last.
func (l *lifo) Actors(into []int32, _ *trace.Trace, enabled []trace.Step) []int32 {
	return l.actors(into, enabled, func(actor int32) int {
		youngest := int32(-1)
		for i := range enabled {
			if s := &enabled[i]; s.Actor == actor {
				youngest = max(youngest, s.Message)
			}
		}
		return -int(youngest)
	})
}
