// Package frame knows the actor frameworks: which functions send, request, spawn and wait, and which functions are
// handlers. What functions do is told by the rows of package model; here are only the words that the checks need.
package frame

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// The frameworks.
const (
	Proto     = "github.com/asynkron/protoactor-go"
	Native    = "github.com/rehearse-go/rehearse"
	Hollywood = "github.com/anthdm/hollywood"
	GoAkt     = "github.com/tochemey/goakt/v4"
)

// Op is what a call of a framework does.
type Op int

const (
	None      Op = iota
	Send         // a message goes to an actor
	Request      // so, and there will be a future
	Call         // so, and the caller waits for the answer
	Spawn        // an actor comes to be
	Props        // how to make actors
	Become       // the actor changes its handler
	Reenter      // a function runs later, as a handler of the same actor
	Elsewhere    // a function runs later, on another goroutine
	Wait         // waits for a future
	Message      // the message being handled
	Self         // the actor itself
	Unhandled    // reports a message that is not handled
	Future       // a future that no message of the program answers, with a timeout of its own
	Stop         // an actor stops, which can be waited for
)

// NoArg says that a call has no such argument.
const NoArg = -1

// Row is what is known of a function of a framework. Arguments are counted without the receiver.
type Row struct {
	Op      Op
	To      int  // who gets the message; NoArg if that is not an argument
	Payload int  // the message, or the function, or what an actor is made from
	Timeout int  // how long to wait; NoArg: for ever
	Copies  bool // the framework copies what the message refers to
}

// ops are what the operations of package model are to the checks.
var ops = map[model.Op]Op{
	model.Send: Send, model.Request: Send, model.RequestFrom: Send, model.Respond: Send, model.Timer: Send, model.RequestTimer: Send, model.Publish: Send,
	model.Ask: Request, model.Call: Call, model.Spawn: Spawn, model.Props: Props, model.PropsFunc: Props,
	model.Become:  Become,
	model.Reenter: Reenter, model.Subscribe: Elsewhere, model.AwaitBlocking: Wait, model.Message: Message,
	model.Self:      Self,
	model.Unhandled: Unhandled, model.StopAsk: Future, model.Stop: Stop,
}

// Of gives the row of a call; ok is false if it is no call of a framework.
func Of(c *ssa.CallCommon) (Row, bool) {
	f := Func(c)
	if f == nil || f.Pkg() == nil {
		return Row{}, false
	}
	path := f.Pkg().Path()
	if path == "time" && f.Name() == "AfterFunc" {
		return Row{Op: Elsewhere, Payload: 1}, true
	}
	if !strings.HasPrefix(path, Proto+"/") && !strings.HasPrefix(path, Native+"/") &&
		!strings.HasPrefix(path, Hollywood+"/") && !strings.HasPrefix(path, GoAkt+"/") {
		return Row{}, false
	}
	of, ok := model.Find(f)
	op := ops[of.Op]
	if !ok || of.Framework == "" || op == None {
		return Row{}, false
	}
	return rowOf(f, of, op), true
}

// rowOf puts a row of package model, which counts the receiver of a method as argument 0, in our terms.
func rowOf(f *types.Func, of model.Row, op Op) Row {
	first := 0
	if f.Signature().Recv() != nil {
		first = 1
	}
	native := strings.HasPrefix(f.Pkg().Path(), Native+"/")
	row := Row{Op: op, To: NoArg, Payload: NoArg, Timeout: NoArg}
	switch op {
	case Send, Request, Call:
		row.Payload, row.Copies = of.Msg-first, native
		if of.To > 0 {
			row.To = of.To - first
		}
		if of.Limit > 0 {
			row.Timeout = of.Limit - first
		}
		if op == Request && native { // the future is given up for, not waited for
			row.Op = Send
		}
	case Spawn:
		row.Payload = of.Props - first
	case Props, Become, Reenter, Elsewhere:
		row.Payload = of.Func - first
	}
	return row
}

// Func is the function or method that a call names; nil if it calls a value.
func Func(c *ssa.CallCommon) *types.Func {
	if c.IsInvoke() {
		return c.Method
	}
	if callee := c.StaticCallee(); callee != nil {
		if callee.Origin() != nil {
			callee = callee.Origin()
		}
		f, _ := callee.Object().(*types.Func)
		return f
	}
	return nil
}

// Args are the arguments of a call without its receiver.
func Args(c *ssa.CallCommon) []ssa.Value {
	if !c.IsInvoke() && c.Signature().Recv() != nil && len(c.Args) > 0 {
		return c.Args[1:]
	}
	return c.Args
}

// Arg is an argument of a call without its receiver; nil if there is none.
func Arg(c *ssa.CallCommon, i int) ssa.Value {
	if args := Args(c); i >= 0 && i < len(args) {
		return args[i]
	}
	return nil
}

// Silent reports whether what a package does inside is the framework's own affair: its locks and goroutines are what
// actors are made of.
func Silent(pkg *types.Package) bool {
	return pkg != nil && Framework(pkg.Path())
}

// Framework reports whether a path is that of a package of a framework which is Silent.
func Framework(path string) bool {
	switch path {
	case Proto + "/actor", Proto + "/scheduler", Proto + "/eventstream", Proto + "/ctxext", Proto + "/log", Proto + "/router",
		Native, Native + "/actor", Native + "/adapter", Native + "/adapter/protoactor", Native + "/explore",
		Native + "/trace", Native + "/adapter/hollywood",
		Hollywood + "/actor", Hollywood + "/safemap", Hollywood + "/ringbuffer",
		Native + "/adapter/goakt", GoAkt + "/actor", GoAkt + "/log", GoAkt + "/supervisor", GoAkt + "/eventstream":
		return true
	}
	return false
}

// Immutable reports whether values of a named type are shared without harm though they hold a pointer.
func Immutable(t *types.Named) bool {
	obj := t.Obj()
	if obj.Pkg() == nil {
		return obj.Name() == "error"
	}
	switch obj.Pkg().Path() + "." + obj.Name() {
	case Proto + "/actor.PID", Proto + "/actor.ActorSystem", Proto + "/actor.RootContext", Proto + "/actor.Future",
		Proto + "/actor.Behavior", Native + "/actor.Ref", Native + "/actor.Future", Native + "/explore.T",
		Hollywood + "/actor.PID", Hollywood + "/actor.Engine", Hollywood + "/actor.Response",
		Hollywood + "/actor.SendRepeater", GoAkt + "/actor.PID", GoAkt + "/actor.ActorSystem":
		return true
	}
	return model.Harmless(obj)
}

// Named is the named type of t or of what it points to; nil if that has no name.
func Named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	return n
}

// Is reports whether t, or what it points to, is the named type of a package.
func Is(t types.Type, pkg, name string) bool {
	n := Named(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg && n.Obj().Name() == name
}

// IsContext reports whether a type is that of the context of an actor.
func IsContext(t types.Type) bool {
	return Is(t, Proto+"/actor", "Context") || Is(t, Native+"/actor", "Context") ||
		Is(t, Hollywood+"/actor", "Context") || Is(t, GoAkt+"/actor", "ReceiveContext")
}

// Short is a function's name with its package's name rather than its path.
func Short(fn *types.Func) string {
	if recv := fn.Signature().Recv(); recv != nil {
		return "(" + types.TypeString(recv.Type(), (*types.Package).Name) + ")." + fn.Name()
	}
	if fn.Pkg() == nil {
		return fn.Name()
	}
	return fn.Pkg().Name() + "." + fn.Name()
}
