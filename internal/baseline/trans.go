package baseline

// trans is TransDPOR: persistent sets with a flag that freezes a state, so that while the messages of one actor are
// explored there at most one other actor is added. That one's own races tell what else is needed ([TransDPOR12]). That
// argument needs dependency to be transitive, which it is between deliveries to one actor. Collisions of other kinds
// are not frozen, though no program is known that needs it.
type trans struct{}

func (trans) race(n *node, a int32) {
	if !n.frozen {
		n.frozen = n.add(a)
	}
}

func (trans) collision(n *node, a int32) { n.add(a) }

func (trans) more(*node) bool { return false }
