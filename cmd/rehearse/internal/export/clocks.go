package export

import (
	"strings"
	"unicode"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/report"
)

// clocked is a picture with the vector clocks of its steps. A lifeline is a host; the clock of the program is one more.
type clocked struct {
	*report.Picture
	of      []map[int]int // of each row: the number of steps of each host that happened before it or are it
	arrived [][]int       // of each row: the arrows that end there
}

// clocks computes vector clocks. A step follows the step before of the same host, the sending of what it handles, and
// the creation of its actor. An advance of the clock follows everything, and everything later follows it.
//
// Row 0, what is before the first step, is a step of the test. Of messages that were sent in steps that the picture
// leaves out, no cause is known.
func clocks(p *report.Picture) *clocked {
	c := &clocked{Picture: p, of: make([]map[int]int, len(p.Rows)), arrived: make([][]int, len(p.Rows))}
	for i := range p.Arrows {
		if at := p.Arrows[i].Arrived; at > 0 && at < len(p.Rows) && p.Arrows[i].Kind != "lost" {
			c.arrived[at] = append(c.arrived[at], i)
		}
	}
	last := map[int]map[int]int{} // of each host
	rows := map[int][]int{}       // of each host
	var all map[int]int           // up to the last advance of the clock
	for i := range p.Rows {
		h := c.host(i)
		now := map[int]int{}
		join(now, all)
		join(now, last[h])
		if p.Rows[i].Kind == "advance" {
			for _, o := range last {
				join(now, o)
			}
		}
		if h >= 0 && len(rows[h]) == 0 {
			c.joinCause(now, rows, c.creator(h), p.Lifelines[h].Born)
		}
		for _, at := range c.arrived[i] {
			if a := &p.Arrows[at]; a.Kind != "creation" {
				c.joinCause(now, rows, a.From, a.Sent)
			}
		}
		now[h]++
		c.of[i], last[h] = now, now
		rows[h] = append(rows[h], i)
		if p.Rows[i].Kind == "advance" {
			all = now
		}
	}
	return c
}

// clockHost is the clock of the program.
const clockHost = -1

// host is whose step a row is.
func (c *clocked) host(row int) int {
	if row == 0 {
		return 0
	}
	return c.Rows[row].Lifeline
}

// joinCause has a step follow what a host did up to a row.
func (c *clocked) joinCause(now map[int]int, rows map[int][]int, host, upTo int) {
	for i := len(rows[host]) - 1; i >= 0; i-- {
		if rows[host][i] <= upTo {
			join(now, c.of[rows[host][i]])
			return
		}
	}
}

// creator is who made an actor, the test where no row shows that.
func (c *clocked) creator(lifeline int) int {
	for i := range c.Arrows {
		if a := &c.Arrows[i]; a.Kind == "creation" && a.To == lifeline {
			return a.From
		}
	}
	return 0
}

func join(c, o map[int]int) {
	for h, n := range o {
		c[h] = max(c[h], n)
	}
}

// hosts are names for the hosts: without spaces, and no two alike. That of the clock is the last.
func hosts(p *report.Picture) (names []string, clock string) {
	taken := map[string]bool{}
	unique := func(name string) string {
		base := name
		for n := 2; taken[name]; n++ {
			name = base + "_" + number(n)
		}
		taken[name] = true
		return name
	}
	for i := range p.Lifelines {
		names = append(names, unique(word(p.Lifelines[i].Name)))
	}
	return names, unique("clock")
}

// word makes one word of a name: whatever is a space, or would end a quoted text, becomes an underscore.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '"' || r == '\\' || r == '{' || r == '}' {
			return '_'
		}
		return r
	}, line(s))
	if s == "" {
		return "_"
	}
	return s
}

// line makes one line of a text, with what nobody would see made visible.
func line(s string) string { return render.Shorten(s, 4*report.PictureText) }
