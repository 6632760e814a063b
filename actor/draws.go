package actor

import (
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has Go choose alike wherever a step is taken, in whatever order the steps come. Before code of the program
// runs, the random numbers of its thread are set by the identity of the step. Then loops over maps, random numbers and
// selects of handlers repeat, also where steps are taken back and handlers are run again.
//
//	assumes:    a step runs on one thread: GOMAXPROCS is 1 in the first executions, and in all from the one on in which
//	            numbers were first drawn
//	invariants: I1 what the machine itself draws in the middle of a handler is taken back (chance.Aside), since it does
//	               not repeat
//	cost:       some nanoseconds before and after each handler
//	checked by: draws_test.go

// ofRuntime is what a machine knows of them. A handler that was given up still writes here, and so nowhere that the
// next machine reads.
type ofRuntime struct {
	m      *machine
	mark   chance.Mark
	drawn  bool // a step or a check has drawn, in some execution
	checks ofChecks
	numbered
}

// oneThread has the explorations of a System run one goroutine at a time, where that is needed.
type oneThread struct {
	begun int    // executions since the last preparation
	ends  func() // ends it; nil while it is not so
}

// watched is how many executions are made on one thread although nothing was drawn yet. Most programs that draw do so
// from the beginning. With a second thread the collector of garbage runs beside the others.
const watched = 64

// prepare is called before an exploration, or the first of several that follow each other.
func (o *oneThread) prepare() {
	o.begun = 0
	if chance.Available() {
		o.settle()
	}
}

// begin is called before each execution.
func (o *oneThread) begin(numbered, drawn bool) {
	if numbered {
		o.settle()
		return
	}
	if o.begun++; o.begun < watched {
		return
	}
	switch {
	case drawn:
		o.settle()
	case o.begun == watched:
		o.release()
	}
}

// settle begins it.
func (o *oneThread) settle() {
	if o.ends == nil {
		o.ends = chance.Alone()
	}
}

// release ends it.
func (o *oneThread) release() {
	if o.ends != nil {
		o.ends()
		o.ends = nil
	}
}

// sow sets what the program's code draws in the present event from here on.
func (d *ofRuntime) sow() {
	m := d.m
	if d.on {
		d.open()
		return
	}
	event := m.event
	if m.redo.on {
		event = m.redo.event
	}
	d.sowBy(&m.tr.Events[event].Step.ID)
}

func (d *ofRuntime) sowBy(id *trace.ID) { d.mark.Reset(id.Hi^d.m.c.Choices, id.Lo) }

// sowOn goes on with other numbers in the middle of a handler: what it has called may not be called when it is run
// again.
func (d *ofRuntime) sowOn(id trace.ID) {
	if d.on {
		return // a start hook is of the part that it is in
	}
	d.reap()
	d.sowBy(&id)
}

// reap notes whether the program's code has drawn.
func (d *ofRuntime) reap() {
	if d.on {
		d.close()
		return
	}
	if d.mark.HasNumbers() {
		d.drawn = true
	}
}

// Draws is explore.Drawer.
func (s *System) Draws() bool { return s.m != nil && s.m.draws.drawn }

// Unset is explore.Drawer.
func (*System) Unset() string { return chance.Why() }
