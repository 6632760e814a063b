package model

import "go/types"

// The names of frameworks, as in Row.Framework.
const (
	Native     = "native"
	Protoactor = "protoactor-go"
	Hollywood  = "hollywood"
	GoAkt      = "goakt"
)

// The packages of their actors, and that of the routers of protoactor-go.
const (
	NativePath     = ours + "/actor"
	ProtoactorPath = proto
	RouterPath     = protoRouter
	HollywoodPath  = hollywood
	GoAktPath      = goakt
	// HollywoodAdapterPath is the package whose types stand for messages of Hollywood that have no exported type.
	HollywoodAdapterPath = hollywoodAdapter
	// GoAktAdapterPath is that of what traces have in the place of goroutines of GoAkt.
	GoAktAdapterPath = goaktAdapter
)

// framework is what makes a function one that handles a framework's messages.
type framework struct {
	name    string
	context string // the package of the type, which handlers take first
	typ     string // its name
	pointer bool   // they take a pointer to it
	message bool   // they take the message as well
	actor   string // the type of functions that are actors, in the same package; "": any that handles messages
}

var frameworks = []framework{
	{name: Protoactor, context: ProtoactorPath, typ: "Context", actor: "ReceiveFunc"},
	{name: Native, context: NativePath, typ: "Context", pointer: true, message: true, actor: "Func"},
	{name: Hollywood, context: HollywoodPath, typ: "Context", pointer: true},
	{name: GoAkt, context: GoAktPath, typ: "ReceiveContext", pointer: true},
}

// Handles gives the framework that hands messages to functions and methods of a signature, "" if none does.
func Handles(sig *types.Signature) string {
	params := sig.Params()
	for _, f := range frameworks {
		want := 1
		if f.message {
			want = 2
		}
		if params.Len() != want || sig.Results().Len() > 0 || !f.isContext(params.At(0).Type()) {
			continue
		}
		if f.message && !types.IsInterface(params.At(1).Type()) {
			continue
		}
		return f.name
	}
	return ""
}

// isContext reports whether a type is what handlers take first.
func (f framework) isContext(t types.Type) bool {
	t = types.Unalias(t)
	p, pointer := t.(*types.Pointer)
	if pointer {
		t = types.Unalias(p.Elem())
	}
	return pointer == f.pointer && is(t, f.context, f.typ)
}

// Stands reports whether a type is that of references to actors of a framework of others: a pointer to its PID.
func Stands(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	return Referent(p.Elem())
}

// Referent reports whether a type is that to which such a pointer leads. Who copies a value of it makes another
// reference to the same actor.
func Referent(t types.Type) bool {
	of := types.Unalias(t)
	return is(of, ProtoactorPath, "PID") || is(of, HollywoodPath, "PID") || is(of, GoAktPath, "PID")
}

// Receives reports whether functions of a signature are actors of GoAkt: they get no context of an actor.
func Receives(sig *types.Signature) bool {
	p, r := sig.Params(), sig.Results()
	return p.Len() == 2 && r.Len() == 1 && is(types.Unalias(p.At(0).Type()), "context", "Context") &&
		types.IsInterface(p.At(1).Type())
}

// Context gives the framework whose handlers act through values of a type, "" if none does.
func Context(t types.Type) string {
	for _, f := range frameworks {
		if f.isContext(t) {
			return f.name
		}
	}
	return ""
}

// First gives the message that actors of a framework handle first, by the name of its type; "" for native actors.
func First(framework string) string {
	return map[string]string{Protoactor: "*actor.Started", Hollywood: "actor.Started",
		GoAkt: "*actor.PostStart"}[framework]
}

// ActorFunc gives the framework by which functions of a named type are actors, "" if none does.
func ActorFunc(t types.Type) string {
	for _, f := range frameworks {
		if is(types.Unalias(t), f.context, f.actor) {
			return f.name
		}
	}
	return ""
}

func is(t types.Type, path, name string) bool {
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == path && n.Obj().Name() == name
}
