package report

import (
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/internal/render"
)

// line is one row of a diagram, a rune a cell.
type line struct {
	cells     [Width]rune
	left      int // cells before are for the step number
	lifelines []int
}

func (l *line) String() string { return string(l.cells[:]) }

// at writes s from a cell on, as far as there is room.
func (l *line) at(i int, s string) {
	for _, r := range s {
		if i >= 0 && i < len(l.cells) {
			l.cells[i] = r
		}
		i++
	}
}

// centre writes s around a cell.
func (l *line) centre(i int, s string) {
	n := utf8.RuneCountInString(s)
	l.at(min(max(l.left, i-n/2), Width-n), s)
}

func (l *line) fill(from, to int, r rune) {
	for i := from; i < to; i++ {
		l.cells[i] = r
	}
}

// arrow draws from one lifeline to another, with the label on it. Lifelines in between are crossed.
func (l *line) arrow(from, to int, label string, shaft rune) {
	low, high := min(from, to), max(from, to)
	l.fill(low+1, high, shaft)
	for _, i := range l.lifelines {
		if low < i && i < high {
			l.cells[i] = '┼'
		}
	}
	if from < to {
		l.cells[from], l.cells[to-1] = '├', '▶'
	} else {
		l.cells[from], l.cells[to+1] = '┤', '◀'
	}
	// The label goes next to the sender's end, so that it does not sit on lifelines more than it must.
	label = render.Shorten(label, high-low-5)
	if label == "" {
		return
	}
	n := utf8.RuneCountInString(label)
	if from < to {
		l.at(low+2, " "+label+" ")
	} else {
		l.at(high-n-3, " "+label+" ")
	}
}

// broken is an arrow that does not arrive.
func (l *line) broken(from, to int, label string) {
	l.arrow(from, to, label, '┄')
	if from < to {
		l.cells[to-3], l.cells[to-2], l.cells[to-1] = '×', ' ', ' '
	} else {
		l.cells[to+3], l.cells[to+2], l.cells[to+1] = '×', ' ', ' '
	}
}

// widest is the room that a note has, in runes.
func (l *line) widest(at int) int { return max(Width-marginRight-at-3, at-l.left-3) }

// note writes about one actor, to the right of its lifeline or, where there is more room, to the left.
func (l *line) note(at int, text string) {
	end := Width - marginRight
	if right := end - at - 3; utf8.RuneCountInString(text) <= right || right >= at-l.left-3 {
		l.cells[at] = '●'
		l.at(at+1, " "+render.Shorten(text, right)+" ")
		return
	}
	text = render.Shorten(text, at-l.left-3)
	l.cells[at] = '●'
	l.at(at-utf8.RuneCountInString(text)-2, " "+text+" ")
}
