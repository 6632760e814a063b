package cover

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// Speculation. Rules 3 and 4 of [Bita13] definition 5 take an earlier receive of an actor for a cause of what the actor
// sends later. That is a guess. A pair that is ordered by this guess alone is tried the other way round. The schedule
// has what leads to the later receive by sends, then the later receive, then the earlier one.
//
//	source:     ours
//	invariants: I1 a goal is tried maxTries times, whatever the base
type tries map[goal]int

// goal is an ordered pair of receives in a box.
type goal struct {
	box           *box
	first, second int32
}

const maxTries = 2

// speculate begins a schedule for a goal that looks impossible, from the newest base that has one.
func (c *Star) speculate() bool {
	for _, k := range slices.Backward(c.bases) {
		for ; k.guess < len(k.receives); k.guess++ {
			if out := c.guess(k, int32(k.guess)); out != nil {
				c.begin(k, out)
				return true
			}
		}
	}
	return false
}

// guess gives a schedule that has an earlier receive of the same actor come after receive y; nil if there is nothing to
// try.
func (c *Star) guess(k *usedBase, y int32) []int32 {
	s := &k.receives[y]
	if s.at < 0 || s.place < 0 {
		return nil
	}
	var leads []int32
	box := &k.boxes[s.box]
	for n := s.nth - 1; n >= 0; n-- {
		x := box.receives[n]
		r := &k.receives[x]
		if r.at < 0 || r.place < 0 || !k.must(r.place, s.place) || box.box.has(PR, s.at, r.at) ||
			k.keeps(&k.places[r.place], &k.places[s.place]) {
			continue
		}
		if leads == nil {
			leads = k.leads(s.place)
		}
		g := goal{box.box, s.at, r.at}
		if _, found := slices.BinarySearch(leads, r.place); found || c.tries[g] >= maxTries {
			continue
		}
		c.tries[g]++
		return reversed(r.place, s.place, leads)
	}
	return nil
}

// reversed schedules what comes before place i, then what leads to place j, then j and i.
func reversed(i, j int32, leads []int32) []int32 {
	var out []int32
	for p := range i {
		out = append(out, p)
	}
	for _, p := range leads {
		if p > i {
			out = append(out, p)
		}
	}
	return append(out, j, i)
}

// leads gives the places that lead to place j by sending, or that the model keeps before one that does, in order.
func (b *base) leads(j int32) []int32 {
	met := map[int32]bool{j: true}
	stack, out := []int32{j}, []int32(nil)
	visit := func(p int32) {
		if p >= 0 && !met[p] {
			met[p] = true
			stack, out = append(stack, p), append(out, p)
		}
	}
	for len(stack) > 0 {
		q := &b.places[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		visit(q.origin)
		if q.kept >= 0 && q.nth > 0 {
			visit(b.chains[q.kept][q.nth-1])
		}
		if b.model == trace.MailboxSerial && q.at > 0 {
			visit(b.chains[q.chain][q.at-1])
		}
	}
	slices.Sort(out)
	return out
}
