package tap

import (
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// Rule is a transition rule of [TAP18], Figures 10, 14 and 15.
type Rule interface {
	// Name is the rule's name in the figure.
	Name() string

	// transitions lists what the rule makes of a configuration, for the actor at index i of alpha.
	transitions(e *Engine, c *configuration, i int) []transition
}

// transition is one way to apply a rule.
type transition struct {
	rule  Rule
	actor int             // id
	to    *ssa.BasicBlock // the statement to which it goes is the last one of this block; nil: it goes to none
	class *Class          // of the actor that it introduces
	meets meeting         // of a rule for idle actors
	apply func() *configuration
}

// meeting says what is matched, or where a loop begins: it is the same transition wherever it is possible.
type meeting struct {
	actor int             // whose creation it is, or who loops; 0: neither
	exit  *ssa.BasicBlock // of a loop
	wait  *ssa.Call       // of one that does not come to its end
	req   *request
	ev    *event
	shape string // of a message from outside
}

// rules are all of them, in the order of the figures. Those that the paper lacks come last.
var rules = []Rule{
	ActorCreation{}, MessageSending{}, ActorEntryExisting{}, ActorEntryNew{}, EventMatchingInternal{}, EventMatchingExternal{}, CreationMatching{}, OnReceiveLooping{},
	SelfReference{}, SenderReference{},
	VariableReference{}, BinaryExpression{}, FieldReference{}, FieldUpdate{}, Casting{}, ObjectAllocation{}, IfTrue{},
	IfFalse{},
	MethodInvocation{}, ReturnStacked{}, EntryStacked{}, ReturnEmpty{}, EntryEmpty{},
	Jump{}, MapRange{}, Outside{}, Stopping{}, Impossible{}, Accepting{}, Become{}, Unbecome{}, Behaving{}, Started{},
	ReceiveTimeout{}, AnswerExisting{}, AnswerNew{}, Continuation{}, DeferredCall{},
}

// Rules lists the names of the rules, in the order of the figures.
func Rules() (names []string) {
	for _, r := range rules {
		names = append(names, r.Name())
	}
	return names
}

// previous gives the instruction that is executed next, backwards; nil at the beginning of a block and for an idle
// actor.
func (a *actor) previous() ssa.Instruction {
	if a.at == nil || a.at.index == 0 {
		return nil
	}
	return a.at.block.Instrs[a.at.index-1]
}

// atStart reports whether an actor is at the beginning of a block.
func (a *actor) atStart() bool { return a.at != nil && a.at.index == 0 }

// atEntry reports whether an actor is at the statement entry of a function.
func (a *actor) atEntry() bool { return a.atStart() && len(a.at.block.Preds) == 0 }

// handling reports whether the function at the bottom of the stack is the handler of the actor, or what says whether it
// accepts a message.
func (a *actor) handling() bool {
	return a.at.frame.caller == nil && (a.at.frame.fn == a.behaves.Fn || a.asked())
}

// asked reports whether the function at the bottom of the stack is what says whether the actor accepts a message.
func (a *actor) asked() bool { return a.behaves.Accepts != nil && a.at.frame.fn == a.behaves.Accepts }

// back moves before the instruction.
func (a *actor) back() { a.at = &point{a.at.frame, a.at.block, a.at.index - 1, 0} }

// statement makes the one transition of a statement that only moves back, and does something to the configuration.
func statement(r Rule, c *configuration, i int, do func(d *configuration, a *actor)) []transition {
	return []transition{{rule: r, actor: c.actors[i].id, apply: func() *configuration {
		d, a := c.with(i)
		a.back()
		do(d, a)
		return d
	}}}
}

// assignment makes the transition of v = e.
func (e *Engine) assignment(r Rule, c *configuration, i int, v ssa.Value,
	val func(d *configuration, a *actor) value) []transition {
	in := v.(ssa.Instruction)
	return statement(r, c, i, func(d *configuration, a *actor) {
		e.change(d, e.reason(in), assign(a.at.frame.register(v), val(d, a)))
	})
}

// register names a variable of a call.
func (f *frame) register(v ssa.Value) string { return f.id + "." + v.Name() }

// reason says what is not modelled.
func (e *Engine) reason(in ssa.Instruction) string {
	what := "the value of " + in.String()
	switch in := in.(type) {
	case ssa.CallInstruction:
		what = "the result of " + calledName(in.Common())
	case *ssa.UnOp:
		if g, ok := in.X.(*ssa.Global); ok {
			what = "package variable " + g.Name()
		}
	case *ssa.Next, *ssa.Range:
		what = "range over a string"
	case *ssa.Go:
		what = "a goroutine"
	case *ssa.Defer:
		what = "a deferred call"
	case *ssa.Select, *ssa.Send:
		what = "a channel"
	}
	return what + e.where(in)
}

func (e *Engine) where(in ssa.Instruction) string {
	pos := in.Pos()
	for _, op := range in.Operands(nil) {
		if !pos.IsValid() && *op != nil {
			pos = (*op).Pos()
		}
	}
	if !pos.IsValid() {
		return ", in " + in.Parent().String()
	}
	return " at " + e.load.Position(pos)
}

func calledName(call *ssa.CallCommon) string {
	switch {
	case call.IsInvoke():
		return call.Method.FullName()
	case call.StaticCallee() != nil:
		return call.StaticCallee().String()
	}
	return call.Value.String()
}

// operation gives the row of a framework's function that an instruction calls, and its arguments, the receiver first.
func operation(in ssa.Instruction) (model.Row, []ssa.Value, bool) {
	call, ok := in.(*ssa.Call)
	if !ok {
		return model.Row{}, nil, false
	}
	fn, args := calledFunc(&call.Call)
	if fn == nil {
		return model.Row{}, nil, false
	}
	row, ok := model.Find(fn)
	return row, args, ok && row.Op.Acts()
}
