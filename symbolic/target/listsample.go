package target

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"slices"
)

// Sample draws n targets without repetition, spread over the types of actors by how many each has; all, if there are
// not more. The same seed draws the same targets of a list.
//
//	source: [TAP18] section 6.1: targets drawn at random, spread by the size of the actor classes
func Sample(list []*Listed, n int, seed uint64) ([]*Listed, error) {
	if n < 1 {
		return nil, fmt.Errorf("a sample of %d targets: want at least 1", n)
	}
	if n >= len(list) {
		return list, nil
	}
	groups, names := map[string][]int{}, []string(nil)
	for i, t := range list {
		// functions of several packages may have one name
		name := filepath.Base(filepath.Dir(t.Place.Filename)) + "/" + t.Actor
		if groups[name] == nil {
			names = append(names, name)
		}
		groups[name] = append(groups[name], i)
	}
	slices.Sort(names)
	var drawn []int
	for i, quota := range shares(names, groups, n, len(list)) {
		h := fnv.New64a()
		h.Write([]byte(names[i]))
		r := rand.New(rand.NewPCG(seed, h.Sum64())) // the draw of one type does not depend on others
		g := groups[names[i]]
		r.Shuffle(len(g), func(a, b int) { g[a], g[b] = g[b], g[a] })
		drawn = append(drawn, g[:quota]...)
	}
	slices.Sort(drawn)
	sample := make([]*Listed, 0, n)
	for _, i := range drawn {
		sample = append(sample, list[i])
	}
	return sample, nil
}

// shares divides n by the sizes of groups: each gets its part rounded down, and those with the largest remainders one
// more.
func shares(names []string, groups map[string][]int, n, total int) []int {
	quotas, order, left := make([]int, len(names)), make([]int, len(names)), n
	for i, name := range names {
		quotas[i], order[i] = n*len(groups[name])/total, i
		left -= quotas[i]
	}
	slices.SortStableFunc(order, func(a, b int) int { return n*len(groups[names[b]])%total - n*len(groups[names[a]])%total })
	for _, i := range order[:left] {
		quotas[i]++
	}
	return quotas
}
