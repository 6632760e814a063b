package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file: what is added to a wakeup tree, and what is taken from it again: lines O7 and O17 of docs/algorithms.md.
// wakeuptree.go says where that comes from.
//
//	source:     [AAJS14] insertion into a wakeup tree
//	differs:    see wakeuptree.go
//	cost:       for each branch that is met, a look at the parts of the sequence
//	checked by: twin_test.go and small_test.go, against brute force

// affordable gives a copy of a wakeup tree without what injects more than so many faults.
func affordable(tree []*branch, left int) []*branch {
	var kept []*branch
	for _, b := range tree {
		below := left
		if b.step.fault {
			below--
		}
		if below < 0 {
			continue
		}
		leaf := b.leaf()
		if c := (&branch{step: b.step, below: affordable(*b.follow(), below)}); len(c.below) > 0 || leaf {
			kept = append(kept, c)
		}
	}
	return kept
}

// insert is line O7. It adds the sequence to a wakeup tree, where so many faults are left, unless a branch leads to it.
// The sequence is used up.
func insert(tree []*branch, v sequence, left int) []*branch {
	if at := v.missing(&tree, v.faults(), left); at != nil {
		*at = append(*at, v.branch())
	}
	return tree
}

// missing walks down a wakeup tree with the sequence, which has so many faults. Each branch that is a weak initial is
// taken out of it (docs/algorithms.md, below the lines O1 to O17). It gives where what is left of the sequence is to be
// added as a new, last branch; nil: the tree leads to the sequence already.
//
// This is right because a weak initial can be moved to the front: with p taken out, p and the rest are of the class of
// the sequence (L1). So the tree leads to the sequence iff what is below p leads to the rest. At a leaf anything may
// follow, the rest too. If no branch is a weak initial, no execution behind a branch is of the class, and the sequence
// needs a branch of its own. It is the last one, since the branches before it will sleep when it is explored (O16).
func (v *sequence) missing(tree *[]*branch, faults, left int) (at *[]*branch) {
	for _, b := range *tree {
		k, ok := v.begins(&b.step)
		if !ok {
			continue
		}
		rest, below := faults, left
		if k >= 0 && v.parts[k].fault {
			if !b.step.fault && len(b.step.path) < len(v.parts[k].path) {
				continue // it may suffer the fault, but not where alternatives says that that is met elsewhere
			}
			rest--
		}
		if b.step.fault {
			below--
		}
		if rest > below {
			continue // more than there may be
		}
		if k >= 0 {
			if b.leavesOpen(&v.parts[k]) {
				if v.asked {
					return tree
				}
				b.step.path = slices.Clone(v.parts[k].path)
			}
			v.drop(k)
		}
		if !b.leaf() && len(v.parts) > 0 {
			return v.along(b, rest, below)
		}
		if v.suffers() {
			return b.follow()
		}
		return nil
	}
	return tree
}

// along is missing for what follows the step of a branch. It goes along the run as long as the sequence begins with
// that: the tree parts where it does not, or where more than that is to be decided.
func (v *sequence) along(b *branch, faults, left int) (at *[]*branch) {
	for i, l := range b.run {
		k, ok := v.begins(l)
		if !ok || l.fault || k >= 0 && v.parts[k].fault || i+1 == len(b.run) && len(b.below) == 0 {
			b.split(i)
			break
		}
		if k >= 0 {
			v.drop(k)
		}
		if len(v.parts) == 0 {
			return nil
		}
	}
	return v.missing(&b.below, faults, left)
}

// suffers reports whether an actor crashes or restarts after a step of the sequence. SUBTLE: a leaf of the tree, after
// which anything may follow, need not lead to such a sequence. alternatives leaves faults out that are met elsewhere,
// and that place may be what leads here.
func (v *sequence) suffers() bool {
	return slices.ContainsFunc(v.parts, func(p part) bool {
		if !p.fault || p.forwarded != nil || p.event < 0 {
			return false
		}
		k := v.order.Step(p.end - 1).Fault()
		return k == trace.Crash || k == trace.Restart
	})
}

// leavesOpen reports whether a leaf of the tree leaves choices open that the same step makes in a sequence. SUBTLE:
// then the leaf has to make the choices of the sequence first. Others are explored after them, except for those that
// alternatives leaves out since they are met elsewhere, and that place may be what leads here.
func (b *branch) leavesOpen(p *part) bool {
	return b.leaf() && !p.fault && len(p.path) > len(b.step.path)
}

// prune drops from a branch what leads to a step that sleeps there (L4); true: nothing is left of the branch. When it
// was inserted nobody knew what that step does.
func (b *branch) prune(sleep []sleeper, left int) bool {
	if sleepsAsKnown(sleep, b.step.id, b.step.path) {
		return true
	}
	if b.leaf() || b.step.open || len(sleep) == 0 {
		return false
	}
	if b.step.fault {
		left--
	}
	sleep = stillAsleep(sleep, b.step.id, left == 0, func(l *leaf) bool { return l.foot.Dependent(b.step.foot) })
	below := b.follow()
	*below = slices.DeleteFunc(*below, func(c *branch) bool { return c.prune(sleep, left) })
	return len(*below) == 0
}
