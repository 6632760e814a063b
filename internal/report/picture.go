package report

import (
	"cmp"
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

// NotShown begins the line of a finding's note that says why an order that is known to pass has no picture.
const NotShown = "The other order is not shown: "

// PictureOptions say what to take of an execution.
type PictureOptions struct {
	Title   string
	Test    string         // the test's name: its driver is called so; "": "the test"
	Pairs   []explain.Pair // that decide: marked A and B, then C and D
	Decides string         // which order decides, in words; "": not known
	// events in which Go's default decides: they get rows, as those in which Go chose anything else
	Draws     []int32
	Violation *trace.Violation // nil: none
	Seen      *Seen            // the states of actors; nil: nobody looked
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
	Decides   string     `json:"decides,omitempty"` // which order decides, in words
	Missing   []string   `json:"missing,omitempty"` // what decides and was not handled in this execution
	Whole     bool       `json:"whole,omitempty"`   // it is drawn with all its steps: no stretch is folded
	Looked    bool       `json:"looked,omitempty"`  // somebody looked at the states of actors
	Notes     []string   `json:"notes,omitempty"`   // what the picture leaves out, in words
}

// Lifeline is one actor.
type Lifeline struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"` // where the name does not say it
	Full string `json:"full,omitempty"` // the whole name of its type
	Born int    `json:"born"`           // row
	Ends int    `json:"ends"`           // row in which it stops, -1 if it does not
	// why its state is nowhere, "" if it is told
	Unseen string `json:"unseen,omitempty"`
}

// Row is one step: one macro-step of an actor, or what is no actor's.
type Row struct {
	Step     int      `json:"step"`           // its trace.StepNumber; 0 in row 0, and where it is part of the step before
	ID       string   `json:"id,omitempty"`   // the identity of the step, the same in each execution
	Lifeline int      `json:"lifeline"`       // whose step it is, -1: nobody's
	Kind     string   `json:"kind"`           // as trace.Kind prints it
	Label    string   `json:"label"`          // what is handled or what happens
	From     string   `json:"from,omitempty"` // the sender of what is handled
	Marks    string   `json:"marks,omitempty"`
	Wrong    []string `json:"wrong,omitempty"` // what went wrong in it
	// the states of actors when the step is over, of those alone that differ from the row before
	States []State `json:"states,omitempty"`
}

// State is the state of an actor, printed.
type State struct {
	Lifeline int    `json:"lifeline"`
	Text     string `json:"text"`
}

// Arrow is a message, or the creation of an actor.
type Arrow struct {
	From    int    `json:"from"` // lifelines
	To      int    `json:"to"`
	Sent    int    `json:"sent"`    // row
	Arrived int    `json:"arrived"` // row, -1 if it was not handled
	Kind    string `json:"kind"`    // "message", "reply", "timeout", "lost" or "creation"
	Label   string `json:"label"`
	Type    string `json:"type,omitempty"` // of the message, its whole name
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
		diagram: newDiagram(tr, o),
		p:       &Picture{Title: oneLine(o.Title), Decides: oneLine(o.Decides)},
		o:       o,
	}
	b.number()
	b.lifelines()
	for _, e := range b.diagram.rows {
		b.p.Rows = append(b.p.Rows, b.row(e))
	}
	b.arrows()
	b.blocked()
	b.states()
	b.end()
	return b.p
}

// oneLine is what a picture has of a text of the program: one line of valid text, cut to PictureText runes.
func oneLine(s string) string { return render.Shorten(s, PictureText) }

// pictureBuilder makes one picture.
type pictureBuilder struct {
	diagram *diagram
	p       *Picture
	o       PictureOptions
	rowOf   []int // of each event: its row; of one without a row the last before it
	stepOf  []int // of each event: its trace.StepNumber
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
	b.stepOf = make([]int, len(b.rowOf))
	for e, n := 0, 0; e < len(b.stepOf); e++ {
		if b.diagram.tr.Counted(e) {
			n++
		}
		b.stepOf[e] = n
	}
	b.p.Rows = []Row{{Lifeline: -1, Kind: "set-up", Label: "before the first step"}}
	for e, first := b.diagram.tr.Explored, b.diagram.first(); e < first; e++ {
		if b.diagram.draws(int32(e)) {
			b.p.Before++
		}
	}
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
		l := Lifeline{Name: oneLine(tr.ActorName(int32(a))), Ends: -1, Full: oneLine(actor.Type.Name)}
		if a == 0 {
			l.Name = cmp.Or(oneLine(b.o.Test), "the test")
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
		ID: s.ID.String(), Lifeline: int(s.Actor), Kind: s.Kind.String(), Label: oneLine(b.label(e)),
		Marks: d.marks[e],
	}
	if d.tr.Counted(int(e)) {
		r.Step = b.stepOf[e]
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
		return b.faultLabel(s)
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
		return "sends " + b.message(s.Message)
	case msg.Kind == trace.End:
		return "is gone"
	default:
		return b.message(s.Message)
	}
}

// faultLabel says what an injected fault does to an actor or to a message on its way.
func (b *pictureBuilder) faultLabel(s *trace.Step) string {
	switch s.Fault() {
	case trace.Drop:
		return oneLine("fault: " + b.message(s.Message) + " is lost")
	case trace.Duplicate:
		return oneLine("fault: " + b.message(s.Message) + " comes twice")
	case trace.Restart:
		return "fault: crashes and is restarted"
	case trace.CrashLosing:
		return oneLine("fault: crashes and loses " + b.message(s.Message))
	}
	return "fault: crashes"
}

// message is the type and content of a message.
func (b *pictureBuilder) message(m int32) string {
	return oneLine(b.diagram.label(&b.diagram.tr.Messages[m]))
}

// end is what is only known when all is over.
func (b *pictureBuilder) end() {
	d := b.diagram
	if v := d.o.Violation; v != nil && v.Event >= len(d.tr.Events) {
		b.p.End = append(b.p.End, oneLine(v.String()))
	}
	for i, p := range d.o.Pairs {
		if p.Second < 0 && p.SecondName != "" && 2*i+1 < len(letters) {
			name := strings.TrimSuffix(p.SecondName, explain.NotHandled)
			text := letters[2*i+1:2*i+2] + ": " + name + " was not handled in this execution"
			b.p.Missing = append(b.p.Missing, oneLine(text))
		}
	}
}
