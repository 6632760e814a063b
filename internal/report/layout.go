package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Widths of a column: below the least, labels say nothing; above the most of a line of Width, the eye loses the row.
const (
	leastWidth = 14
	mostWidth  = 30
)

// maxHead is the number of lines that name a column, and again of those that say its type.
const maxHead = 4

// column is a lifeline: of one actor, or of all those that found no room.
type column struct {
	head      []string // above it
	lifelines []int
	shared    bool
}

// screenOf is the width of lines where so many runes are asked for.
func screenOf(width int) int {
	if width <= 0 {
		return Width
	}
	return min(max(width, LeastWidth), MostWidth)
}

// layout gives columns to the actors of the rows, in order of their creation. If there is no room for all, those that
// take part least share the last column.
func (t *text) layout() {
	weight := t.weights()
	var all []int
	for a, w := range weight {
		if w > 0 {
			all = append(all, a)
		}
	}
	room := t.screen - marginRight - t.numbers - 1
	own := all
	if most := room / leastWidth; len(all) > most {
		own = slices.Clone(all)
		slices.SortStableFunc(own, func(a, b int) int { return cmp.Compare(weight[b], weight[a]) })
		own = own[:most-1]
		slices.Sort(own)
	}
	t.column = make([]int, len(t.p.Lifelines))
	for a := range t.column {
		t.column[a] = -1
	}
	for _, a := range own {
		t.column[a] = len(t.columns)
		t.columns = append(t.columns, column{lifelines: []int{a}})
	}
	if len(own) < len(all) {
		others := column{shared: true}
		for _, a := range all {
			if t.column[a] < 0 {
				t.column[a] = len(t.columns)
				others.lifelines = append(others.lifelines, a)
			}
		}
		t.columns = append(t.columns, others)
	}
	t.between = min(mostWidth*t.screen/Width, room/max(1, len(t.columns)))
	for i := range t.columns {
		t.columns[i].head = t.head(&t.columns[i])
	}
}

// weights counts how often each actor takes part in the rows; marked and failing rows count most.
func (t *text) weights() []int {
	weight := make([]int, len(t.p.Lifelines))
	for _, i := range t.rows {
		r := &t.p.Rows[i]
		n := 1
		if r.Marks != "" || len(r.Wrong) > 0 {
			n = 1_000_000
		}
		if r.Lifeline >= 0 {
			weight[r.Lifeline] += n
		}
		if by := t.by[i]; by != nil {
			weight[by.From] += n
			weight[by.To] += n
		}
	}
	return weight
}

// head names a column: its actor and below that its type, or as many of its actors as there is room for.
func (t *text) head(c *column) []string {
	room := t.between - 1
	if !c.shared {
		l := &t.p.Lifelines[c.lifelines[0]]
		head := headLines(l.Name, room)
		if l.Type != "" && !strings.HasPrefix(strings.ToLower(l.Name), strings.ToLower(l.Type)) {
			head = append(head, headLines("("+l.Type+")", room)...)
		}
		return head
	}
	var names []string
	for _, a := range c.lifelines {
		names = append(names, t.p.Lifelines[a].Name)
	}
	lines := wrap(strings.Join(names, ", "), room)
	for n := len(names) - 1; len(lines) > maxHead && n >= 0; n-- {
		lines = wrap(fmt.Sprintf("%s and %d more", strings.Join(names[:n], ", "), len(names)-n), room)
		if n == 0 {
			lines = wrap(fmt.Sprintf("%d actors", len(names)), room)
		}
	}
	return lines
}

// headLines breaks a name into lines.
func headLines(name string, room int) []string {
	lines := wrap(name, room)
	if len(lines) > maxHead {
		lines = append(lines[:maxHead-1], "…")
	}
	return lines
}

// header names the columns. It is repeated nowhere: diagrams are short.
func (t *text) header() {
	height := 0
	for i := range t.columns {
		height = max(height, len(t.columns[i].head))
	}
	for n := range height {
		l := t.blank()
		for i := range t.columns {
			if n < len(t.columns[i].head) {
				l.centre(t.middle(i), t.columns[i].head[n])
			}
		}
		t.println(l.String())
	}
}

// middle is where the lifeline of a column is.
func (t *text) middle(c int) int { return t.numbers + 1 + c*t.between + t.between/2 }

func (t *text) blank() *line {
	l := &line{cells: make([]rune, t.screen), left: t.numbers + 1}
	l.fill(0, t.screen, ' ')
	return l
}

// newLine is a line of a row, with the lifelines of the actors that exist in it. Those of actors that wait in the
// middle of a step are thick.
func (t *text) newLine(row int) *line {
	l := t.blank()
	for i := range t.columns {
		life := ' '
		for _, a := range t.columns[i].lifelines {
			if !t.exists(a, row) {
				continue
			}
			if life = '│'; !t.columns[i].shared && t.waits(a, row) {
				life = '┃'
			}
			break
		}
		l.cells[t.middle(i)] = life
	}
	return l
}

func (t *text) exists(lifeline, row int) bool {
	l := &t.p.Lifelines[lifeline]
	return (l.Born == 0 || l.Born < row) && (l.Ends < 0 || lifeline == 0 || row <= l.Ends)
}

func (t *text) waits(lifeline, row int) bool {
	return slices.ContainsFunc(t.p.Blocked, func(s Span) bool {
		return s.Lifeline == lifeline && s.From < row && (s.To < 0 || row < s.To)
	})
}
