package report

import "github.com/rehearse-go/rehearse/trace"

// fault draws an injected fault: an arrow that does not arrive, or that arrives twice, or what happens to an actor.
func (d *diagram) fault(line *line, s *trace.Step) {
	if s.Fault() == trace.Drop || s.Fault() == trace.Duplicate {
		d.onTheWay(line, s)
		return
	}
	label := "! crashes"
	switch s.Fault() {
	case trace.Restart:
		label += " and is restarted"
	case trace.CrashLosing:
		msg := &d.tr.Messages[s.Message]
		label += " and loses "
		label += d.label(msg, Width/3-len(label))
	}
	here := d.column[s.Actor]
	if d.columns[here].shared {
		label = d.tr.ActorName(s.Actor) + " " + label
	}
	line.note(d.middle(here), label)
}

// onTheWay draws what happens to a message between two actors.
func (d *diagram) onTheWay(line *line, s *trace.Step) {
	msg := &d.tr.Messages[s.Message]
	what := "lost: "
	if s.Fault() == trace.Duplicate {
		what = "twice: "
	}
	label := what + d.label(msg, d.room(msg, what+"×"))
	from, to := d.column[msg.Sender], d.column[msg.Receiver]
	switch {
	case from == to:
		line.note(d.middle(from), "! "+d.withNames(msg, label, from))
	case s.Fault() == trace.Drop:
		line.broken(d.middle(from), d.middle(to), d.withNames(msg, label, -1))
	default:
		line.arrow(d.middle(from), d.middle(to), d.withNames(msg, label, -1), '┄')
	}
}
