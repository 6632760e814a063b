package toy

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// freedom is what the twin knows of a step whose handler is declared. It is what has to be different of two such steps
// of one actor for them not to depend on each other.
type freedom struct {
	reads, writes [Registers]bool
	from, number  int   // of the message
	past          []int // of the message, under causal
	sends         bool
}

// free notes that the step that has just begun, which handles m, is one whose handler is declared.
func (c *config) free(m twinMessage) {
	kind := c.actors[m.to].kind
	if !c.heeds || c.model.Queues() || c.async || m.kind != trace.User || !c.p.declares(kind, m.typ) {
		return
	}
	h, f := c.p.Kinds[kind][m.typ], &freedom{from: m.from, number: m.number, past: m.past, sends: c.p.sends(kind, m.typ)}
	f.reads[h.Register] = true
	f.writes[h.Register] = !h.Peek
	if h.Look > 0 && !h.Peek {
		f.reads[(h.Register+h.Look)%Registers] = true
	}
	c.log[len(c.log)-1].free = f
}

// tied reports whether two steps of one actor depend on each other.
func (f *freedom) tied(g *freedom, model trace.Model) bool {
	if f == nil || g == nil || model == trace.Causal && (f.sends || g.sends) || model == trace.FIFO &&
		(f.from == g.from || f.sends && g.sends) {
		return true
	}
	for r := range Registers {
		if f.writes[r] && (g.reads[r] || g.writes[r]) || f.reads[r] && g.writes[r] {
			return true
		}
	}
	return slices.Contains(f.past, g.number) || slices.Contains(g.past, f.number)
}

// loosen sorts the first sequence of a log, if it holds declared steps, and gives what is left of its order: the pairs
// that are tied.
func loosen(log []entry, model trace.Model) []byte {
	n := 1
	for n < len(log) && log[n].kind == log[0].kind && log[n].of == log[0].of {
		n++
	}
	log = log[:n]
	if log[0].kind != steps || !slices.ContainsFunc(log, func(e entry) bool { return e.free != nil }) {
		return nil
	}
	var pairs [][2]int
	for j := range log {
		for i := range j {
			if log[i].free.tied(log[j].free, model) {
				pairs = append(pairs, [2]int{log[i].name, log[j].name})
			}
		}
	}
	slices.SortFunc(pairs, func(x, y [2]int) int { return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1])) })
	slices.SortFunc(log, func(x, y entry) int { return cmp.Compare(x.name, y.name) })
	key := binary.AppendUvarint([]byte("tied"), uint64(len(pairs)))
	for _, p := range pairs {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(p[0])), uint64(p[1]))
	}
	return key
}
