package exec

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// library is a function of a library. It reports false if it does not know what to do about such arguments.
type library func(r *run, fn *types.Func, sig *types.Signature, args []Value) (Value, bool)

// libraries are the functions of libraries that are modelled by more than a row of package model.
var libraries map[string]library

func init() {
	libraries = map[string]library{"errors.New": newError, "fmt.Errorf": newError, "errors.Is": isError,
		"(*testing.common).Fatal": fatal, "(*testing.common).Fatalf": fatal, "(*testing.common).FailNow": fatal,
		"(" + oursT + ").Fatal": fatal, "(" + oursT + ").Fatalf": fatal, "(" + oursT + ").FailNow": fatal,
		"(" + oursT + ").Error": fails, "(" + oursT + ").Errorf": fails, "(" + oursT + ").Fail": fails,
		"(*testing.common).Error": fails, "(*testing.common).Errorf": fails, "(*testing.common).Fail": fails,
		"(*" + model.ProtoactorPath + ".PID).Equal": samePID, "(*" + model.HollywoodPath + ".PID).Equals": samePID,
		"(*" + model.GoAktPath + ".PID).Equals": samePID,
		"slices.Sort":                           sorts, "sort.Ints": sorts, "sort.Strings": sorts,
	}
	for name, do := range times {
		libraries[name] = do
	}
	for _, name := range strings.Fields("(*sync.Mutex).Lock (*sync.Mutex).Unlock (*sync.RWMutex).Lock (*sync.RWMutex).Unlock (*sync.RWMutex).RLock (*sync.RWMutex).RUnlock " +
		"(*sync.WaitGroup).Add (*sync.WaitGroup).Done (*testing.common).Helper runtime.Gosched runtime.GC") {
		libraries[name] = nothing
	}
	for name, do := range folded {
		libraries[name] = do
	}
	for _, table := range []map[string]library{atomics(), cells, syncMaps, pidSets, maths, others} {
		for name, do := range table {
			libraries[name] = do
		}
	}
}

const oursT = "*github.com/rehearse-go/rehearse/explore.T"

func nothing(r *run, _ *types.Func, sig *types.Signature, _ []Value) (Value, bool) {
	return r.zeroResults(sig), true
}

// newError makes an error that is equal to itself alone.
func newError(r *run, fn *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	var text Value
	if fn.Name() == "New" {
		text = args[0]
	} else {
		text = r.store.Apply(fn.FullName(), term.String, r.terms(args)...)
	}
	o := r.alloc(r.program.errorString, text)
	if fn.Name() != "New" && len(args) > 1 {
		for _, a := range r.elems(r.mustSlice(args[1])) {
			if f, ok := settled(r.force(a)).(Face); !ok || f.Type != nil && types.Implements(f.Type, errorFace) {
				r.wraps[o] = append(r.wraps[o], a)
			}
		}
	}
	return Face{types.NewPointer(r.program.errorString), Ptr{Obj: o}}, true
}

var (
	errorType = types.Universe.Lookup("error").Type()
	errorFace = errorType.Underlying().(*types.Interface)
)

// isError is errors.Is. An error that Errorf has made of others is those, too.
func isError(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	yes, ok := r.isError(args[0], args[1])
	return yes, ok
}

func (r *run) isError(x, target Value) (*term.Term, bool) {
	f, ok := settled(r.force(x)).(Face)
	if !ok || f.Type != nil && !r.program.made(f.Type) {
		return nil, false
	}
	if r.truth(r.equal(f, target)) {
		return r.store.Bool(true), true
	}
	if p, ok := settled(f.Val).(Ptr); ok && f.Type != nil {
		for _, inner := range r.wraps[p.Obj] {
			if yes, ok := r.isError(inner, target); !ok || yes.True() {
				return yes, ok
			}
		}
	}
	return r.store.Bool(false), true
}

// fatal ends the handler: a test has failed.
func fatal(r *run, fn *types.Func, _ *types.Signature, _ []Value) (Value, bool) {
	panic(&stop{exit: Assert, why: fn.Name(), pos: r.pos()})
}

// fails notes that a test has failed.
func fails(r *run, fn *types.Func, _ *types.Signature, _ []Value) (Value, bool) {
	r.path.Events = append(r.path.Events, Event{Op: "fail", Pos: r.pos(), By: r.acting})
	return nil, true
}

// samePID is the method Equal of references, or Equals.
func samePID(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	return r.sameTerm(r.reference(args[0]), r.reference(args[1])), true
}

// sorts sorts numbers or strings by a network of comparisons, so that no order is a path of its own.
func sorts(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	s := r.decide(r.mustSlice(args[0]))
	elems := r.elems(s)
	if len(elems) < 2 {
		return nil, true
	}
	elem := r.load(s.mem).(*Array).Elem
	typ, ok := term.TypeOf(elem)
	if !ok || typ.Kind == term.FloatKind || typ.Kind == term.BoolKind {
		return nil, false
	}
	for i := range elems {
		for j := len(elems) - 1; j > i; j-- {
			a, b := r.force(elems[j-1]).(*term.Term), r.force(elems[j]).(*term.Term)
			swap := r.less(typ, b, a)
			elems[j-1], elems[j] = r.store.If(swap, b, a), r.store.If(swap, a, b)
		}
	}
	for i, v := range elems {
		r.storeAt(s.mem.at(s.off+i), v)
	}
	return nil, true
}

// errorText is the method Error of an error that this package has made.
func (r *run) errorText(v Value) Value {
	if p, ok := settled(v).(Ptr); ok {
		return r.load(p)
	}
	return v
}

// special calls a function that a framework or a library has made.
func (r *run) special(fn Func, sig *types.Signature, args []Value) Value {
	if fn.Kind == cancelKind {
		return nil
	}
	r.mark(Havoc, "%s, which is not modelled", fn.Kind)
	if sig == nil {
		return nil
	}
	return r.havoc(fn.Kind, sig.Results())
}
