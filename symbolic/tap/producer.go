package tap

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file: producers, the functions that protoactor-go calls to make an actor. The one who creates the actor executes
// them, in its own step.
//
// Differs: the paper's constructors are values. A producer that restarts an actor is not modelled, nor one that props
// hand on in a parameter or a variable.

// producer gives the function that a value is, and what it captures; nil if that is not known.
func producer(v ssa.Value) (*ssa.Function, *ssa.MakeClosure) {
	if t, ok := v.(*ssa.ChangeType); ok {
		v = t.X
	}
	switch v := v.(type) {
	case *ssa.Function:
		return v, nil
	case *ssa.MakeClosure:
		return v.Fn.(*ssa.Function), v
	}
	return nil, nil
}

// producing gives the producer that a creation calls, nil if there is none.
func producing(in ssa.Instruction) (*ssa.Function, *ssa.MakeClosure) {
	row, args, ok := operation(in)
	if !ok || row.Op != model.Spawn {
		return nil, nil
	}
	props, ok := args[row.Props].(*ssa.Call)
	if !ok {
		return nil, nil
	}
	if row, args, ok = operation(props); !ok || row.Op != model.Props {
		return nil, nil
	}
	return producer(args[row.Func])
}

// producers are the behaviours that a producer gives.
func (e *Engine) producers(f *frame, v ssa.Value) (list []behaviour) {
	fn, made := producer(v)
	if fn == nil {
		return nil
	}
	var free []value
	if made != nil {
		free = e.bindings(f, made)
	}
	for _, b := range exits(fn) {
		for _, t := range held(b.Instrs[len(b.Instrs)-1].(*ssa.Return).Results[0], 0) {
			if class := e.program.classOf(t); class != nil {
				list = append(list, behaviour{class: class, free: free, producer: fn, exit: b})
			}
		}
	}
	return list
}

// produce calls the producer, whose result is what the event of creation gives.
func (e *Engine) produce(d *configuration, a *actor, ev *event, b behaviour) {
	result := d.fresh("n")
	x := e.variable(result)
	ev.value, ev.free = partOf(x, ".("+typeKey(b.class.Recv)+")"), nil
	d.require("", e.store.Equal(x(partType, wordSort), e.typeTerm(b.class.Recv)))
	f := &frame{id: d.fresh("f"), fn: b.producer, caller: a.at.frame, ret: a.at, result: result,
		depth: a.at.frame.depth + 1, free: b.free}
	a.at = &point{f, b.exit, len(b.exit.Instrs), 0}
	a.visit = &visits{f, b.exit, a.visit}
}
