// Package frame knows the actor frameworks: which functions send, request, spawn and wait, and which functions are handlers.
//
// A framework is rows of a table. Methods are matched by package and name whatever their receiver is, since a framework gives
// the same verbs to its contexts, its root and the parts that these are made of.
package frame

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// The packages that the table is about.
const (
	Proto  = "github.com/asynkron/protoactor-go"
	Native = "github.com/rehearse-go/rehearse"
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

var rows = map[string]map[string]Row{
	Proto + "/actor": {
		"Send":                             {Op: Send, To: 0, Payload: 1},
		"Request":                          {Op: Send, To: 0, Payload: 1},
		"RequestWithCustomSender":          {Op: Send, To: 0, Payload: 1},
		"RequestFuture":                    {Op: Request, To: 0, Payload: 1, Timeout: 2},
		"Respond":                          {Op: Send, To: NoArg, Payload: 0},
		"Spawn":                            {Op: Spawn, Payload: 0},
		"SpawnPrefix":                      {Op: Spawn, Payload: 0},
		"SpawnNamed":                       {Op: Spawn, Payload: 0},
		"PropsFromProducer":                {Op: Props, Payload: 0},
		"PropsFromProducerWithActorSystem": {Op: Props, Payload: 0},
		"PropsFromFunc":                    {Op: Props, Payload: 0},
		"Become":                           {Op: Become, Payload: 0},
		"BecomeStacked":                    {Op: Become, Payload: 0},
		"ReenterAfter":                     {Op: Reenter, Payload: 1},
		"Result":                           {Op: Wait, Payload: NoArg},
		"Wait":                             {Op: Wait, Payload: NoArg},
		"Message":                          {Op: Message, Payload: NoArg},
		"Self":                             {Op: Self, Payload: NoArg},
		"StopFuture":                       {Op: Future, Payload: NoArg},
		"PoisonFuture":                     {Op: Future, Payload: NoArg},
	},
	Proto + "/scheduler": {
		"SendOnce":          {Op: Send, To: 1, Payload: 2},
		"SendRepeatedly":    {Op: Send, To: 2, Payload: 3},
		"RequestOnce":       {Op: Send, To: 1, Payload: 2},
		"RequestRepeatedly": {Op: Send, To: 2, Payload: 3},
	},
	Proto + "/eventstream": {
		"Publish":                {Op: Send, To: NoArg, Payload: 0},
		"Subscribe":              {Op: Elsewhere, Payload: 0},
		"SubscribeWithPredicate": {Op: Elsewhere, Payload: 0},
	},
	Native + "/actor": {
		"Send":        {Op: Send, To: 0, Payload: 1, Copies: true},
		"Reply":       {Op: Send, To: NoArg, Payload: 0, Copies: true},
		"Call":        {Op: Call, To: 0, Payload: 1, Timeout: NoArg, Copies: true},
		"CallTimeout": {Op: Call, To: 0, Payload: 1, Timeout: 2, Copies: true},
		"Ask":         {Op: Send, To: 0, Payload: 1, Copies: true},
		"After":       {Op: Send, To: NoArg, Payload: 1, Copies: true},
		"Spawn":       {Op: Spawn, Payload: 0},
		"SpawnNamed":  {Op: Spawn, Payload: 1},
		"Become":      {Op: Become, Payload: 0},
		"Self":        {Op: Self, Payload: NoArg},
		"Unhandled":   {Op: Unhandled, Payload: NoArg},
	},
	"time": {"AfterFunc": {Op: Elsewhere, Payload: 1}},
}

// receivers are the types that the verbs belong to where a package gives their names to other methods, too: a mailbox of
// protoactor-go has no Send, but a supervisor's Future or a test's WaitGroup of the same package might.
var receivers = map[string]map[string]bool{
	"Result": {"Future": true}, "Wait": {"Future": true}, "Become": {"Behavior": true, "Context": true}, "BecomeStacked": {"Behavior": true},
}

// Of gives the row of a call; ok is false if it is no call of a framework.
func Of(c *ssa.CallCommon) (Row, bool) {
	f := Func(c)
	if f == nil || f.Pkg() == nil {
		return Row{}, false
	}
	row, ok := rows[f.Pkg().Path()][f.Name()]
	if ok && receivers[f.Name()] != nil && !receivers[f.Name()][receiverName(f)] {
		return Row{}, false
	}
	return row, ok
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

// Silent reports whether what a package does inside is the framework's own affair: its locks and goroutines are what actors are
// made of.
func Silent(pkg *types.Package) bool {
	if pkg == nil {
		return false
	}
	switch pkg.Path() {
	case Proto + "/actor", Proto + "/scheduler", Proto + "/eventstream", Proto + "/ctxext", Proto + "/log", Proto + "/router",
		Native, Native + "/actor", Native + "/adapter", Native + "/adapter/protoactor", Native + "/explore", Native + "/trace":
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
		"time.Time", "time.Location", "reflect.Type", "context.Context", "log/slog.Logger", "log.Logger", "regexp.Regexp":
		return true
	}
	return false
}

func receiverName(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return ""
	}
	if n := Named(recv.Type()); n != nil {
		return n.Obj().Name()
	}
	return ""
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
