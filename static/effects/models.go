package effects

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/facts"
)

// This file says what the functions of the frameworks do, a row each.

// operation evaluates a call of a function of a framework. args begins with the receiver.
type operation func(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val

const (
	native = "github.com/rehearse-go/rehearse/actor"
	proto  = "github.com/asynkron/protoactor-go/actor"
	core   = "github.com/rehearse-go/rehearse/explore"
	tType  = "(*" + core + ".T)."
)

// operations are told by the full name of the function.
var operations map[string]operation

// ofContext are the methods of protoactor-go's interface Context, which is put together from others.
var ofContext map[string]operation

// The tables lead to functions that lead to the tables.
func init() { operations, ofContext = table(), contextTable() }

func table() map[string]operation {
	t := map[string]operation{}
	on := func(prefix string, op operation, names ...string) {
		for _, n := range names {
			t[prefix+n] = op
		}
	}
	ctx := "(*" + native + ".Context)."
	on(ctx, quiet, "Self", "Sender", "Now", "Name", "Unhandled")
	on(ctx, giveT, "T")
	on(ctx, sends(2), "Send")
	on(ctx, sends(1), "Reply")
	on(ctx, spawns(1), "Spawn")
	on(ctx, spawns(2), "SpawnNamed")
	on(ctx, become, "Become")
	on(ctx, noted(func(h *handler) { h.becoming = true }), "Unbecome")
	on(ctx, noted(func(h *handler) { h.stops = true }), "Stop", "StopActor")
	on(ctx, does("watch"), "Watch")
	on(ctx, does("stash"), "Stash", "UnstashAll")
	on(ctx, does("choose"), "Choose")
	on(ctx, both(does("timer"), sends(2)), "After")
	on(ctx, does("timer"), "Cancel")
	on(ctx, both(noted(func(h *handler) { h.blocks = true }), sends(2), answers), "Call", "CallTimeout")
	on(ctx, both(does("ask"), sends(2)), "Ask")
	on(ctx, both(noted(func(h *handler) { h.blocks = true }), applies, answers), "Receive", "Await", "AwaitUntil")
	on("(*"+native+".Future).", does("ask"), "Ready")
	on("("+native+".Ref).", quiet, "String")
	on(tType, quiet, "Helper", "Name", "Log", "Logf", "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow", "Ended")
	on(tType, does("choose"), "Choose")
	on("(*"+proto+".PID).", quiet, "String", "Equal", "GetAddress", "GetId", "GetRequestId")
	// What a producer does, the new actor's first step does; it only makes a behaviour.
	on(proto+".", outer, "PropsFromProducer", "PropsFromProducerWithActorSystem", "PropsFromFunc")
	waits := noted(func(h *handler) { h.blocks = true })
	on("(*"+proto+".Future).", both(waits, answers), "Result", "Wait")
	on("(*"+proto+".Future).", outer, "PID")
	on("(*"+behaviorType+").", stacked, "Become", "BecomeStacked", "UnbecomeStacked")
	on("(*"+behaviorType+").", onStack, "Receive")
	on(proto+".", outer, "NewBehavior")
	return t
}

func contextTable() map[string]operation {
	return map[string]operation{
		"Message": func(f *frame, _ ssa.Instruction, _ *ssa.CallCommon, _ []val) []val { return []val{f.h.mailed} },
		"Self":    outer, "Sender": outer, "Parent": outer, "ActorSystem": outer, "Children": outer, "Logger": outer, "MessageHeader": outer,
		"Send": sends(2), "Request": sends(2), "RequestWithCustomSender": sends(2), "Respond": sends(1),
		"Forward": forwards, "RequestFuture": both(does("ask"), sends(2)), "ReenterAfter": both(does("ask"), applies),
		"Spawn": spawns(-1), "SpawnPrefix": spawns(-1), "SpawnNamed": spawns(-1),
		"Stop": noted(func(h *handler) { h.stops = true }), "Poison": noted(func(h *handler) { h.stops = true }),
		"Watch": does("watch"), "Unwatch": does("watch"), "Stash": does("stash"),
		"SetReceiveTimeout": does("timer"), "CancelReceiveTimeout": does("timer"),
	}
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
func sends(i int) operation {
	return func(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
		f.sends(instr, args[i])
		return quiet(f, instr, c, args)
	}
}

func forwards(f *frame, instr ssa.Instruction, c *ssa.CallCommon, args []val) []val {
	f.sends(instr, f.h.mailed)
	return quiet(f, instr, c, args)
}

// sends notes a sending of each type that the message may have.
func (f *frame) sends(instr ssa.Instruction, m val) {
	n := f.conditions(instr.Block())
	for _, t := range m.dyn {
		f.unwraps(instr, t)
		if !known(f.h.sent, t) {
			f.h.sent = append(f.h.sent, t)
		}
	}
	for _, name := range m.names() {
		s := sent{name, instr.Pos()}
		if old, ok := f.h.sends[s]; !ok || n < old {
			f.h.sends[s] = n
		}
	}
}

// names are those of the dynamic types of an interface, "?" among them if some are not known.
func (v val) names() []string {
	var list []string
	for _, t := range v.dyn {
		list = append(list, typeName(t))
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
			f.h.spawns[name] = true
		}
		if i >= 0 {
			return quiet(f, instr, c, args)
		}
		quiet(f, instr, c, args)
		return outer(f, instr, c, args)
	}
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
