package exec

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// The panics of Go's runtime, as Path.Why tells them.
const (
	nilDereference  = "nil dereference"
	indexOutOfRange = "index out of range"
	sliceBounds     = "slice bounds out of range"
	nilMap          = "assignment to entry in nil map"
	divideByZero    = "integer divide by zero"
	negativeShift   = "negative shift amount"
	uncomparable    = "comparing or hashing an uncomparable type"
	typeAssertion   = "interface conversion"
	makeLength      = "makeslice: length or capacity out of range"
	arrayLength     = "slice too short for the array"
	nilFunction     = "call of a nil function"
	nilChannel      = "close of a nil or closed channel"
	explicit        = "panic"
	nilPanic        = "panic called with nil argument"
	negativeRepeat  = "strings: negative Repeat count"
	tickerInterval  = "non-positive interval for a ticker"
)

// thrown is a panic of the program on its way up.
type thrown struct {
	why string
	val Value // an interface, nil for a panic of the runtime
	pos token.Pos
}

// throw has the program panic.
func (r *run) throw(why string) { panic(&thrown{why: why, pos: r.pos()}) }

// throwText has a library panic with a string.
func (r *run) throwText(text string) {
	panic(&thrown{why: explicit, val: Face{types.Typ[types.String], r.store.Text(text)}, pos: r.pos()})
}

// deferred is a call that a function makes when it ends.
type deferred struct {
	call *ssa.Defer
	to   callee
	args []Value
}

// try does something and gives the panic of the program that ends it, nil if it comes to its end.
func (r *run) try(f *frame, do func()) (caught *thrown) {
	depth := r.depth
	defer func() {
		switch v := recover().(type) {
		case nil:
		case *thrown:
			r.frame, r.depth, caught = f, depth, v
		default:
			panic(v)
		}
	}()
	do()
	return nil
}

// body executes a function with its deferred calls.
func (r *run) body(f *frame) (result Value) {
	if !r.program.defers(f.fn) {
		return r.execute(f, f.fn.Blocks[0])
	}
	f.panicking = r.try(f, func() { result = r.execute(f, f.fn.Blocks[0]) })
	if f.panicking == nil {
		return result
	}
	for len(f.defers) > 0 {
		if again := r.try(f, func() { r.runDefer(f) }); again != nil {
			f.panicking = again // it takes the place of the one before
		}
	}
	if f.panicking != nil {
		panic(f.panicking)
	}
	if f.fn.Recover != nil {
		return r.execute(f, f.fn.Recover)
	}
	return r.zeroResults(f.fn.Signature)
}

// zeroResults is what a function gives that has recovered and whose results have no names.
func (r *run) zeroResults(sig *types.Signature) Value {
	switch sig.Results().Len() {
	case 0:
		return nil
	case 1:
		return r.zero(sig.Results().At(0).Type())
	}
	return r.zero(sig.Results())
}

// runDefer makes the last deferred call.
func (r *run) runDefer(f *frame) {
	d := f.defers[len(f.defers)-1]
	f.defers = f.defers[:len(f.defers)-1]
	f.at = d.call.Pos()
	r.invokeCallee(d.call.Common(), d.to, d.args, f)
}

// recovered is the builtin recover: the panic of the function whose deferred call runs.
func (r *run) recovered(f *frame) Value {
	of := f.deferredBy
	if of == nil || of.panicking == nil {
		return Face{}
	}
	p := of.panicking
	of.panicking = nil
	if p.val != nil {
		return p.val
	}
	return Face{Type: r.program.runtimeError, Val: r.runtimeText(p.why)}
}

// runtimeTexts are the texts of panics of Go's runtime that are always the same. The others have numbers or types in
// them, or are told in several ways.
var runtimeTexts = map[string]string{
	nilDereference: "runtime error: invalid memory address or nil pointer dereference",
	nilFunction:    "runtime error: invalid memory address or nil pointer dereference",
	divideByZero:   "runtime error: integer divide by zero",
	negativeShift:  "runtime error: negative shift amount",
	nilMap:         "assignment to entry in nil map",
}

// runtimeText gives the text of a panic of Go's runtime, as the value that recover gives has it.
func (r *run) runtimeText(why string) *term.Term {
	if text := runtimeTexts[why]; text != "" {
		return r.store.Text(text)
	}
	return r.store.Apply("runtime.Error.Error", stringSort, r.store.Text(why))
}
