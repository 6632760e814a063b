package delivery

import "slices"

// Waits reports whether message m lies before its receiver: neither taken nor cancelled, nor held by its sender.
func (p *Pool) Waits(m int32) bool {
	msg := &p.tr.Messages[m]
	return int(msg.Receiver) < len(p.boxes) && slices.Contains(p.boxes[msg.Receiver].queues[LaneOf(p.model, msg)], m)
}
