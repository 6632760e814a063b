package profile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Standing is what a profile says of two message types at actors of a type.
type Standing uint8

// The standings, in the order in which people want to see them.
const (
	Never      Standing = iota // both were received, but never by one actor in one execution
	OneWay                     // seen in one order only, though nothing is known to force it
	Both                       // seen in both orders
	Impossible                 // seen in one order only, and every two messages that were looked at must come so
)

func (s Standing) String() string {
	return [...]string{"never", "one way", "both", "impossible"}[s]
}

// Pair is two message types, received by actors of a type. Of one that was seen one way First came first. First and
// Second are the same for pairs of messages of one type, which are listed if an actor received two in one execution.
type Pair struct {
	First, Second string
	Standing      Standing
	Changes       bool // in some execution one of the two changed the actor's handlers, and none in between did
}

// Actor is the pairs of an actor type.
type Actor struct {
	Type  string
	Pairs []Pair // by standing, then by name
}

// Count is the number of pairs by standing.
type Count [Impossible + 1]int

// Total is the number of pairs that could be seen in both orders, as far as is known.
func (c *Count) Total() int { return c[Never] + c[OneWay] + c[Both] }

// Percent is the share of these that were. ok is false if there are none.
func (c *Count) Percent() (percent float64, ok bool) {
	if c.Total() == 0 {
		return 0, false
	}
	return 100 * float64(c[Both]) / float64(c.Total()), true
}

// Add adds what d counts.
func (c *Count) Add(d Count) {
	for i := range d {
		c[i] += d[i]
	}
}

// Count counts the pairs of an actor type.
func (a *Actor) Count() (c Count) {
	for i := range a.Pairs {
		c[a.Pairs[i].Standing]++
	}
	return c
}

// Classify gives every pair of messages of every actor type, what all tests know of it taken together.
func (p *Profile) Classify() []Actor {
	joined := map[string]*Coverage{}
	for _, actors := range p.Tests {
		for name, c := range actors {
			if joined[name] == nil {
				joined[name] = &Coverage{Received: map[string]bool{}, Orders: map[ReceiveOrder]Flags{}}
			}
			joined[name].merge(c)
		}
	}
	var list []Actor
	for _, name := range slices.Sorted(maps.Keys(joined)) {
		list = append(list, Actor{name, joined[name].pairs()})
	}
	return list
}

func (c *Coverage) pairs() []Pair {
	var ps []Pair
	types := slices.Sorted(maps.Keys(c.Received))
	for i, a := range types {
		if f, seen := c.Orders[ReceiveOrder{a, a}]; seen {
			ps = append(ps, Pair{a, a, standing(f, true, f&Reversed != 0), f&Changes != 0})
		}
		for _, b := range types[i+1:] {
			ps = append(ps, c.pair(a, b))
		}
	}
	slices.SortStableFunc(ps, func(p, q Pair) int {
		return cmp.Or(cmp.Compare(p.Standing, q.Standing), strings.Compare(p.First, q.First),
			strings.Compare(p.Second, q.Second))
	})
	return ps
}

// pair is two different types.
func (c *Coverage) pair(a, b string) Pair {
	ab, first := c.Orders[ReceiveOrder{a, b}]
	ba, second := c.Orders[ReceiveOrder{b, a}]
	p := Pair{a, b, standing(ab|ba, first || second, first && second), (ab|ba)&Changes != 0}
	if second && !first {
		p.First, p.Second = b, a
	}
	return p
}

func standing(f Flags, once, both bool) Standing {
	switch {
	case both:
		return Both
	case !once:
		return Never
	case f&(Free|Forced) == Forced:
		return Impossible
	}
	return OneWay
}

// Types lists the types that a test's rows name: those of actors, and those of messages.
func (p *Profile) Types(t Test) (actors, messages map[string]bool) {
	actors, messages = map[string]bool{}, map[string]bool{}
	for actor, c := range p.Tests[t] {
		actors[actor] = true
		maps.Copy(messages, c.Received)
	}
	return actors, messages
}

// Without is the profile without the rows that name one of these types.
func (p *Profile) Without(actors, messages map[string]bool) *Profile {
	q := New()
	for t, all := range p.Tests {
		for actor, c := range all {
			if actors[actor] {
				continue
			}
			d := q.Of(t, actor)
			for m := range c.Received {
				if !messages[m] {
					d.Received[m] = true
				}
			}
			for o, f := range c.Orders {
				if !messages[o.First] && !messages[o.Second] {
					d.Orders[o] = f
				}
			}
		}
	}
	return q
}
