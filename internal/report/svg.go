package report

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// This file draws a picture as SVG. Nothing in it is loaded from elsewhere, and the bytes are the same each time.
//
//	picturelayout.go says where everything is
//	here             it is written

// SVG draws a picture as one SVG document, in light or dark as its reader prefers.
func (p *Picture) SVG() string {
	d := &drawing{layout: newLayout(p)}
	d.long = d.isLong()
	d.open()
	d.rows()
	d.lifelines()
	d.spans()
	d.arrows()
	d.boxes()
	d.failures()
	d.texts()
	d.b.WriteString("</svg>\n")
	return d.b.String()
}

type drawing struct {
	*layout
	b     strings.Builder
	long  bool
	batch batch // of a long picture
}

// style has colours for both themes. They are not variables: programs that print SVG do not know these.
const style = `<style>
.r{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1f2328}
.r .bg{fill:#ffffff}.r .mute{fill:#636c76}.r .name{font-weight:bold}
.r .life{stroke:#afb8c1;stroke-width:1.5}.r .blocked{fill:#d0d7de;stroke:#636c76}
.r .box{fill:#ddf4ff;stroke:#0969da}.r .arrow{stroke:#0969da;stroke-width:1.2;fill:none}.r .tip{fill:#0969da}
.r .reply{stroke:#1a7f37;stroke-dasharray:5 3}.r .replytip{fill:#1a7f37}
.r .create{stroke:#636c76;stroke-dasharray:1 3}
.r .gone{stroke:#cf222e;stroke-dasharray:4 3}.r .lost{stroke:#cf222e;stroke-width:2}
.r .pending{stroke:#636c76;stroke-dasharray:4 4}
.r .timeout{stroke:#8250df;stroke-dasharray:2 3}.r .timetip{fill:#8250df}
.r .hot{stroke:#bc4c00;stroke-width:2.4}.r .hottip{fill:#bc4c00}.r .mark{fill:#bc4c00;font-weight:bold}
.r .markrow{fill:#fff1e5}.r .wrongrow{fill:#ffebe9}.r .wrong{fill:#a40e26;font-weight:bold}
.r .time{stroke:#8250df;stroke-dasharray:6 4}.r .halo{fill:#ffffff;opacity:.8}
@media(prefers-color-scheme:dark){
.r{fill:#e6edf3}.r .bg{fill:#0d1117}.r .mute{fill:#9198a1}
.r .life{stroke:#57606a}.r .blocked{fill:#3d444d;stroke:#9198a1}
.r .box{fill:#0c2d6b;stroke:#58a6ff}.r .arrow{stroke:#58a6ff}.r .tip{fill:#58a6ff}
.r .reply{stroke:#3fb950}.r .replytip{fill:#3fb950}.r .create{stroke:#9198a1}
.r .gone{stroke:#ff8182}.r .lost{stroke:#ff8182}
.r .pending{stroke:#9198a1}.r .timeout{stroke:#bc8cff}.r .timetip{fill:#bc8cff}
.r .hot{stroke:#f0883e}.r .hottip{fill:#f0883e}.r .mark{fill:#f0883e}
.r .markrow{fill:#2d1d0e}.r .wrongrow{fill:#3c1618}.r .wrong{fill:#ff8182}.r .time{stroke:#bc8cff}.r .halo{fill:#0d1117}
}
</style>
`

func (d *drawing) open() {
	d.printf(`<svg xmlns="http://www.w3.org/2000/svg" class="r" role="img" width="%d" height="%d" `, d.width, d.height)
	d.printf(`viewBox="0 0 %d %d">`+"\n", d.width, d.height)
	d.printf("<title>%s</title>\n<desc>%s</desc>\n", escape(d.p.Title), escape(d.p.alternative()))
	d.b.WriteString(style)
	d.printf(`<rect class="bg" width="%d" height="%d"/>`+"\n", d.width, d.height)
}

// rows draws what is behind all: bands of marked and failing rows, numbers, marks.
func (d *drawing) rows() {
	for i := range d.p.Rows {
		r, at := &d.p.Rows[i], &d.at[i]
		if at.folded {
			continue
		}
		class := ""
		switch {
		case len(r.Wrong) > 0:
			class = "wrongrow"
		case r.Marks != "":
			class = "markrow"
		}
		if class != "" {
			d.printf(`<rect class="%s" x="0" y="%d" width="%d" height="%d"/>`+"\n", class, at.top, d.width, at.height)
		}
		if r.Step > 0 {
			d.text("mute", numberRight, at.y+4, "end", fmt.Sprint(r.Step))
		}
		if r.Marks != "" {
			d.text("mark", numberRight+7, at.y+4, "start", strings.Join(strings.Split(r.Marks, ""), " "))
		}
	}
	for _, f := range d.folds {
		d.text("mute", leftMargin, f.y+4, "start", fmt.Sprintf("⋮ %s not shown", steps(f.rows)))
	}
}

func (d *drawing) lifelines() {
	for i, l := range d.p.Lifelines {
		x := d.x[i]
		if x < 0 {
			continue
		}
		top, bottom := d.at[l.Born].y, d.bottom
		if l.Born == 0 {
			top = headHeight - 8
		}
		if l.Ends >= 0 {
			bottom = d.at[l.Ends].y + boxHeight/2
		}
		for n, line := range d.names[i] {
			class := "name"
			if n > 0 {
				class = "mute"
			}
			d.text(class, x-boxWidth/2, 18+n*lineHeight, "start", line)
		}
		d.printf(`<line class="life" x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", x, top, x, bottom)
		for _, y := range d.repeats {
			if top < y && y < bottom && len(d.names[i]) > 0 {
				d.halo("mute", x-boxWidth/2, y+4, d.names[i][0])
			}
		}
		d.flush(true)
		if l.Ends >= 0 && i > 0 { // the test is no actor that stops
			d.printf(`<path class="life" d="M%d %dl10 10m0 -10l-10 10"/>`+"\n", x-5, bottom+1)
		}
	}
}

// spans draws where actors wait in the middle of a handler.
func (d *drawing) spans() {
	for _, s := range d.p.Blocked {
		x := d.x[s.Lifeline]
		if x < 0 {
			continue
		}
		from, to := d.at[s.From].y, d.bottom
		if s.To >= 0 {
			to = d.at[s.To].y
		}
		d.printf(`<rect class="blocked" x="%d" y="%d" width="4" height="%d"><title>%s waits</title></rect>`+"\n",
			x-2, from, max(1, to-from), escape(d.p.Lifelines[s.Lifeline].Name))
		if s.To < 0 {
			d.text("mute", x, d.bottom+13, "middle", "still waits")
		}
	}
}

func (d *drawing) arrows() {
	for i := range d.p.Arrows {
		a := &d.p.Arrows[i]
		if d.x[a.From] < 0 || d.x[a.To] < 0 || d.hidden(a) {
			continue
		}
		class, tip := "arrow", "tip"
		switch {
		case a.Marks != "":
			class, tip = "arrow hot", "hottip"
		case a.Arrived < 0:
			class, tip = "arrow pending", ""
		case a.Kind == "reply":
			class, tip = "arrow reply", "replytip"
		case a.Kind == "creation":
			class, tip = "arrow create", ""
		case a.Kind == "timeout":
			class, tip = "arrow timeout", "timetip"
		}
		if a.Kind == "lost" {
			d.lost(a, class)
			continue
		}
		d.shape(class, d.path(a), d.p.tell(a))
		if tip != "" && a.Arrived >= 0 {
			d.shape(tip, d.tip(a), "")
		}
		if a.Arrived < 0 {
			d.printf(`<circle class="%s" cx="%d" cy="%d" r="3"/>`+"\n", class, d.x[a.To], d.bottom-4)
		}
		d.flush(false)
	}
	d.flush(true)
}

// lost draws a message that does not arrive: its line ends on the way, with a cross.
func (d *drawing) lost(a *Arrow, class string) {
	if a.Marks == "" {
		class = "arrow gone"
	}
	x1, y1, x2, y2 := d.x[a.From], d.at[a.Sent].y, d.x[a.To], d.at[a.Arrived].y
	x, y := x1+(x2-x1)*5/6, y1+(y2-y1)*5/6
	if a.From == a.To {
		x, y = x1-18, y2
	}
	d.shape(class, fmt.Sprintf("M%d %dL%d %d", x1, y1, x, y), d.p.tell(a))
	d.shape("arrow lost", fmt.Sprintf("M%d %dl10 10m0 -10l-10 10", x-5, y-5), "")
}

// path is the line of an arrow: straight to another lifeline, round to the same one.
func (d *drawing) path(a *Arrow) string {
	x1, y1, x2, y2 := d.x[a.From], d.at[a.Sent].y, d.x[a.To], d.bottom-4
	if a.Arrived >= 0 {
		y2 = d.at[a.Arrived].y
	}
	if a.From == a.To {
		return fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1-boxWidth/2, y1, x1-22, y1+4, x2-22, y2-4, x2-boxWidth/2, y2)
	}
	side := boxWidth / 2
	if x2 < x1 {
		side = -side
	}
	return fmt.Sprintf("M%d %dL%d %d", x1+side, y1, x2-side, y2)
}

// tip is the head of an arrow. It is no SVG marker: those have names, which would meet in a page with two pictures.
func (d *drawing) tip(a *Arrow) string {
	x1, y1, x2, y2 := d.x[a.From], d.at[a.Sent].y, d.x[a.To], d.at[a.Arrived].y
	dx, dy := float64(x2-x1), float64(y2-y1)
	side := boxWidth / 2
	switch {
	case a.From == a.To:
		dx, dy = 1, 0
	case x2 < x1:
		dx, side = dx+boxWidth, -side
	default:
		dx -= boxWidth
	}
	if dx == 0 && dy == 0 {
		dx = 1
	}
	length := math.Hypot(dx, dy)
	dx, dy = dx/length, dy/length
	x, y := float64(x2-side), float64(y2)
	return fmt.Sprintf("M%.1f %.1fL%.1f %.1fL%.1f %.1fz", x, y, x-8*dx+4*dy, y-8*dy-4*dx, x-8*dx-4*dy, y-8*dy+4*dx)
}

// boxes draws the steps with their labels, above all lines.
func (d *drawing) boxes() {
	for i := range d.p.Rows {
		r, at := &d.p.Rows[i], &d.at[i]
		if i == 0 {
			d.begin()
		}
		if at.folded || i == 0 {
			continue
		}
		if r.Lifeline < 0 {
			d.shape("time", fmt.Sprintf("M%d %dH%d", leftMargin, at.y, d.width-rightMargin), "")
			d.halo("mute", leftMargin+20, at.y+4, r.Label)
			continue
		}
		x := d.x[r.Lifeline]
		d.shape("box", boxPath(x, at.y), d.p.describe(i))
		for n, line := range at.label {
			d.halo("", x+boxWidth/2+5, at.labelY+n*lineHeight, line)
		}
		d.flush(false)
	}
	d.flush(true)
}

// failures draws what went wrong in steps, above all lines.
func (d *drawing) failures() {
	for i := range d.at {
		for n, line := range d.at[i].wrong {
			y := d.at[i].wrongY + n*lineHeight
			d.printf(`<rect class="wrongrow" x="%d" y="%d" width="%d" height="%d" opacity=".9"/>`+"\n",
				leftMargin-2, y-11, textWidth(line)+4, lineHeight)
			d.text("wrong", leftMargin, y, "start", line)
		}
	}
}

// begin draws where the test begins.
func (d *drawing) begin() {
	if len(d.x) == 0 || d.x[0] < 0 {
		return
	}
	d.shape("box", boxPath(d.x[0], d.at[0].y), d.p.Lifelines[0].Name+" begins")
}

// texts draws what is told when all is over.
func (d *drawing) texts() {
	for n, line := range d.below {
		d.text(line.class, 12, d.belowY+n*lineHeight, "start", line.text)
	}
}

func (d *drawing) printf(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

func (d *drawing) text(class string, x, y int, anchor, s string) {
	d.b.WriteString(textLine(class, x, y, anchor, s))
}

// escape makes what the program under test has given harmless in markup, and visible: control characters, text that
// would run backwards, and bytes that are no text.
func escape(s string) string {
	return html.EscapeString(render.Shorten(trace.Visible(s), mostTold*PictureText))
}

// tell is the text alternative of an arrow.
func (p *Picture) tell(a *Arrow) string {
	from, to := p.Lifelines[a.From].Name, p.Lifelines[a.To].Name
	switch {
	case a.Kind == "creation":
		return from + " creates " + to
	case a.Arrived < 0:
		return a.Label + " from " + from + " to " + to + " was not handled"
	case a.Kind == "lost":
		return a.Label + " from " + from + " to " + to + " was lost"
	}
	return a.Label + " from " + from + " to " + to
}

// describe is the text alternative of a row.
func (p *Picture) describe(i int) string {
	r := &p.Rows[i]
	var b strings.Builder
	if r.Step > 0 {
		fmt.Fprintf(&b, "step %d: ", r.Step)
	}
	if r.Lifeline >= 0 {
		b.WriteString(p.Lifelines[r.Lifeline].Name + ": ")
	}
	b.WriteString(r.Label)
	if r.From != "" {
		b.WriteString(" from " + r.From)
	}
	for _, m := range r.Marks {
		fmt.Fprintf(&b, " (%c)", m)
	}
	for _, w := range r.Wrong {
		b.WriteString("; wrong: " + w)
	}
	return b.String()
}

// mostTold bounds the text alternative, in rows.
const mostTold = 200

// alternative tells the whole picture in words, for those who do not see it.
func (p *Picture) alternative() string {
	var b strings.Builder
	for i := 1; i < len(p.Rows) && i <= mostTold; i++ {
		b.WriteString(p.describe(i) + ". ")
	}
	if len(p.Rows) > mostTold+1 {
		fmt.Fprintf(&b, "%s more. ", steps(len(p.Rows)-mostTold-1))
	}
	b.WriteString(strings.Join(append(append(append([]string{}, p.End...), p.Missing...), p.Decides), ". "))
	return strings.TrimSpace(b.String())
}

// textWidth estimates how wide a line is.
func textWidth(s string) int { return (cells(s)*charWidth10 + 9) / 10 }
