package exec

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
)

// Program is a program whose functions can be explored.
type Program struct {
	load      *load.Program
	ssa       *ssa.Program
	boxed     []types.Type                   // that become interfaces somewhere, in the order of their names
	taken     []*ssa.Function                // that become values somewhere
	where     map[any][]*types.Package       // where types become interfaces, and functions values
	stacked   map[*ssa.Function]bool         // that protoactor-go's stacks of behaviours get; nil: some are not known
	piles     bool                           // they get one on top of another
	bounds    map[types.Object]*ssa.Function // methods as values
	imports   map[*types.Package]map[*types.Package]bool
	numbers   typeutil.Map // of types
	byTag     []types.Type
	loopsOf   map[*ssa.Function][]*loop
	deferring map[*ssa.Function]bool
	callees   map[ssa.CallInstruction]map[*ssa.Function]bool // nil until somebody asks
	globals   map[*ssa.Global]*initial
	stored    map[ssa.Value]bool                   // addresses that are used for stores alone
	errors    map[string]int                       // that package variables hold, by name
	libraries map[*types.Package]bool              // of the standard library, and the like
	rows      map[*types.Func]rowOf                // that were asked for
	fitting   map[[2]*types.Interface][]types.Type // of boxed, those that implement both, once asked for

	runtimeError types.Type // of the panics of Go's runtime
	errorString  types.Type // of what errors.New makes
	otherType    types.Type // of what is outside of the program
}

// New prepares a program.
func New(p *load.Program) *Program {
	q := &Program{load: p, ssa: p.SSA, loopsOf: map[*ssa.Function][]*loop{}, deferring: map[*ssa.Function]bool{},
		globals: map[*ssa.Global]*initial{}, errors: map[string]int{}, stored: map[ssa.Value]bool{},
		where: map[any][]*types.Package{}, imports: map[*types.Package]map[*types.Package]bool{},
		stacked: map[*ssa.Function]bool{}, libraries: map[*types.Package]bool{}, bounds: map[types.Object]*ssa.Function{},
		rows:    map[*types.Func]rowOf{},
		fitting: map[[2]*types.Interface][]types.Type{}}
	for _, pkg := range p.Packages {
		q.libraries[pkg.Types] = pkg.Module == nil && pkg.PkgPath != "command-line-arguments" ||
			strings.HasPrefix(pkg.PkgPath, "golang.org/x/")
	}
	q.runtimeError = madeError("runtime", "Error")
	q.errorString = madeError("errors", "errorString")
	q.number(q.errorString)
	q.otherType = types.NewNamed(types.NewTypeName(token.NoPos, nil, "other", nil), types.NewStruct(nil, nil), nil)
	functions := p.Functions()
	q.collect(functions)
	q.initialised(functions)
	return q
}

// rowOf is what package model says of a function, under its full name: both take longer to find than most instructions
// take to execute.
type rowOf struct {
	row  model.Row
	told bool
	name string
}

func (p *Program) find(fn *types.Func) rowOf {
	r, ok := p.rows[fn]
	if !ok && fn != nil {
		r.row, r.told = model.Find(fn)
		r.name = fn.FullName()
		p.rows[fn] = r
	}
	return r
}

// madeError gives a type that stands for one of a package that was not read. It has the method of an error.
func madeError(path, name string) types.Type {
	pkg := types.NewPackage(path, path)
	n := types.NewNamed(types.NewTypeName(token.NoPos, pkg, name, nil), types.Typ[types.String], nil)
	text := types.NewVar(token.NoPos, pkg, "", types.Typ[types.String])
	sig := types.NewSignatureType(types.NewVar(token.NoPos, pkg, "", n), nil, nil, nil, types.NewTuple(text), false)
	n.AddMethod(types.NewFunc(token.NoPos, pkg, "Error", sig))
	return n
}

// made reports whether a type stands for one of a package that was not read.
func (p *Program) made(t types.Type) bool {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	return t == p.runtimeError || t == p.errorString
}

// collect finds the types that become interfaces, and the functions that become values.
func (p *Program) collect(functions []*ssa.Function) {
	taken := map[*ssa.Function]bool{}
	var seen typeutil.Map
	for _, fn := range functions {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if box, ok := in.(*ssa.MakeInterface); ok {
					t, _ := seen.At(box.X.Type()).(types.Type)
					if t == nil {
						t = box.X.Type()
						seen.Set(t, t)
						p.boxed = append(p.boxed, t)
					}
					p.place(t, fn)
				}
				p.takes(in, taken)
				p.stacks(in)
			}
		}
	}
	slices.SortStableFunc(p.boxed,
		func(x, y types.Type) int { return strings.Compare(types.TypeString(x, nil), types.TypeString(y, nil)) })
}

// takes notes the functions that an instruction uses other than by calling them.
func (p *Program) takes(in ssa.Instruction, taken map[*ssa.Function]bool) {
	var called ssa.Value
	if c, ok := in.(ssa.CallInstruction); ok && !c.Common().IsInvoke() {
		called = c.Common().Value
	}
	for _, op := range in.Operands(nil) {
		fn, ok := (*op).(*ssa.Function)
		if !ok || *op == called {
			continue
		}
		fn = p.one(fn)
		p.place(fn, in.Parent())
		if !taken[fn] {
			taken[fn] = true
			p.taken = append(p.taken, fn)
		}
	}
}

// place notes the package of a function in which something becomes an interface or a value.
func (p *Program) place(what any, in *ssa.Function) {
	pkg := packageOf(in)
	if pkg != nil && !slices.Contains(p.where[what], pkg) {
		p.where[what] = append(p.where[what], pkg)
	}
}

// packageOf gives the package that a function is in, nil for one of no package.
func packageOf(fn *ssa.Function) *types.Package {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	switch {
	case fn.Pkg != nil:
		return fn.Pkg.Pkg
	case fn.Object() != nil:
		return fn.Object().Pkg()
	}
	return nil
}

// near reports whether what happens in one of the packages may matter to another one: one of them imports the other.
func (p *Program) near(to *types.Package, what any) bool {
	return to == nil || slices.ContainsFunc(p.where[what], func(pkg *types.Package) bool {
		return pkg == to || p.needs(pkg)[to] || p.needs(to)[pkg]
	})
}

// needs gives the packages that one imports, those that these import, and so on.
func (p *Program) needs(pkg *types.Package) map[*types.Package]bool {
	all, ok := p.imports[pkg]
	if !ok {
		all = map[*types.Package]bool{}
		p.imports[pkg] = all
		for _, dep := range pkg.Imports() {
			all[dep] = true
			for further := range p.needs(dep) {
				all[further] = true
			}
		}
	}
	return all
}

// functions lists those that a function value of a type may be, as a package sees it.
func (p *Program) functions(t types.Type, in *types.Package) (fit []*ssa.Function) {
	for _, fn := range p.taken {
		if types.Identical(fn.Signature, t.Underlying()) && p.near(in, fn) && !p.ownOf(fn) {
			fit = append(fit, fn)
		}
	}
	return fit
}

// ownOf reports whether a function is inside of one of a library whose source was read, and a value there alone.
func (p *Program) ownOf(fn *ssa.Function) bool {
	return fn.Parent() != nil && p.libraries[packageOf(fn)]
}

// handles reports whether values of a type are actors.
func (p *Program) handles(t types.Type) bool {
	for sel := range p.methods(t).Methods() {
		if sel.Obj().Name() == "Receive" && model.Handles(sel.Obj().Type().(*types.Signature)) != "" {
			return true
		}
	}
	return false
}

// one gives the function that stands for all that are the same method as a value: go/ssa makes one for each place.
func (p *Program) one(fn *ssa.Function) *ssa.Function {
	if !isBound(fn) {
		return fn
	}
	if known := p.bounds[fn.Object()]; known != nil {
		return known
	}
	p.bounds[fn.Object()] = fn
	return fn
}

// Function gives the function of a number that the identity of a function value has, nil if there is none.
func (p *Program) Function(number uint64) *ssa.Function {
	if number == 0 || number > uint64(len(p.taken)) {
		return nil
	}
	return p.taken[number-1]
}

// functionNumber identifies a function among the values of function type, from 1.
func (p *Program) functionNumber(fn *ssa.Function) int {
	fn = p.one(fn)
	for i, known := range p.taken {
		if known == fn {
			return i + 1
		}
	}
	p.taken = append(p.taken, fn)
	return len(p.taken)
}

// number identifies a type among those that interfaces hold, from 1.
func (p *Program) number(t types.Type) int {
	if n, ok := p.numbers.At(t).(int); ok {
		return n
	}
	p.byTag = append(p.byTag, t)
	p.numbers.Set(t, len(p.byTag))
	return len(p.byTag)
}

// sentinel numbers an error that a package variable holds.
func (p *Program) sentinel(name string) int {
	if _, ok := p.errors[name]; !ok {
		p.errors[name] = len(p.errors)
	}
	return p.errors[name]
}

// Type gives the type of a number that a condition on the type of an interface has, nil if there is none.
func (p *Program) Type(number uint64) types.Type {
	if number == 0 || number > uint64(len(p.byTag)) {
		return nil
	}
	return p.byTag[number-1]
}

// TypeNumber gives the number of a type in conditions.
func (p *Program) TypeNumber(t types.Type) uint64 { return uint64(p.number(t)) }

func (p *Program) methods(t types.Type) *types.MethodSet { return p.ssa.MethodSets.MethodSet(t) }

// loops lists the loops of a function.
func (p *Program) loops(fn *ssa.Function) []*loop {
	l, ok := p.loopsOf[fn]
	if !ok {
		l = findLoops(fn)
		p.loopsOf[fn] = l
	}
	return l
}

// defers reports whether a function defers calls.
func (p *Program) defers(fn *ssa.Function) bool {
	has, ok := p.deferring[fn]
	if !ok {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if _, is := in.(*ssa.Defer); is {
					has = true
				}
			}
		}
		p.deferring[fn] = has
	}
	return has
}
