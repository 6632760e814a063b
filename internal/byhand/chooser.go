package byhand

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

// Chooser is the strategy that goes to a position in one execution.
type Chooser struct {
	To     Position       // to go to
	Steps  []trace.Forced // to follow in the place of To, as a replay does; nil: To
	Onward bool           // to go on from there by the default order, until the execution ends
	Fork   bool           // to go on for one choice, and as long as there is no other than that of the default order
	Names  bool           // to take down what people read, at the position and before it

	started bool
	x       explore.Execution
	replay  *replay.Replay
	taken   Position
	events  []int // how many there were when each choice was asked for
	before  []Actor
	view    *View
	lost    string // why a choice could not be made
	Trace   *trace.Trace
}

var _ explore.ExecutionObserver = (*Chooser)(nil)

// Name is Strategy.Name.
func (c *Chooser) Name() string { return "by hand" }

// Start wants one execution.
func (c *Chooser) Start() bool {
	first := !c.started
	c.started = true
	if first && c.Steps != nil {
		c.replay = replay.New(c.Steps)
	}
	return first
}

// Open is told of the execution.
func (c *Chooser) Open(x explore.Execution) { c.x = x }

// Close is told that nothing more can happen, before final checks run.
func (c *Chooser) Close() {
	if c.view == nil {
		c.view = c.look(nil)
		c.view.Over = true
	}
}

// Broken is told that an event violates something, which ends the execution.
func (c *Chooser) Broken() {
	if c.view == nil {
		c.view = c.look(nil)
	}
}

// Choose makes the next choice, or takes a look where there is none left.
func (c *Chooser) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	c.events = append(c.events, len(tr.Events))
	choice, ok := c.next(tr, enabled)
	if !ok {
		c.view = c.look(enabled)
		return explore.Choice{Index: -1}
	}
	if c.Names && c.Steps == nil && len(c.taken) == len(c.To)-1 {
		c.before = c.actors()
	}
	c.taken = append(c.taken, choiceOf(enabled, choice.Index))
	return choice
}

// next is the choice, false where the position is reached or cannot be.
func (c *Chooser) next(tr *trace.Trace, enabled []trace.Step) (explore.Choice, bool) {
	n := len(c.taken)
	if c.replay != nil {
		if c.replay.Used() >= len(c.Steps) && !c.Onward {
			return explore.Choice{}, false
		}
		return c.replay.Choose(tr, enabled), true
	}
	if n >= len(c.To) {
		return explore.Choice{Index: trace.First(enabled)}, c.Onward || c.Fork && (n == len(c.To) || len(enabled) == 1)
	}
	i, found := find(enabled, c.To[n])
	switch found {
	case 1:
		return explore.Choice{Index: i}, true
	case 0:
		c.lost = fmt.Sprintf("choice %d of the position, %s, is not possible here", n+1, c.To[n])
	default:
		c.lost = fmt.Sprintf("choice %d of the position, %s, is the key of %d steps", n+1, c.To[n], found)
	}
	return explore.Choice{}, false
}

// Learn keeps the record.
func (c *Chooser) Learn(tr *trace.Trace, cut bool) {
	if c.view == nil {
		c.view = c.look(nil) // the loop ended it
	}
	if c.replay != nil {
		c.replay.Learn(tr, cut)
	}
	c.Trace = tr.Clone()
}

// Complete is Strategy.Complete.
func (c *Chooser) Complete() bool { return false }

// Taken are the choices that were made.
func (c *Chooser) Taken() Position { return c.taken }

// Stale are the steps of a schedule that could not be taken.
func (c *Chooser) Stale() []replay.Stale {
	if c.replay == nil {
		return nil
	}
	return c.replay.Stale()
}

// Path makes forced steps of identities, as View and trees have them.
func Path(ids []string) ([]trace.Forced, error) {
	steps := []trace.Forced{}
	for i, text := range ids {
		id, err := trace.ParseID(text)
		if err != nil {
			return nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		steps = append(steps, trace.Forced{ID: id})
	}
	return steps, nil
}
