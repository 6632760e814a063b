package actor

import (
	"cmp"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/draws"
	"github.com/rehearse-go/rehearse/trace"
)

// This file makes what Go chooses in the program's code a choice of the exploration, where each draw is known
// (internal/draws). A part of a handler may draw something new. Then it is taken back, or the execution begun anew, and
// the driver is asked before it runs again.
//
//	invariants: I1 a part is open while code of the program runs, and not while the driver is asked
//	            I2 what a step does is recorded in the event of its last draw
//	checked by: numbered_test.go, against a brute-force enumeration

// numbered is what the machine knows of numbered draws.
type numbered struct {
	on       bool
	explorer draws.Explorer
	depth    int          // parts within each other: a start hook is run in the middle of another
	again    bool         // the part that was run has drawn something new
	sampled  bool         // draws are told when the part is over
	from     int32        // the event in which the part began
	had      trace.Extent // of it by then
	now      time.Duration
}

// begin is called before each execution.
func (n *numbered) begin(c *explore.Conditions) {
	if n.on = draws.Numbered(c); n.on {
		n.explorer.Reset(c)
		n.sampled = c.Sampled
		n.depth, n.again = 0, false
	}
}

// openDraws asks for what is known to be drawn by the code that is about to run. It may end the execution.
func (d *ofRuntime) open() {
	n := &d.numbered
	if n.depth++; n.depth > 1 {
		return
	}
	x := &n.explorer
	x.Open(&d.m.tr)
	id := d.m.tr.Events[d.m.event].Step.ID // SUBTLE: that of the part, whatever of it is asked for: what has no number is the same then
	for d.asks() && !d.m.redo.on {
		steps := x.Next(&d.m.tr, d.m.event)
		if steps == nil {
			break
		}
		ch, ok := d.m.ask(steps, true)
		if !ok {
			n.depth = 0
			d.m.halt()
		}
		runner := d.m.runner
		d.m.beginEvent(steps[ch.Index])
		d.m.choice, d.m.runner = ch, runner
		d.m.tr.Events[d.m.event].Time = d.m.running.Now()
		d.m.redo.shared = true // SUBTLE: a handler that draws is not run again by itself: a start hook would not be, which has drawn too
		x.Take(steps[ch.Index])
	}
	if n.sampled {
		n.from, n.had, n.now = d.m.event, d.m.tr.Extent(d.m.event), d.m.running.Now()
	}
	x.Run(id)
}

// asks reports whether draws are choices of the exploration now.
func (d *ofRuntime) asks() bool {
	return d.m.phase != settingUp && !d.m.over && (d.m.c.Draws > 0 || d.sampled)
}

// closeDraws looks at what the code has drawn that has run.
func (d *ofRuntime) close() {
	n := &d.numbered
	if n.depth == 0 {
		return
	}
	if n.depth--; n.depth > 0 {
		return
	}
	asks := d.asks() && !d.m.ending && !d.m.redo.on
	n.again = n.explorer.Close(&d.m.tr, asks) || n.again
	if n.sampled {
		d.record()
	}
	if n.explorer.Leaves() {
		d.drawn = true
		d.m.redo.shared = true // as where it was asked: what follows the seed shifts, too
	}
	if text := n.explorer.Contradiction(); text != "" {
		d.m.tr.Uncontrolled = cmp.Or(d.m.tr.Uncontrolled, text)
	}
}

// recordDraws records what was drawn in the part that is over, as if it had been asked for before the code ran.
func (d *ofRuntime) record() {
	n := &d.numbered
	n.explorer.Recorded(&d.m.tr, func(value int) trace.Step {
		s := d.m.tr.DrawStep(d.m.event, value)
		choice, runner := d.m.choice, d.m.runner
		d.m.beginEvent(s)
		d.m.choice, d.m.runner = choice, runner
		d.m.tr.Events[d.m.event].Time = n.now
		return s
	})
	if d.m.event == n.from {
		return
	}
	d.m.tr.Hand(n.from, d.m.event, n.had)
	for _, i := range d.m.tr.Events[d.m.event].Sent {
		if x := &d.m.outbox.extra[i]; x.since == n.from {
			x.since = d.m.event
		}
	}
	if c := d.m.runner; c != nil {
		for _, h := range c.tasks {
			if h.since == n.from {
				h.since = d.m.event
			}
		}
	}
}

// divideDraws ends the part that is open before the program chooses a value, and gives what opens the next.
func (d *ofRuntime) divide() (open func()) {
	n := &d.numbered
	depth := n.depth
	n.depth = min(depth, 1)
	d.close()
	if n.again {
		d.m.halt()
	}
	return func() {
		if !d.m.over {
			d.open()
			n.depth = depth
		}
	}
}

// takeAgain goes back to before the step that has drawn something new; false: the execution has to begin anew.
func (d *ofRuntime) takeAgain() bool {
	d.m.finished = true // nothing of it is judged
	d.m.sys.strays.end()
	r, ok := d.m.d.(explore.Redoer)
	if !ok || !d.m.undo.on {
		return false
	}
	n := len(d.m.undo.marks) - 1
	for n >= 0 && d.m.undo.marks[n].within {
		n--
	}
	if n >= 0 {
		d.m.dog.Beat()
		n = d.m.undo.backTo(n)
	}
	if n < 0 {
		return false
	}
	d.m.beginExecution()
	r.Redo(n)
	d.m.finished = false
	return true
}

// beginsAnew reports whether the execution that is over is to begin anew.
func (d *ofRuntime) beginsAnew() bool {
	r, ok := d.m.d.(explore.Redoer)
	if !d.again || !ok || d.m.err != nil {
		return false
	}
	r.Redo(-1)
	return true
}

// Numbers is explore.Numberer.
func (*System) Numbers() {}

// Drew is explore.Numberer.
func (s *System) Drew() bool { return s.m != nil && s.m.draws.explorer.Drew() }

// oneSeed names the draws that no strategy was asked for.
func (s *System) oneSeed() string {
	if s.m == nil {
		return ""
	}
	return s.m.draws.explorer.Unexplored()
}
