package delivery

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// sameWide compares what the pool says of single steps with all of them.
func sameWide(p *Pool, host Host, steps []trace.Step) error {
	first, some := p.First(host)
	if i := trace.First(steps); some != (i >= 0) || some && first != steps[i] {
		return fmt.Errorf("wide: first is %v %v, it is the %d-th of %v", first, some, i, steps)
	}
	if n := p.Count(host); n != len(steps) {
		return fmt.Errorf("wide: %d steps, there are %d", n, len(steps))
	}
	for _, s := range steps {
		if got, ok := p.Find(host, s.Actor, s.ID); !ok || got != s {
			return fmt.Errorf("wide: found %v %v for %v", got, ok, s)
		}
	}
	if _, ok := p.Find(host, 1, trace.ID{Hi: 1}); ok {
		return fmt.Errorf("wide: found a step that is not there")
	}
	return nil
}

// TestWideAsksOnlyWhoChanged: one of very many actors takes its step, and no other is looked at again.
func TestWideAsksOnlyWhoChanged(t *testing.T) {
	var tr trace.Trace
	tr.AddDriver()
	tr.Begin(trace.StartStep(0))
	var p Pool
	var host asked
	p.Trust(&host)
	p.Reset(trace.Mailbox, &tr)
	const actors = 1000
	for a := range int32(actors) {
		tr.AddActor(tr.TypeNamed("A"), "", 0, 0)
		for range 2 { // under mailbox the second one is no concern of the first
			p.Post(tr.AddMessage(tr.TypeNamed("M"), trace.System, 0, a+1, 0, nil))
		}
	}
	first, _ := p.First(&host)
	before := host.times
	p.Deliver(first.Message)
	if n := p.Count(&host); n != actors || host.times-before > 3 {
		t.Errorf("%d steps, asked %d times", n, host.times-before)
	}
	for range actors { // the tree has room for more
		a := tr.AddActor(tr.TypeNamed("A"), "", 0, 0)
		p.Post(tr.AddMessage(tr.TypeNamed("M"), trace.User, 0, a, 0, nil))
	}
	if err := sameWide(&p, &host, p.Enabled(nil, &host)); err != nil {
		t.Error(err)
	}
}
