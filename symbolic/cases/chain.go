package cases

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// chain is the run of a start, of messages, and of the case's message.
type chain struct {
	beginning
	p       *Program
	before  []*Target
	tested  *Case
	assumed []*assumption
	config  Config

	recv     string
	starting bool // by its start hook
	handles  bool // messages
	initial  []exec.Named
	state    []exec.Named
	inputs   []exec.Input // of what is assumed
	arrived  bool         // at a state of the case
	created  int          // events while the actor is made
	events   int          // before the case's message
	making   int          // conditions under which the source makes the actor, of which nothing but the state is known
}

// Run makes the actor and has it handle everything.
func (d *chain) Run(m *exec.Machine) []exec.Value {
	d.m, d.recv = m, exec.ParameterName(0, d.tested.Target.Fn.Params[0])
	self := d.make()
	d.initial, d.created = m.Flatten(d.recv, self), m.Fresh()
	if d.start.Made && !determined(d.initial) {
		m.End("the source does not tell the state in which the actor is made")
	}
	if d.start.Made {
		d.making = m.Conditions()
	}
	hooked := d.tested.Target.Kind == StartHook
	if start := m.Method(d.start.recv, nil, startName); start != nil && len(start.Params) == 2 && !hooked {
		d.starting = true
		m.Call(start, self, m.Context(start.Params[1].Type()))
	}
	d.preStart(self)
	for i, t := range d.before {
		d.assume(t, fmt.Sprintf("msg%d", i+1), self)
		d.handle(t, fmt.Sprintf("msg%d", i+1), self)
	}
	d.state = m.Flatten(d.recv, self)
	left := d.require(d.state, d.tested.Conditions())
	if left && d.tested.Steps != nil {
		m.End("the conditions of the case are about parts of the state that have no names")
	}
	d.arrived, d.events = true, m.Fresh()
	switch {
	case hooked:
		m.Call(d.tested.Target.Fn, self, m.Context(d.tested.Target.Fn.Params[1].Type()))
	case d.tested.Steps == nil:
		d.handle(d.tested.Target, "msg", self)
	}
	return nil
}

// preStart runs what an actor of GoAkt does before it handles anything.
func (d *chain) preStart(self exec.Value) {
	fn := d.m.Method(d.start.recv, nil, "PreStart")
	if d.tested.Target.Kind != GoAktHandler || fn == nil || len(fn.Params) != 2 {
		return
	}
	d.starting = true
	err, ok := d.m.Held(d.m.Call(fn, self, d.m.Context(fn.Params[1].Type()))).(exec.Face)
	if !ok || err.Type != nil {
		d.m.End("PreStart of the actor fails")
	}
}

// assume asks for what is assumed of a message before.
func (d *chain) assume(t *Target, name string, self exec.Value) {
	probe := &Case{Target: t}
	d.p.restrict(probe, d.assumed, d.config)
	names := map[string]string{"msg": name}
	var conds []*term.Term
	for _, c := range slices.Concat(probe.Assumed, probe.Domain) {
		conds = append(conds, d.p.renamed(noted{cond: c}, names).cond)
	}
	for _, in := range probe.Inputs {
		if rootOf(in.At).Name == "msg" {
			d.inputs = append(d.inputs, d.p.renamed(noted{cond: in.Var, inputs: []exec.Input{in}}, names).inputs...)
		}
	}
	d.require(d.m.Flatten(d.recv, self), conds)
}

// require goes on with conditions only, in which the state's names stand for what it is. It reports whether there are
// some that it could not ask for, since they name what the state does not have.
func (d *chain) require(state []exec.Named, conds []*term.Term) (left bool) {
	now := map[string]*term.Term{}
	for _, n := range state {
		now[n.Name] = n.Term
	}
	subst := d.p.store.SubstNames(now)
	for _, c := range conds {
		if slices.ContainsFunc(term.Vars(c), func(v *term.Term) bool {
			return below(v.Name, d.recv) && now[v.Name] == nil || strings.Contains(v.Name, "["+d.recv+".")
		}) {
			left = true
			continue
		}
		if !d.m.True(subst.Apply(c)) {
			d.m.End("the state is none of the case")
		}
	}
	return left
}

// handle has the actor handle a message.
func (d *chain) handle(t *Target, name string, self exec.Value) {
	m := d.m
	var face exec.Value
	if t.Handler.Message != nil {
		face = exec.Face{Type: t.Handler.Message, Val: m.There(name, t.Handler.Message)}
	} else {
		face = m.Input(name, types.NewInterfaceType(nil, nil))
	}
	if accepts := m.Method(d.start.recv, nil, "Accepts"); accepts != nil && t.Kind == NativeHandler &&
		!m.True(m.Call(accepts, self, face)) {
		m.End("the actor does not accept the message")
	}
	if d.arrived {
		m.Fresh() // what Accepts goes through is no part of the case's way
	}
	m.Receive(face)
	d.handles = true
	args := []exec.Value{self, m.Context(t.Fn.Params[1].Type())}
	if len(t.Fn.Params) > 2 {
		args = append(args, face)
	}
	m.Call(t.Fn, args...)
}

// Operate gives handlers their message. An actor that stops, or changes what handles its messages, is no longer one
// whose handlers are known.
func (d *chain) Operate(m *exec.Machine, o exec.Operation) (exec.Value, bool) {
	d.handed(o)
	if d.arrived && d.tested.Target.Kind == StartHook {
		return inHook(m, o)
	}
	nobody := d.starting && !d.handles && d.tested.Target.Kind == NativeHandler
	switch {
	case nobody && o.Op == model.Sender:
		return m.Zero(o.Sig.Results().At(0).Type()), true
	case nobody && o.Op == model.Respond:
		m.End("the start hook replies, and there is no message")
	case (d.handles || d.starting) && !d.arrived &&
		(o.Op == model.Stop && o.To == nil || o.Op == model.Become || o.Op == model.Unbecome):
		m.End("the actor stops or changes its behaviour before")
	}
	return nil, false
}
