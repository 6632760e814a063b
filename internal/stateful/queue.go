package stateful

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

func compare[T cmp.Ordered](a, b T) int { return cmp.Compare(a, b) }

// queue is the pending messages in the order of their sending, with what the delivery model knows of their order.
type queue struct {
	model    trace.Model
	tr       *trace.Trace
	arranged explore.Arrangement
	messages []int32
	position map[int32]uint64 // among those with which it stands in a queue
	holder   map[int32]int32
}

// line is a queue in which a message stands.
type line struct {
	receiver, sender, holder int32
	kind                     trace.MessageKind
}

func (r *Recorder) queue() *queue {
	q := &queue{model: r.Model, tr: r.x.Trace(), arranged: r.x.Arrangement(), position: map[int32]uint64{},
		holder: map[int32]int32{}}
	lengths := map[line]uint64{}
	r.x.Pending(func(m int32) {
		q.messages = append(q.messages, m)
		q.holder[m] = q.arranged.Holder(m)
		if l, stands := q.line(m); stands {
			q.position[m] = lengths[l]
			lengths[l]++
		}
	})
	slices.Sort(q.messages)
	return q
}

// line gives the queue in which the model has a message stand: of its receiver, of its sender at its receiver, or of
// who holds it.
func (q *queue) line(m int32) (l line, stands bool) {
	msg := &q.tr.Messages[m]
	l = line{receiver: msg.Receiver, sender: -1, holder: -1, kind: msg.Kind}
	queues := q.model.Queues()
	switch {
	case q.holder[m] >= 0:
		return line{receiver: -1, sender: -1, holder: q.holder[m]}, true
	case msg.Kind == trace.System:
		return l, true
	case queues && (msg.Kind == trace.User || msg.Kind == trace.Timeout):
		l.kind = trace.User
		return l, true
	case q.model == trace.FIFO && msg.Kind == trace.User:
		l.sender = msg.Sender
		return l, true
	}
	return l, false
}

// order tells the place of the i-th message.
func (q *queue) order(e *encoder, i int) {
	m := q.messages[i]
	e.put(q.position[m])
	e.putActor(q.holder[m])
	if q.model == trace.Causal {
		q.set(e, func(o int32) bool { return o != m && q.arranged.Follows(m, o) })
	}
}

// known tells which messages' sends an actor knows of, or of which it takes no notice yet.
func (q *queue) known(e *encoder, actor int32) {
	switch q.model {
	case trace.Causal:
		q.set(e, func(o int32) bool { return q.arranged.Knows(actor, o) })
	case trace.Mailbox:
		e.putBool(q.arranged.Overdue(actor))
	}
}

// set refers to the messages that belong.
func (q *queue) set(e *encoder, belongs func(int32) bool) {
	e.mark(open)
	for i, m := range q.messages {
		if belongs(m) {
			e.refer(int32(len(q.tr.Actors) + i))
			e.mark(next)
		}
	}
	e.mark(shut)
}
