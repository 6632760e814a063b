package points

import "slices"

// Set is a set of locations, sorted and never changed once made. The nil Set is empty.
type Set []Loc

// Has reports whether l is in the set.
func (s Set) Has(l Loc) bool {
	_, ok := slices.BinarySearch(s, l)
	return ok
}

// One is the set of one location.
func One(l Loc) Set { return Set{l} }

// Union gives what is in either, and s itself if that has all of t.
func (s Set) Union(t Set) Set {
	switch {
	case len(t) == 0:
		return s
	case len(s) == 0:
		return t
	case s.covers(t):
		return s
	}
	out := make(Set, 0, len(s)+len(t))
	i, j := 0, 0
	for i < len(s) && j < len(t) {
		switch {
		case s[i] < t[j]:
			out, i = append(out, s[i]), i+1
		case s[i] > t[j]:
			out, j = append(out, t[j]), j+1
		default:
			out, i, j = append(out, s[i]), i+1, j+1
		}
	}
	return append(append(out, s[i:]...), t[j:]...)
}

// covers reports whether all of t is in s.
func (s Set) covers(t Set) bool {
	if len(t) > len(s) {
		return false
	}
	i := 0
	for _, l := range t {
		for i < len(s) && s[i] < l {
			i++
		}
		if i == len(s) || s[i] != l {
			return false
		}
	}
	return true
}
