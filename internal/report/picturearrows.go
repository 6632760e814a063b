package report

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file has the arrows of a picture, and where actors wait.

// arrows are the messages that were handled in a row, or not at all, and the creations of actors in rows.
func (b *pictureBuilder) arrows() {
	tr, arrived, losses := b.diagram.tr, b.arrivals(), b.losses()
	for m := range tr.Messages {
		msg := &tr.Messages[m]
		row, over := arrived[int32(m)]
		kind := arrowKind(msg.Kind)
		if lost := losses[int32(m)]; lost > 0 && row == 0 {
			row, over, kind = lost, true, "lost"
		}
		switch {
		case over && row == 0: // before the first row, or it was lost on its way
			continue
		case !over && !b.pending(int32(m)):
			continue
		case !over:
			row = -1
		}
		b.p.Arrows = append(b.p.Arrows, Arrow{
			From: int(msg.Sender), To: int(msg.Receiver), Sent: b.rowOf[msg.SentBy], Arrived: row,
			Kind: kind, Label: b.message(int32(m)), Marks: b.marksOf(int32(m)),
			Type: oneLine(msg.Type.Name),
		})
	}
	for a := range tr.Actors {
		if c := tr.Actors[a].Creator; c >= 0 && b.rowOf[c] > 0 {
			b.p.Arrows = append(b.p.Arrows, Arrow{
				From: int(tr.Events[c].Step.Actor), To: a, Sent: b.rowOf[c], Arrived: b.rowOf[c],
				Kind: "creation", Label: "creates",
			})
		}
	}
}

// losses gives the row of the fault by which each message was lost that was.
func (b *pictureBuilder) losses() map[int32]int {
	rows := map[int32]int{}
	for i, e := range b.diagram.rows {
		s := &b.diagram.tr.Events[e].Step
		if s.Kind == trace.Fault && s.Message >= 0 && (s.Fault() == trace.Drop || s.Fault() == trace.CrashLosing) {
			rows[s.Message] = i + 1
		}
	}
	return rows
}

// arrivals gives the row in which each message was handled. It is 0 for those of which no row shows that.
func (b *pictureBuilder) arrivals() map[int32]int {
	tr, rows := b.diagram.tr, map[int32]int{}
	for e := range tr.Events {
		if s := &tr.Events[e].Step; s.Message >= 0 && s.Kind != trace.Send && s.Kind != trace.Timer {
			rows[s.Message] = 0
		}
	}
	for i, e := range b.diagram.rows {
		s := &tr.Events[e].Step
		if _, over := rows[s.Message]; over && s.Kind != trace.Send && s.Kind != trace.Timer && s.Kind != trace.Fault {
			rows[s.Message] = i + 1
		}
	}
	return rows
}

// pending reports whether a message that was not handled is worth an arrow: one of the program's, or what decides.
func (b *pictureBuilder) pending(m int32) bool {
	return b.diagram.tr.Messages[m].Kind == trace.User || b.marksOf(m) != ""
}

func arrowKind(k trace.MessageKind) string {
	switch k {
	case trace.Answer:
		return "reply"
	case trace.Timeout:
		return "timeout"
	}
	return "message"
}

// marksOf are the letters of a message that decides.
func (b *pictureBuilder) marksOf(m int32) string {
	marks := ""
	for i, p := range b.diagram.o.Pairs {
		if 2*i+1 >= len(letters) {
			break
		}
		if p.First >= 0 && b.diagram.tr.Events[p.First].Step.Message == m {
			marks += letters[2*i : 2*i+1]
		}
		if p.Message == m {
			marks += letters[2*i+1 : 2*i+2]
		}
	}
	return marks
}

// blocked are the spans in which actors wait in the middle of a handler.
func (b *pictureBuilder) blocked() {
	tr := b.diagram.tr
	waits := map[int32]int{} // by actor: the row since which it does
	for e := range tr.Events {
		ev := &tr.Events[e]
		switch ev.Step.Kind {
		case trace.Deliver, trace.Reply, trace.Resume:
		case trace.Choose, trace.Draw: // in the middle of a step, in which nobody waits
			delete(waits, ev.Step.Actor)
		default:
			continue
		}
		a, row := ev.Step.Actor, b.rowOf[e]
		if from, ok := waits[a]; ok {
			if row > from {
				b.p.Blocked = append(b.p.Blocked, Span{int(a), from, row})
			}
			delete(waits, a)
		}
		if !ev.Completed {
			waits[a] = row
		}
	}
	for a := range tr.Actors {
		if from, ok := waits[int32(a)]; ok && b.p.Lifelines[a].Ends < 0 {
			b.p.Blocked = append(b.p.Blocked, Span{a, from, -1})
		}
	}
	slices.SortFunc(b.p.Blocked, func(x, y Span) int {
		if x.Lifeline != y.Lifeline {
			return x.Lifeline - y.Lifeline
		}
		return x.From - y.From
	})
}
