package report

import (
	"fmt"
	"strings"
)

// This file draws long pictures with few elements. A browser scrolls a path of a hundred arrows as fast as one arrow,
// and a hundred paths far more slowly. What is drawn is the same, but shapes have no text alternatives of
// their own. The page tells the steps beside the picture.

// longFrom is the number of rows that are drawn from which a picture is long.
const longFrom = 1000

// perBatch is how many shapes share their elements. More would make each element so large that all of it is looked at
// for the part that is seen.
const perBatch = 100

// batch is shapes that wait to be written.
type batch struct {
	classes []string // in the order of their first shapes
	paths   map[string]*strings.Builder
	texts   strings.Builder // written behind the shapes
	shapes  int
}

// isLong reports whether the picture is drawn with few elements.
func (l *layout) isLong() bool {
	shown := 0
	for i := range l.at {
		if !l.at[i].folded {
			shown++
		}
	}
	return shown > longFrom
}

// shape draws a path with a text alternative, "" for none.
func (d *drawing) shape(class, path, title string) {
	if !d.long {
		if title == "" {
			d.printf(`<path class="%s" d="%s"/>`+"\n", class, path)
		} else {
			d.printf(`<path class="%s" d="%s"><title>%s</title></path>`+"\n", class, path, escape(title))
		}
		return
	}
	b := d.batch.paths[class]
	if b == nil {
		if d.batch.paths == nil {
			d.batch.paths = map[string]*strings.Builder{}
		}
		b = &strings.Builder{}
		d.batch.paths[class] = b
		d.batch.classes = append(d.batch.classes, class)
	}
	b.WriteString(path)
	d.batch.shapes++
}

// flush writes what waits, if that is enough or all there is.
func (d *drawing) flush(all bool) {
	if d.batch.shapes < perBatch && !all {
		return
	}
	for _, class := range d.batch.classes {
		d.printf(`<path class="%s" d="%s"/>`+"\n", class, d.batch.paths[class])
	}
	d.b.WriteString(d.batch.texts.String())
	d.batch = batch{}
}

// halo draws a text that lines may pass behind.
func (d *drawing) halo(class string, x, y int, s string) {
	d.shape("halo", fmt.Sprintf("M%d %dh%dv%dh-%dz", x-2, y-11, textWidth(s)+4, lineHeight, textWidth(s)+4), "")
	if d.long {
		d.batch.texts.WriteString(textLine(class, x, y, "start", s))
		return
	}
	d.b.WriteString(textLine(class, x, y, "start", s))
}

// textLine is a line of text.
func textLine(class string, x, y int, anchor, s string) string {
	attributes := ""
	if class != "" {
		attributes = ` class="` + class + `"`
	}
	if anchor != "start" {
		attributes += ` text-anchor="` + anchor + `"`
	}
	return fmt.Sprintf(`<text%s x="%d" y="%d">%s</text>`+"\n", attributes, x, y, escape(s))
}

// boxPath is the box of a step in the middle of (x, y).
func boxPath(x, y int) string {
	return fmt.Sprintf("M%d %dh%dv%dh-%dz", x-boxWidth/2, y-boxHeight/2, boxWidth, boxHeight, boxWidth)
}
