package report

import (
	"unicode/utf8"

	"github.com/rehearse-go/rehearse/internal/render"
)

// line is one line of a diagram, a rune a cell.
type line struct {
	cells []rune
	left  int // cells before are for the step number
}

func (l *line) String() string { return string(l.cells) }

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
	l.at(min(max(l.left, i-n/2), len(l.cells)-n), s)
}

func (l *line) fill(from, to int, r rune) {
	for i := from; i < to; i++ {
		l.cells[i] = r
	}
}

// arrow draws from one lifeline to another, with the label on it. Lifelines in between are crossed.
func (l *line) arrow(from, to int, label string, shaft rune) {
	low, high := min(from, to), max(from, to)
	for i := low + 1; i < high; i++ {
		l.cells[i] = crossed(l.cells[i], shaft)
	}
	if from < to {
		l.cells[from], l.cells[to-1] = '├', '▶'
	} else {
		l.cells[from], l.cells[to+1] = '┤', '◀'
	}
	l.label(from, to, label)
}

// crossed is what is drawn where an arrow meets what is there.
func crossed(there, shaft rune) rune {
	switch there {
	case '│':
		return '┼'
	case '┃':
		return '╂'
	}
	return shaft
}

// label writes next to the sender's end of an arrow, so that it does not sit on lifelines more than it must.
func (l *line) label(from, to int, label string) {
	label = render.Shorten(label, max(from, to)-min(from, to)-5)
	switch n := utf8.RuneCountInString(label); {
	case n == 0:
	case from < to:
		l.at(from+2, " "+label+" ")
	default:
		l.at(from-n-3, " "+label+" ")
	}
}

// breaks has an arrow not arrive.
func (l *line) breaks(from, to int) {
	if from < to {
		l.cells[to-3], l.cells[to-2], l.cells[to-1] = '×', ' ', ' '
	} else {
		l.cells[to+3], l.cells[to+2], l.cells[to+1] = '×', ' ', ' '
	}
}

// right is the room of a note to the right of its lifeline, in runes.
func (l *line) right(at int) int { return len(l.cells) - marginRight - at - 3 }

// widest is the room that a note has, in runes.
func (l *line) widest(at int) int { return max(l.right(at), at-l.left-3) }

// lefter reports whether a note has no room to the right of its lifeline, and more to the left.
func (l *line) lefter(at int, parts []string) bool {
	for _, p := range parts {
		if utf8.RuneCountInString(p) > l.right(at) {
			return l.right(at) < at-l.left-3
		}
	}
	return false
}

// note writes about one actor, beside its lifeline.
func (l *line) note(at int, text string, left bool) {
	l.cells[at] = '●'
	l.beside(at, text, left)
}

func (l *line) beside(at int, text string, left bool) {
	if left {
		text = render.Shorten(text, at-l.left-3)
		l.at(at-utf8.RuneCountInString(text)-2, " "+text+" ")
		return
	}
	l.at(at+1, " "+render.Shorten(text, l.right(at))+" ")
}
