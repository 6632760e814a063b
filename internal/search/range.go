package search

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/rehearse-go/rehearse/explore"
)

// Range is the executions that a sampling strategy makes, which have numbers: all from one number to before another.
// What an execution does is a function of the seed and of its number, so it is the same whoever makes it. Strategies
// embed it. The zero Range has all numbers from 0, without end.
//
//	this file:  taking a range, and giving away what is left of it
//	invariants: I1 each number belongs to one item, so the executions of the items are those of the whole, each once
//	            I2 with FirstAlone no number is given away by itself before execution 0 was made
//	cost:       two numbers
//	checked by: range_test.go; divide_test.go of internal/sample, which divides after every execution
type Range struct {
	// FirstAlone: what is learned in execution 0 decides about all others, so it is made before them.
	FirstAlone bool
	// Round is how many executions belong together: what has no more is not divided, unless it was begun. 0: one.
	Round uint64

	next  uint64 // the number of the next execution
	end   uint64 // behind the last number; 0: there is no last one
	limit uint64 // from here on numbers are given back; 0: none is
	gone  bool   // all that was left was given away
}

// What a Range has no less than this, nobody counts to.
const mostNumber = 1 << 62

// How a Range is divided: into so many items at most. Where it has no end a piece has so many executions at least, or
// one in so many of those before. So the number of items grows with the logarithm of what is executed.
const (
	mostPieces  = 16
	leastPiece  = 16
	pieceOfPast = 16
)

// Next gives the number of the next execution; false: there is none left here.
func (r *Range) Next() (number uint64, ok bool) {
	if r.gone || r.end > 0 && r.next >= r.end || r.limit > 0 && r.next >= r.limit {
		return 0, false
	}
	r.next++
	return r.next - 1, true
}

// Take is explore.Divisible.
func (r *Range) Take(item explore.Item) error {
	if Undivided(item) {
		return nil
	}
	from, end, err := rangeOf(item)
	r.next, r.end = from, end
	return err
}

// Limit is explore.Numbered.
func (r *Range) Limit(n int) { r.limit = uint64(max(n, 0)) }

// Beyond is explore.Numbered.
func (r *Range) Beyond(item explore.Item) bool {
	from, _, err := rangeOf(item)
	return err == nil && r.limit > 0 && from >= r.limit
}

// Behind is explore.Numbered.
func (r *Range) Behind(item explore.Item) (rest explore.Item, left bool) {
	from, end, err := rangeOf(item)
	if err != nil || from+1 == end {
		return explore.Item{}, false
	}
	return rangeItem(from+1, end), true
}

// Split is explore.Divisible: pieces up to the limit, if there is one, then what is behind it or has no end.
func (r *Range) Split(max int) (items []explore.Item) {
	if r.gone || r.end > 0 && r.next >= r.end {
		return nil
	}
	r.gone = true
	at := r.next
	if !r.FirstAlone || at > 0 {
		items, at = r.pieces(min(max, mostPieces) - 1)
	}
	if r.end == 0 || at < r.end {
		items = append(items, rangeItem(at, r.end))
	}
	return items
}

// pieces gives what begins at next as so many items and maybe one more, and where they end.
func (r *Range) pieces(most int) (items []explore.Item, at uint64) {
	at, stop := r.next, r.end
	if r.limit > 0 && (stop == 0 || stop > r.limit) {
		stop = max(r.limit, at)
	}
	if stop == 0 {
		size := r.rounds(max(leastPiece, at/pieceOfPast))
		for range most {
			items = append(items, rangeItem(at, at+size))
			at += size
		}
		return items, at
	}
	// As many pieces as each has executions: so items are not too short, and what is left at last is shared too.
	n := min(uint64(most), uint64(math.Ceil(math.Sqrt(float64(stop-at)))))
	for ; n > 0 && at < stop; n-- {
		size := min(r.rounds((stop-at+n-1)/n), stop-at)
		items = append(items, rangeItem(at, at+size))
		at += size
	}
	return items, at
}

// rounds gives whole rounds that have so many executions at least.
func (r *Range) rounds(executions uint64) uint64 {
	round := max(r.Round, 1)
	return max(executions+round-1, round) / round * round
}

// GoTo has the next execution be that of a number.
func (r *Range) GoTo(number uint64) { r.next = number }

// The rest of an item has the first number and the one behind the last, 0 if there is no last one.
const rangeSize = 2 * 8

var errRange = errors.New("an item that is no range of executions is not one of this strategy")

func rangeItem(from, end uint64) explore.Item {
	return explore.Item{Rest: binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, from), end)}
}

// rangeOf reads an item strictly.
func rangeOf(item explore.Item) (from, end uint64, err error) {
	if Undivided(item) {
		return 0, 0, nil
	}
	if len(item.Steps) > 0 || len(item.Rest) != rangeSize {
		return 0, 0, errRange
	}
	from, end = binary.BigEndian.Uint64(item.Rest), binary.BigEndian.Uint64(item.Rest[8:])
	if from >= mostNumber || end > mostNumber || end > 0 && end <= from {
		return 0, 0, errRange
	}
	return from, end, nil
}
