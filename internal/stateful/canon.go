package stateful

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file finds a key for units that does not depend on how they are numbered.
//
// Colours are refined until they are stable. A unit's colour is hashed from its words, with the colours of the units
// that it refers to, and from the colours of those that refer to it. Units that still share a colour are told apart by
// giving one of them a colour of its own, each in its turn. The least key of all numberings that result is the key. A
// choice may lead to the same as one before it, colour by colour. Then a symmetry of the state maps it to that one, and
// all that follows from it is known.

// maxNumberings bounds the numberings tried for one state. Beyond it the first choice is taken for the best: states
// that are equal may then get different keys, never the other way round.
const maxNumberings = 500

type canon struct {
	words    [][]word
	referred []bool // units that others refer to
	tried    int
	best     trace.ID
	rank     []int // of the units, in the best numbering
}

// canonical is the comparison Actors.
func (u *units) canonical() State {
	c := &canon{words: u.words, referred: make([]bool, len(u.words))}
	color := make([]trace.ID, len(u.words))
	for i := range color {
		color[i] = seed
	}
	s := sum{color: color, met: func(x uint64, _ trace.ID) { c.referred[x] = true }}
	for _, w := range u.words {
		s.of(w)
	}
	c.search(c.refine(color))
	return u.state(c.best, c.rank)
}

// state is the result: a key with the numbers of the messages.
func (u *units) state(key trace.ID, rank []int) State {
	st := State{Key: key, Rank: make(map[int32]int, len(u.messages)), Actors: rank[:u.actors]}
	for i, m := range u.messages {
		st.Rank[m] = rank[u.actors+i]
	}
	return st
}

// refine splits colours until no more are split.
func (c *canon) refine(color []trace.ID) []trace.ID {
	for n := distinct(color); ; {
		color = c.round(color)
		m := distinct(color)
		if m == n || m == len(color) {
			return color
		}
		n = m
	}
}

func (c *canon) round(color []trace.ID) []trace.ID {
	refined, from := make([]trace.ID, len(color)), make([]trace.ID, len(color))
	for i, words := range c.words {
		s := sum{color: color, met: func(x uint64, place trace.ID) { from[x] = add(from[x], color[i].WithID(place)) }}
		refined[i] = color[i].WithID(s.of(words))
	}
	for i := range refined {
		refined[i] = refined[i].WithID(from[i])
	}
	return refined
}

func distinct(color []trace.ID) int {
	sorted := slices.Clone(color)
	slices.SortFunc(sorted, trace.ID.Compare)
	return len(slices.Compact(sorted))
}

// alike gives the units of the least colour that several units have of which one is referred to. Units that nobody
// refers to and that share a colour are equal: their order changes nothing.
func (c *canon) alike(color []trace.ID) []int {
	order := byColor(color)
	for i := 0; i < len(order); {
		j := i + 1
		for j < len(order) && color[order[j]] == color[order[i]] {
			j++
		}
		if j > i+1 && c.referred[order[i]] {
			return order[i:j]
		}
		i = j
	}
	return nil
}

// byColor sorts units by colour, those of the same colour by index.
func byColor(color []trace.ID) []int {
	order := make([]int, len(color))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return color[a].Compare(color[b]) })
	return order
}

// search finds the least key from stable colours.
func (c *canon) search(color []trace.ID) {
	cell := c.alike(color)
	if cell == nil {
		c.consider(color)
		return
	}
	met := map[trace.ID]bool{}
	for _, i := range cell {
		single := c.single(color, i)
		if c.tried < maxNumberings {
			way := c.firstWay(single)
			if met[way] {
				continue
			}
			met[way] = true
		}
		c.search(single)
		if c.tried >= maxNumberings {
			return
		}
	}
}

// single gives unit i a colour of its own.
func (c *canon) single(color []trace.ID, i int) []trace.ID {
	color = slices.Clone(color)
	color[i] = color[i].With(0x616c6f6e65)
	return c.refine(color)
}

// firstWay hashes the numbering to which always taking the first unit leads, with its colours.
func (c *canon) firstWay(color []trace.ID) trace.ID {
	for {
		cell := c.alike(color)
		if cell == nil {
			break
		}
		color = c.single(color, cell[0])
	}
	c.tried++
	key, order := c.number(color)
	for _, i := range order {
		key = key.WithID(color[i])
	}
	return key
}

// number hashes the units in the order of their colours.
func (c *canon) number(color []trace.ID) (key trace.ID, order []int) {
	order = byColor(color)
	return inOrder(c.words, order), order
}

// inOrder hashes units in the given order, in which they get their numbers.
func inOrder(words [][]word, order []int) trace.ID {
	numbers := make([]trace.ID, len(order))
	for n, i := range order {
		numbers[i] = trace.ID{Lo: uint64(n)}
	}
	s := sum{color: numbers}
	key := seed.With(uint64(len(order)))
	for _, i := range order {
		key = key.WithID(s.of(words[i]))
	}
	return key
}

func (c *canon) consider(color []trace.ID) {
	key, order := c.number(color)
	if c.rank != nil && !key.Less(c.best) {
		return
	}
	c.best, c.rank = key, make([]int, len(order))
	for n, i := range order {
		c.rank[i] = n
	}
}

// generic is the comparison of everything as it lies in memory.
func (u *units) generic() State {
	order := make([]int, len(u.words))
	for i := range order {
		order[i] = i
	}
	return u.state(inOrder(u.words, order), order)
}
