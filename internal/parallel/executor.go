package parallel

import (
	"fmt"
	"math"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// least time that a worker works before it yields: dividing the smallest rests would cost more than it brings.
const yieldAfter = 5 * time.Millisecond

// Executor executes leases in a worker.
type Executor struct {
	System  explore.System
	Make    func() (explore.Divisible, error)  // a new strategy
	Options func(careful bool) explore.Options // without Stop, which is the lease's
	// Collect gives what was found since the last call, and how many steps were chosen in careful leases.
	Collect func() (found []Found, warned []trace.Violation, chosen int, err error)
	Now     func() time.Time

	executed int // in all leases
}

// execute executes the lease until a bound is reached. at is told of each item before it begins; hurry says that others wait.
func (x *Executor) execute(l *Lease, at func(id int) error, hurry func() bool) (*Report, error) {
	r := &Report{}
	began := x.Now()
	asked := 0
	over := func(executions int) bool {
		if executions == 0 {
			return false // a lease makes progress, however slow the machine
		}
		if l.Executions > 0 && executions >= l.Executions {
			return true
		}
		if asked++; asked%8 != 0 && !hurry() {
			return false
		}
		worked := x.Now().Sub(began)
		return worked >= time.Duration(l.Millis)*time.Millisecond || worked >= yieldAfter && hurry()
	}
	for i := len(l.Parts) - 1; i >= 0; i-- {
		if i < len(l.Parts)-1 && over(r.Sum.Executions+r.Sum.Blocked) {
			break
		}
		if err := at(l.Parts[i].ID); err != nil {
			return nil, err
		}
		reason, err := x.part(&l.Parts[i], r, l.Careful, over)
		if err != nil {
			return nil, err
		}
		if reason == "found" {
			break
		}
	}
	var err error
	r.Found, r.Warned, r.Sum.Chosen, err = x.Collect()
	return r, err
}

// part executes an item and adds what came of it to the report.
func (x *Executor) part(p *Part, r *Report, careful bool, over func(int) bool) (reason string, err error) {
	item, err := p.item()
	if err != nil {
		return "", err
	}
	s, err := x.Make()
	if err != nil {
		return "", err
	}
	if err := s.Take(item); err != nil {
		return "", err
	}
	o := x.Options(careful)
	before, all, done := r.Sum.Executions+r.Sum.Blocked, x.executed, 0
	after, again := o.After, o.Again
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		done = c.Executions + c.Blocked
		if after != nil {
			after(c, tr)
		}
	}
	if again != nil {
		o.Again = func(n int) bool { return again(all + n) }
	}
	o.Stop = func() bool { return over(before + done) }
	out, err := explore.Run(x.System, s, o)
	if err != nil {
		return "", err
	}
	if done == 0 && out.Reason == "stopped" {
		return out.Reason, nil // a bound was reached before it began: it is as it was
	}
	x.executed += out.Executions
	for _, rest := range s.Split(math.MaxInt) {
		r.New = append(r.New, newPart(rest))
	}
	if s.Start() {
		panic(fmt.Sprintf("parallel: the strategy %s goes on after it gave everything away", s.Name()))
	}
	if j, ok := s.(explore.Joiner); ok {
		r.owe(j.Owed())
	}
	within := ""
	if b, ok := s.(explore.Bounder); ok && !s.Complete() {
		within = b.Within()
	}
	r.Done = append(r.Done, p.ID)
	r.Sum.add(&Sum{Counters: out.Counters, Bounded: out.Bounded, Ended: out.Ended, Diverged: out.Diverged, Varied: out.Varied, Shared: out.Shared, Unseen: out.Unseen, Unsound: !s.Complete() && within == "", Within: within,
		Uncontrolled: out.Uncontrolled, Bypassed: out.Bypassed, Remarks: out.Remarks, Beyond: out.Beyond, PassedOver: out.PassedOver})
	return out.Reason, nil
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
