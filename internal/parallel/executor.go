package parallel

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// least time that a worker works before it yields: dividing the smallest rests would cost more than it brings.
const yieldAfter = 5 * time.Millisecond

// time after a stop that an execution, and the planning of the next, have to come to their end. What takes longer is
// given up, and the item stays open as it was: what a search had done of it is lost.
const grace = 200 * time.Millisecond

// Executor executes leases in a worker.
type Executor struct {
	System  explore.System
	Make    func() (explore.Divisible, error)  // a new strategy
	Options func(careful bool) explore.Options // without Stop, which is the lease's
	// Collect gives what was found since the last call, and how many steps were chosen in careful leases.
	Collect func() (found []Found, warned []trace.Violation, chosen int, err error)
	Now     func() time.Time

	executed int    // in all leases
	ran      func() // called after the first execution; nil: nobody is told
	release  func() // ends what prepare began; nil before the first item
}

// prepare makes the System ready for an item, and so for all that follow.
func (x *Executor) prepare(o *explore.Options) (err error) {
	if x.release == nil {
		x.release, err = explore.Prepare(x.System, o)
	}
	o.Prepared = true
	return err
}

// close has the System be as it was before the first item.
func (x *Executor) close() {
	if x.release != nil {
		x.release()
		x.release = nil
	}
}

// execute executes the lease until a bound is reached. at is told of the first item before it begins, and of each of a
// careful lease, which may be deadly. yield says that others wait, stop that nobody needs more.
func (x *Executor) execute(l *Lease, at func(id int) error, yield, stop func() bool) (*Report, error) {
	r := &Report{}
	began := x.Now()
	asked, least := 0, max(yieldAfter, time.Duration(l.Least)*time.Millisecond)
	up := false // the time is, also for the items that were not begun
	over := func(executions int) bool {
		if executions == 0 {
			return false // a lease makes progress, however slow the machine
		}
		if up {
			return true
		}
		if l.Executions > 0 && executions >= l.Executions {
			return true
		}
		if asked++; asked%8 != 0 && !yield() {
			return false
		}
		worked := x.Now().Sub(began)
		up = worked >= time.Duration(l.Millis)*time.Millisecond || worked >= least && yield()
		return up
	}
	for i := len(l.Parts) - 1; i >= 0; i-- {
		if i < len(l.Parts)-1 && over(r.Sum.Executions+r.Sum.Blocked) {
			break
		}
		// Else nobody asks which item it is, and each word wakes the coordinator.
		if first := i == len(l.Parts)-1; first || l.Careful {
			if err := at(l.Parts[i].ID); err != nil {
				return nil, err
			}
		}
		reason, err := x.part(&l.Parts[i], r, l, over, func() bool { return up && !stop() }, x.late(stop))
		if err != nil {
			return nil, err
		}
		if reason == "found" || reason == givenUp {
			break
		}
	}
	var err error
	r.Growth = r.grown.Encode()
	r.Found, r.Warned, r.Sum.Chosen, err = x.Collect()
	return r, err
}

// late gives what says whether an item is to be given up: it has gone on for longer than the grace after the stop.
func (x *Executor) late(stop func() bool) func() bool {
	var since time.Time
	return func() bool {
		if !stop() {
			return false
		}
		if since.IsZero() {
			since = x.Now()
		}
		return x.Now().Sub(since) > grace
	}
}

// givenUp is the reason why an item ended that was given up.
const givenUp = "given up"

// part executes an item and adds what came of it to the report.
//
// SUBTLE: what Go chooses in final checks is no item, and nobody else would explore it. So an execution that has begun
// has all its values, also where others wait. Only the budget ends that, which the result says.
func (x *Executor) part(p *Part, r *Report, l *Lease, over func(int) bool,
	timeUp, late func() bool) (reason string, err error) {
	s, err := x.strategyOf(p, l)
	if err != nil {
		return "", err
	}
	done := 0
	o := x.optionsOf(l, r.Sum.Executions+r.Sum.Blocked, &done, over)
	if err := x.prepare(&o); err != nil {
		return "", err
	}
	rest := tail{strategy: s, over: o.Stop, timeUp: timeUp, now: x.Now}
	o.Stop = rest.stop
	tooLate := false // once it is said, the strategy leaves things out
	o.Late = func() bool {
		tooLate = tooLate || late()
		return tooLate
	}
	out, err := explore.Run(x.System, s, o)
	if err != nil {
		return "", err
	}
	if done == 0 && out.Reason == "stopped" && !tooLate {
		return out.Reason, nil // a bound was reached before it began: it is as it was
	}
	x.executed += out.Executions
	rests, beyond, ok := x.rests(s, o.Late)
	if !ok {
		r.gaveUp(&out.Counters)
		return givenUp, nil
	}
	before := len(r.New)
	for _, item := range rest.given {
		r.New = append(r.New, newPart(item))
	}
	r.New, r.Beyond = append(r.New, rests...), append(r.Beyond, beyond...)
	r.done(p, s, out)
	r.outline(p.ID, s, r.New[before:])
	if sharer, ok := s.(explore.Sharer); ok {
		err = r.share(l, sharer)
	}
	return out.Reason, err
}

// strategyOf makes a strategy that executes an item, and is told what others have learned.
func (x *Executor) strategyOf(p *Part, l *Lease) (explore.Divisible, error) {
	item, err := p.item()
	if err != nil {
		return nil, err
	}
	s, err := x.Make()
	if err != nil {
		return nil, err
	}
	if sharer, ok := s.(explore.Sharer); ok {
		if err := sharer.Tell(l.Told); err != nil {
			return nil, err
		}
	}
	return s, s.Take(item)
}

// optionsOf are those of an item of a lease, before which so many executions were made in it. done is set to the number
// of those of the item.
func (x *Executor) optionsOf(l *Lease, before int, done *int, over func(int) bool) explore.Options {
	o, all := x.Options(l.Careful), x.executed
	after, again := o.After, o.Again
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		if *done = c.Executions + c.Blocked; *done > 0 && x.ran != nil {
			x.ran()
			x.ran = nil
		}
		if after != nil {
			after(c, tr)
		}
	}
	if again != nil {
		o.Again = func(n int) bool { return again(all + n) }
	}
	o.Stop = func() bool { return over(before + *done) }
	o.EndsStop = func() bool { return l.Budget > 0 && before+*done >= l.Budget }
	return o
}

// done adds an item to the report that a strategy has executed, up to what it gave away.
func (r *Report) done(p *Part, s explore.Divisible, out explore.Outcome) {
	if s.Start() {
		panic(fmt.Sprintf("parallel: the strategy %s goes on after it gave everything away", s.Name()))
	}
	if j, ok := s.(explore.Joiner); ok {
		r.owe(j.Owed())
	}
	out.Within = ""
	if !s.Complete() {
		out.Within = explore.ReportOf(s).Within
	}
	r.Done = append(r.Done, p.ID)
	r.Sum.add(&Sum{Counters: out.Counters, Verdict: out.Verdict, Unsound: !s.Complete() && out.Within == ""})
}

// share adds what an item has learned to the report, and tells it to the other items of the lease.
func (r *Report) share(l *Lease, s explore.Sharer) (err error) {
	learned := s.Learned()
	if learned == nil {
		return nil
	}
	if r.Learned, err = s.Merge(r.Learned, learned); err == nil {
		l.Told, err = s.Merge(l.Told, learned)
	}
	return err
}

// chunk is how many items a strategy gives away before the time is looked at again. Where hundreds of messages wait for
// one actor it has hundreds of thousands, each with a long path.
const chunk = 256

// rests gives all that a strategy has left, unless it is too late for that.
func (x *Executor) rests(s explore.Divisible, late func() bool) (parts, beyond []Part, ok bool) {
	numbered, _ := s.(explore.Numbered)
	for {
		if late() {
			return nil, nil, false
		}
		items := s.Split(chunk)
		if len(items) == 0 {
			return parts, beyond, true
		}
		for _, item := range items {
			if p := newPart(item); numbered != nil && numbered.Beyond(item) {
				beyond = append(beyond, p)
			} else {
				parts = append(parts, p)
			}
		}
	}
}

// gaveUp adds what was executed of items that were given up.
func (r *Report) gaveUp(c *explore.Counters) {
	all := Sum{Counters: r.GaveUp}
	all.add(&Sum{Counters: *c})
	r.GaveUp = all.Counters
}

// owe adds what a search leaves to items above.
func (r *Report) owe(nodes, found []explore.Item) {
	for _, item := range nodes {
		r.Kept = append(r.Kept, newPart(item))
	}
	for _, item := range found {
		r.Owed = append(r.Owed, newPart(item))
	}
}
