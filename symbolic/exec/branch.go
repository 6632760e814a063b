package exec

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// turns counts what a call has done in a loop.
type turns struct {
	all     int // turns since the loop was entered
	decided int // decisions to stay in it
}

// loop is a natural loop: the blocks from which its head can be reached without leaving it.
type loop struct {
	head *ssa.BasicBlock
	body map[*ssa.BasicBlock]bool
}

// branch decides where a condition leads.
func (r *run) branch(f *frame, in *ssa.If) *ssa.BasicBlock {
	b := in.Block()
	c := r.value(f, in.Cond).(*term.Term)
	next := b.Succs[1]
	if r.truth(c) {
		next = b.Succs[0]
	}
	if !c.Const() {
		r.stays(f, b, next)
	}
	return next
}

// stays counts a decision to stay in the loops that the block could have left.
func (r *run) stays(f *frame, b, next *ssa.BasicBlock) {
	for _, l := range r.program.loops(f.fn) {
		if !l.body[b] || !l.body[next] || l.body[b.Succs[0]] && l.body[b.Succs[1]] {
			continue
		}
		t := f.turnsOf(l.head)
		t.decided++
		if t.decided > r.config.Loops {
			r.cut("more than %d turns of a loop", r.config.Loops)
		}
	}
}

func (f *frame) turnsOf(head *ssa.BasicBlock) *turns {
	t := f.turns[head]
	if t == nil {
		t = &turns{}
		f.turns[head] = t
	}
	return t
}

// turn counts going from a block to another one in loops, and begins to count where a loop is entered.
func (r *run) turn(f *frame, b, next *ssa.BasicBlock) {
	for _, l := range r.program.loops(f.fn) {
		if l.head != next {
			continue
		}
		if !l.body[b] {
			delete(f.turns, next)
			continue
		}
		t := f.turnsOf(next)
		t.all++
		if t.all > r.config.Turns {
			r.cut("more than %d turns of a loop whose condition is known", r.config.Turns)
		}
	}
}

// findLoops lists the natural loops of a function, those with one head as one.
func findLoops(fn *ssa.Function) []*loop {
	byHead := map[*ssa.BasicBlock]*loop{}
	var list []*loop
	for _, b := range fn.Blocks {
		for _, head := range b.Succs {
			if !head.Dominates(b) {
				continue
			}
			l := byHead[head]
			if l == nil {
				l = &loop{head, map[*ssa.BasicBlock]bool{head: true}}
				byHead[head] = l
				list = append(list, l)
			}
			l.add(b)
		}
	}
	return list
}

// add puts a block and all from which it is reached into the loop.
func (l *loop) add(b *ssa.BasicBlock) {
	work := []*ssa.BasicBlock{b}
	for len(work) > 0 {
		b, work = work[len(work)-1], work[:len(work)-1]
		if !l.body[b] {
			l.body[b] = true
			work = append(work, b.Preds...)
		}
	}
}
