package layered

import (
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// style has colours for both themes, under names of its own: several drawings may be in one page.
const style = `<style>
.g{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1f2328}
.g .bg{fill:#ffffff}.g .box{fill:#f6f8fa;stroke:#818b98}.g .hotbox{fill:#ddf4ff;stroke:#0969da;stroke-width:1.6}
.g .name{font-weight:bold}.g .mute{fill:#636c76}
.g .edge{fill:none;stroke:#818b98;stroke-width:1.2}.g .tip{fill:#818b98}
.g .hotedge{fill:none;stroke:#0969da;stroke-width:1.8}.g .hottip{fill:#0969da}
.g .dashed{stroke-dasharray:6 4}.g .dotted{stroke-dasharray:2 3}
@media(prefers-color-scheme:dark){
.g{fill:#e6edf3}.g .bg{fill:#0d1117}.g .box{fill:#161b22;stroke:#656c76}.g .hotbox{fill:#0c2d6b;stroke:#58a6ff}
.g .mute{fill:#9198a1}.g .edge{stroke:#656c76}.g .tip{fill:#656c76}.g .hotedge{stroke:#58a6ff}.g .hottip{fill:#58a6ff}
}
</style>
`

// draw writes what was placed.
func (l *layout) draw() string {
	d := &drawing{layout: l}
	height := l.tops[len(l.tops)-1] - layerGap + margin
	d.f(`<svg xmlns="http://www.w3.org/2000/svg" class="g" role="img" width="%d" height="%d" viewBox="0 0 %d %d">`+"\n",
		l.width, height, l.width, height)
	d.f("<title>%s</title>\n<desc>%s</desc>\n", escape(l.Title), escape(l.Text))
	d.b.WriteString(style)
	d.f(`<rect class="bg" width="%d" height="%d"/>`+"\n", l.width, height)
	for _, hot := range []bool{false, true} { // what is highlighted lies above
		for e := range l.Edges {
			if l.Edges[e].Hot == hot {
				d.edge(e)
			}
		}
	}
	for i := range l.items {
		switch it := &l.items[i]; {
		case it.node >= 0:
			d.box(it)
		case it.label:
			d.label(it.x, it.y, l.Edges[it.edge].Lines, l.Edges[it.edge].Hot)
		}
	}
	d.b.WriteString("</svg>\n")
	return d.b.String()
}

type drawing struct {
	*layout
	b strings.Builder
}

func (d *drawing) f(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

// mostText bounds each text, in runes.
const mostText = 4000

func escape(s string) string {
	s = trace.Visible(strings.ToValidUTF8(s, "\ufffd"))
	if r := []rune(s); len(r) > mostText {
		s = string(r[:mostText]) + "…"
	}
	return html.EscapeString(s)
}

func (d *drawing) box(it *item) {
	n := &d.Nodes[it.node]
	w, h := boxSize(n.Lines)
	class, round := "box", 3
	if n.Hot {
		class = "hotbox"
	}
	if n.Round {
		round = h / 2
	}
	d.f(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="%d"/>`+"\n", class, it.x-w/2, it.y, w, h, round)
	for i, line := range n.Lines {
		class := "name"
		if i > 0 {
			class = "mute"
		}
		d.text(class, it.x, it.y+boxPadding/2+11+i*lineHeight, line)
	}
}

func (d *drawing) text(class string, x, y int, s string) {
	d.f(`<text class="%s" x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", class, x, y, escape(s))
}

// label is drawn above its edge.
func (d *drawing) label(x, y int, lines []string, hot bool) {
	w, h := labelSize(lines)
	d.f(`<rect class="bg" x="%d" y="%d" width="%d" height="%d"/>`+"\n", x-w/2, y, w, h)
	class := "mute"
	if hot {
		class = ""
	}
	for i, line := range lines {
		d.text(class, x, y+12+i*lineHeight, line)
	}
}

type point struct{ x, y int }

// edge draws an arrow through the places of its route.
func (d *drawing) edge(e int) {
	edge := &d.Edges[e]
	class := "edge"
	if edge.Hot {
		class = "hotedge"
	}
	class += [...]string{"", " dashed", " dotted"}[edge.Style]
	title := escape(d.Nodes[edge.From].Lines[0] + " to " + d.Nodes[edge.To].Lines[0] + ": " +
		strings.Join(edge.Lines, ", "))
	if edge.From == edge.To {
		d.loop(e, class, title)
		return
	}
	points := d.points(e)
	var path strings.Builder
	fmt.Fprintf(&path, "M%d %d", points[0].x, points[0].y)
	for i := 1; i < len(points); i++ {
		p, q := points[i-1], points[i]
		middle := (p.y + q.y) / 2
		fmt.Fprintf(&path, "C%d %d %d %d %d %d", p.x, middle, q.x, middle, q.x, q.y)
	}
	d.f(`<path class="%s" d="%s"><title>%s</title></path>`+"\n", class, path.String(), title)
	if d.upward[e] {
		d.tip(edge.Hot, points[0], 0, -1)
	} else {
		d.tip(edge.Hot, points[len(points)-1], 0, 1)
	}
}

// points are where an edge begins, the upper and lower ends of the places it passes, and where it ends, from the top.
func (d *drawing) points(e int) (ps []point) {
	route := d.routes[e]
	for i, id := range route {
		it := &d.items[id]
		switch {
		case i == 0:
			ps = append(ps, point{d.port(e, it, it.below), it.y + it.height})
		case i == len(route)-1:
			ps = append(ps, point{d.port(e, it, it.above), it.y})
		case it.height > 0:
			ps = append(ps, point{it.x, it.y}, point{it.x, it.y + it.height})
		default:
			ps = append(ps, point{it.x, it.y})
		}
	}
	return ps
}

// port is where an edge meets a box: edges share its width in the order of their other ends.
func (d *drawing) port(e int, it *item, others []int) int {
	route := d.routes[e]
	mine := route[1]
	if &d.items[route[0]] != it {
		mine = route[len(route)-2]
	}
	w, _ := boxSize(d.Nodes[it.node].Lines)
	before, all := 0, len(others)
	for _, o := range others {
		if o != mine && (d.items[o].x < d.items[mine].x || d.items[o].x == d.items[mine].x && o < mine) {
			before++
		}
	}
	return it.x - w/2 + (2*before+1)*w/(2*all)
}

// tip is the head of an arrow that leads in the direction (dx, dy).
func (d *drawing) tip(hot bool, at point, dx, dy float64) {
	class := "tip"
	if hot {
		class = "hottip"
	}
	length := math.Hypot(dx, dy)
	dx, dy = dx/length, dy/length
	x, y := float64(at.x), float64(at.y)
	d.f(`<path class="%s" d="M%.1f %.1fL%.1f %.1fL%.1f %.1fz"/>`+"\n", class, x, y,
		x-8*dx+4*dy, y-8*dy-4*dx, x-8*dx-4*dy, y-8*dy+4*dx)
}

// loop draws an arrow from a node to itself, at its right side.
func (d *drawing) loop(e int, class, title string) {
	it := &d.items[d.Edges[e].From]
	w, h := boxSize(d.Nodes[it.node].Lines)
	x, y := it.x+w/2, it.y
	d.f(`<path class="%s" d="M%d %dC%d %d %d %d %d %d"><title>%s</title></path>`+"\n", class,
		x, y+h/4, x+loopWidth, y-4, x+loopWidth, y+h+4, x, y+3*h/4, title)
	d.tip(d.Edges[e].Hot, point{x, y + 3*h/4}, -1, 0)
	if lines := d.Edges[e].Lines; len(lines) > 0 {
		lw, lh := labelSize(lines)
		d.label(x+loopWidth-6+lw/2, y+h/2-lh/2, lines, d.Edges[e].Hot)
	}
}
