package exec

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// initial tells how a package variable begins.
type initial struct {
	stores int       // in all of the program
	value  ssa.Value // what the package's initialisation puts there
	leaks  bool      // its address goes elsewhere than to loads and stores
}

// initialised finds the package variables that never change.
func (p *Program) initialised(functions []*ssa.Function) {
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok {
						p.uses(g, in)
					}
				}
			}
		}
	}
}

func (p *Program) uses(g *ssa.Global, in ssa.Instruction) {
	i := p.globals[g]
	if i == nil {
		i = &initial{}
		p.globals[g] = i
	}
	switch in := in.(type) {
	case *ssa.UnOp:
	case *ssa.DebugRef:
	case *ssa.Store:
		if in.Val == ssa.Value(g) {
			i.leaks = true
			return
		}
		i.stores++
		if in.Parent().Name() == "init" && in.Parent().Synthetic != "" {
			i.value = in.Val
		}
	default:
		i.leaks = true
	}
}

// global gives the memory of a package variable.
func (r *run) global(g *ssa.Global) *Object {
	if o := r.globals[g]; o != nil {
		r.rereads(g, o)
		return o
	}
	t := pointerTo(g.Type())
	name := g.Name()
	if g.Pkg != nil {
		name = g.Pkg.Pkg.Name() + "." + name
	}
	at := root(name, t)
	o := r.alloc(t, nil)
	o.global = true
	r.globals[g] = o
	if v, ok := r.unchanging(g, at); ok {
		o.val = v
		return o
	}
	if errorOf(g) {
		o.val = r.sentinel(at)
		return o
	}
	if r.initialises(g) {
		r.rereads(g, o)
		return o
	}
	if !model.Unchanging(g.Object()) {
		r.mark(Env, "the package variable %s", name)
	}
	o.at, o.val = at, &Lazy{at: at}
	r.memories = append(r.memories, o)
	return o
}

// errorOf reports whether a package variable is an error that a framework gives, and that nobody replaces.
func errorOf(g *ssa.Global) bool {
	if g.Pkg == nil || !types.Identical(pointerTo(g.Type()), errorType) {
		return false
	}
	return g.Pkg.Pkg.Path() == model.ProtoactorPath && strings.HasPrefix(g.Name(), "Err") ||
		len(g.Pkg.Func("init").Blocks) == 0
}

// unchanging gives the value of a package variable that only its initialisation sets, if that is a constant, a function
// or an error.
func (r *run) unchanging(g *ssa.Global, at *Place) (Value, bool) {
	i := r.program.globals[g]
	if i == nil || g.Pkg == nil || r.program.load == nil || i.leaks {
		return nil, false
	}
	if i.stores == 0 && len(g.Pkg.Func("init").Blocks) > 0 {
		return r.zero(at.Type), true
	}
	if i.stores != 1 || i.value == nil {
		return nil, false
	}
	return r.initialValue(i.value, at)
}

func (r *run) initialValue(v ssa.Value, at *Place) (Value, bool) {
	switch v := v.(type) {
	case *ssa.Const:
		return r.constant(v), true
	case *ssa.Function:
		return Func{Fn: v}, true
	case *ssa.MakeInterface:
		x, ok := r.initialValue(v.X, at)
		return Face{v.X.Type(), x}, ok
	case *ssa.ChangeType:
		x, ok := r.initialValue(v.X, at)
		return retyped(x, v.Type()), ok
	case *ssa.Call:
		if fn := v.Call.StaticCallee(); fn != nil && makesError(fn.Object()) {
			return r.sentinel(at), true
		}
	}
	return nil, false
}

// makesError reports whether a function only makes an error.
func makesError(o types.Object) bool {
	fn, ok := o.(*types.Func)
	return ok && (fn.FullName() == "errors.New" || fn.FullName() == "fmt.Errorf")
}

// sentinel gives an error that a package variable holds: the same in every run of every handler.
func (r *run) sentinel(at *Place) Value {
	t := types.NewPointer(r.program.errorString)
	place := &Place{Name: at.Name, Type: t, Up: at, Step: Held}
	o := r.alloc(r.program.errorString, r.store.Apply("error.text", stringSort, r.store.Text(at.Name)))
	ref := r.store.Uint(sortReference, uint64(firstSentinel+r.program.sentinel(at.Name)))
	p := &InputPtr{at: place, ref: ref, to: o}
	r.lazies = append(r.lazies, p)
	return Face{t, p}
}

// firstSentinel is the identity of the first error that a package variable holds.
const firstSentinel = 1 << 14
