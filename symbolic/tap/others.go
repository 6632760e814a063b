package tap

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: rules that the paper has no need of.

// Jump goes to the end of a block that leads to this one without a condition. The print has a list of statements
// instead.
type Jump struct{}

func (Jump) Name() string { return "Jump" }

func (r Jump) transitions(e *Engine, c *configuration, i int) (list []transition) {
	a := c.actors[i]
	if !a.atStart() {
		return nil
	}
	for k, p := range a.at.block.Preds {
		if _, ok := p.Instrs[len(p.Instrs)-1].(*ssa.Jump); ok {
			list = append(list, e.up(r, c, i, k, func(*configuration) {})...)
		}
	}
	return list
}

// Outside is what the engine has no rule for, such as calls of libraries: what it gives is not modelled, and what it
// may write is not either.
type Outside struct{}

func (Outside) Name() string { return "Outside" }

func (r Outside) transitions(e *Engine, c *configuration, i int) []transition {
	in := c.actors[i].previous()
	if ranges(in) {
		return nil
	}
	switch in := in.(type) {
	case nil, *ssa.If, *ssa.Jump, *ssa.Return, *ssa.Phi, *ssa.DebugRef, *ssa.Panic:
		return nil
	case *ssa.Call:
		row, args, ok := operation(in)
		if _, is := idling(in); is {
			return nil
		}
		if ok && row.Op == model.Stop && row.To == 0 || ends(in) || ok && !ignored(row.Op) && !changing(row) {
			return nil
		}
		if b, ok := in.Call.Value.(*ssa.Builtin); ok &&
			(slices.Contains([]string{"len", "cap", "append", "delete", "recover"}, b.Name()) ||
				b.Name() == "clear" && isMap(in.Call.Args[0])) {
			return nil
		}
		if !known(in) && len(e.program.callees(in)) > 0 {
			return nil
		}
		return statement(r, c, i, func(d *configuration, a *actor) {
			if ok && changing(row) {
				d.unmodelled(calledName(&in.Call) + e.where(in))
			}
			a.acts = true
			if ok && row.Op == model.Stop {
				ev := &event{actor: a.id, run: a.msg, kind: "stop" + e.where(in), to: e.operand(a.at.frame, args[row.To]),
					at: d.changes}
				d.stops = append(slices.Clip(d.stops), ev)
			}
			e.forget(d, a, in)
		})
	case *ssa.Range, *ssa.Next, *ssa.Select, *ssa.Index, *ssa.MultiConvert, *ssa.SliceToArrayPointer:
		return e.assignment(r, c, i, in.(ssa.Value), func(*configuration, *actor) value { return unmodelled })
	case *ssa.Defer: // the call is where the function returns (defers.go)
		return statement(r, c, i, func(*configuration, *actor) {})
	case *ssa.Go, *ssa.Send:
		return statement(r, c, i, func(d *configuration, _ *actor) { d.unmodelled(e.reason(in)) })
	}
	return nil
}

// forget forgets what a call gives, and what the arguments lead to if it may write there.
func (e *Engine) forget(d *configuration, a *actor, call *ssa.Call) {
	f := a.at.frame
	e.change(d, e.reason(call), assign(f.register(call), unmodelled))
	fn, args := calledFunc(&call.Call)
	if fn == nil {
		if _, ok := call.Call.Value.(*ssa.Builtin); !ok {
			d.unmodelled("a call of a function value" + e.where(call))
			return
		}
		args = call.Call.Args[:min(1, len(call.Call.Args))]
	} else if row, ok := model.Find(fn); ok && (row.Op == model.Pure || row.Op.Acts()) {
		return
	}
	for _, x := range args {
		switch t := x.Type().Underlying().(type) {
		case *types.Map:
			e.change(d, e.reason(call), &change{what: "havoc", keys: []string{kindEntry + "|" + a.name + "|" + typeKey(t)},
				applies: lost})
		case *types.Slice:
			e.change(d, e.reason(call), &change{what: "havoc", keys: []string{kindElem + "|" + a.name + "|" + typeKey(t.Elem())},
				applies: lost})
		case *types.Pointer:
			if p := e.target(a, f, x); p.valid() {
				e.change(d, e.reason(call), e.update(p, unmodelled))
			}
		}
	}
}

var lost = []func(*term.Term, []*term.Term) (*term.Term, bool){func(*term.Term, []*term.Term) (*term.Term, bool) { return nil, true }}

// Stopping is that an actor stops: it has handled nothing after that.
type Stopping struct{}

func (Stopping) Name() string { return "Stopping" }

func (r Stopping) transitions(e *Engine, c *configuration, i int) []transition {
	row, _, ok := operation(c.actors[i].previous())
	if !ok || row.Op != model.Stop || row.To != 0 {
		return nil
	}
	return statement(r, c, i, func(d *configuration, a *actor) {
		if len(a.runs) > 0 {
			d.false = &clause{t: e.store.Bool(false)}
		}
	})
}

// stopped adds, for actors that others stop, that they handle their messages before. A path on which one has to come
// later is given up.
func (e *Engine) stopped(d *configuration) {
	for _, s := range d.stops {
		to, i := e.now(d, s, s.to)("", wordSort), slices.IndexFunc(d.by(s.actor).runs,
			func(q *request) bool { return q.msg == s.run })
		if to == nil || !to.Const() || i < 0 {
			d.unmodelled("whom somebody stops: " + s.kind)
			return
		}
		for _, b := range d.made {
			if self := b.from.ref; self != to {
				continue
			}
			for _, q := range b.runs {
				d.order.add(q.time, d.by(s.actor).runs[i].time)
			}
			if d.order.circle() {
				d.unmodelled("what an actor handles behind its " + s.kind)
				return
			}
		}
	}
}

// Impossible is a statement behind which nothing comes: a panic, a failure of a test, the end of the process. Nothing
// goes on before it.
type Impossible struct{}

func (Impossible) Name() string { return "Impossible" }

func (r Impossible) transitions(e *Engine, c *configuration, i int) []transition { return nil }

// ends reports whether nothing comes behind a call.
func ends(call *ssa.Call) bool {
	fn, _ := calledFunc(&call.Call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	if model.NeverReturns(fn) {
		return true
	}
	recv := fn.Signature().Recv()
	if recv == nil || model.TypeName(recv.Type()) != "explore.T" {
		return false
	}
	return slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}, fn.Name())
}

// ignored are operations that give nothing and send nothing.
func ignored(op model.Op) bool {
	switch op {
	case model.Watch, model.Unwatch, model.CancelTimer, model.Props, model.PropsFunc, model.System, model.Unhandled, model.Children, model.Parent, model.Stop, model.Choose:
		return true
	}
	return false
}

// changing are operations that change what an actor does next, or wait, which no rule is about.
func changing(row model.Row) bool {
	switch row.Op {
	case model.Await:
		return row.Framework != model.Native
	case model.Spawn, model.Send, model.Request, model.RequestFrom, model.Ask, model.Call, model.Respond, model.Forward, model.Timer, model.RequestTimer,
		model.Become, model.Unbecome, model.BehaviorDo, model.Self, model.Sender, model.Message, model.AwaitBlocking:
		return false
	}
	return !ignored(row.Op)
}

// known reports whether a call is of a function that a row tells of, or a builtin one.
func known(call *ssa.Call) bool {
	if _, ok := call.Call.Value.(*ssa.Builtin); ok {
		return true
	}
	_, _, ok := operation(call)
	return ok || ends(call)
}

// calledFunc gives the function of a call, and its arguments, the receiver first.
func calledFunc(call *ssa.CallCommon) (*types.Func, []ssa.Value) {
	if call.IsInvoke() {
		return call.Method, append([]ssa.Value{call.Value}, call.Args...)
	}
	if fn := call.StaticCallee(); fn != nil {
		o, _ := fn.Object().(*types.Func)
		return o, call.Args
	}
	return nil, call.Args
}
