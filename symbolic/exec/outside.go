package exec

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

var stringSort = term.String

// outer calls a function whose source was not read: by a row of this package, of package model, or not at all.
func (r *run) outer(fn *types.Func, sig *types.Signature, args []Value) Value {
	if v, ok := r.taken(fn, args); ok {
		return v
	}
	found := r.program.find(fn)
	row, told := found.row, found.told
	if told && row.Op.Acts() && operations[row.Op] != nil {
		return r.operate(fn, row, sig, args)
	}
	r.libraryPanics(fn, args)
	if do := libraries[fn.Origin().FullName()]; do != nil {
		if v, ok := do(r, fn, sig, args); ok {
			return v
		}
	}
	if told && row.Op.Acts() {
		return r.operate(fn, row, sig, args)
	}
	r.borrows(sig, args)
	if fn.Name() == "Error" && len(args) == 1 && sig.Params().Len() == 0 && r.madeHere(args[0]) {
		return r.errorText(args[0])
	}
	if model.NeverReturns(fn) {
		r.ends(fn)
	}
	if kind, ok := model.Reaches(fn); ok {
		return r.reaches(fn, kind, sig, args)
	}
	if told && row.Op == model.Pure && !r.reachesBack(fn, args) {
		return r.pure(fn, sig, args)
	}
	if !told && !r.givesAway(fn, args) { // whatever is told to write is not modelled
		r.touches(0, true)
		r.mark(Env, "%s, of which nothing is known but that it is given no memory of the program", fn.FullName())
		return r.unknownResults(fn, sig)
	}
	r.mark(Havoc, "%s, which is not modelled", fn.FullName())
	return r.havoc(fn.Name(), sig.Results())
}

// borrows notes that a method of a library is called of a pointer among the inputs.
func (r *run) borrows(sig *types.Signature, args []Value) {
	if sig.Recv() == nil || len(args) == 0 {
		return
	}
	var at *Place
	switch v := settled(args[0]).(type) {
	case *Lazy:
		at = v.at
	case *InputPtr:
		at = v.at
	}
	if at == nil || outermost(at).Outside || !r.foreign(at.Type) {
		return
	}
	if _, ok := at.Type.Underlying().(*types.Pointer); ok &&
		!slices.ContainsFunc(r.path.Borrowed, func(b *Place) bool { return b.Name == at.Name }) {
		r.path.Borrowed = append(r.path.Borrowed, at)
	}
}

// ends is a function of a library that does not return.
func (r *run) ends(fn *types.Func) {
	if strings.HasPrefix(fn.Name(), "Panic") {
		r.throw(explicit)
	}
	panic(&stop{exit: Refused, why: fn.FullName() + " does not return", pos: r.pos()})
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
	if ofFramework(fn) { // what it is given to call it keeps for later
		return false
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
	case "log", "log/slog", "testing", model.NativePath:
		return false
	default:
		return !ofFramework(fn) && !strings.HasPrefix(path, "github.com/rehearse-go/rehearse")
	}
}

// ofFramework reports whether a function is one of a framework.
func ofFramework(fn *types.Func) bool {
	of := func(path string) bool {
		return strings.HasPrefix(fn.Pkg().Path()+"/", strings.TrimSuffix(path, "actor"))
	}
	return fn.Pkg() != nil && (of(model.ProtoactorPath) || of(model.HollywoodPath) || of(model.GoAktPath))
}

// reaches calls a function that reaches beyond the program.
func (r *run) reaches(fn *types.Func, kind model.Outside, sig *types.Signature, args []Value) Value {
	switch {
	case kind == model.Clock, kind == model.Random, kind == model.IO && !r.fillsIn(fn, args):
		r.mark(Env, "%s", fn.FullName())
		called := r.outside(fn.Name())
		return results(sig, func(i int, t types.Type) Value {
			timer, isPointer := t.Underlying().(*types.Pointer)
			if isPointer = isPointer && kind == model.Clock; isPointer { // a timer or a ticker, which is new
				t = timer.Elem()
			}
			at := r.unknownRoot(resultName(called, sig, i), t)
			at.Random, at.Clock = kind == model.Random, kind == model.Clock
			if isPointer {
				return Ptr{Obj: r.alloc(t, r.input(at))}
			}
			return r.input(at)
		})
	case kind == model.Lock:
		return results(sig, func(i int, t types.Type) Value { return r.havoc(fn.Name(), t) })
	}
	r.mark(Havoc, "%s reaches beyond the program", fn.FullName())
	return results(sig, func(i int, t types.Type) Value { return r.havoc(fn.Name(), t) })
}

// fillsIn reports whether a function that reaches beyond the program may bring something from there into the program's
// memory, or call its functions.
func (r *run) fillsIn(fn *types.Func, args []Value) bool {
	if does, told := model.Library(fn); told && does.Writes != 0 || model.Fills(fn) {
		return true
	}
	if !r.givesAway(fn, args) {
		return false
	}
	sig := fn.Signature()
	for i := range sig.Params().Len() {
		switch u := sig.Params().At(i).Type().Underlying().(type) {
		case *types.Signature:
			return true
		case *types.Slice:
			if strings.HasPrefix(fn.Name(), "Read") || strings.HasPrefix(fn.Name(), "Recv") {
				return true
			}
		case *types.Pointer:
			return true
		case *types.Interface:
			if u.NumMethods() > 0 && !isNamed(sig.Params().At(i).Type(), "context", "Context") {
				return true
			}
		}
	}
	return false
}

// unknownResults gives results of which nothing is known.
func (r *run) unknownResults(fn *types.Func, sig *types.Signature) Value {
	called := r.outside(fn.Name())
	return results(sig, func(i int, t types.Type) Value { return r.input(r.unknownRoot(resultName(called, sig, i), t)) })
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
	return r.pureNamed(fn.FullName(), sig, args)
}

func (r *run) pureNamed(name string, sig *types.Signature, args []Value) Value {
	terms := r.terms(args)
	return results(sig, func(i int, t types.Type) Value {
		called := name
		if sig.Results().Len() > 1 {
			called = fmt.Sprintf("%s.%d", name, i)
		}
		if s, ok := scalar(t); ok {
			return r.store.Apply(called, s, terms...)
		}
		at := r.unknownRoot(called+"("+listed(terms)+")", t)
		at.Of = &Given{name, terms}
		return r.input(at)
	})
}

// listed writes terms.
func listed(terms []*term.Term) string {
	var spelled []string
	for _, a := range terms {
		spelled = append(spelled, a.String())
	}
	return strings.Join(spelled, ", ")
}

// unknownRoot is the place of something that comes from outside of the program. A condition on it is not sure to be
// met.
func (r *run) unknownRoot(name string, t types.Type) *Place {
	p := root(name, t)
	p.Outside = true
	return p
}

// terms lists all that arguments are made of, for a function that may look at it. What is behind pointers is told by
// the number of writes before, so that a function that is called again after one may give something else.
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
			fields.Fields = append(fields.Fields,
				&Opaque{Type: f.Type(), Name: name, ref: r.store.Apply(name, sortReference, ref)})
		}
	}
	return r.alloc(t, fields)
}

// reference gives the type of references to actors of the one framework that a program uses, nil for none or several.
func (p *Program) reference() (t types.Type) {
	for _, path := range []string{model.ProtoactorPath, model.HollywoodPath, model.GoAktPath} {
		pkg := p.ssa.ImportedPackage(path)
		if pkg == nil || pkg.Pkg.Scope().Lookup("PID") == nil {
			continue
		}
		if t != nil {
			return nil
		}
		t = pkg.Pkg.Scope().Lookup("PID").Type()
	}
	return t
}

// isContext reports whether a value stands for a framework.
func isContext(v Value) bool {
	o, ok := v.(*Opaque)
	return ok && o.Name == contextName
}

// contextName is the name of the value that stands for a framework.
const contextName = "context"

// isGenerated reports whether a function is a method of a message that the compiler of protocol buffers makes, which
// looks at the message as a library does.
func isGenerated(fn *types.Func) bool {
	if name := fn.Name(); name != "String" && name != "ProtoReflect" && name != "Descriptor" {
		return false
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	found, _, _ := types.LookupFieldOrMethod(recv.Type(), true, fn.Pkg(), "ProtoReflect")
	method, ok := found.(*types.Func)
	return ok && method.Signature().Params().Len() == 0
}

// isModelled reports whether a function has a row here though its source was read.
func (r *run) isModelled(fn *types.Func) bool { return libraries[fn.Origin().FullName()] != nil }
