package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
)

// This file: what a survey makes of its nodes.
//
//	source:     as treetotal.go
//	differs:    the branches of a node that were begun need not be the first ones, as others may be executed by others.
//	            So what is known is divided by the part of the node that was begun. Where that is the first branches, it
//	            is the chain ladder
//	assumes:    as treetotal.go; and that the errors of different nodes are the same error, which makes the bar wide
//	invariants: I1 the bar holds what was executed, and one execution more for each open item
//	cost:       some ten nanoseconds for each branch of a node at which something is open, and for each open item. It is
//	            256 branches of a node at most, and four million of all nodes, or four of each
//	checked by: surveytotal_test.go, against the definitions

// larger is by how much of its growth a node may differ from those that the growth was learned from. These were
// finished by one worker, and the open ones are larger.
const larger = 0.2

// Total estimates the number of executions of the whole search. It is zero where there is no estimate yet.
func (s *Survey) Total() (e explore.Estimate) {
	s.tidy()
	n := 0.0
	for _, p := range s.nodes {
		n += p.sum
	}
	if len(s.items) == 0 {
		return explore.Estimate{Total: n, Low: n, High: n}
	}
	if n < least {
		return e
	}
	t := totals{Growth: s.Growth, uneven: s.uneven, finest: min(finest, max(coarsest, mostRowsInAll/len(s.nodes)))}
	total, spread := t.size(s.nodes)
	known := n + float64(len(s.items))
	e.Total = max(total, known)
	spread += math.Log(e.Total / total)
	e.Low = max(known, e.Total*math.Exp(-reach*spread))
	e.High = max(e.Total*math.Exp(reach*spread), known+1)
	if math.IsNaN(e.High) || math.IsInf(e.High, 0) {
		return explore.Estimate{} // no machine will get there
	}
	return e
}

// totals works out how large what is at a node and below will be.
type totals struct {
	Growth
	uneven bool
	finest int // rows of a node; 0: the constant
	rows   []row
}

// row is a branch of a node, or several together.
type row struct {
	open float64 // the part of it that was not begun
	grow guess   // of the branches before, by it
	sum  float64 // it and the branches before, as a part of all
}

// size gives what is expected of the first node, and the standard deviation of its logarithm. Each node comes behind
// the one above it. They are not looked at by calling each other: a tree may be as deep as a message is long.
func (t *totals) size(nodes []*place) (size, spread float64) {
	below := make([]struct{ sizes, spreads float64 }, len(nodes))
	for k, n := range nodes {
		n.index = k
	}
	for k, n := range slices.Backward(nodes) {
		known := max(n.sum+below[k].sizes, 1) // else nothing was executed that counts
		part, deviation := t.part(n.open)
		size, spread = known/part, below[k].spreads/known+deviation
		if n.parent != nil {
			b := &below[n.parent.index]
			b.sizes, b.spreads = b.sizes+size, b.spreads+spread*size
		}
	}
	return size, spread
}

// finest bounds the rows of a node. Of a node with more branches several are a row. Where there are very many nodes the
// bound is lower, down to the coarsest.
const (
	finest        = 256
	coarsest      = 4
	mostRowsInAll = 1 << 22
)

// part gives the part of a node that was begun, and the standard deviation of its logarithm, where these branches are
// open.
//
// The first k branches are C(k) of the node. They grow to the first k+1 by the factor exp(g(k)), so that C(k) is
// exp(-g(k)-g(k+1)-...). Branch k is C(k)-C(k-1), and the sum over those that were begun is K. If g(l) is wrong by
// something, the logarithm of K is wrong by -a(l)/K times as much. Here a(l) is what was begun of the first l branches,
// less C(l) if the next one was begun.
func (t *totals) part(open []*piece) (part, deviation float64) {
	if len(open) == 0 {
		return 1, 0
	}
	rows := t.rowsOf(open)
	for k := range rows {
		part += rows.size(k) * (1 - rows[k].open)
	}
	if part <= 0 { // a node of which nothing was begun is in damaged reports only
		return math.SmallestNonzeroFloat64, 0
	}
	begun, variance, bias := 0.0, 0.0, 0.0
	for k := 1; k < len(rows); k++ {
		begun += rows.size(k-1) * (1 - rows[k-1].open)
		a := (begun - rows[k-1].sum*(1-rows[k].open)) / part
		variance += a * a * rows[k].grow.variance
		bias += math.Abs(a) * rows[k].grow.bias
	}
	return part, math.Sqrt(variance + bias*bias)
}

type rows []row

// size is what a row is of the node.
func (rs rows) size(k int) float64 {
	if k == 0 {
		return rs[0].sum
	}
	return rs[k].sum - rs[k-1].sum
}

// rowsOf makes the rows of a node.
func (t *totals) rowsOf(open []*piece) rows {
	all := 0
	for _, o := range open {
		all = max(all, o.from+o.many)
	}
	most := cmp.Or(t.finest, finest)
	each := (all + most - 1) / most
	m := (all + each - 1) / each
	if cap(t.rows) < m {
		t.rows = make([]row, finest)
	}
	rs := rows(t.rows[:m])
	clear(rs)
	for _, o := range open {
		for k, end := o.from, o.from+o.many; k < end; {
			last := min((k/each+1)*each, all)
			rs[k/each].open += float64(min(last, end)-k) / float64(last-k/each*each)
			k = last
		}
	}
	rs[m-1].sum = 1
	for k := m - 1; k > 0; k-- {
		rs[k].grow = t.grow(k*each, min((k+1)*each, all), all)
		rs[k-1].sum = rs[k].sum * math.Exp(-rs[k].grow.log)
	}
	return rs
}

// grow gives the growth of a node from the first so many branches to the first end, of all.
func (t *totals) grow(from, end, all int) guess {
	g := t.from(from-1, all-from, t.uneven)
	if !t.uneven {
		g.bias = max(g.bias, larger*g.log)
	}
	n := float64(end - from)
	return guess{g.log * n, g.variance * n, g.bias * n, g.known}
}
