package adapter

import (
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has Go choose alike wherever a step is taken, in whatever order the steps come. Before anything runs, the
// random numbers of the thread are set by the identity of the step. Then loops over maps, random numbers and selects
// repeat, in handlers, in the test function and in what the framework does.
//
//	assumes:    all goroutines of the bubble run on one thread, since GOMAXPROCS is 1; a system call that waits may
//	            move them
//	checked by: protoactor/hostile_choice_test.go

// draws is what is known of them over all executions of a System.
type draws struct {
	mark     chance.Mark
	drawn    bool // a step has drawn; where draws have numbers, one that nobody was asked for
	explorer chance.Explorer
	// loosened is how a handler took its goroutines out of our hands, "" if none did.
	loosened string
}

// sow sets what is drawn in the step that is about to be taken.
func (w *drawing) sow() {
	w.reap()
	id := trace.ID{}
	if w.open >= 0 {
		id = w.tr.Events[w.opened].Step.ID
	}
	w.sys.draws.mark.Set(id.Hi^w.cond.Choices, id.Lo)
	chance.AlignTick()
}

// reap notes whether the step before has drawn.
func (w *drawing) reap() {
	if d := &w.sys.draws; !d.drawn && w.draws == layerOne && d.mark.HasNumbers() {
		d.drawn = true
	}
}

// Draws is explore.Drawer.
func (s *System) Draws() bool { return s.draws.drawn }

// Unset is explore.Drawer.
func (*System) Unset() string { return chance.Why() }
