package order

import "github.com/rehearse-go/rehearse/trace"

// count is [Basset11] 4.2, 5 and 6: by the number of deliverable messages, fewest (LDM) or most (HDM) first. Ties by
// age: the source does not say so, its counts do.
type count struct {
	keyed
	name string
	sign int
}

func (c *count) Name() string { return c.name }

// Actors orders by how many enabled steps an actor has.
func (c *count) Actors(into []int32, _ *trace.Trace, enabled []trace.Step) []int32 {
	return c.actors(into, enabled, func(actor int32) int {
		n := 0
		for i := range enabled {
			if enabled[i].Actor == actor {
				n++
			}
		}
		return c.sign * n
	})
}
