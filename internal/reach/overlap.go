package reach

import (
	"cmp"
	"slices"
)

// This file finds pieces of memory that several owners lead to.
//
//	invariants: shared has every region that overlaps a region of another owner; it may have more: all of a chain of
//	            overlapping regions in which there are two owners. Its order does not depend on addresses, which differ
//	            from run to run

// spot is a region of an owner.
type spot struct{ owner, region int32 }

// interval is where a region lies.
type interval struct {
	start, end uintptr
	spot
}

// overlap keeps all regions in the order of their addresses.
type overlap struct {
	all     []interval
	changed []int32 // owners whose regions are other ones
	shared  []spot
	fresh   []interval
	merged  []interval
}

func (v *overlap) reset() { v.all, v.changed, v.shared = v.all[:0], v.changed[:0], v.shared[:0] }

func (v *overlap) change(slot int32) { v.changed = append(v.changed, slot) }

// update takes in the changes and gives what is shared now.
func (v *overlap) update(owners []owner) []spot {
	if len(v.changed) == 0 {
		return v.shared
	}
	v.fresh = v.fresh[:0]
	slices.Sort(v.changed)
	v.changed = slices.Compact(v.changed)
	for _, slot := range v.changed {
		for i := range owners[slot].regions {
			r := &owners[slot].regions[i]
			v.fresh = append(v.fresh, interval{r.Start(), r.End(), spot{slot, int32(i)}})
		}
	}
	slices.SortFunc(v.fresh, func(a, b interval) int { return cmp.Compare(a.start, b.start) })
	v.merge()
	v.changed = v.changed[:0]
	v.sweep()
	return v.shared
}

// merge puts the new intervals in the place of the old ones of the same owners.
func (v *overlap) merge() {
	v.merged = v.merged[:0]
	j := 0
	for _, x := range v.all {
		if _, changed := slices.BinarySearch(v.changed, x.owner); changed {
			continue
		}
		for ; j < len(v.fresh) && v.fresh[j].start < x.start; j++ {
			v.merged = append(v.merged, v.fresh[j])
		}
		v.merged = append(v.merged, x)
	}
	v.merged = append(v.merged, v.fresh[j:]...)
	v.all, v.merged = v.merged, v.all
}

// sweep finds the chains with several owners.
func (v *overlap) sweep() {
	v.shared = v.shared[:0]
	for i := 0; i < len(v.all); {
		j, end, several := i+1, v.all[i].end, false
		for ; j < len(v.all) && v.all[j].start < end; j++ {
			end = max(end, v.all[j].end)
			several = several || v.all[j].owner != v.all[i].owner
		}
		if several {
			for ; i < j; i++ {
				v.shared = append(v.shared, v.all[i].spot)
			}
		}
		i = j
	}
	slices.SortFunc(v.shared, func(a, b spot) int {
		return cmp.Or(cmp.Compare(a.owner, b.owner), cmp.Compare(a.region, b.region))
	})
}
