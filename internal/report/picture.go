package report

import (
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/explain"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// This file takes from an execution what pictures of it show. A picture is made of plain values, so that it can be
// written to a file and drawn by another program. What the program under test has given (names, contents of messages,
// texts of failures) is in it as one line of at most PictureText runes, without control characters. Who draws it
// escapes it.

// PictureRows bounds a picture, in steps: the last ones, and those that are marked. An execution that does not end has
// 100,000.
const PictureRows = 10_000

// PictureText is how much is kept of each name and text, in runes.
const PictureText = 400

// PictureOptions say what to take of an execution.
type PictureOptions struct {
	Title     string
	Pairs     []explain.Pair   // that decide: marked A and B, then C and D
	Draws     []int32          // events in which Go's default decides, as in DiagramOptions
	Violation *trace.Violation // nil: none
}

// Picture is one execution as a space-time diagram. Time runs in rows, from 0 on. Row 0 is what is before the first
// step that was explored.
type Picture struct {
	Title     string     `json:"title"`
	Lifelines []Lifeline `json:"lifelines"`
	Rows      []Row      `json:"rows"`
	Arrows    []Arrow    `json:"arrows"`
	Blocked   []Span     `json:"blocked,omitempty"` // in the middle of a handler that waits
	Before    int        `json:"before,omitempty"`  // steps that were left out before the first row of a step
	End       []string   `json:"end,omitempty"`     // what went wrong when all was over
	Missing   []string   `json:"missing,omitempty"` // what decides and was not handled in this execution
}

// Lifeline is one actor.
type Lifeline struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"` // where the name does not say it
	Born int    `json:"born"`           // row
	Ends int    `json:"ends"`           // row in which it stops, -1 if it does not
}

// Row is one step: one macro-step of an actor, or what is no actor's.
type Row struct {
	Step     int      `json:"step"`           // its number among those explored, from 1 on; 0 in row 0
	Lifeline int      `json:"lifeline"`       // whose step it is, -1: nobody's
	Kind     string   `json:"kind"`           // as trace.Kind prints it
	Label    string   `json:"label"`          // what is handled or what happens
	From     string   `json:"from,omitempty"` // the sender of what is handled
	Marks    string   `json:"marks,omitempty"`
	Wrong    []string `json:"wrong,omitempty"` // what went wrong in it
}

// Arrow is a message, or the creation of an actor.
type Arrow struct {
	From    int    `json:"from"` // lifelines
	To      int    `json:"to"`
	Sent    int    `json:"sent"`    // row
	Arrived int    `json:"arrived"` // row, -1 if it was not handled
	Kind    string `json:"kind"`    // "message", "reply", "timeout" or "creation"
	Label   string `json:"label"`
	Marks   string `json:"marks,omitempty"`
}

// Span is a part of a lifeline, from one row to another.
type Span struct {
	Lifeline int `json:"lifeline"`
	From     int `json:"from"`
	To       int `json:"to"` // -1: to the end
}

// NewPicture takes from an execution what a picture shows.
func NewPicture(tr *trace.Trace, o PictureOptions) *Picture {
	b := &pictureBuilder{
		// The rows are those of the diagram in text, which knows what has one.
		diagram: newDiagram(tr, DiagramOptions{Pairs: o.Pairs, Draws: o.Draws, Violation: o.Violation, Rows: PictureRows}),
		p:       &Picture{Title: oneLine(o.Title)},
	}
	b.number()
	b.lifelines()
	for _, e := range b.diagram.rows {
		b.p.Rows = append(b.p.Rows, b.row(e))
	}
	b.arrows()
	b.blocked()
	b.end()
	return b.p
}

// oneLine is what a picture has of a text of the program: one line of valid text, cut to PictureText runes.
func oneLine(s string) string { return render.Shorten(s, PictureText) }

// pictureBuilder makes one picture.
type pictureBuilder struct {
	diagram *diagram
	p       *Picture
	rowOf   []int // of each event: its row; of one without a row the last before it
}

func (b *pictureBuilder) number() {
	b.rowOf = make([]int, len(b.diagram.tr.Events))
	row, next := 0, 0
	for e := range b.rowOf {
		if next < len(b.diagram.rows) && int(b.diagram.rows[next]) == e {
			next++
			row = next
		}
		b.rowOf[e] = row
	}
	b.p.Rows = []Row{{Lifeline: -1, Kind: "set-up", Label: "before the first step"}}
	for e, first := b.diagram.o.From, b.diagram.first(); e < first; e++ {
		if b.diagram.draws(int32(e)) {
			b.p.Before++
		}
	}
}

// first is the event of the first row.
func (d *diagram) first() int {
	if len(d.rows) == 0 {
		return d.o.To
	}
	return int(d.rows[0])
}

func (b *pictureBuilder) lifelines() {
	tr := b.diagram.tr
	stops := map[int32]int{}
	for e := range tr.Events {
		for _, a := range tr.Events[e].Stopped {
			stops[a] = b.rowOf[e]
		}
	}
	for a := range tr.Actors {
		actor := &tr.Actors[a]
		l := Lifeline{Name: oneLine(tr.ActorName(int32(a))), Ends: -1}
		if a == 0 {
			l.Name = "the test"
		} else if short := trace.ShortType(actor.Type.Name); !strings.HasPrefix(l.Name, short) {
			l.Type = oneLine(short)
		}
		if actor.Creator >= 0 {
			l.Born = b.rowOf[actor.Creator]
		}
		if row, ok := stops[int32(a)]; ok {
			l.Ends = row
		}
		b.p.Lifelines = append(b.p.Lifelines, l)
	}
}

// row is what a step shows.
func (b *pictureBuilder) row(e int32) Row {
	d, s := b.diagram, &b.diagram.tr.Events[e].Step
	r := Row{
		Step: int(e) - d.tr.Explored + 1, Lifeline: int(s.Actor), Kind: s.Kind.String(), Label: oneLine(b.label(e)),
		Marks: strings.NewReplacer("(", "", ")", "").Replace(d.marks[e]),
	}
	if s.Kind == trace.Advance {
		r.Lifeline = -1
	} else if s.Kind != trace.Fault && s.Message >= 0 && d.tr.Messages[s.Message].Sender != s.Actor {
		r.From = b.p.Lifelines[d.tr.Messages[s.Message].Sender].Name
	}
	for _, e := range d.incidentEvents(e) {
		for _, text := range d.wrong(e) {
			r.Wrong = append(r.Wrong, oneLine(text))
		}
	}
	return r
}

// label says what happens in a step, without who sent it.
func (b *pictureBuilder) label(e int32) string {
	d, ev := b.diagram, &b.diagram.tr.Events[e]
	s := &ev.Step
	switch {
	case s.Kind == trace.Advance:
		return "the clock advances to " + trace.Moment(ev.Time)
	case s.Kind == trace.Fault:
		return faultLabel(s)
	case s.Kind == trace.Draw:
		return d.tr.DrawName(*s)
	case s.Message < 0:
		return d.ownLabel(s)
	}
	switch msg := &d.tr.Messages[s.Message]; {
	case s.Kind == trace.Timer:
		return "timer fires: " + b.message(s.Message)
	case s.Kind == trace.Resume:
		return "goes on: " + b.message(s.Message)
	case s.Kind == trace.Send:
		return "send arrives: " + b.message(s.Message)
	case msg.Kind == trace.End:
		return "is gone"
	default:
		return b.message(s.Message)
	}
}

// faultLabel says what an injected fault does to an actor or to a message on its way.
func faultLabel(s *trace.Step) string {
	switch s.Fault() {
	case trace.Drop:
		return "fault: the message is lost"
	case trace.Duplicate:
		return "fault: the message comes twice"
	case trace.Restart:
		return "fault: crashes and is restarted"
	case trace.CrashLosing:
		return "fault: crashes and loses a message"
	}
	return "fault: crashes"
}

// message is the type and content of a message.
func (b *pictureBuilder) message(m int32) string {
	return oneLine(b.diagram.label(&b.diagram.tr.Messages[m], PictureText))
}

// arrows are the messages that were handled in a row, or not at all, and the creations of actors in rows.
func (b *pictureBuilder) arrows() {
	tr, arrived := b.diagram.tr, b.arrivals()
	for m := range tr.Messages {
		msg := &tr.Messages[m]
		row, over := arrived[int32(m)]
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
			Kind: arrowKind(msg.Kind), Label: b.message(int32(m)), Marks: b.marksOf(int32(m)),
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

// end is what is only known when all is over.
func (b *pictureBuilder) end() {
	d := b.diagram
	if v := d.o.Violation; v != nil && v.Event >= len(d.tr.Events) {
		b.p.End = append(b.p.End, oneLine(v.String()))
	}
	for i, p := range d.o.Pairs {
		if p.Second < 0 && p.SecondName != "" && 2*i+1 < len(letters) {
			text := letters[2*i+1:2*i+2] + ": " + p.SecondName + " was not handled in this execution"
			b.p.Missing = append(b.p.Missing, oneLine(text))
		}
	}
}

// wrong are the texts of what went wrong in an event.
func (d *diagram) wrong(e int32) (texts []string) {
	ins := d.tr.Events[e].Incidents
	of := -1
	if d.violates(e) {
		of = d.violating(e, ins)
	}
	for i := range ins {
		text := ins[i].Kind.String() + ": " + d.tr.IncidentText(int(e), &ins[i])
		if i == of {
			text = d.o.Violation.String()
		} else if ins[i].Where != "" {
			text += " (" + ins[i].Where + ")"
		}
		texts = append(texts, text)
	}
	if d.violates(e) && of < 0 {
		texts = append(texts, d.o.Violation.String())
	}
	return texts
}
