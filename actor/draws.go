package actor

import (
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has Go choose alike wherever a step is taken, in whatever order the steps come: before code of the program runs, the random numbers of its
// thread are set by the identity of the step. Then loops over maps, random numbers and selects of handlers repeat, also where steps are
// taken back and handlers are run again.
//
//	assumes:    a step runs on one thread: GOMAXPROCS is 1 in the first executions, and in all from the one on in which numbers were first drawn
//	invariants: I1 what the machine itself draws in the middle of a handler is taken back (chance.Aside), since it does not repeat
//	cost:       some nanoseconds before and after each handler
//	checked by: draws_test.go

// draws is what is known of them over all executions of a System.
type draws struct {
	mark  chance.Mark
	drawn bool   // a step has drawn
	begun int    // executions since the last preparation
	ends  func() // ends that the process runs one goroutine at a time; nil while it does not
}

// watched is how many executions of an exploration are made on one thread although nothing was drawn yet. Most programs that draw do so from the beginning. With
// a second thread the collector of garbage runs beside the others.
const watched = 64

// prepare is called before each exploration.
func (d *draws) prepare() {
	d.begun = 0
	if chance.Available() {
		d.settle()
	}
}

// begin is called before each execution.
func (d *draws) begin() {
	d.mark.Forget()
	if d.begun++; d.begun < watched {
		return
	}
	switch {
	case d.drawn:
		d.settle()
	case d.begun == watched:
		d.release()
	}
}

// settle has the process run one goroutine at a time, so that they stay on their thread.
func (d *draws) settle() {
	if d.ends == nil {
		d.ends = chance.Alone()
	}
}

// release takes that back.
func (d *draws) release() {
	if d.ends != nil {
		d.ends()
		d.ends = nil
	}
}

// sow sets what the program's code draws in the present event from here on.
func (m *machine) sow() {
	event := m.event
	if m.redo.on {
		event = m.redo.event
	}
	m.sowBy(&m.tr.Events[event].Step.ID)
}

func (m *machine) sowBy(id *trace.ID) { m.sys.draws.mark.Reset(id.Hi^m.c.Choices, id.Lo) }

// sowOn goes on with other numbers in the middle of a handler: what it has called may not be called when it is run again.
func (m *machine) sowOn(id trace.ID) {
	m.reap()
	m.sowBy(&id)
}

// reap notes whether the program's code has drawn.
func (m *machine) reap() {
	if d := &m.sys.draws; d.mark.HasNumbers() {
		d.drawn = true
	}
}

// Draws is explore.Drawer.
func (s *System) Draws() bool { return s.draws.drawn }

// Unset is explore.Drawer.
func (*System) Unset() string { return chance.Why() }
