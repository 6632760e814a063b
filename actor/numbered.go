package actor

import (
	"cmp"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// This file makes what Go chooses in the program's code a choice of the exploration, where each draw is known
// (internal/chance). A part of a handler may draw something new. Then it is taken back, or the execution begun anew,
// and the driver is asked before it runs again.
//
//	invariants: I1 a part is open while code of the program runs, and not while the driver is asked
//	            I2 what a step does is recorded in the event of its last draw
//	checked by: numbered_test.go, against a brute-force enumeration

// numbered is what the machine knows of numbered draws.
type numbered struct {
	on       bool
	explorer chance.Explorer
	depth    int          // parts within each other: a start hook is run in the middle of another
	again    bool         // the part that was run has drawn something new
	sampled  bool         // draws are told when the part is over
	from     int32        // the event in which the part began
	had      trace.Extent // of it by then
	now      time.Duration
}

// begin is called before each execution, the first events of which, so many, are those of the last one.
func (n *numbered) begin(c *explore.Conditions, kept int) {
	if n.on = chance.NumberedUnder(c); n.on {
		n.explorer.Reset(c, kept)
		n.sampled = c.Sampled
		n.depth, n.again = 0, false
	}
}

// openDraws asks for what is known to be drawn by the code that is about to run. It may end the execution.
func (d *ofRuntime) open() {
	m := d.m
	n := &d.numbered
	if n.depth++; n.depth > 1 || m.abandoned.Load() {
		return
	}
	x := &n.explorer
	x.Open(&m.tr)
	// SUBTLE: that of the part, whatever of it is asked for: what has no number is the same then
	id := m.tr.Events[m.event].Step.ID
	for d.asks() && !m.redo.on {
		steps := x.Next(&m.tr, m.event)
		if steps == nil {
			break
		}
		ch, ok := m.ask(steps, true)
		if !ok {
			n.depth = 0
			m.halt()
		}
		runner := m.runner
		m.beginEvent(steps[ch.Index])
		m.choice, m.runner = ch, runner
		m.tr.Events[m.event].Time = m.running.Now()
		// SUBTLE: a handler that draws is not run again by itself: a start hook would not be, which has drawn too
		m.redo.shared = true
		x.Take(steps[ch.Index])
	}
	if n.sampled {
		n.from, n.had, n.now = m.event, m.tr.Extent(m.event), m.running.Now()
	}
	x.Run(id)
}

// abandon ends the part of a handler that is given up, after which the machine opens and closes none: another one's
// may be open then.
func (d *ofRuntime) abandon() {
	if w := chance.TheWatcher(); w != nil && d.on {
		w.Abandon()
	}
}

// asks reports whether draws are choices of the exploration now.
func (d *ofRuntime) asks() bool {
	m := d.m
	return m.phase != settingUp && !m.over && (m.c.Draws > 0 || d.sampled)
}

// closeDraws looks at what the code has drawn that has run.
func (d *ofRuntime) close() {
	m := d.m
	n := &d.numbered
	if n.depth == 0 || m.abandoned.Load() {
		return
	}
	if n.depth--; n.depth > 0 {
		return
	}
	asks := d.asks() && !m.ending && !m.redo.on
	n.again = n.explorer.Close(&m.tr, asks) || n.again
	if n.sampled {
		d.record()
	}
	if n.explorer.Leaves() {
		d.drawn = true
		m.redo.shared = true // as where it was asked: what follows the seed shifts, too
	}
	if text := n.explorer.Contradiction(); text != "" {
		m.tr.Uncontrolled = cmp.Or(m.tr.Uncontrolled, text)
	}
}

// recordDraws records what was drawn in the part that is over, as if it had been asked for before the code ran.
func (d *ofRuntime) record() {
	m := d.m
	n := &d.numbered
	n.explorer.Recorded(&m.tr, func(value int) trace.Step {
		s := m.tr.DrawStep(m.event, value)
		choice, runner := m.choice, m.runner
		m.beginEvent(s)
		m.choice, m.runner = choice, runner
		m.tr.Events[m.event].Time = n.now
		return s
	})
	if m.event == n.from {
		return
	}
	m.tr.Hand(n.from, m.event, n.had)
	for _, i := range m.tr.Events[m.event].Sent {
		if x := &m.outbox.extra[i]; x.since == n.from {
			x.since = m.event
		}
	}
	if c := m.runner; c != nil {
		for _, h := range c.tasks {
			if h.since == n.from {
				h.since = m.event
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
	m := d.m
	m.finished = true // nothing of it is judged
	m.sys.strays.end()
	r, ok := m.d.(explore.Redoer)
	if !ok || !m.undo.on {
		return false
	}
	n := m.undo.lastStep()
	if n >= 0 {
		m.dog.Beat()
		n = m.undo.backTo(n)
	}
	if n < 0 {
		return false
	}
	m.beginExecution()
	r.Redo(n)
	m.finished = false
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
