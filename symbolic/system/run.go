package system

import (
	"context"
	"fmt"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// Run executes a driver, with all that it sends, and then handler after handler in the default order, as the first
// execution of an exploration does. It gives the record of that, as far as the path leads, and the path. It fails with
// the reason if the driver cannot be executed, or if more than one way is possible.
func (p *Program) Run(ctx context.Context, d *Driver, model trace.Model, c Config) (*trace.Trace, *exec.Path, error) {
	return p.RunIn(ctx, d, model, trace.First, c)
}

// RunIn is Run in the order that pick gives: of the steps that may be taken next, the index of one; a negative number
// ends the execution.
func (p *Program) RunIn(ctx context.Context, d *Driver, model trace.Model, pick func(steps []trace.Step) int,
	c Config) (*trace.Trace, *exec.Path, error) {
	c = c.defaults()
	c.Paths = 2
	var w *world
	found := p.explore(ctx, d, c, func() *world {
		w = &world{p: p, driver: d, task: &ordered{pick}, model: model, async: c.Async, replay: true}
		return w
	})
	switch {
	case found.Defect != "":
		return nil, nil, fmt.Errorf("%s: it cannot be executed: %s", p.place(d.Pos), found.Defect)
	case len(found.Paths) != 1 || len(found.Cuts) > 0:
		return nil, nil, fmt.Errorf("%s: there is more than one way: %s", p.place(d.Pos), p.refused(found))
	}
	path := found.Paths[0]
	if path.Exit != exec.Return && path.Exit != exec.Panic && path.Exit != exec.Assert || !w.begun {
		return nil, nil, fmt.Errorf("%s: %s", p.place(d.Pos), p.refused(found))
	}
	return &w.tr, path, nil
}

// ordered is the task of an execution in one order.
type ordered struct {
	pick func(steps []trace.Step) int
}

func (*ordered) opened(*world)                         {}
func (*ordered) begins(*world, *handler)               {}
func (*ordered) ended(*world)                          {}
func (*ordered) escapes(*exec.Failed) bool             { return false }
func (*ordered) idle(*world) bool                      { return false }
func (o *ordered) choose(_ *world, s []trace.Step) int { return o.pick(s) }
