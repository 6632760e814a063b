package baseline

// persistent computes persistent sets. The actor that can bring the message about is added to what is explored, with
// all its enabled messages ([Basset11] figure 2.4; [FG05] figure 3, where E is not empty).
type persistent struct{}

func (persistent) race(n *node, a int32) { n.add(a) }

func (persistent) collision(n *node, a int32) { n.add(a) }

func (persistent) more(*node) bool { return false }
