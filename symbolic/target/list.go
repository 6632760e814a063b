package target

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/prove"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file lists the places of a program that may be targets: the blocks of the code of actors.
//
//	source:  [TAP18] section 6.1: targets are basic blocks in actor classes, exceptional branches among them
//	differs: blocks of functions that handlers call are listed too, for the first actor that calls them; exceptional
//	         branches are a list of their own

// Listed is a target with what lists say of it.
type Listed struct {
	Target
	Actor string // the type of actor of whose code it is; of a check at the end, the test
	Kind  string // of a panic: which; else ""
	Place token.Position
}

// Lister lists targets in the code of the actors of the packages that were asked for.
type Lister struct {
	loaded  *load.Program
	owned   []owned
	whose   map[*ssa.Function]string
	selves  map[string]bool        // receivers of what handles messages
	facts   *prove.Program         // of the whole program, when somebody has asked
	without string                 // why the facts hold nothing
	outer   map[*ssa.Function]bool // of these, those that no actor runs
	made    bool                   // some code of actors is generated, and left out
}

// owned is a function of the code of a type of actors.
type owned struct {
	fn      *ssa.Function
	actor   string
	variant bool // its code is listed in another variant of its package
}

// NewLister finds the code of actors: the functions that handle messages, the methods of their types, the closures in
// these, and the functions of the packages that these name.
func NewLister(ctx context.Context, loaded *load.Program, summaries *summary.Program) *Lister {
	l := &Lister{loaded: loaded, whose: map[*ssa.Function]string{}, selves: map[string]bool{}}
	handlers := summaries.Handlers(ctx)
	handles := map[*ssa.Function]bool{}
	for _, h := range handlers {
		handles[h.Fn] = true
		l.own(h.Fn, h.Actor)
		if recv := h.Fn.Signature.Recv(); recv != nil {
			l.selves[recv.Type().String()] = true
			l.methods(recv.Type(), h.Actor)
		}
	}
	for i := 0; i < len(l.owned); i++ { // l.owned grows
		l.named(l.owned[i])
	}
	l.drivers(handles)
	return l
}

// own notes a function with the closures in it.
func (l *Lister) own(fn *ssa.Function, actor string) {
	if l.whose[fn] != "" || len(fn.Blocks) == 0 || !l.written(fn) {
		return
	}
	l.whose[fn] = actor
	other := slices.ContainsFunc(l.owned, func(o owned) bool { return Variants(o.fn, fn) })
	l.owned = append(l.owned, owned{fn, actor, other})
	for _, f := range fn.AnonFuncs {
		l.own(f, actor)
	}
}

// Generated reports whether code of actors was left out because a tool has written its file.
func (l *Lister) Generated() bool { return l.made }

// Variants reports whether two functions are one in the source: a package with test files is compiled with them for its
// tests, and without them for others.
func Variants(a, b *ssa.Function) bool {
	if a.Name() != b.Name() || a.Pkg == b.Pkg || a.Pkg == nil || b.Pkg == nil || len(a.Blocks) != len(b.Blocks) ||
		a.Pkg.Pkg.Path() != b.Pkg.Pkg.Path() {
		return false
	}
	at, of := a.Prog.Fset.Position(a.Pos()), b.Prog.Fset.Position(b.Pos()) // the file may have been read twice
	return a.Pos().IsValid() && at == of
}

// code lists the functions that actors run, each once.
func (l *Lister) code() []owned {
	return slices.DeleteFunc(slices.Clone(l.owned), func(o owned) bool { return o.variant || l.outer[o.fn] })
}

// written reports whether people wrote a function of the packages that were asked for.
func (l *Lister) written(fn *ssa.Function) bool {
	if fn.Synthetic != "" && fn.Origin() == nil {
		return false
	}
	top := fn
	for top.Parent() != nil {
		top = top.Parent()
	}
	for _, pkg := range l.loaded.Packages {
		if !pkg.Root || top.Package() != pkg.SSA && (top.Origin() == nil || top.Origin().Package() != pkg.SSA) {
			continue
		}
		for _, f := range pkg.Syntax {
			if f.FileStart <= fn.Pos() && fn.Pos() < f.FileEnd {
				l.made = l.made || ast.IsGenerated(f)
				return !ast.IsGenerated(f)
			}
		}
	}
	return false
}

// methods notes the methods that people wrote for a type, and for pointers to it.
func (l *Lister) methods(t types.Type, actor string) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	set := l.loaded.SSA.MethodSets.MethodSet(types.NewPointer(t))
	for sel := range set.Methods() {
		if len(sel.Index()) > 1 { // of an embedded field
			continue
		}
		if fn := l.loaded.SSA.FuncValue(sel.Obj().(*types.Func)); fn != nil {
			l.own(fn, actor)
		}
	}
}

// named notes the functions that a function calls or uses as values. What an actor creates is not its own.
func (l *Lister) named(o owned) {
	for _, b := range o.fn.Blocks {
		for _, in := range b.Instrs {
			for _, v := range in.Operands(nil) {
				if fn, ok := (*v).(*ssa.Function); ok && fn.Parent() == nil {
					l.own(fn, o.actor)
				}
			}
		}
	}
}

// Blocks lists the blocks, by place. Those of which no instruction has a place in the source are left out: they hold
// nothing that people wrote.
func (l *Lister) Blocks() []*Listed {
	var list []*Listed
	for _, o := range l.code() {
		for _, b := range o.fn.Blocks {
			if pos := first(b); pos.IsValid() && b != o.fn.Recover {
				list = append(list, l.listed(o, b, pos, ""))
			}
		}
	}
	return sorted(list)
}

// Checks lists the checks of tests that handlers fail, and those in functions for the end of an execution. It also
// lists the errors of invariants and final checks, and the panics that handlers have written down.
func (l *Lister) Checks() []*Listed {
	list := append(l.atEnd(), l.judged()...)
	for _, o := range l.code() {
		for _, b := range o.fn.Blocks {
			for _, in := range b.Instrs {
				switch kind := fails(in); kind {
				case "":
				case "panic":
					t := l.listed(o, b, in.Pos(), kind)
					t.Panic, t.Pos = true, in.Pos()
					list = append(list, t)
				default:
					list = append(list, l.listed(o, b, in.Pos(), kind))
				}
			}
		}
	}
	return sorted(list)
}

// DeadLetters lists where actors send messages that may reach nobody: there is no receiver, or it has stopped.
func (l *Lister) DeadLetters() []*Listed {
	var list []*Listed
	for _, o := range l.code() {
		for _, b := range o.fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && mayBeLost(c) {
					t := l.listed(o, b, in.Pos(), "dead letter")
					t.Dead, t.Pos = true, in.Pos()
					list = append(list, t)
				}
			}
		}
	}
	return sorted(list)
}

// named gives the function or the method of an interface that a call names, nil if it names none.
func named(c *ssa.CallCommon) *types.Func {
	if callee := c.StaticCallee(); callee != nil {
		fn, _ := callee.Object().(*types.Func)
		return fn
	}
	return c.Method
}

// mayBeLost reports whether a call sends a message of which the framework tells if it reaches nobody.
func mayBeLost(c *ssa.Call) bool {
	row, ok := model.Find(named(&c.Call))
	return ok && slices.Contains([]model.Op{model.Send, model.Request, model.RequestFrom, model.Ask, model.Call,
		model.Forward, model.Respond}, row.Op)
}

// atEnd lists the checks in the functions that tests register with AtEnd, and in those that these call.
func (l *Lister) atEnd() (list []*Listed) {
	ends := &Lister{loaded: l.loaded, whose: map[*ssa.Function]string{}}
	for _, fn := range l.loaded.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && ofTest(c, "AtEnd") && len(c.Call.Args) == 2 {
					ends.given(c.Call.Args[1], fn)
				}
			}
		}
	}
	for i := 0; i < len(ends.owned); i++ { // it grows
		o := ends.owned[i]
		ends.named(o)
		if o.variant {
			continue
		}
		for _, b := range o.fn.Blocks {
			for _, in := range b.Instrs {
				if fails(in) == "assertion" {
					t := l.listed(o, b, in.Pos(), "assertion at the end")
					t.AtEnd = true
					list = append(list, t)
				}
			}
		}
	}
	return list
}

// given notes a function that a test gives away.
func (l *Lister) given(v ssa.Value, by *ssa.Function) {
	for by.Parent() != nil {
		by = by.Parent()
	}
	switch v := v.(type) {
	case *ssa.Function:
		l.own(v, by.Name())
	case *ssa.MakeClosure:
		l.own(v.Fn.(*ssa.Function), by.Name())
	}
}

// fails says whether an instruction panics, or is a check of a test that fails.
func fails(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.Panic:
		return "panic"
	case *ssa.Call:
		if ofTest(in, "Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow") {
			return "assertion"
		}
	}
	return ""
}

// ofTest reports whether a call is of a method with one of these names of the T of an execution.
func ofTest(c *ssa.Call, names ...string) bool {
	fn := c.Call.StaticCallee()
	return fn != nil && fn.Signature.Recv() != nil && slices.Contains(names, fn.Name()) &&
		strings.HasSuffix(types.TypeString(fn.Signature.Recv().Type(), nil), "rehearse/explore.T")
}

// listed makes the target of a block.
func (l *Lister) listed(o owned, b *ssa.BasicBlock, pos token.Pos, kind string) *Listed {
	t := &Listed{Target: Target{Goal: system.Goal{Block: b}, Name: l.loaded.Position(pos)}, Actor: o.actor, Kind: kind,
		Place: l.loaded.Fset.Position(pos)}
	if kind != "" {
		t.Name += ": " + kind
	}
	return t
}

// first gives the first place of a block that is in the function's body: parameters are stored before it begins.
func first(b *ssa.BasicBlock) token.Pos {
	begin := b.Parent().Pos()
	switch fn := b.Parent().Syntax().(type) {
	case *ast.FuncDecl:
		begin = fn.Body.Lbrace
	case *ast.FuncLit:
		begin = fn.Body.Lbrace
	}
	for _, in := range b.Instrs {
		if _, phi := in.(*ssa.Phi); !phi && in.Pos() > begin {
			return in.Pos()
		}
	}
	return token.NoPos
}

// Owner gives the type of actor of whose code a function is, "" if it is of none.
func (l *Lister) Owner(fn *ssa.Function) string { return l.whose[fn] }

// sorted puts targets into the order of the source, with columns in the names of those that share a line. Instances of
// one generic function stay in the order of their actors.
func sorted(list []*Listed) []*Listed {
	names := map[string]int{}
	for _, t := range list {
		names[t.Name]++
	}
	for _, t := range list {
		if names[t.Name] > 1 {
			at, kind, _ := strings.Cut(t.Name, ": ")
			t.Name = strings.TrimSuffix(fmt.Sprintf("%s:%d: %s", at, t.Place.Column, kind), ": ")
		}
	}
	slices.SortStableFunc(list, func(a, b *Listed) int {
		return cmp.Or(strings.Compare(a.Place.Filename, b.Place.Filename), cmp.Compare(a.Place.Offset, b.Place.Offset),
			cmp.Compare(a.Block.Index, b.Block.Index))
	})
	return list
}
