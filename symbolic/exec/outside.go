package exec

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

var stringSort = term.String

// outer calls a function whose source was not read: by a row of this package, of package model, or not at all.
func (r *run) outer(fn *types.Func, sig *types.Signature, args []Value) Value {
	row, told := model.Find(fn)
	if told && row.Op.Acts() {
		return r.operate(fn, row, sig, args)
	}
	if do := libraries[fn.Origin().FullName()]; do != nil {
		if v, ok := do(r, fn, sig, args); ok {
			return v
		}
	}
	if fn.Name() == "Error" && len(args) == 1 && sig.Params().Len() == 0 && r.madeHere(args[0]) {
		return r.errorText(args[0])
	}
	if kind, ok := model.Reaches(fn); ok {
		return r.reaches(fn, kind, sig)
	}
	if told && row.Op == model.Pure && !r.reachesBack(fn, args) {
		return r.pure(fn, sig, args)
	}
	r.mark(Havoc, "%s, which is not modelled", fn.FullName())
	return r.havoc(fn.Name(), sig.Results())
}

// madeHere reports whether a value is an error that this package has made.
func (r *run) madeHere(v Value) bool {
	p, ok := settled(v).(Ptr)
	if ok && p.Obj != nil {
		return p.Obj.typ == r.program.errorString
	}
	_, text := v.(*term.Term)
	return text
}

// reachesBack reports whether a library may write to the program's memory, or call its functions.
func (r *run) reachesBack(fn *types.Func, args []Value) bool {
	does, told := model.Library(fn)
	if told && does.Writes != 0 || !told && r.changes(fn) {
		return true
	}
	for _, a := range args {
		if f, ok := settled(a).(Func); ok && !f.null() {
			return true
		}
	}
	return false
}

// changes reports whether a method may change its receiver, which no table of libraries tells.
func (r *run) changes(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	if _, ok := types.Unalias(recv.Type()).(*types.Pointer); !ok {
		return false
	}
	switch path := fn.Pkg().Path(); path {
	case "log", "log/slog", "testing", model.ProtoactorPath, model.NativePath:
		return false
	default:
		return !strings.HasPrefix(path, "github.com/rehearse-go/rehearse")
	}
}

// reaches calls a function that reaches beyond the program.
func (r *run) reaches(fn *types.Func, kind model.Outside, sig *types.Signature) Value {
	switch kind {
	case model.Clock, model.Random:
		r.mark(Env, "%s", fn.FullName())
		return results(sig, func(i int, t types.Type) Value { return r.input(r.unknownRoot(r.outside(fn.Name()), t)) })
	case model.Lock:
		return results(sig, func(i int, t types.Type) Value { return r.havoc(fn.Name(), t) })
	}
	r.mark(Havoc, "%s reaches beyond the program", fn.FullName())
	return results(sig, func(i int, t types.Type) Value { return r.havoc(fn.Name(), t) })
}

// results makes the results of a call.
func results(sig *types.Signature, each func(i int, t types.Type) Value) Value {
	res := sig.Results()
	switch res.Len() {
	case 0:
		return nil
	case 1:
		return each(0, res.At(0).Type())
	}
	t := make(Tuple, res.Len())
	for i := range t {
		t[i] = each(i, res.At(i).Type())
	}
	return t
}

// pure calls a function of which nothing is known but that its result depends on its arguments alone.
func (r *run) pure(fn *types.Func, sig *types.Signature, args []Value) Value {
	name := fn.FullName()
	terms := r.terms(args)
	return results(sig, func(i int, t types.Type) Value {
		called := name
		if sig.Results().Len() > 1 {
			called = fmt.Sprintf("%s.%d", name, i)
		}
		if s, ok := scalar(t); ok {
			return r.store.Apply(called, s, terms...)
		}
		var spelled []string
		for _, a := range terms {
			spelled = append(spelled, a.String())
		}
		return r.input(r.unknownRoot(called+"("+strings.Join(spelled, ", ")+")", t))
	})
}

// unknownRoot is the place of something that comes from outside of the program. A condition on it is not sure to be met.
func (r *run) unknownRoot(name string, t types.Type) *Place {
	p := root(name, t)
	p.Outside = true
	return p
}

// terms lists all that arguments are made of, for a function that may look at it. What is behind pointers is told by the number of writes before, so that a
// function that is called again after one may give something else.
func (r *run) terms(args []Value) (list []*term.Term) {
	f := &flattener{r: r, seen: map[any]bool{}}
	for i, a := range args {
		f.value(fmt.Sprintf("arg%d", i), a)
	}
	for _, n := range f.list {
		list = append(list, n.Term)
	}
	if f.memory && r.writes > 0 {
		list = append(list, r.int(r.writes))
	}
	return list
}

// unmodelled reports whether a condition depends on something of which nothing is known.
func (r *run) unmodelled(c *term.Term) bool {
	known, ok := r.vague[c]
	if !ok {
		term.Walk(func(t *term.Term) {
			at := r.inputs[t]
			for at != nil && at.Up != nil {
				at = at.Up
			}
			known = known || t.Op == term.OpApply || at != nil && at.Outside
		}, c)
		r.vague[c] = known
	}
	return known
}

// unknown is the memory behind a pointer that is not modelled.
func (r *run) unknown(o *Opaque) *Object {
	r.mark(Havoc, "what is behind %s", o.Name)
	elem := o.Type
	if p, ok := o.Type.Underlying().(*types.Pointer); ok {
		elem = p.Elem()
	}
	return r.alloc(elem, &Lazy{at: root(r.outside(o.Name), elem)})
}

// behind is what a reference to an actor leads to: what libraries make of it.
func (r *run) behind(ref *term.Term) *Object {
	if r.truth(r.isZero(ref)) {
		r.throw(nilDereference)
	}
	t := r.program.reference()
	if t == nil {
		r.mark(Havoc, "what is in a reference")
		t = types.NewStruct(nil, nil)
	}
	fields := &Struct{Type: t}
	for f := range structOf(t).Fields() {
		name := "reference." + f.Name()
		if s, ok := scalar(f.Type()); ok {
			fields.Fields = append(fields.Fields, r.store.Apply(name, s, ref))
		} else {
			fields.Fields = append(fields.Fields, &Opaque{Type: f.Type(), Name: name, ref: r.store.Apply(name, sortReference, ref)})
		}
	}
	return r.alloc(t, fields)
}

// reference gives the type of references to actors of protoactor-go, nil if nobody uses it.
func (p *Program) reference() types.Type {
	pkg := p.ssa.ImportedPackage(model.ProtoactorPath)
	if pkg == nil || pkg.Pkg.Scope().Lookup("PID") == nil {
		return nil
	}
	return pkg.Pkg.Scope().Lookup("PID").Type()
}

// isContext reports whether a value stands for a framework.
func isContext(v Value) bool {
	o, ok := v.(*Opaque)
	return ok && o.Name == contextName
}

// contextName is the name of the value that stands for a framework.
const contextName = "context"

// isModelled reports whether a function has a row here though its source was read.
func (r *run) isModelled(fn *types.Func) bool { return libraries[fn.Origin().FullName()] != nil }
