package effects

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/model"
)

// This file says what the functions of the frameworks do, by their rows in package model; those that no row tells
// enough of have one here.

// operation evaluates a call of a function of a framework. args begins with the receiver.
type operation func(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val

const (
	native    = model.NativePath
	proto     = model.ProtoactorPath
	hollywood = model.HollywoodPath
	goakt     = model.GoAktPath
	core      = "github.com/rehearse-go/rehearse/explore"
	tType     = "(*" + core + ".T)."
)

// operations are told by the full name of the function.
var operations map[string]operation

// The table leads to functions that lead to the table.
func init() { operations = table() }

func table() map[string]operation {
	t := map[string]operation{}
	on := func(prefix string, op operation, names ...string) {
		for _, n := range names {
			t[prefix+n] = op
		}
	}
	on("(*"+native+".Context).", giveT, "T")
	on("(*"+native+".Future).", does("ask"), "Ready")
	on("("+native+".Ref).", quiet, "String")
	on(tType, quiet, "Helper", "Name", "Log", "Logf", "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "Ended")
	on(tType, does("choose"), "Choose")
	on("(*"+proto+".PID).", quiet, "String", "Equal", "GetAddress", "GetId", "GetRequestId")
	on("(*"+goakt+".PID).", quiet, "Name", "ID", "Equals")
	on("(*"+hollywood+".PID).", quiet, "String", "Equals", "LookupKey", "GetAddress", "GetID")
	return t
}

// modelled gives what a function of a framework does. What needs more than the handler to be told, such as who listens
// to an event, is not given.
func modelled(fn *types.Func) (operation, bool) {
	if fn == nil {
		return nil, false
	}
	if op, ok := operations[fn.Origin().FullName()]; ok {
		return op, true
	}
	row, ok := model.Find(fn)
	if !ok || row.Framework == "" || ofRoot(fn) {
		return nil, false
	}
	if sig := fn.Signature(); row.Msg > 0 && sig.Variadic() && row.Msg == argumentsOf(sig)-1 {
		return nil, false // several messages at once
	}
	op, ok := operationOf(row, fn)
	if ok && row.Framework == model.GoAkt && looks[row.Op] {
		op = both(does("receiver"), op)
	}
	return op, ok
}

// operationOf gives what a function in the model does.
func operationOf(row model.Row, fn *types.Func) (op operation, ok bool) {
	if op = sending(row); op != nil {
		return op, true
	}
	if op = waiting(row); op != nil {
		return op, true
	}
	switch row.Op {
	case model.Spawn:
		return spawning(row), true
	case model.Become, model.Unbecome:
		return changes(row, fn), true
	case model.BehaviorDo:
		return onStack, true
	case model.Children, model.Child: // of others who they are changes when one of them ends
		return outer, row.Framework == model.Native || row.Framework == model.Protoactor
	case model.Stop:
		return noted(func(h *handler) { h.stops = true }), true
	case model.Reenter:
		return both(does("ask"), applies), true
	case model.Message:
		return func(f *frame, _ ssa.Instruction, _ *ssa.CallCommon, _ []val) []val { return []val{f.h.mailed} }, true
	case model.Self, model.Sender, model.Parent, model.System, model.Unhandled, model.Pure:
		if row.Framework == model.Native {
			return quiet, true
		}
		return outer, row.Op != model.Pure || row.Framework != model.Protoactor || ofContext(fn)
	case model.Props, model.PropsFunc, model.PIDOf, model.Behaviors:
		// what a producer does, the new actor's first step does; it only makes a behaviour
		return outer, true
	case model.Option, model.OptionLayer: // of others more than the spawn makes use of them
		return outer, row.Framework == model.Hollywood
	}
	what, ok := others[row.Op]
	return does(what), ok
}

// sending gives what a function that sends a message does, nil if it is none.
func sending(row model.Row) operation {
	switch row.Op {
	case model.Send, model.Request, model.RequestFrom:
		return sendsTo(row.To, row.Msg)
	case model.Respond:
		return sendsIf(func(*ssa.CallCommon) bool { return true }, row.Msg)
	case model.Ask:
		return both(does("ask"), sends(row.Msg))
	case model.Call:
		return both(noted(func(h *handler) { h.blocks = true }), sends(row.Msg), answers)
	case model.Timer, model.RequestTimer:
		return both(does("timer"), sends(row.Msg))
	case model.Forward:
		return forwards
	}
	return nil
}

// waiting gives what a function that waits for a message or a condition does, nil if it is none.
func waiting(row model.Row) operation {
	blocks := noted(func(h *handler) { h.blocks = true })
	switch row.Op {
	case model.Receive, model.Await, model.AwaitCond:
		return both(blocks, applies, answers)
	case model.AwaitBlocking:
		return both(blocks, answers)
	}
	return nil
}

// spawning gives what a function that creates an actor does.
func spawning(row model.Row) operation {
	switch row.Framework {
	case model.Protoactor:
		return spawns(-1)
	case model.Hollywood, model.GoAkt:
		return spawnsInline
	}
	return spawns(row.Props)
}

// looks are the operations by which an actor of GoAkt sees whether the receiver still lives.
var looks = map[model.Op]bool{model.Send: true, model.RequestFrom: true, model.Forward: true}

// argumentsOf counts the arguments of a function, the receiver included.
func argumentsOf(sig *types.Signature) int {
	n := sig.Params().Len()
	if sig.Recv() != nil {
		n++
	}
	return n
}

// others are the operations that facts know by a word.
var others = map[model.Op]string{model.Watch: "watch", model.Unwatch: "watch", model.Stash: "stash",
	model.Unstash: "stash", model.Choose: "choose",
	model.IdleTimer: "timer", model.CancelTimer: "timer"}

// changes is a change of behaviour.
func changes(row model.Row, fn *types.Func) operation {
	switch {
	case row.Framework == model.Protoactor:
		return stacked
	case row.Op == model.Become:
		return become
	}
	return noted(func(h *handler) { h.becoming = true })
}

// ofRoot reports whether a method is of the context of those that are no actors, whose middleware runs wherever it is
// used.
func ofRoot(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && strings.HasSuffix(types.TypeString(deref(recv.Type()), nil), proto+".RootContext")
}

// ofContext reports whether a method is of the context of an actor of protoactor-go, which is put together from several
// interfaces.
func ofContext(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && fn.Pkg() != nil && fn.Pkg().Path() == proto && types.IsInterface(recv.Type())
}

// quiet reads its arguments and does nothing else that anybody notices.
func quiet(f *frame, _ ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	for _, a := range args {
		f.h.exposed(a)
	}
	out := make([]val, c.Signature().Results().Len())
	for i := range out {
		out[i] = val{set: true, hidden: true}
	}
	return out
}

// outer is quiet and gives something of the framework's, which handlers do not change.
func outer(f *frame, instr ssa.Instruction, _ *ssa.CallCommon, _ []val) []val {
	return []val{{refs: []ref{{obj: f.h.object(instr.(ssa.Value), fixed)}}, hidden: true, set: true}}
}

func giveT(f *frame, _ ssa.Instruction, _ *ssa.CallCommon, _ []val) []val {
	return []val{only(ref{obj: f.h.ctx})}
}

// noted is quiet, and says that the handler does something.
func noted(note func(*handler)) operation {
	return func(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
		note(f.h)
		return quiet(f, instr, c, args)
	}
}

func does(what string) operation { return noted(func(h *handler) { h.other[what] = true }) }

// both does one after the other and gives the result of the last.
func both(ops ...operation) operation {
	return func(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) (out []val) {
		for _, op := range ops {
			out = op(f, instr, c, args)
		}
		return out
	}
}

// sends sends the i-th argument.
func sends(i int) operation { return sendsIf(func(*ssa.CallCommon) bool { return false }, i) }

// sendsTo sends the i-th argument to an actor, which may be the one that the framework says has sent the message.
func sendsTo(to, i int) operation {
	return sendsIf(func(c *ssa.CallCommon) bool {
		call, ok := argument(c, to).(*ssa.Call)
		if !ok {
			return false
		}
		row, ok := model.Find(callee(&call.Call))
		return ok && row.Op == model.Sender
	}, i)
}

// callee is the function or method that a call names, nil if it names none.
func callee(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		return c.Method
	}
	if fn := c.StaticCallee(); fn != nil {
		o, _ := fn.Object().(*types.Func)
		return o
	}
	return nil
}

// argument is the i-th, the receiver being the first.
func argument(c *ssa.CallCommon, i int) ssa.Value {
	if c.IsInvoke() {
		i--
	}
	if i < 0 || i >= len(c.Args) {
		return nil
	}
	return c.Args[i]
}

// sendsIf sends the i-th argument, as a reply if replies says so.
func sendsIf(replies func(*ssa.CallCommon) bool, i int) operation {
	return func(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
		f.sends(instr, args[i], replies(c))
		return quiet(f, instr, c, args)
	}
}

func forwards(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	f.sends(instr, f.h.mailed, false)
	return quiet(f, instr, c, args)
}

// sends notes a sending of each type that the message may have.
func (f *frame) sends(instr ssa.Instruction, m val, reply bool) {
	n := f.conditions(instr.Block())
	for _, t := range m.dyn {
		f.unwraps(instr, t)
		if !known(f.h.sent, t) {
			f.h.sent = append(f.h.sent, t)
		}
	}
	for _, name := range m.names() {
		s := sent{name, instr.Pos(), reply}
		if old, ok := f.h.sends[s]; !ok || n < old {
			f.h.sends[s] = n
		}
	}
}

// names are those of the dynamic types of an interface, "?" among them if some are not known.
func (v val) names() []string {
	var list []string
	for _, t := range v.dyn {
		list = append(list, model.MessageName(t))
	}
	switch {
	case v.arrives && v.hidden:
		list = append(list, facts.Same)
	case v.hidden:
		list = append(list, "?")
	}
	if len(list) == 0 && v.set {
		list = append(list, "nil")
	}
	return list
}

// spawns creates an actor whose behaviour is the i-th argument, unknown if negative.
func spawns(i int) operation {
	return func(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
		of := val{hidden: true}
		if i >= 0 {
			of = args[i]
		}
		for _, name := range of.names() {
			f.h.spawns[facts.Plain(name)] = true
		}
		if i >= 0 {
			return quiet(f, instr, c, args)
		}
		quiet(f, instr, c, args)
		return outer(f, instr, c, args)
	}
}

// spawnsInline creates an actor that handles its first messages at once, in the step of who spawns it. A child leaves
// the list of its parent's children when it ends, so that every handler of the parent may find it there or not.
func spawnsInline(f *frame, instr ssa.Instruction, c *ssa.CallCommon, _ []val) []val {
	if recv := callee(c).Signature().Recv(); nameWithPath(deref(recv.Type())) == hollywood+".Context" {
		f.h.actor.lose("it has children, who leave the list of them when they end")
	}
	f.h.give(instr.Pos(), "it spawns an actor, which handles its first messages in the same step")
	return nil
}

// become notes a behaviour that the actor may change to.
func become(f *frame, _ ssa.Instruction, _ *ssa.CallCommon, args []val) []val {
	f.h.becoming = true
	f.h.becomes = append(f.h.becomes, args[1])
	return nil
}

// answers gives what others have sent.
func answers(f *frame, _ ssa.Instruction, c *ssa.CallCommon, _ []val) []val {
	out := make([]val, c.Signature().Results().Len())
	for i := range out {
		out[i] = val{refs: []ref{{obj: f.h.mail}}, hidden: true, set: true}
	}
	return out
}

// applies calls the functions among its arguments, with messages.
func applies(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	for i, a := range args {
		for _, r := range a.refs {
			if r.obj.kind == closure {
				in := make([]val, r.obj.fn.Signature.Params().Len())
				for j := range in {
					in[j] = val{refs: []ref{{obj: f.h.mail}}, hidden: true, set: true}
				}
				f.h.apply(r.obj, in, f.conditions(instr.Block()), instr)
			} else if _, ok := sigOf(c, i).(*types.Signature); ok {
				f.h.give(instr.Pos(), "it hands over a function value that nobody knows")
			}
		}
	}
	return make([]val, c.Signature().Results().Len())
}

// sigOf is the underlying type of the i-th argument, the receiver being the first.
func sigOf(c *ssa.CallCommon, i int) types.Type {
	if c.IsInvoke() {
		if i--; i < 0 {
			return nil
		}
	}
	return c.Args[i].Type().Underlying()
}

// onContext reports whether a call is one of the framework's context.
func onContext(recv val) bool {
	for _, r := range recv.refs {
		if r.obj.kind == context {
			return true
		}
	}
	return false
}

// ofPackage reports whether a full name is that of a function or method of a package.
func ofPackage(name, pkg string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "("), "*")
	rest, ok := strings.CutPrefix(name, pkg+".")
	return ok && !strings.Contains(rest, "/")
}
