package flow

import (
	"slices"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// This file follows futures: who makes them, completes them, looks into them, and hands their answers on.

// future is an answer that somebody waits for.
type future struct {
	owner  *class
	in     *machine
	edges  []*edge // of the requests
	object *points.Object

	pipes    []*operation // that hand the answer on
	answers  []delivery
	blocking bool // somebody does nothing else until it is there
}

// complete gives a future its answer.
func (o *operation) complete(f *future, d *delivery) {
	d.to = f.owner
	o.draw(d)
	o.solver.Write(o.solver.Part(f.object.Root, points.Content), points.One(d.message))
	f.answers = append(f.answers, *d)
	for _, p := range f.pipes {
		p.pipeFrom(d)
	}
}

// pipe sends the answer of a future to others. The actor that pipes does so, or the one that answers: whichever comes
// later.
func (o *operation) pipe() {
	s := o.solver
	for _, l := range o.arg(0) {
		f, ok := s.Object(l).Tag.(*future)
		if !ok || slices.ContainsFunc(f.pipes, func(p *operation) bool { return p.call == o.call && p.in == o.in }) {
			continue
		}
		f.pipes = append(f.pipes, o)
		for i := range f.answers {
			o.pipeFrom(&f.answers[i])
		}
	}
	to := o.referents(s.ReadAll(o.call.By, s.Parts(o.arg(o.row.To), points.Elem)))
	o.messages(s.ReadAll(o.call.By, s.Parts(o.arg(0), points.Content)), func(box points.Loc) {
		o.post(to, box, delivery{kind: Send, from: o.sender(), in: o.in, by: o.call})
	})
}

// pipeFrom sends an answer on by who answers.
func (o *operation) pipeFrom(d *delivery) {
	to := o.referents(o.solver.ReadAll(o.call.By, o.solver.Parts(o.arg(o.row.To), points.Elem)))
	o.post(to, d.message, delivery{kind: Send, from: d.from, in: d.in, by: d.by})
}

// future gives the future that the call makes.
func (o *operation) future(owner *class) *future {
	obj := o.solver.Made(kindFuture, o.call)
	if obj.Tag == nil {
		obj.Tag = &future{owner: owner, in: o.in, object: obj}
	}
	return obj.Tag.(*future)
}

// answer makes futures and looks into them.
func (o *operation) answer() {
	s := o.solver
	switch o.row.Op {
	case model.NewFuture:
		o.give(points.One(o.future(o.owner()).object.Root))
		return
	case model.PIDOf:
		o.give(o.arg(0))
		return
	}
	futures := o.arg(o.row.From)
	held := s.ReadAll(o.call.By, s.Parts(futures, points.Content)).Union(s.Nothing())
	if o.row.Op == model.Reenter {
		o.callback(o.row.Func, held, s.Opaque().Union(s.Nothing()))
		return
	}
	if o.row.Blocking {
		for _, l := range futures {
			if f, ok := s.Object(l).Tag.(*future); ok {
				f.blocking = true
				for _, e := range f.edges {
					e.blocking = true
				}
			}
		}
	}
	if o.call.Callee.Signature().Results().Len() == 1 { // Future.Wait gives an error alone
		held = s.Opaque().Union(s.Nothing())
	}
	o.give(held)
}
