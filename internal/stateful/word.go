package stateful

import "github.com/rehearse-go/rehearse/trace"

// word is one item of a linearised part of a state.
type word struct {
	kind kind
	x    uint64
}

type kind uint8

const (
	plain kind = iota // a number, a part of a string, a type
	unit              // a reference to a unit (an actor, a message, shared memory); x is its index
	back              // memory that this unit has shown before; x is its number
	open              // a set begins; its elements have no order
	next              // the next element
	shut              // the set ends
)

// sum hashes words in which references are replaced by colours. met, if not nil, is told of each reference and of where
// it is, in a way that does not depend on the order of sets.
type sum struct {
	color []trace.ID
	met   func(unit uint64, place trace.ID)
}

// seed is what a hash starts from.
var seed = trace.ID{Hi: 0x7374617465, Lo: 0x6f66616374}

// of hashes words.
func (s *sum) of(words []word) trace.ID {
	h, rest := s.run(seed, words, seed)
	if len(rest) > 0 {
		panic("state: a set ends that never began")
	}
	return h
}

// run hashes up to the end of the words or of an element. place says where they are.
func (s *sum) run(h trace.ID, words []word, place trace.ID) (trace.ID, []word) {
	for i := 0; len(words) > 0; i++ {
		w := words[0]
		switch w.kind {
		case next, shut:
			return h, words
		case open:
			var all trace.ID
			all, words = s.set(words[1:], place.With(uint64(i)))
			h = h.With(uint64(open)).WithID(all)
			continue
		case unit:
			h = h.With(uint64(unit)).WithID(s.color[w.x])
			if s.met != nil {
				s.met(w.x, place.With(uint64(i)))
			}
		default:
			h = h.With(uint64(w.kind)).With(w.x)
		}
		words = words[1:]
	}
	return h, words
}

// set hashes the elements up to the end of a set. The sum of what well mixed hashes give does not depend on their
// order.
func (s *sum) set(words []word, place trace.ID) (all trace.ID, rest []word) {
	n := uint64(0)
	for {
		var h trace.ID
		h, words = s.run(seed, words, place)
		all = add(all, h.With(uint64(next)))
		n++
		end := words[0].kind == shut
		words = words[1:]
		if end {
			return all.With(n), words
		}
	}
}

// add is a commutative combination.
func add(a, b trace.ID) trace.ID { return trace.ID{Hi: a.Hi + b.Hi, Lo: a.Lo + b.Lo} }
