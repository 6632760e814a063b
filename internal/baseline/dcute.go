package baseline

// dcute is the reduction of dCUTE: a race sets the flag that delays what is being explored. When the messages of one
// actor are done and the flag is set, the next actor of the order follows, with the flag cleared ([Basset11] figure
// 2.5).
type dcute struct{}

func (dcute) race(n *node, _ int32) { n.delay = true }

func (dcute) collision(n *node, _ int32) { n.delay = true }

func (dcute) more(n *node) bool {
	if !n.delay {
		return false
	}
	n.delay = false
	for _, a := range n.order {
		if n.add(a) {
			return true
		}
	}
	return false
}
