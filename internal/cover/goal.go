package cover

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// Criterion says which pairs of receives at one actor count.
type Criterion uint8

// The criteria of [Bita13] section III-A.
const (
	PR       Criterion = iota // pair of receives: one before the other
	PMR                       // one of them changes the actor's handlers, and nothing in between does
	PCR                       // pair of consecutive receives: nothing in between
	criteria = iota
)

var criterionNames = [criteria]string{"pr", "pmr", "pcr"}

func (c Criterion) String() string { return criterionNames[c] }

// ParseCriterion reads a criterion's name.
func ParseCriterion(s string) (Criterion, error) {
	for i, n := range criterionNames {
		if n == s {
			return Criterion(i), nil
		}
	}
	return 0, fmt.Errorf("unknown criterion %q: want one of %s", s, strings.Join(criterionNames[:], ", "))
}

// Asynchronous reports whether the event is an asynchronous receive: goals are about these. An answer belongs to the
// step of the actor that called ([Bita13] section III), a system message comes before all others, and what set-up does
// is not explored.
func Asynchronous(tr *trace.Trace, event int) bool {
	e := &tr.Events[event]
	if event < tr.Explored || e.Step.Kind != trace.Deliver {
		return false
	}
	c := tr.Messages[e.Step.Message].Kind
	return c == trace.User || c == trace.Timeout
}

// sequence is the receives of one actor so far, as far as goals depend on them.
type sequence struct {
	seen   bitset.Set // all
	last   int32      // the last one
	some   bool       // there is one
	change int32      // the last one that changed the handlers, -1 if none did
	since  bitset.Set // that one and all after it, all if there is none
	scrap  [2]bitset.Set
}

func (s *sequence) reset() {
	s.seen, s.since, s.some, s.change = s.seen[:0], s.since[:0], false, -1
}

// partners gives the earlier receives with which receive at, if it came now, would make a goal, valid until the next
// call.
func (s *sequence) partners(c Criterion, changes bool) bitset.Set {
	switch {
	case c == PR:
		return s.seen
	case c == PMR && changes:
		return s.since
	case c == PCR && s.some:
		return s.single(0, s.last)
	case c == PMR && s.change >= 0:
		return s.single(1, s.change)
	}
	return nil
}

func (s *sequence) single(i int, n int32) bitset.Set {
	clear(s.scrap[i])
	s.scrap[i] = s.scrap[i].With(n)
	return s.scrap[i]
}

// put appends a receive.
func (s *sequence) put(at int32, changes bool) {
	s.seen = s.seen.With(at)
	s.last, s.some = at, true
	if changes {
		clear(s.since)
		s.change = at
	}
	s.since = s.since.With(at)
}
