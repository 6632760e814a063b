package chain

import (
	"cmp"
	"slices"
)

// Chain leads from one handler to another: From calls Calls[0].To, which calls Calls[1].To, and so on.
type Chain struct {
	From  Handler
	Calls []Call
}

// Conditions counts the branches above all sends of the chain.
func (c Chain) Conditions() int {
	sum := 0
	for _, call := range c.Calls {
		sum += call.Conditions
	}
	return sum
}

// maxVisits bounds the search of Between.
const maxVisits = 200_000

// Between lists the chains from one handler to another, at most limit, shortest first. All says that there are no
// others.
func (f *Facts) Between(from, to Handler, limit int) (chains []Chain, all bool) {
	s := search{f: f, to: to, limit: limit, away: f.distances(to), inner: map[Handler]bool{}, visits: maxVisits}
	// The inner handlers of a chain differ, so that it has at most as many calls as there are handlers, and one.
	for n := 1; n <= len(f.Methods)+1 && !s.over; n++ {
		at := len(s.found)
		s.walk(from, n, nil, from)
		slices.SortStableFunc(s.found[at:], func(a, b Chain) int { return cmp.Compare(a.Conditions(), b.Conditions()) })
	}
	return s.found, !s.over
}

// distances gives for each handler the least number of calls to one.
func (f *Facts) distances(to Handler) map[Handler]int {
	callers := map[Handler][]Handler{}
	for _, m := range f.Methods {
		for _, c := range m.Calls {
			callers[c.To] = append(callers[c.To], m.Handler)
		}
	}
	away := map[Handler]int{to: 0}
	for queue := []Handler{to}; len(queue) > 0; queue = queue[1:] {
		for _, h := range callers[queue[0]] {
			if _, seen := away[h]; !seen {
				away[h] = away[queue[0]] + 1
				queue = append(queue, h)
			}
		}
	}
	return away
}

// search is one run of Between.
type search struct {
	f      *Facts
	to     Handler
	limit  int
	away   map[Handler]int
	inner  map[Handler]bool // of the chain that is being built
	found  []Chain
	visits int  // that are left
	over   bool // gave up
}

// walk adds the chains that go on from h with exactly n more calls.
func (s *search) walk(h Handler, n int, calls []Call, from Handler) {
	if s.visits--; s.visits < 0 {
		s.over = true
	}
	for _, c := range s.f.Methods[s.f.index[h]].Calls {
		away, leads := s.away[c.To]
		switch {
		case s.over:
			return
		case n == 1 && c.To == s.to:
			if len(s.found) == s.limit {
				s.over = true
				return
			}
			s.found = append(s.found, Chain{from, append(slices.Clone(calls), c)})
		case n > 1 && leads && away <= n-1 && !s.inner[c.To]:
			s.inner[c.To] = true
			s.walk(c.To, n-1, append(calls, c), from)
			delete(s.inner, c.To)
		}
	}
}
