package delivery

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// sameView compares what else the pool tells.
func (w *twin) sameView(p *Pool) error {
	left, waits := map[int32]bool{}, map[int32]bool{}
	p.Each(func(m int32) { left[m] = true })
	holder := map[int32]int32{}
	for a, held := range w.held {
		for _, m := range held {
			holder[m], waits[m] = a, true
		}
		last := int32(-1)
		if len(held) > 0 {
			last = held[len(held)-1]
		}
		if p.Last(a) != last || p.Holds(a) != (last >= 0) {
			return fmt.Errorf("actor %d has captured %d last, the twin %d", a, p.Last(a), last)
		}
	}
	for m := range int32(len(w.tr.Messages)) {
		if at, held := holder[m]; p.Holder(m) != at && (held || p.Holder(m) >= 0) {
			return fmt.Errorf("message %d is held by %d, the twin's by %d", m, p.Holder(m), at)
		}
		if p.Waits(m) != (w.state[m] == pending) {
			return fmt.Errorf("message %d waits: %v, the twin's is in state %d", m, p.Waits(m), w.state[m])
		}
		if waits[m] = waits[m] || w.state[m] == pending; left[m] != waits[m] {
			return fmt.Errorf("message %d is left: %v, the twin's %v", m, left[m], waits[m])
		}
		for o := range int32(len(w.tr.Messages)) {
			if p.Follows(m, o) != (w.model == trace.Causal && w.past[m][o]) {
				return fmt.Errorf("message %d follows %d: %v", m, o, p.Follows(m, o))
			}
		}
		for a := range int32(len(w.tr.Actors)) {
			if p.Knows(a, m) != (w.model == trace.Causal && w.knows[a][m]) {
				return fmt.Errorf("actor %d knows of message %d: %v", a, m, p.Knows(a, m))
			}
		}
	}
	return nil
}

// sane checks what the pool keeps twice.
func (p *Pool) sane() error {
	active := map[int32]int{}
	before := int32(-1)
	for a := p.active.first; a >= 0; before, a = a, p.boxes[a].next {
		if active[a]++; p.boxes[a].prev != before || active[a] > 1 {
			return fmt.Errorf("box %d comes after %d and has %d before it", a, before, p.boxes[a].prev)
		}
	}
	if p.active.last != before {
		return fmt.Errorf("box %d is the last, and %d comes last", p.active.last, before)
	}
	for i := range p.boxes {
		b, n, times := &p.boxes[i], 0, 0
		for _, q := range b.queues {
			n += len(q)
		}
		if b.listed {
			times = 1
		}
		if int(b.n) != n || active[int32(i)] != times || n > 0 && !b.listed {
			return fmt.Errorf("box %d has %d messages and counts %d; it is listed %v, and active %d times",
				i, n, b.n, b.listed, active[int32(i)])
		}
	}
	return nil
}
