package parallel

import "slices"

// queue holds the open items that nobody executes.
//
// Items that a worker died of are kept together as a suspect (suspicion.go).
type queue struct {
	free     []int
	suspects []*suspect
}

type suspect struct {
	ids []int // executed from the end
	Suspicion
}

func (q *queue) empty() bool { return len(q.free) == 0 && len(q.suspects) == 0 }

// deal takes the items of one worker among so many. They are those at every n-th place in the order of depth, so that
// every worker gets some that begin early and some that begin late. The deepest come last, to be executed first: they
// are done soon, which keeps few open. Those that are not ready stay.
func (q *queue) deal(workers int, depth func(id int) int, ready func(id int) bool) []int {
	slices.SortFunc(q.free, func(a, b int) int {
		if d := depth(a) - depth(b); d != 0 {
			return d
		}
		return b - a // of one node the older first: it was given away earlier
	})
	every := max(workers, (len(q.free)+mostDealt-1)/mostDealt)
	var mine, rest []int
	n := 0
	for _, id := range q.free {
		if !ready(id) {
			rest = append(rest, id)
			continue
		}
		if n%every == 0 {
			mine = append(mine, id)
		} else {
			rest = append(rest, id)
		}
		n++
	}
	q.free = rest
	return mine
}

// next takes a suspect, nil if there is none. Of its items those that are not ready are suspected no more until they
// kill again.
func (q *queue) next(ready func(id int) bool) *suspect {
	for len(q.suspects) > 0 {
		s := q.suspects[0]
		q.suspects = q.suspects[1:]
		s.ids = slices.DeleteFunc(s.ids, func(id int) bool {
			if ready(id) {
				return false
			}
			q.free = append(q.free, id)
			return true
		})
		if len(s.ids) > 0 {
			return s
		}
	}
	return nil
}

// survived puts back what a suspect has left after a report.
func (q *queue) survived(s *suspect, ids []int) {
	if s.Suspicion = s.Survived(); !s.Suspected() || len(ids) == 0 {
		q.free = append(q.free, ids...)
		return
	}
	// Of very many those that are executed next are suspected on; should one of the others kill, it is suspected again.
	first := max(0, len(ids)-mostDealt)
	q.free = append(q.free, ids[:first]...)
	q.suspects = append(q.suspects, &suspect{ids[first:], s.Suspicion})
}

// killed takes a suspect whose worker died at one of the items. It gives the item that is convicted, 0 if none is.
func (q *queue) killed(s *suspect, at int) (convicted int) {
	next, convicts := s.Died()
	s.Suspicion = next
	if !convicts {
		q.suspects = append(q.suspects, s)
		return 0
	}
	q.free = append(q.free, slices.DeleteFunc(s.ids, func(id int) bool { return id == at })...)
	return at
}
