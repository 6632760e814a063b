package parallel

import (
	"time"

	"github.com/rehearse-go/rehearse/explore"
)

// tail ends an item when its time is up. A deep search has hundreds of subtrees left then, most of them of a few
// executions. To take up one of these costs more than to execute it. So the large ones, which are near to the
// beginning, are given away. The others are executed, unless that takes long too.
type tail struct {
	strategy explore.Divisible
	over     func() bool // a bound is reached
	timeUp   func() bool // it is the time, and others have a use for what is left
	now      func() time.Time

	given []explore.Item // nil: none yet
	until time.Time      // then also what was kept is given away
}

const (
	tailItems = 32
	tailTime  = 4 * time.Millisecond
)

// stop is explore.Options.Stop: it is asked between executions, where a search may be split.
func (t *tail) stop() bool {
	if !t.over() {
		return false
	}
	if !t.timeUp() || !t.deep() {
		return true
	}
	if t.given == nil {
		t.given, t.until = t.strategy.Split(tailItems), t.now().Add(tailTime)
		return len(t.given) < tailItems // all that there was
	}
	return t.now().After(t.until)
}

// deep reports whether the strategy is a search whose items have nothing to do with each other. A sample has few items,
// and those of a Joiner have to be taken up by others soon.
func (t *tail) deep() bool {
	if _, sample := t.strategy.(explore.Numbered); sample {
		return false
	}
	_, joins := t.strategy.(explore.Joiner)
	return !joins
}
