package effects

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/facts"
	"github.com/rehearse-go/rehearse/static/model"
)

// kindOfActor is a type of actors.
type kindOfActor struct {
	name      string
	pkg       *types.Package
	typ       types.Type // of the behaviour, without the star
	framework string
	pos       token.Pos
	behaviors []*behavior
	function  bool
	twice     bool // another actor has its name
	lost      string
}

// behavior is one way in which an actor handles messages.
type behavior struct {
	fn       *ssa.Function
	function bool                   // fn is a function, not a method
	captured func(h *handler) []val // what it captures, if another handler made it
	prefix   string                 // of the paths of its fields, if it is not the actor's first
}

// find lists the actors of the application, sorted.
func (a *analysis) find() {
	for _, p := range a.packages {
		scope := p.Pkg.Scope()
		for _, name := range scope.Names() {
			if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
				a.ofType(t.Type())
			}
		}
	}
	// Types within functions, instances of generic ones, and functions are found where they become a behaviour.
	for _, fn := range a.functions {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				switch x := instr.(type) {
				case *ssa.MakeInterface:
					a.boxed(x)
				case ssa.CallInstruction:
					row, _ := model.Find(callee(x.Common()))
					switch {
					case row.Op == model.PropsFunc:
						a.ofFunction(argument(x.Common(), row.Func), x.Pos(), fn)
					case row.Op == model.Spawn && (row.Framework == model.Hollywood || row.Framework == model.GoAkt):
						if of := argument(x.Common(), row.Props); of != nil && isFunc(of.Type()) {
							a.ofFunction(of, x.Pos(), fn)
						}
					}
				}
			}
		}
	}
	slices.SortStableFunc(a.actors, func(x, y *kindOfActor) int { return strings.Compare(x.name, y.name) })
	for i, x := range a.actors {
		for _, y := range a.actors[:i] {
			if x.name == y.name && !(x.function && y.function && x.pos == y.pos) {
				x.twice, y.twice = true, true
			}
		}
	}
}

// boxed looks at a value that becomes an interface.
func (a *analysis) boxed(box *ssa.MakeInterface) {
	if isFunc(box.X.Type()) {
		if model.ActorFunc(box.X.Type()) != "" {
			a.ofFunction(box.X, box.Pos(), box.Parent())
		}
		return
	}
	a.ofType(deref(box.X.Type()))
}

// ofType adds an actor if the type, or a pointer to it, handles messages.
func (a *analysis) ofType(t types.Type) {
	n, ok := t.(*types.Named)
	if !ok || types.IsInterface(t) || isFunc(t) || n.TypeParams().Len() > n.TypeArgs().Len() || n.Obj().Pkg() == nil {
		return
	}
	for _, known := range a.actors {
		if known.typ != nil && same(known.typ, t) {
			return
		}
	}
	fn := a.method(types.NewPointer(t), "Receive")
	if fn == nil || fn.Blocks == nil {
		return
	}
	framework := frameworkOf(fn.Signature)
	if framework == "" {
		return
	}
	if value := a.method(t, "Receive"); value != nil && value.Blocks != nil {
		fn = value // a pointer to it handles the same, by a copy
	}
	pos := fn.Pos()
	if !pos.IsValid() || fn.Synthetic != "" { // promoted
		pos = n.Obj().Pos()
	}
	a.actors = append(a.actors, &kindOfActor{name: model.TypeName(t), pkg: n.Obj().Pkg(), typ: t, framework: framework,
		pos: pos, behaviors: []*behavior{{fn: fn}}})
}

// frameworkOf says whose actors have a handler of that kind, as facts name it, "" if none.
func frameworkOf(sig *types.Signature) string {
	switch model.Handles(sig) {
	case model.Native:
		return facts.Native
	case model.Protoactor:
		return facts.Protoactor
	case model.Hollywood:
		return facts.Hollywood
	case model.GoAkt:
		return facts.GoAkt
	}
	return ""
}

// ofFunction adds an actor that is made from a function somewhere. Where the function comes from is looked for no
// further than that place.
func (a *analysis) ofFunction(x ssa.Value, at token.Pos, in *ssa.Function) {
	typ := x.Type()
	framework := frameworkOf(typ.Underlying().(*types.Signature))
	if model.Receives(typ.Underlying().(*types.Signature)) {
		framework = facts.GoAkt
	}
	other := framework == facts.Hollywood || framework == facts.GoAkt // whose functions need no type of their own
	if framework == "" || !other && model.ActorFunc(typ) == "" {
		return
	}
	for {
		c, ok := x.(*ssa.ChangeType)
		if !ok {
			break
		}
		x = c.X
	}
	act := &kindOfActor{framework: framework, function: true, pos: at, pkg: packageOf(in)}
	switch f := x.(type) {
	case *ssa.MakeClosure:
		act.behaviors = []*behavior{{fn: f.Fn.(*ssa.Function), function: true}}
	case *ssa.Function:
		if f.Blocks == nil {
			return
		}
		act.behaviors = []*behavior{{fn: f, function: true}}
	default:
		return
	}
	fn := act.behaviors[0].fn
	act.pos, act.typ, act.name = fn.Pos(), typ, model.FunctionName(fn)
	for _, known := range a.actors {
		if known.function && known.behaviors[0].fn == fn {
			return
		}
	}
	a.actors = append(a.actors, act)
}

func packageOf(fn *ssa.Function) *types.Package {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	if fn.Pkg != nil {
		return fn.Pkg.Pkg
	}
	if o := fn.Object(); o != nil {
		return o.Pkg()
	}
	return nil
}

// about gives what is said of the actor as a whole, given what its handlers do.
func (a *analysis) about(x *kindOfActor, hs []facts.Handler) facts.Actor {
	f := facts.Actor{Name: x.name, At: a.place(x.pos), Function: x.function, Framework: x.framework, Ambiguous: x.twice}
	if x.pkg != nil {
		f.Package = x.pkg.Path()
	}
	if x.framework == facts.Native && !x.function {
		f.Constraints = a.method(types.NewPointer(x.typ), "Accepts") != nil
	}
	if x.function {
		for _, v := range x.behaviors[0].fn.FreeVars {
			f.Fields = append(f.Fields, v.Name())
		}
	} else if st, ok := x.typ.Underlying().(*types.Struct); ok {
		for i := range st.NumFields() {
			if name := st.Field(i).Name(); name != "_" {
				f.Fields = append(f.Fields, name)
				if a.reach(st.Field(i).Type()).anything {
					f.Opaque = append(f.Opaque, name)
				}
			}
		}
	}
	if _, ok := x.typ.Underlying().(*types.Struct); !ok {
		f.Opaque = append(f.Opaque, facts.WholeState)
	}
	f.Constants = constants(f.Fields, hs)
	return f
}

// starts are the messages that come first to each actor of a framework: what is written only then is constant.
var starts = []string{"actor.Started", "actor.Initialized", "actor.PostStart"}

// constants are the fields that no handler writes, but for those of the messages that begin an actor's life.
func constants(fields []string, hs []facts.Handler) []string {
	var list []string
	for _, field := range fields {
		written := func(h facts.Handler) bool {
			return !slices.Contains(starts, h.Message) && (h.Unknown != "" || slices.ContainsFunc(h.Writes, func(w string) bool {
				return w == facts.WholeState || facts.Root(w) == field
			}))
		}
		if !slices.ContainsFunc(hs, written) {
			list = append(list, field)
		}
	}
	return list
}
