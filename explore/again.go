package explore

import (
	"cmp"

	"github.com/rehearse-go/rehearse/trace"
)

// This file executes executions once more, to see whether the program makes a choice of its own. Some as soon as they
// are over, and some when the strategy has ended, if that made too few. An exploration of one execution repeats it as
// often as a long one repeats different ones.
//
//	assumes:    the System begins each execution anew, whatever came before
//	invariants: an exploration that ends without a finding has made Options.Repeats repeats, or says how many are missing
//	cost:       one copy of the record of each execution that is kept: at most Options.Repeats, taken evenly from all

// maxKeptEvents bounds the memory of the executions that are kept, in events.
const maxKeptEvents = 1 << 16

// repeats are executions that may be repeated at the end: every so many-th.
type repeats struct {
	kept   []keptExecution
	every  int
	met    int // executions
	events int // in all that is kept
}

type keptExecution struct {
	trace    *trace.Trace
	contents Contents
	under    Conditions
	repeated bool
	clocked  bool // it was known that the program sets timers: a nanosecond passes with each step then
}

// Contents are what actors and messages of an execution hold at its end.
type Contents interface {
	// Differ names something that they hold in one of two executions with the same steps and not in the other, "" if there
	// is nothing. tr is the record of the one whose Contents they are.
	Differ(other Contents, tr *trace.Trace) string
}

// due reports whether the next execution is to be kept.
func (k *repeats) due() bool { return k.every == 0 || k.met%k.every == 0 }

// note keeps an execution, if it is due. max is the number of repeats that are wanted.
func (k *repeats) note(e keptExecution, max int) {
	due := k.due()
	k.every = cmp.Or(k.every, 1)
	k.met++
	if !due {
		return
	}
	e.trace = e.trace.Clone()
	k.kept = append(k.kept, e)
	k.events += len(e.trace.Events)
	for len(k.kept) > 1 && (len(k.kept) > max || k.events > maxKeptEvents) {
		k.thin()
	}
}

// thin forgets every other execution.
func (k *repeats) thin() {
	half := k.kept[:0]
	k.events = 0
	for i := 0; i < len(k.kept); i += 2 {
		half = append(half, k.kept[i])
		k.events += len(k.kept[i].trace.Events)
	}
	clear(k.kept[len(half):])
	k.kept = half
	k.every *= 2
}

// decideRepeat decides whether the execution that is over is repeated at once, and keeps it for later if need be.
func (r *run) decideRepeat() {
	// An execution that went on after a violation does not repeat as it was: the repetition ends there.
	may := r.counts && !r.left && !r.stopped && (r.representative == nil || len(r.last) == 0)
	fresh := r.out.Executions > r.asked // an execution that the strategy cut leaves the number as it was
	r.recheck = may && fresh && !r.expired && r.o.Again != nil && r.o.Again(r.out.Executions)
	r.asked = r.out.Executions
	if may && r.out.Rechecked < r.o.Repeats {
		e := keptExecution{r.x.Trace(), r.contents, r.c.asked(), r.recheck, r.clocked}
		r.repeats.note(e, r.o.Repeats)
	}
}

// takeIn takes in what an execution holds that repeats another one or may be repeated.
func (r *run) takeIn() {
	r.contents = nil
	may := r.counts && (r.o.Again != nil && r.o.Again(r.out.Executions+1) ||
		r.out.Rechecked < r.o.Repeats && r.repeats.due())
	if r.o.Contents != nil && (may || r.chooser == r.repeat) {
		r.contents = r.o.Contents(r.x)
	}
}

// executeAgain repeats an execution and compares.
func (r *run) executeAgain(k *keptExecution) error {
	r.repeat = r.o.Repeat(k.trace)
	if err := r.execute(r.repeat, k.under); err != nil {
		return err
	}
	if !r.out.Diverged && r.out.Varied == "" {
		r.out.Varied = r.differsFrom(k)
	}
	r.compareOrders(k.trace)
	return r.executeOtherwise(k)
}

// differsFrom names something that an execution held and its repetition does not, "" if there is nothing. Where the
// program was not known to set timers, clocks told other times.
func (r *run) differsFrom(k *keptExecution) string {
	if k.contents == nil || r.contents == nil || r.left || k.clocked != r.clocked {
		return ""
	}
	return k.contents.Differ(r.contents, k.trace)
}

// repeatMore makes the repeats that are missing when the strategy has ended: of each execution in turn, first of those
// that were not repeated yet.
func (r *run) repeatMore() error {
	for round := 0; len(r.repeats.kept) > 0; round++ {
		for _, k := range r.repeats.kept {
			if r.stopped || r.out.Diverged || r.out.Rechecked >= r.o.Repeats {
				return nil
			}
			if round == 0 && k.repeated {
				continue
			}
			if r.late() || r.o.Stop != nil && r.o.Stop() || r.o.Spare != nil && !r.o.Spare() {
				r.out.Unrepeated = r.o.Repeats - r.out.Rechecked
				return nil
			}
			if err := r.executeAgain(&k); err != nil {
				return err
			}
			if r.stopped {
				r.out.Reason = "found"
			}
		}
	}
	return nil
}
