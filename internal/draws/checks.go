package draws

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about what is drawn in checks (explore.Check). They come between the parts of steps, and so have parts
// of their own, for which the strategy is not asked.

// checks is what an Explorer knows of the open part of checks.
type checks struct {
	noted      int // draws of its log that are noted
	unnumbered chance.Unnumbered
}

// RunCheck begins a part that belongs to checks: Go chooses by the seed from here on.
func (x *Explorer) RunCheck(id trace.ID) {
	x.part, x.checks = true, checks{}
	chance.Begin(id.Hi^x.seed, id.Lo, nil, x.seed != 0, x.limits.Preemptions)
}

// NoteCheck notes what was drawn in the open part since it began, or was noted last: by checks of this kind.
func (x *Explorer) NoteCheck(k explore.CheckKind) {
	x.note(chance.Logged(), chance.UnnumberedDraws(), " in "+k.String())
}

// CloseCheck ends the part, after NoteCheck.
func (x *Explorer) CloseCheck(k explore.CheckKind) {
	x.part = false
	log := chance.End()
	x.note(log, chance.UnnumberedDraws(), " in "+k.String())
}

func (x *Explorer) note(log []chance.Draw, u chance.Unnumbered, in string) {
	c := &x.checks
	x.drew = x.drew || len(log) > 0 || u.Numbers > 0
	for i := c.noted; i < len(log); i++ {
		if d := &log[i]; !x.passes(d) && !goroutine.IsRehearse(d.Frame().Function) {
			x.leaves(place(d) + in)
		}
	}
	before := c.unnumbered
	c.noted, c.unnumbered = len(log), u
	x.leaveUnnumbered(chance.Unnumbered{Numbers: u.Numbers - before.Numbers, Maps: u.Maps - before.Maps,
		Lost: u.Lost - before.Lost, Spent: u.Spent - before.Spent}, in)
}
