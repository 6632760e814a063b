package export

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/report"
)

// ShiVizParser is the regular expression with which ShiViz reads the log, and ShiVizDelimiter the one that tells its
// executions apart. They are the first two lines of the log, as ShiViz wants them.
const (
	ShiVizParser    = `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`
	ShiVizDelimiter = `^=== (?<trace>.*) ===$`
)

// writeShiViz writes a log for ShiViz: two lines a step, the host with its vector clock and what happened. What is said
// of the whole execution are last steps of the test, which follow everything. The format
// is that of its page (bestchai.bitbucket.io/shiviz): two lines with the expressions, then the log.
func writeShiViz(es []Execution) ([]byte, error) {
	var b strings.Builder
	b.WriteString(ShiVizParser + "\n" + ShiVizDelimiter + "\n")
	for _, e := range es {
		b.WriteString("=== " + line(e.Name) + " ===\n")
		c := clocks(e.Picture)
		names, clock := hosts(e.Picture)
		name := func(h int) string {
			if h == clockHost {
				return clock
			}
			return names[h]
		}
		event := func(host int, clock map[int]int, text string) error {
			stamp := map[string]int{}
			for h, n := range clock {
				stamp[name(h)] = n
			}
			data, err := json.Marshal(stamp) // with its keys in order
			b.WriteString(name(host) + " " + string(data) + "\n" + text + "\n")
			return err
		}
		all := map[int]int{}
		for i := range c.Rows {
			join(all, c.of[i])
			if err := event(c.host(i), c.of[i], told(&c.Rows[i])); err != nil {
				return nil, err
			}
		}
		for _, text := range closing(e.Picture) {
			all[0]++
			if err := event(0, all, text); err != nil {
				return nil, err
			}
		}
	}
	return []byte(b.String()), nil
}

// told is a step in one line, without whose it is.
func told(r *report.Row) string {
	var b strings.Builder
	if r.Step > 0 {
		b.WriteString(number(r.Step) + ": ")
	}
	b.WriteString(r.Label)
	if r.From != "" {
		b.WriteString(" from " + r.From)
	}
	for _, m := range r.Marks {
		b.WriteString(" (" + string(m) + ")")
	}
	for _, w := range r.Wrong {
		b.WriteString(" ✗ " + w)
	}
	return line(b.String())
}

func number(n int) string { return strconv.Itoa(n) }
