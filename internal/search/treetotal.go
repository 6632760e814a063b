package search

import (
	"math"

	"github.com/rehearse-go/rehearse/explore"
)

const (
	// least is the number of executions before which there is no estimate: nothing was learned yet.
	least = 8
	// reach is the half width of the bar in standard deviations. They are deviations of logarithms, which are guessed from
	// few nodes: 2 would be 95% if they were known and normal. treetotal_test.go says how often the truth is inside.
	reach = 2.25
	// doubt is how much of its growth a node is taken to deviate by before anything is known, and for how many nodes that
	// counts.
	doubt, doubts = 0.5, 2.0
	// apart is the part of the difference between two guesses by which their mean may be wrong.
	apart = 3
)

// Total estimates the number of executions of the whole walk, given the number of branches of node i of the path that
// are known and not begun. It is zero where there is no estimate yet, or none any more because the path became shorter
// by itself.
func (w *Walk) Total(open func(i int) int) (e explore.Estimate) {
	n := float64(w.count)
	if w.over {
		return explore.Estimate{Total: n, Low: n, High: n}
	}
	if w.lost || w.count < least {
		return e
	}
	below, spread, floor := 0.0, 0.0, 0 // of the branch in progress: its size, the standard deviation of the logarithm
	for i := len(w.frames) - 1; i >= 0; i-- {
		f := &w.frames[i]
		j, left := f.branches+1, open(i)
		if i == len(w.frames)-1 {
			if w.turned {
				j, left = f.branches, left+1
			} else {
				below = float64(w.count - f.before - f.sum)
			}
		}
		floor += left
		size := float64(f.sum) + below
		if size == 0 {
			return e
		}
		growth, variance := w.growth(j, left)
		spread *= below / size
		spread += math.Sqrt(variance)
		below = size * math.Exp(growth)
	}
	// A search that skips a branch that sleeps makes fewer; one that does not tell of its last nodes may go on although
	// none is open.
	known := n + float64(floor)
	e.Total = max(below, known)
	spread += math.Log(e.Total / below)
	e.Low = max(n, e.Total*math.Exp(-reach*spread))
	e.High = max(e.Total*math.Exp(reach*spread), known+1)
	return e
}

// growth gives the logarithm of the factor by which a node grows from j branches by left more, and its variance.
func (w *Walk) growth(j, left int) (log, variance float64) {
	bias := 0.0
	for ; left > 0; j, left = j+1, left-1 {
		g := w.from(j, left, w.Uneven)
		log, variance, bias = log+g.log, variance+g.variance, bias+g.bias
	}
	return log, variance + bias*bias
}

// from gives the growth of a node from j branches to the next, where so many are left.
func (w *Growth) from(j, left int, uneven bool) guess {
	g := w.links.at(j)
	if j >= len(w.links) {
		g = w.links.beyond(j)
	}
	if h := w.ends.at(left - 1); uneven && h.known {
		g = guess{(g.log + h.log) / 2, (g.variance + h.variance) / 2, max(g.bias, math.Abs(g.log-h.log)/apart), true}
	}
	return g
}

// guess is a growth as it is expected: the logarithm, its variance, and by how much the guess may be wrong for all
// nodes alike.
type guess struct {
	log, variance, bias float64
	known               bool
}

// at gives the growth by what is known for j.
func (t table) at(j int) guess {
	if j >= len(t) || t[j].n == 0 {
		return guess{}
	}
	l := &t[j]
	log, mean, n := math.Log(l.to/l.from), l.logs/l.weight, float64(l.n)
	prior := doubt * log
	return guess{log, (max(0, l.square/l.weight-mean*mean)*n + prior*prior*doubts) / (n + doubts) * (1 + 1/n), 0, true}
}

// beyond gives the growth from j branches to the next, more than were seen. If branches are alike the growth goes down
// as 1/j, if each is larger than the last by a factor it stays. The truth is taken to be between the two.
func (t table) beyond(j int) guess {
	if len(t) == 0 {
		log := math.Log(float64(j+2) / float64(j+1))
		return guess{log, log * log, log, false}
	}
	last := t.at(len(t) - 1)
	alike := last.log * float64(len(t)) / float64(j+1)
	mid := math.Sqrt(last.log * alike)
	return guess{mid, last.variance * alike / last.log, (last.log - alike) / 2, false}
}
