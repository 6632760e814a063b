package cover

import (
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
)

// generator makes schedules that achieve goals of one criterion that are open, from one base.
//
//	source:     [Bita13] algorithms 1 to 3
//	differs:    algorithms 2 and 3 call each other; here they are one loop. That is the same, since a place that
//	            algorithm 3 has appended is in no later pair, but for the last place under PR. The paper removes from the
//	            tail at once what must not be scheduled any more; here that is found when it is met (valid)
//	invariants: I1 a place of out comes behind all that must happen before it, in the order of the base but for the
//	               chosen pairs
//	            I2 a place is in one of: out, the tail, the excluded ones
//	            I3 places leave the tail in ascending order, so each is looked at once as the first of a pair
//	cost:       a schedule takes O(places * chains with a chosen place) and a row of bits for each first of a pair
//	checked by: plain_test.go: the same schedules as the algorithms as they are printed
type generator struct {
	*base
	o *Achieved
	c Criterion

	// where the search for open goals is
	place, entry int
	second       int32          // the first candidate: a receive's place in its box
	tried        bool           // in the order of the base
	shuts        [][]bitset.Set // by box and receive: with which it makes no goal that is open; nil: not looked at yet

	// of the schedule that is being made
	out    []int32
	state  []whereabouts
	rest   []bitset.Set // by box: receives whose places are in the tail
	heads  []int32      // by chain: all places below were moved out or excluded
	least  []int32      // by chain: the first chosen place in it
	marked []int32      // chains with a chosen place
	chosen [][]int32
}

// whereabouts says where a place is.
type whereabouts uint8

const (
	inTail whereabouts = iota
	inOut
	excluded
)

// newGenerator makes what builds orders of the receives of one execution.
func newGenerator(b *base, o *Achieved, c Criterion) *generator {
	g := &generator{base: b, o: o, c: c, state: make([]whereabouts, len(b.places)), rest: make([]bitset.Set, len(b.boxes)),
		heads: make([]int32, len(b.chains)), least: make([]int32, len(b.chains)), chosen: make([][]int32, len(b.chains))}
	for i := range b.boxes {
		g.shuts = append(g.shuts, make([]bitset.Set, len(b.boxes[i].receives)))
	}
	return g
}

// next gives the next schedule, as places: for each pair in the order of the base and then in the other, if that goal
// is open by then (algorithm 1). Nil: there is none. A goal is tried once.
func (g *generator) next() []int32 {
	for ; g.place < len(g.places); g.place, g.entry = g.place+1, 0 {
		for of := g.places[g.place].receives; g.entry < len(of); g.entry, g.second, g.tried = g.entry+1, 0, false {
			if out := g.nextOf(of[g.entry]); out != nil {
				return out
			}
		}
	}
	return nil
}

// nextOf is next for the pairs whose first is x.
func (g *generator) nextOf(x int32) []int32 {
	box := &g.boxes[g.receives[x].box]
	for {
		n := g.openAfter(x, max(g.second, g.receives[x].nth+1))
		if n < 0 {
			return nil
		}
		if n != g.second {
			g.second, g.tried = n, false
		}
		y := box.receives[n]
		if !g.tried {
			g.tried = true
			if !g.has(x, y) {
				return g.schedule(x, y, false)
			}
		}
		g.second, g.tried = g.second+1, false
		if !g.has(y, x) {
			return g.schedule(x, y, true)
		}
	}
}

// openAfter gives the first receive of the box of x, from low on, that makes an open goal with x. It is given by its
// place in the box, -1 if there is none.
func (g *generator) openAfter(x, low int32) int32 {
	box := &g.boxes[g.receives[x].box]
	shut := g.shut(x)
	for n := shut.NextAbsent(low); int(n) < len(box.receives); n = shut.NextAbsent(n + 1) {
		if g.open(x, box.receives[n]) {
			return n
		}
	}
	return -1
}

// has reports whether the goal that x comes before y is achieved.
func (g *generator) has(x, y int32) bool {
	r, s := &g.receives[x], &g.receives[y]
	return g.boxes[r.box].box.has(g.c, r.at, s.at)
}

// open reports whether x and y make an open goal. If not, the pair is shut, so that it is not looked at again.
func (g *generator) open(x, y int32) bool {
	if g.has(x, y) && g.has(y, x) {
		r := &g.receives[x]
		shut := g.shuts[r.box]
		shut[r.nth] = shut[r.nth].With(g.receives[y].nth)
		return false
	}
	return true
}

// shut gives, by their places in the box, the receives with which x makes no goal: unrelated, in an order that must be,
// or both goals are achieved.
func (g *generator) shut(x int32) bitset.Set {
	r := &g.receives[x]
	box := &g.boxes[r.box]
	if row := g.shuts[r.box][r.nth]; row != nil {
		return row
	}
	row := make(bitset.Set, (len(box.receives)+63)/64)
	for n, y := range box.receives {
		if y == x || g.closed(x, y) {
			row[n>>6] |= 1 << (n & 63)
		}
	}
	g.shuts[r.box][r.nth] = row
	return row
}

// closed reports whether two receives of a box make no goal. What is looked up fast comes first.
func (g *generator) closed(x, y int32) bool {
	r, s := &g.receives[x], &g.receives[y]
	if r.at < 0 || s.at < 0 || g.c == PMR && !r.changes && !s.changes {
		return true
	}
	first, second := r.place, s.place
	if y < x {
		first, second = second, first
	}
	return g.must(first, second) || g.has(y, x) && g.has(x, y)
}

// schedule is algorithms 2 and 3: receives x and y, the earlier one first or the other way round, then as many open
// goals as the rest allows.
func (g *generator) schedule(x, y int32, swap bool) []int32 {
	i := g.receives[x].place
	g.begin(i)
	at := i + 1
	for {
		g.pair(g.receives[x].place, g.receives[y].place, swap)
		if g.c == PR && g.again(&x, &y) {
			g.out = g.out[:len(g.out)-1]
			swap = g.has(x, y)
			continue
		}
		if at = g.find(at, &x, &y); at < 0 {
			return g.out
		}
		swap = g.has(x, y)
	}
}

// begin schedules all places before i; the others are the tail.
func (g *generator) begin(i int32) {
	g.out = g.out[:0]
	clear(g.state)
	clear(g.heads)
	for _, c := range g.marked {
		g.chosen[c] = g.chosen[c][:0]
	}
	g.marked = g.marked[:0]
	for c := range g.least {
		g.least[c] = math.MaxInt32
	}
	for b := range g.rest {
		n := len(g.boxes[b].receives)
		g.rest[b] = slices.Grow(g.rest[b][:0], (n+63)/64)[:(n+63)/64]
		for w := range g.rest[b] {
			g.rest[b][w] = math.MaxUint64
		}
		if n&63 != 0 {
			g.rest[b][n>>6] = 1<<(n&63) - 1
		}
		for _, r := range g.boxes[b].receives {
			if g.receives[r].place >= 0 {
				break
			}
			g.drop(r)
		}
	}
	for p := range i {
		g.move(p)
	}
}

// drop says that the place of a receive is not in the tail.
func (g *generator) drop(r int32) {
	n := g.receives[r].nth
	g.rest[g.receives[r].box][n>>6] &^= 1 << (n & 63)
}

// leave takes a place out of the tail.
func (g *generator) leave(p int32, to whereabouts) {
	g.state[p] = to
	for _, r := range g.places[p].receives {
		g.drop(r)
	}
}

// move appends a place of the tail to the schedule.
func (g *generator) move(p int32) {
	g.leave(p, inOut)
	g.out = append(g.out, p)
}

// pair appends what must happen before j, and then the two places. What must happen after one of the two is excluded
// from now on, since it may not be valid any more.
func (g *generator) pair(i, j int32, swap bool) {
	g.leave(i, inOut)
	g.leave(j, inOut)
	from := len(g.out)
	g.causes(j)
	slices.Sort(g.out[from:])
	if swap {
		i, j = j, i
	}
	g.out = append(g.out, i, j)
	g.choose(i)
	g.choose(j)
}

// causes moves what is left in the tail of what must happen before place j.
func (g *generator) causes(j int32) {
	q := &g.places[j]
	for c, n := range q.before {
		g.moveBelow(int32(c), n)
	}
	if q.kept >= 0 {
		g.moveBelow(q.kept, q.nth)
	}
	if !q.ordered || q.kept >= 0 {
		return
	}
	for _, p := range g.chains[q.chain][g.heads[q.chain]:q.at] {
		if g.state[p] == inTail && g.keeps(&g.places[p], q) {
			g.move(p)
		}
	}
}

// moveBelow moves the first n places of a chain.
func (g *generator) moveBelow(chain, n int32) {
	for ; g.heads[chain] < n; g.heads[chain]++ {
		if p := g.chains[chain][g.heads[chain]]; g.state[p] == inTail {
			g.move(p)
		}
	}
}

// choose notes that what comes after place p may not be valid any more.
func (g *generator) choose(p int32) {
	q := &g.places[p]
	g.mark(q.chain, q.at)
	if q.kept >= 0 {
		g.mark(q.kept, q.nth)
	}
	if q.ordered && q.kept < 0 {
		g.chosen[q.chain] = append(g.chosen[q.chain], p)
	}
}

func (g *generator) mark(chain, at int32) {
	if g.least[chain] == math.MaxInt32 {
		g.marked = append(g.marked, chain)
	}
	g.least[chain] = min(g.least[chain], at)
}

// valid reports whether a place is in the tail, and no chosen place must happen before it.
func (g *generator) valid(p int32) bool {
	if g.state[p] != inTail {
		return false
	}
	if g.spoilt(&g.places[p]) {
		g.leave(p, excluded)
		return false
	}
	return true
}

// spoilt reports whether a chosen place must happen before q. That may be so in the order of the base, in an order that
// the chain keeps, or for a chosen place of the same chain.
func (g *generator) spoilt(q *place) bool {
	for _, c := range g.marked {
		if q.before.has(c, g.least[c]) {
			return true
		}
	}
	if q.kept >= 0 {
		return g.least[q.kept] < q.nth
	}
	for _, p := range g.chosen[q.chain] {
		if r := &g.places[p]; r.at < q.at && g.keeps(r, q) {
			return true
		}
	}
	return false
}

// again looks for an open goal of the last place with one of the tail: two receives of PR need not be neighbours.
func (g *generator) again(x, y *int32) bool {
	h := g.out[len(g.out)-1]
	for _, r := range g.places[h].receives {
		if n := g.partner(r, 0); n >= 0 {
			*x, *y = r, n
			return true
		}
	}
	return false
}

// partner gives a receive of the tail, from place low in the box on, that makes an open goal with r, -1 if there is
// none.
func (g *generator) partner(r, low int32) int32 {
	box := g.receives[r].box
	shut := g.shut(r)
	for n := g.rest[box].NextBeyond(shut, low); n >= 0; n = g.rest[box].NextBeyond(shut, n+1) {
		y := g.boxes[box].receives[n]
		if g.valid(g.receives[y].place) && g.open(r, y) {
			return y
		}
	}
	return -1
}

// find looks for the first pair of the tail, from place at on, that makes an open goal. The places before the first of
// the pair are moved to the schedule. It gives the place behind the first. If there is no pair, it moves nothing and
// gives -1.
func (g *generator) find(at int32, x, y *int32) int32 {
	for p := at; int(p) < len(g.places); p++ {
		if !g.valid(p) {
			continue
		}
		for _, r := range g.places[p].receives {
			if n := g.partner(r, g.receives[r].nth+1); n >= 0 {
				for q := at; q < p; q++ {
					if g.valid(q) {
						g.move(q)
					}
				}
				*x, *y = r, n
				return p + 1
			}
		}
	}
	return -1
}

// achieve adds the goals that a schedule achieves, in the memory of seqs.
func (g *generator) achieve(out []int32, seqs []sequence) []sequence {
	for len(seqs) < len(g.boxes) {
		seqs = append(seqs, sequence{})
	}
	for b := range g.boxes {
		seqs[b].reset()
	}
	for b := range g.boxes {
		for _, n := range g.boxes[b].receives {
			if g.receives[n].place >= 0 {
				break
			}
			g.achieveOne(n, seqs)
		}
	}
	for _, p := range out {
		for _, n := range g.places[p].receives {
			g.achieveOne(n, seqs)
		}
	}
	return seqs
}

func (g *generator) achieveOne(n int32, seqs []sequence) {
	if r := &g.receives[n]; r.at >= 0 {
		g.o.add(g.boxes[r.box].box, &seqs[r.box], r.at, r.changes)
	}
}
