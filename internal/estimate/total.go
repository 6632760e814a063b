package estimate

import (
	"math"

	"github.com/rehearse-go/rehearse/explore"
)

const (
	// least is the number of executions before which there is no estimate: nothing was learned yet.
	least = 8
	// reach is the half width of the bar in standard deviations. They are deviations of logarithms, which are guessed from few nodes: 2
	// would be 95% if they were known and normal. totals_test.go says how often the truth is inside.
	reach = 2
	// doubt is how much of its growth a node is taken to deviate by before anything is known, and for how many nodes that counts.
	doubt, doubts = 0.5, 2.0
)

// Total estimates the number of executions of the whole walk, given the number of branches of node i of the path that are known and not
// begun. ok is false where there is no estimate yet, or none any more because the path became shorter by itself.
func (w *Walk) Total(open func(i int) int) (e explore.Estimate, ok bool) {
	n := float64(w.count)
	if w.over {
		return explore.Estimate{Total: n, Low: n, High: n}, true
	}
	if w.lost || w.count < least {
		return e, false
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
			return e, false
		}
		growth, variance := w.growth(j, left)
		spread *= below / size
		spread = math.Sqrt(spread*spread + variance)
		below = size * math.Exp(growth)
	}
	if floor == 0 {
		floor = 1 // the walk is not over
	}
	low := n + float64(floor)
	e.Total = max(below, low)
	if below < low {
		spread += math.Log(low / below)
	}
	e.Low = max(low, e.Total*math.Exp(-reach*spread))
	e.High = max(e.Total*math.Exp(reach*spread), low+1)
	return e, true
}

// growth gives the logarithm of the factor by which a node grows from j branches by left more, and its variance.
func (w *Walk) growth(j, left int) (log, variance float64) {
	bias := 0.0
	for k := j; k < j+left; k++ {
		l, v, b := w.step(k)
		log, variance, bias = log+l, variance+v, bias+b
	}
	return log, variance + bias*bias
}

// step gives the growth from j branches to the next: its logarithm, the variance, and by how much the guess may be wrong for all nodes
// alike.
func (w *Walk) step(j int) (log, variance, bias float64) {
	at := min(j, len(w.links)-1)
	for at >= 0 && w.links[at].n == 0 {
		at--
	}
	if at < 0 {
		log = math.Log(float64(j+2) / float64(j+1)) // all alike
		return log, log * log, log
	}
	l := &w.links[at]
	log = math.Log(l.to / l.from)
	mean := l.logs / l.weight
	n := float64(l.n)
	prior := doubt * log
	variance = (max(0, l.square/l.weight-mean*mean)*n + prior*prior*doubts) / (n + doubts) * (1 + 1/n)
	if at == j {
		return log, variance, 0
	}
	// Beyond what was seen: if branches are alike the growth goes down as 1/j, if they grow by a factor it stays. The truth is taken to
	// be between the two.
	alike := log * float64(at+1) / float64(j+1)
	mid := math.Sqrt(log * alike)
	return mid, variance * mid * mid / (log * log), (log - alike) / 2
}
