package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// Widths of a column: below the least, labels say nothing; above the most, the eye loses the row.
const (
	leastWidth = 15
	mostWidth  = 30
)

// layout gives columns to the actors of the rows, in order of their creation. If there is no room for all, those that
// take part least share the last column.
func (d *diagram) layout() {
	weight := d.weights()
	var receivers []int32
	for a, w := range weight {
		if w > 0 {
			receivers = append(receivers, int32(a))
		}
	}
	room := Width - marginRight - d.numbers - 1
	most := room / leastWidth
	own := receivers
	if len(receivers) > most {
		own = slices.Clone(receivers)
		slices.SortStableFunc(own, func(a, b int32) int { return cmp.Compare(weight[b], weight[a]) })
		own = own[:most-1]
		slices.Sort(own)
	}
	d.column = make([]int, len(d.tr.Actors))
	for a := range d.column {
		d.column[a] = -1
	}
	for _, a := range own {
		d.column[a] = len(d.columns)
		d.columns = append(d.columns, column{name: d.tr.ActorName(a), born: d.tr.Actors[a].Creator})
	}
	if len(own) < len(receivers) {
		d.columns = append(d.columns, column{name: fmt.Sprintf("%d others", len(receivers)-len(own)), born: -1, shared: true})
		for _, a := range receivers {
			if d.column[a] < 0 {
				d.column[a] = len(d.columns) - 1
			}
		}
	}
	d.width = min(mostWidth, room/max(1, len(d.columns)))
}

// weights counts how often each actor takes part in the rows; marked and failing rows count most.
func (d *diagram) weights() []int {
	weight := make([]int, len(d.tr.Actors))
	for _, e := range d.rows {
		s := &d.tr.Events[e].Step
		n := 1
		if d.marks[e] != "" || d.violates(e) {
			n = 1_000_000
		}
		if s.Kind != trace.Advance {
			weight[s.Actor] += n
		}
		if s.Message >= 0 {
			weight[d.tr.Messages[s.Message].Sender] += n
			weight[d.tr.Messages[s.Message].Receiver] += n
		}
	}
	return weight
}

// middle is where the lifeline of a column is.
func (d *diagram) middle(c int) int { return d.numbers + 1 + c*d.width + d.width/2 }

// newLine is a row with the lifelines of the actors that exist at the event.
func (d *diagram) newLine(e int32) *line {
	l := &line{left: d.numbers + 1}
	for i := range l.cells {
		l.cells[i] = ' '
	}
	if e == 0 {
		return l
	}
	for c := range d.columns {
		if d.columns[c].born < e {
			l.cells[d.middle(c)] = '│'
			l.lifelines = append(l.lifelines, d.middle(c))
		}
	}
	return l
}
