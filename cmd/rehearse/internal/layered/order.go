package layered

import "slices"

// sweeps is how often the order of all layers is improved, down and up.
const sweeps = 12

// order sorts each layer by the mean of the places of its neighbours in the layer before, down and up again. It keeps
// the order with the fewest crossings.
func (l *layout) order() {
	best, least := l.copyLayers(), l.crossings()
	for s := 0; s < sweeps && least > 0; s++ {
		if s%2 == 0 {
			for i := 1; i < len(l.layers); i++ {
				l.sort(i, func(it *item) []int { return it.above }, l.layers[i-1])
			}
		} else {
			for i := len(l.layers) - 2; i >= 0; i-- {
				l.sort(i, func(it *item) []int { return it.below }, l.layers[i+1])
			}
		}
		if n := l.crossings(); n < least {
			best, least = l.copyLayers(), n
		}
	}
	l.layers = best
}

func (l *layout) copyLayers() [][]int {
	c := make([][]int, len(l.layers))
	for i := range l.layers {
		c[i] = slices.Clone(l.layers[i])
	}
	return c
}

// sort orders a layer by the mean place of the neighbours. What has none stays where it is.
func (l *layout) sort(layer int, neighbours func(*item) []int, next []int) {
	at := map[int]int{}
	for i, it := range next {
		at[it] = i
	}
	mean := map[int]float64{}
	for i, it := range l.layers[layer] {
		ns := neighbours(&l.items[it])
		if len(ns) == 0 {
			mean[it] = float64(i) * float64(max(1, len(next))) / float64(len(l.layers[layer]))
			continue
		}
		sum := 0
		for _, n := range ns {
			sum += at[n]
		}
		mean[it] = float64(sum) / float64(len(ns))
	}
	slices.SortStableFunc(l.layers[layer], func(a, b int) int {
		switch {
		case mean[a] < mean[b]:
			return -1
		case mean[a] > mean[b]:
			return 1
		}
		return 0
	})
}

// crossings counts the pairs of edge parts between two layers that cross.
func (l *layout) crossings() (n int) {
	for i := 1; i < len(l.layers); i++ {
		at := map[int]int{}
		for k, it := range l.layers[i] {
			at[it] = k
		}
		var ends []int // in the order of the upper ends
		for _, it := range l.layers[i-1] {
			below := make([]int, 0, len(l.items[it].below))
			for _, b := range l.items[it].below {
				below = append(below, at[b])
			}
			slices.Sort(below)
			ends = append(ends, below...)
		}
		for a := range ends {
			for b := a + 1; b < len(ends); b++ {
				if ends[a] > ends[b] {
					n++
				}
			}
		}
	}
	return n
}
