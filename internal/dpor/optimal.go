package dpor

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// Optimal is optimal DPOR: it executes every class exactly once and never begins an execution in vain.
//
//	source:     [AAJS14] algorithm 2, wakeup trees: lines O1 to O17 of docs/algorithms.md, which rest on its lemmas L2 to
//	            L5
//	differs:    as Source; choices in the middle of a step are explored at the step. A step that its receiver refuses
//	            where a tree prescribes it is left out, and anything may follow
//	assumes:    see package causal; that an acceptance that nobody can tell is granted
//	invariants: I1 no execution is blocked, where the system tells what actors accept (explore.Foreseer). Random programs
//	               in which actors are stopped while others send to them have a few that are, about one program in a
//	               thousand (TestBegunInVain); with faults a few more, and a few classes are executed twice, with two of
//	               them or in orders that are not the default one. Where the clock is a choice there is one in
//	               three explorations (TestClockAsChoice)
//	            I2 where a wakeup sequence ends nothing sleeps; what does is marked (markIdle)
//	cost:       one execution a class. Its races are gone through, a sequence is built where something may be new
//	            (settled.go). The wakeup trees grow with the number of races, and each branch with what is independent of
//	            its race
//	checked by: twin_test.go, fault_test.go, untold_test.go, shuffled_test.go against brute force; internal/tests/agree;
//	            counts in subjects
type Optimal struct {
	depthFirst
	rank    Ranking
	doubt   string
	settled settledRaces
}

// NewOptimal makes the strategy; a nil rank prefers the default order where no wakeup tree says what comes next.
func NewOptimal(rank Ranking) *Optimal {
	o := &Optimal{rank: rank}
	o.tree = o
	return o
}

// Name is "optimal", with the order of actors behind a slash if one was given.
func (o *Optimal) Name() string { return named("optimal", o.rank) }

var _ explore.PrefixReuser = (*Optimal)(nil)

// Bind is explore.Binder: everything will do that the order of actors can look at.
func (o *Optimal) Bind(e explore.Env) error {
	if err := bind(o.rank, e); err != nil {
		return err
	}
	o.doubt = o.doubtCrashes(e.Conditions)
	return o.depthFirst.Bind(e)
}

// Report is explore.Reporter.
func (o *Optimal) Report() explore.Report {
	r := o.depthFirst.Report()
	r.IncompleteReason = o.doubt
	return r
}

// doubtCrashes says where a class may be lost that an injected crash or restart decides. One was lost in one of some
// ten thousand random programs. That is under mailbox-serial, where the step that crashes also puts into mailboxes what
// it sends. Or it is where actors are tried in another order than the default one, or where messages may also arrive
// twice.
func (o *Optimal) doubtCrashes(c explore.Conditions) string {
	where := "under mailbox-serial"
	switch {
	case !c.Faults.On() || !c.Faults.Kinds.Has(trace.Crash) && !c.Faults.Kinds.Has(trace.Restart):
		return ""
	case c.Model == trace.MailboxSerial:
	case o.rank != nil:
		where = "in another order than the default one"
	case c.Faults.Kinds.Has(trace.Duplicate):
		where = "where messages may also arrive twice"
	default:
		return ""
	}
	return fmt.Sprintf("what comes before a step after which its actor crashes or restarts (faults %s) is another "+
		"matter with the fault; %s optimal may miss classes there: use source", c.Faults, where)
}

// Open is explore.ExecutionObserver.
func (o *Optimal) Open(x explore.Execution) {
	o.depthFirst.Open(x)
	open(o.rank, x)
}

// first is line O9: what the wakeup tree says, or else any step that does not sleep.
func (o *Optimal) first(n *node, tr *trace.Trace, enabled []trace.Step) int {
	refused := false
	k := len(o.nodes) - 1
	if m := o.macroStep(k - 1); m != &o.root && m.leadsOn(o.fullPath(k)) {
		n.wakeup = slices.DeleteFunc(m.below(n.left), func(b *branch) bool { return !n.offers(&b.step) })
		refused = len(n.wakeup) < len(*m.wakeup[0].follow())
	}
	if len(n.wakeup) > 0 && !refused {
		n.chosen.first, n.chosen.path = n.wakeup[0].step.first, n.wakeup[0].step.path
		return n.wakeup[0].step.find(tr, enabled)
	}
	// SUBTLE: what was refused made other sequences needless, which were taken to follow it. They begin with what led
	// here, so anything may follow; of what else was prescribed settle drops what that leads to.
	i := preferred(o.rank, n, tr, enabled)
	if i >= 0 {
		n.wakeup = append([]*branch{{step: n.enabled[i]}}, n.wakeup...)
		n.wakeup[0].step.guess = refused
		n.markIdle()
	}
	return i
}

// markIdle marks what still sleeps where a wakeup sequence ends. A sequence wakes all that sleeps where it begins, else
// one of these steps would be a weak initial and the sequence needless (O6). So if something still sleeps, a step of
// the sequence did less than it was taken to do.
//
// SUBTLE: such a sleeper makes only those sequences needless that it is a part of. What it would lead to beyond these
// was never inserted here, since after the end of a sequence anything may follow.
func (n *node) markIdle() {
	for i := range n.sleep {
		if q := &n.sleep[i]; q.asleep(nil, n.left == 0) {
			q.idle, n.slept = true, true
		}
	}
}

// below is line O14: what the wakeup tree prescribes after the chosen step, where so many faults are left. There are
// fewer than prescribed if the step suffered a fault that the tree does not have. The caller owns what it gets: other
// choices of the step, where they are open, are followed by the same.
//
// The tree below the branch was made of sequences that begin with the step, so it is what wut(E.p) has to hold in the
// beginning (O14).
func (n *node) below(left int) []*branch {
	if b := n.wakeup[0]; b.step.open {
		return affordable(*b.follow(), left)
	}
	return slices.Clone(*n.wakeup[0].follow())
}

// leadsOn reports whether the choices are those that the wakeup tree prescribes for the chosen step: others lead away
// from what comes below.
func (n *node) leadsOn(path []trace.ID) bool {
	prescribed := n.wakeup[0].step.path
	return len(path) >= len(prescribed) && slices.Equal(path[:len(prescribed)], prescribed)
}

// next is lines O12 and O17: it drops the branch that is done, and those that turn out to be needless, and gives the
// first that is left.
//
// The branches come in the order in which they were added. Each sleeps under all later ones, which the proof of L5
// needs.
//
// SUBTLE: a branch that leaves choices open has nothing to begin with where the step sleeps under some of them, and a
// later branch has all others.
func (o *Optimal) next(n *node) (label, bool) {
	for n.wakeup = n.wakeup[1:]; len(n.wakeup) > 0; n.wakeup = n.wakeup[1:] {
		b := n.wakeup[0]
		if n.offers(&b.step) && !b.prune(n.sleep, n.left) && !n.sleepsBut(b.step.id, b.step.path) {
			return b.step, true
		}
	}
	return label{}, false
}

func (*Optimal) remaining(n *node) int { return max(0, len(n.wakeup)-1) }

// skips: the step sleeps under these choices, or other branches lead to them.
func (*Optimal) skips(m *node, path []trace.ID) bool {
	return m.awaits(path) || m.sleepsBut(m.chosen.id, path)
}

// others are the branches of the wakeup tree besides the first, which is explored or to be explored next.
func (n *node) others() []*branch { return n.wakeup[min(1, len(n.wakeup)):] }

// awaits reports whether another branch of the wakeup tree has the chosen step with these choices, and will not be
// pruned.
//
// SUBTLE: a branch with a fault has other choices after that fault only. So only the fault is left to it. What else is
// left to it is a question of what sleeps (sleepsBut). If all was left to it, the branch before it had nothing to begin
// with.
func (n *node) awaits(path []trace.ID) bool {
	return slices.ContainsFunc(n.others(), func(b *branch) bool {
		return b.step.id == n.chosen.id && begins(b.step.path, path) && !asleep(n.sleep, b.step.id, b.step.path) &&
			(!b.step.fault || len(b.step.path) == len(path))
	})
}

// sleepsBut reports whether the step is known under choices that begin with path, and sleeps under all of them but
// those that other branches of the wakeup tree have.
func (n *node) sleepsBut(id trace.ID, path []trace.ID) bool {
	any := false
	for i := range n.sleep {
		for k := range n.sleep[i].leaves {
			l := &n.sleep[i].leaves[k]
			if n.sleep[i].id == id && begins(l.path, path) {
				if l.awake && !n.leadsToAll(id, l) {
					return false
				}
				any = true
			}
		}
	}
	return any
}

// leadsToAll reports whether another branch of the wakeup tree leads to all of a leaf, and will not be pruned. One with
// a fault leads to what follows that fault.
func (n *node) leadsToAll(id trace.ID, l *leaf) bool {
	return slices.ContainsFunc(n.others(), func(b *branch) bool {
		return b.step.id == id && (l.fault || !b.step.fault) && begins(b.step.path, l.path) &&
			!asleep(n.sleep, id, b.step.path)
	})
}

// begins reports whether choices begin with those of path.
func begins(choices, path []trace.ID) bool {
	return len(choices) >= len(path) && slices.Equal(choices[:len(path)], path)
}

// executed: what was inserted when nobody knew what the step does may be needless now.
func (*Optimal) executed(n *node, l *leaf) { n.settle(l) }

// repeats: no class is executed twice.
func (*Optimal) repeats() bool { return false }

// alternatives is false while a step of another actor sleeps that so far is independent of this one. The other values
// of the choice are met after that step, which comes first (L4). They come back here where the step with such a value
// turns out to depend on it, by their race, and where something later wakes the sleeper, by wakeLeftOut.
func (o *Optimal) alternatives(m, n *node, value *label) bool {
	if n.unseen {
		return !slices.Contains(n.barred, value.id)
	}
	spent := value.faulty() && n.left == 1
	still := inherit(o.order, m, n.event, spent)
	if n.asks == beforeHandling {
		// What the handler did when it ran is no matter: before it the step has taken its message, and no more.
		take := causal.Stepping(m.chosen.actor)
		still = stillAsleep(m.sleep, m.chosen.id, spent, func(l *leaf) bool { return l.foot.Dependent(take) })
	}
	for _, q := range still {
		if q.id != m.chosen.id && !q.idle && q.asleep(nil, false) {
			return false
		}
	}
	return true
}

// races is lines O3 to O7, for all races of the execution.
func (o *Optimal) races(end int32) {
	// SUBTLE: old races too. What follows the later step of one may be new, and not be made up for by what was inserted
	// then.
	o.reach.measure(o.order, end)
	o.settled.begin(&o.depthFirst, end)
	o.eachRace(0, end, func(n *node, r reversal) bool {
		led, settled := o.settled.find(&r)
		if settled && o.settled.saved != nil {
			o.settled.saved(n, &r, led)
		}
		if !settled {
			v := r.sequence(&o.depthFirst, end)
			last := v.end()
			led = o.turn(n, r, &v, end)
			o.settled.note(&r, last, led)
		}
		return led
	})
	o.wakeValues(end)
	o.wakeLeftOut(end)
}

// turn is lines O6 and O7: it has the node explore the sequence of a race, unless that is needless (L5). It reports
// whether the later step can be taken there.
func (o *Optimal) turn(n *node, r reversal, v *sequence, end int32) bool {
	if l := v.label(&v.parts[0]); l.open && !n.unseen && !n.offers(&l) {
		return false // it would make others needless that it does not lead to
	}
	if !v.covered(n.sleep, n.left) {
		o.add(n, v)
	}
	o.addSuffering(n, r, end)
	return true
}

// addSuffering adds a second reversal of a race whose later step suffered a crash or restart: one with that fault. It
// is another class than the one without if only the fault, and not the step, happens after a part of the reversal.
func (o *Optimal) addSuffering(n *node, r reversal, end int32) {
	if !o.faulty || r.open || r.last < 0 || o.order.Head(r.last) != r.last {
		return
	}
	f := r.last
	for f+1 < end && o.order.Head(f+1) == r.last {
		f++
	}
	if k := o.order.Step(f).Fault(); k != trace.Crash && k != trace.Restart {
		return
	}
	r.suffers = true
	v := r.sequence(&o.depthFirst, end)
	late := func(p part) bool { return !p.last && o.order.Upto(f).Has(p.event) && !o.order.Upto(f-1).Has(p.event) }
	if slices.ContainsFunc(v.parts, late) && v.faults() <= n.left && !v.covered(n.sleep, n.left) {
		o.add(n, &v)
	}
}

// add adds a sequence to what is to be explored from the node, or tells who has the node.
func (o *Optimal) add(n *node, v *sequence) {
	if n.handedOut {
		o.forward(n, v)
		return
	}
	n.wakeup = append(n.wakeup[:1:1], insert(n.wakeup[1:], *v, n.left)...)
}

// offers reports whether a step is enabled at the node. One that was inserted for a message is not if its receiver
// refuses it, which nobody could tell.
func (n *node) offers(l *label) bool {
	return slices.ContainsFunc(n.enabled, func(e label) bool {
		return e.id == l.id || l.kind == trace.Send && e.kind == trace.Send && e.actor == l.actor
	})
}
