package chance

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about what is drawn in checks (explore.Check). They come between the parts of steps, and so have parts
// of their own, for which no strategy is asked. What final checks draw is in the record (trace.Trace.Ends), for the
// loop to try the other values; what invariants and clean-ups draw follows the seed, and is named.
//
//	assumes:    all that is drawn in final checks, whoever draws it, is in one order: that of trace.Trace.Ends
//	invariants: I1 a part is noted to its end before another begins
//	            I2 of a part each draw is noted once
//	checked by: actor/checks_test.go, adapter/protoactor/numbered_test.go

// checks is what an Explorer knows of the open part of checks.
type checks struct {
	noted      int // draws of its log that are noted
	unnumbered Unnumbered
}

// ends is what an Explorer knows of the final checks of the present execution.
type ends struct {
	forced []uint32 // Conditions.EndDraws
	asked  int      // draws of which the other values are to be explored
	full   bool     // there were more
}

// RunCheck begins a part that belongs to checks of this kind.
func (x *Explorer) RunCheck(k explore.CheckKind, tr *trace.Trace, id trace.ID) {
	x.part, x.checks = true, checks{}
	var script []uint32
	if k == explore.FinalCheck && len(tr.Ends) < len(x.ends.forced) {
		script = x.ends.forced[len(tr.Ends):]
	}
	Begin(id.Hi^x.seed, id.Lo, script, x.seed != 0, x.limits.Preemptions)
}

// NoteCheck notes what was drawn in the open part since it began, or was noted last: by checks of this kind.
func (x *Explorer) NoteCheck(k explore.CheckKind, tr *trace.Trace) { x.note(Logged(), k, tr) }

// CloseCheck ends the part, after NoteCheck.
func (x *Explorer) CloseCheck(k explore.CheckKind, tr *trace.Trace) {
	x.part = false
	x.note(End(), k, tr)
}

func (x *Explorer) note(log []Draw, k explore.CheckKind, tr *trace.Trace) {
	c, u := &x.checks, UnnumberedDraws()
	x.drew = x.drew || len(log) > 0 || u.Numbers > 0
	for i := c.noted; i < len(log); i++ {
		d := &log[i]
		counts := !x.passes(d) && !goroutine.IsRehearse(d.Frame().Function)
		if k == explore.FinalCheck {
			counts = x.noteEnd(d, counts, tr)
		}
		if counts {
			x.leaves(place(d) + " in " + k.String())
		}
	}
	before := c.unnumbered
	c.noted, c.unnumbered = len(log), u
	x.leaveUnnumbered(Unnumbered{Numbers: u.Numbers - before.Numbers, Maps: u.Maps - before.Maps,
		Lost: u.Lost - before.Lost, Spent: u.Spent - before.Spent}, " in "+k.String())
}

// noteEnd records a draw of a final check. It reports whether its other values are not explored although they count.
func (x *Explorer) noteEnd(d *Draw, counts bool, tr *trace.Trace) (left bool) {
	e := &x.ends
	if e.full = e.full || len(tr.Ends) == LimitsAll.Draws; e.full {
		return counts
	}
	end := trace.EndDraw{N: int(d.N), Value: int(d.Value), Place: place(d), What: naming(d, d.Value)}
	switch {
	case !counts:
		end.N = 1
	case d.N > widest:
		left = true
	case x.sampled: // as what is drawn in steps: this execution is a sample, whatever is said of the others
	case e.asked < x.limits.Draws:
		end.Explored = true
		e.asked++
	default:
		left = true
	}
	tr.Ends = append(tr.Ends, end)
	return left
}
