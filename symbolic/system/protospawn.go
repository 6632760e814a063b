package system

import (
	"cmp"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file makes actors of protoactor-go from props.

// propsOf notes what an actor is made from.
func (w *proto) propsOf(o exec.Operation) exec.Value {
	v := w.m.Opaque(o.Sig.Results().At(0).Type()).(*exec.Opaque)
	r := &recipe{op: o.Op, from: o.Func}
	if o.Op == model.PropsSame || o.Op == model.PropsClone {
		old, _ := w.m.Held(o.Args[0]).(*exec.Opaque)
		if w.recipes[old] == nil {
			return v
		}
		again := *w.recipes[old]
		r = &again
	} else {
		r.from = o.Args[0]
	}
	if o.Sig.Variadic() {
		w.looksAt(r, w.m.Elements(o.Args[len(o.Args)-1]))
	}
	w.recipes[v] = r
	return v
}

// option notes what an option of props is.
func (w *proto) option(o exec.Operation) exec.Value {
	v := w.m.Opaque(o.Sig.Results().At(0).Type())
	w.options[v] = o.Name
	return v
}

// looksAt marks options of props that change what an actor does. A strategy of supervision matters when an actor
// panics; mailboxes and dispatchers are the exploration's.
func (w *proto) looksAt(r *recipe, options []exec.Value) {
	for _, v := range options {
		held := w.m.Held(v)
		name, known := "", false
		if o, ok := held.(*exec.Opaque); ok {
			name, known = w.options[o]
		}
		r.supervisor, r.guardian = r.supervisor || name == "WithSupervisor", r.guardian || name == "WithGuardian"
		_, own := held.(exec.Func)
		if own || known && name != "WithSupervisor" && name != "WithGuardian" {
			w.m.Mark(exec.Havoc, "an option of props that is not followed: %s", cmp.Or(name, "one of the program's own"))
		}
	}
}

// spawn makes an actor, whose first message is Started.
func (w *proto) spawn(o exec.Operation) exec.Value {
	props, _ := w.m.Held(o.Made).(*exec.Opaque)
	r := w.recipes[props]
	if r == nil || r.pool {
		w.m.End("an actor whose behaviour is not known, such as a router")
	}
	name, id := "", ""
	if o.Name != "Spawn" {
		text, ok := w.m.Text(o.Args[2])
		if id = text; !ok || o.Name == "SpawnPrefix" {
			id = ""
		}
		if !ok {
			w.mark("the name of an actor is not known")
		}
		name, _, _ = strings.Cut(text[strings.LastIndexByte(text, '/')+1:], "$")
	}
	value := w.incarnates(r)
	typ := w.kindOf(r, value, name)
	parent := w.running
	w.tr.AddActor(w.tr.TypeNamed(typ), name, parent.index, w.event)
	a := w.newAgent()
	a.recipe, a.value, a.function, a.id = r, value, r.op == model.PropsFunc, id
	if a.parent = 0; parent.index == 0 || !byRoot(o) {
		a.parent = parent.index
		parent.children = append(parent.children, a.index)
	}
	if a.parent > 0 && id != "" && parent.id != "" {
		a.id = parent.id + "/" + id
	} else if a.parent > 0 {
		a.id = ""
	}
	w.creates(a)
	i := w.message(parent, a.index, trace.System, "actor.Started", letter{kind: startedKind, msg: w.own("Started")})
	w.tr.Messages[i].Starts = true
	w.dispatch(i)
	if o.Sig.Results().Len() == 1 {
		return a.ref
	}
	return exec.Tuple{a.ref, exec.Face{}}
}

// byRoot reports whether an operation is one of the system's root context. An actor that a handler makes so is no child
// of the handler's actor.
func byRoot(o exec.Operation) bool {
	recv := o.Sig.Recv()
	return recv != nil && strings.HasSuffix(recv.Type().String(), ".RootContext")
}

// incarnates makes what handles the messages of an actor.
func (w *proto) incarnates(r *recipe) exec.Value {
	if r.op == model.Props {
		return w.m.CallValue(r.from, w.producerArguments(r.from)...)
	}
	return r.from
}

// producerArguments makes what the framework hands to a function that makes actors: nothing, or the system.
func (w *proto) producerArguments(f exec.Value) (args []exec.Value) {
	if fn, ok := w.m.Held(f).(exec.Func); ok && fn.Fn != nil {
		for v := range fn.Fn.Signature.Params().Variables() {
			args = append(args, w.m.There("system", v.Type()))
		}
	}
	return args
}

// kindOf names the type of an actor as traces do.
func (w *proto) kindOf(r *recipe, value exec.Value, name string) string {
	if r.op == model.Props {
		face, ok := w.m.Held(value).(exec.Face)
		if !ok || face.Type == nil {
			w.m.End("an actor whose behaviour is not known")
		}
		if model.ActorFunc(face.Type) == "" {
			return model.TypeName(face.Type)
		}
		value = face.Val
	}
	f, ok := w.m.Held(value).(exec.Func)
	if !ok || f.Fn == nil {
		w.m.End("an actor whose behaviour is not known")
	}
	if name != "" {
		return name
	}
	return w.functionName(f.Fn)
}

// functionName names a function by the package that its folder names.
func (w *proto) functionName(fn *ssa.Function) string {
	name := model.FunctionName(fn)
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	file := w.p.load.Fset.Position(fn.Pos()).Filename
	i := strings.IndexByte(name, '.')
	if i < 0 || strings.HasSuffix(file, "_test.go") {
		return name
	}
	return path.Base(filepath.ToSlash(filepath.Dir(file))) + name[i:]
}
