package report

import (
	"strings"

	"github.com/rehearse-go/rehearse/internal/render"
)

// Measures of a picture, in pixels.
const (
	leftMargin  = 68 // for step numbers and marks
	numberRight = 34 // end of step numbers
	rightMargin = 12
	headHeight  = 58
	rowGap      = 10
	lineHeight  = 15
	boxWidth    = 12
	boxHeight   = 16
	charWidth10 = 73 // ten times that of one character of the labels
	leastColumn = 110
	mostColumn  = 270
	labelLines  = 3 // of one label at most
)

// Folding leaves out long stretches in which nothing happens that a reader looks for.
const (
	foldFrom = 60 // rows: shorter pictures are shown whole
	foldNear = 6  // rows around what is marked or wrong are shown
	foldMost = 8  // shorter stretches are shown
)

// mostPending bounds the arrows of messages that were not handled. Above it, only those are drawn that decide.
const mostPending = 20

// layout says where everything of a picture is.
type layout struct {
	p             *Picture
	x             []int      // of each lifeline, -1 if it takes no part
	names         [][]string // above each lifeline
	at            []place    // of each row
	folds         []fold
	repeats       []int       // where names are repeated
	bottom        int         // of lifelines
	waiting       int         // lines for those who wait to the end
	below         []belowLine // what is said below the lifelines
	belowY        int
	width, height int
	pending       int    // messages that were not handled
	fromRight     []bool // of each row: an arrow comes to it from the right, where its label is
}

// place is where a row is.
type place struct {
	top, height int
	y           int // the middle of its box
	folded      bool
	label       []string
	labelY      int
	wrong       []string
	wrongY      int
}

type fold struct{ y, rows int }

func newLayout(p *Picture) *layout {
	l := &layout{p: p, at: make([]place, len(p.Rows))}
	for i := range p.Arrows {
		if p.Arrows[i].Arrived < 0 {
			l.pending++
		}
	}
	l.fold()
	l.columns()
	l.fromRight = make([]bool, len(p.Rows))
	for i := range p.Arrows {
		if a := &p.Arrows[i]; a.Arrived > 0 && l.x[a.From] > l.x[a.To] {
			l.fromRight[a.Arrived] = true
		}
	}
	l.rows()
	return l
}

// hidden reports whether an arrow has no place: nobody handled its message, and too many are like it.
func (l *layout) hidden(a *Arrow) bool {
	return a.Arrived < 0 && a.Marks == "" && l.pending > mostPending || a.Arrived > 0 && l.at[a.Arrived].folded
}

// fold decides which rows are left out.
func (l *layout) fold() {
	rows := l.p.Rows
	if len(rows) <= foldFrom || l.p.Whole {
		return
	}
	shown := make([]bool, len(rows))
	show := func(i int) {
		for j := max(0, i-foldNear); j <= min(len(rows)-1, i+foldNear); j++ {
			shown[j] = true
		}
	}
	show(0)
	show(len(rows) - 1)
	for i := range rows {
		if rows[i].Marks != "" || len(rows[i].Wrong) > 0 {
			show(i)
		}
	}
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && !shown[j] {
			j++
		}
		for k := i; j-i >= foldMost && k < j; k++ {
			l.at[k].folded = true
		}
		i = max(j, i+1)
	}
}

// columns gives each actor that takes part a place, as wide as its labels need.
func (l *layout) columns() {
	width := make([]int, len(l.p.Lifelines))
	for i := 1; i < len(l.p.Rows); i++ {
		if r := &l.p.Rows[i]; !l.at[i].folded && r.Lifeline >= 0 {
			width[r.Lifeline] = max(width[r.Lifeline], textWidth(r.Label)+boxWidth+16)
		}
	}
	for i := range l.p.Arrows {
		if a := &l.p.Arrows[i]; !l.hidden(a) {
			width[a.From], width[a.To] = max(width[a.From], 1), max(width[a.To], 1)
		}
	}
	l.x, l.names = make([]int, len(width)), make([][]string, len(width))
	x := leftMargin
	for i, w := range width {
		if l.x[i] = -1; w == 0 {
			continue
		}
		name := l.p.Lifelines[i]
		w = min(mostColumn, max(leastColumn, w, textWidth(name.Name)+16))
		l.x[i] = x + 26
		l.names[i] = cutLines(name.Name, (w-12)*10/charWidth10, 2)
		if name.Type != "" {
			fits := (w - 12) * 10 / charWidth10
			l.names[i] = append(cutLines(name.Name, fits, 1), cutLines(name.Type, fits, 1)...)
		}
		x += w + 20
	}
	l.width = max(x+rightMargin, 360)
}

// Names are repeated where those at the top are out of sight: behind so many rows, if there are some more.
const (
	repeatNames = 40
	repeatLeast = 10
	namesHeight = 24
)

// rows gives each row its place.
func (l *layout) rows() {
	y, since := headHeight, 0
	for i := range l.p.Rows {
		if since++; since > repeatNames && !l.at[i].folded && len(l.p.Rows)-i > repeatLeast {
			l.repeats = append(l.repeats, y+namesHeight/2)
			y, since = y+namesHeight, 0
		}
		r, at := &l.p.Rows[i], &l.at[i]
		switch {
		case i == 0:
			*at = place{top: y, y: y - 4}
			if l.p.Before > 0 {
				l.folds = append(l.folds, fold{y + boxHeight/2, l.p.Before})
				y += boxHeight + rowGap
			}
			continue
		case at.folded && l.at[i-1].folded && i > 1:
			at.top, at.y = l.at[i-1].top, l.at[i-1].y
			l.folds[len(l.folds)-1].rows++
			continue
		case at.folded:
			at.top, at.y = y, y+rowGap/2+boxHeight/2
			l.folds = append(l.folds, fold{at.y, 1})
			y += boxHeight + rowGap
			continue
		}
		at.top, at.y = y, y+rowGap/2+boxHeight/2
		at.label = cutLines(r.Label, (mostColumn-boxWidth-16)*10/charWidth10, labelLines)
		h := max(boxHeight, len(at.label)*lineHeight)
		if at.labelY = at.y + 4; l.fromRight[i] {
			at.labelY, h = at.y+13, h+9 // below the head of the arrow, which comes from above
		}
		for _, w := range r.Wrong {
			at.wrong = append(at.wrong, cutLines("✗ "+w, l.lineRunes(), 6)...)
		}
		at.wrongY = y + rowGap/2 + h + 12
		h += len(at.wrong) * lineHeight
		at.height = h + rowGap
		y += at.height
	}
	l.bottom = y + 12
	for i := range l.p.Blocked {
		if l.p.Blocked[i].To < 0 && l.x[l.p.Blocked[i].Lifeline] >= 0 {
			l.waiting = 1 // a line for those who wait to the end
		}
	}
	l.belowY = l.bottom + 22 + l.waiting*lineHeight
	for _, s := range l.p.End {
		l.tell("wrong", "✗ at the end: "+s, 6)
	}
	for _, s := range l.p.Missing {
		l.tell("mark", s, 3)
	}
	if l.p.Decides != "" {
		l.tell("mark", l.p.Decides, 4)
	}
	l.height = l.belowY + len(l.below)*lineHeight
}

// belowLine is a line below the lifelines.
type belowLine struct{ class, text string }

// tell adds a text below the lifelines.
func (l *layout) tell(class, text string, most int) {
	for _, line := range cutLines(text, l.lineRunes(), most) {
		l.below = append(l.below, belowLine{class, line})
	}
}

// lineRunes is how many characters a text over the whole width has room for.
func (l *layout) lineRunes() int { return max(40, (l.width-leftMargin-8)*10/charWidth10) }

// cells is how many characters of a typewriter a text is wide: most signs of East Asia and pictures take two.
func cells(s string) (n int) {
	for _, r := range s {
		n += cellsOf(r)
	}
	return n
}

// wide are ranges of signs, each with its first and last.
var wide = []rune{
	0x1100, 0x115f, 0x2e80, 0xa4cf, 0xac00, 0xd7a3, 0xf900, 0xfaff, 0xfe30, 0xfe6f, 0xff00, 0xff60, 0xffe0, 0xffe6,
	0x1f300, 0x1faff, 0x20000, 0x3fffd,
}

func cellsOf(r rune) int {
	for i := 0; i < len(wide); i += 2 {
		if wide[i] <= r && r <= wide[i+1] {
			return 2
		}
	}
	return 1
}

// fitting is how many bytes of a text are at most so many cells wide: one sign at least.
func fitting(s string, most int) int {
	n := 0
	for i, r := range s {
		if n += cellsOf(r); n > most && i > 0 {
			return i
		}
	}
	return len(s)
}

// cutLines breaks a text into lines of so many cells, at spaces where there are some. What is more than most lines is
// left out, with an ellipsis: the whole text is in the picture's text alternative.
func cutLines(s string, width, most int) []string {
	s = render.Shorten(s, width*most*2)
	var lines []string
	for s != "" {
		if cells(s) <= width {
			return append(lines, s)
		}
		cut := fitting(s, width-1)
		if len(lines) == most-1 {
			return append(lines, s[:cut]+"…")
		}
		if at := strings.LastIndexAny(s[:cut], " {,"); at > cut/2 {
			cut = at + 1
		}
		lines = append(lines, strings.TrimRight(s[:cut], " "))
		s = strings.TrimLeft(s[cut:], " ")
	}
	return lines
}
