package target

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/prove"
)

// Panics lists where the code of actors may panic without saying so: at nil pointers and interfaces, indices, slices,
// maps, type assertions, divisions, shifts and lengths. A place is left out if its function alone shows that it cannot,
// as package prove does. Such are the index of a range loop, a length that was looked at, memory that was just made,
// and the actor itself. What libraries panic with is not among them.
func (l *Lister) Panics() []*Listed {
	var list []*Listed
	for _, o := range l.code() {
		for _, b := range o.fn.Blocks {
			seen := map[token.Pos]*Listed{}
			l.checks(b, func(in ssa.Instruction, kind string, at token.Pos) {
				if l.alone(in, kind) || !at.IsValid() {
					return
				}
				t := seen[at]
				if t == nil {
					t = l.listed(o, b, at, kind)
					t.Panic, t.Pos, t.Impossible = true, at, impossible
					seen[at], list = t, append(list, t)
				}
				if !l.excluded(in, kind) {
					t.Impossible = ""
				}
			})
		}
	}
	return sorted(list)
}

// Shown counts the checks in the code of actors that their function alone shows not to fail, by the path of the package
// and the kind of panic. They are none of the targets that Panics lists.
func (l *Lister) Shown() map[string]map[string]int {
	counts := map[string]map[string]int{}
	for _, o := range l.code() {
		path := o.fn.Package().Pkg.Path()
		if counts[path] == nil {
			counts[path] = map[string]int{}
		}
		for _, b := range o.fn.Blocks {
			l.checks(b, func(in ssa.Instruction, kind string, _ token.Pos) {
				if l.alone(in, kind) {
					counts[path][kind]++
				}
			})
		}
	}
	return counts
}

// checks goes through the checks in a block that may fail as far as their instructions alone tell.
func (l *Lister) checks(b *ssa.BasicBlock, each func(in ssa.Instruction, kind string, at token.Pos)) {
	at := before(b)
	for _, in := range b.Instrs {
		if in.Pos().IsValid() {
			at = in.Pos()
		}
		if kind := l.kind(in); kind != "" {
			each(in, kind, at)
		}
	}
}

// impossible says why a place cannot panic of which the whole program shows it.
const impossible = "without a bound: by all that was read, no nil comes there"

// excluded reports whether the whole program shows that a check does not fail.
func (l *Lister) excluded(in ssa.Instruction, kind string) bool {
	if l.Without() != "" {
		return false
	}
	if kind == nilReceiver {
		return l.facts.NotNil(receiver(in.(*ssa.Call)), in)
	}
	return l.facts.Never(in) != ""
}

// Without says why nothing is known of the whole program, so that no place is infeasible for it; "" if something is.
func (l *Lister) Without() string {
	if !l.loaded.Whole() {
		return "a part of it is missing, or does not compile"
	}
	if l.facts == nil {
		l.facts = prove.NewProgram(l.loaded.Functions(), l.inModule())
		if at := l.linkname(); at.IsValid() {
			l.without = l.loaded.Position(at) + " gives something another name for the linker"
		} else if lost := l.facts.Lost(); lost != nil {
			l.without = l.loaded.Position(lost.Pos) + " " + lost.Why
		}
	}
	return l.without
}

// linkname finds a place where something of the program gets another name for the linker. Code that is not seen may
// then use it.
func (l *Lister) linkname() token.Pos {
	own := l.inModule()
	for _, pkg := range l.loaded.Packages {
		for _, file := range pkg.Syntax {
			for _, group := range file.Comments {
				for _, c := range group.List {
					if strings.HasPrefix(c.Text, "//go:linkname ") && own(pkg.SSA.Pkg) {
						return c.Pos()
					}
				}
			}
		}
	}
	return token.NoPos
}

// inModule tells the packages of the modules that were asked for from others.
func (l *Lister) inModule() func(*types.Package) bool {
	modules, own := map[string]bool{}, map[string]bool{}
	for _, pkg := range l.loaded.Packages {
		if pkg.Root && pkg.Module != nil {
			modules[pkg.Module.Path] = true
		}
	}
	for _, pkg := range l.loaded.Packages {
		own[pkg.SSA.Pkg.Path()] = pkg.Module != nil && modules[pkg.Module.Path]
	}
	return func(p *types.Package) bool { return own[p.Path()] }
}

// before gives the place that an execution has come to last when it enters a block, if there is only one way into it.
func before(b *ssa.BasicBlock) token.Pos {
	for seen := map[*ssa.BasicBlock]bool{}; len(b.Preds) == 1 && !seen[b]; {
		seen[b] = true
		b = b.Preds[0]
		for i := len(b.Instrs) - 1; i >= 0; i-- {
			if p := b.Instrs[i].Pos(); p.IsValid() {
				return p
			}
		}
	}
	return token.NoPos
}

// alone reports whether the function of a check alone shows that it does not fail.
func (l *Lister) alone(in ssa.Instruction, kind string) bool {
	if kind == nilReceiver {
		return prove.NotNil(receiver(in.(*ssa.Call)), in)
	}
	return prove.Never(in) != ""
}

// nilReceiver is the kind of a send to nobody.
const nilReceiver = "nil receiver"

// kind says which check an instruction makes that may fail as far as the instruction alone tells.
func (l *Lister) kind(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.UnOp:
		if in.Op == token.MUL && l.mayBeNil(in.X) {
			return "nil"
		}
	case *ssa.FieldAddr:
		if l.mayBeNil(in.X) {
			return "nil"
		}
	case *ssa.Store:
		if l.mayBeNil(in.Addr) {
			return "nil"
		}
	case *ssa.IndexAddr, *ssa.Index:
		return "index"
	case *ssa.Lookup:
		if _, isMap := in.X.Type().Underlying().(*types.Map); !isMap {
			return "index"
		}
	case *ssa.Slice:
		if in.Low != nil || in.High != nil || in.Max != nil {
			return "slice"
		}
	case *ssa.MapUpdate:
		return "map"
	case *ssa.TypeAssert:
		if !in.CommaOk {
			return "assertion of a type"
		}
	case *ssa.BinOp:
		return arithmetic(in)
	case *ssa.MakeSlice:
		if !isConst(in.Len) || !isConst(in.Cap) {
			return "length"
		}
	case *ssa.SliceToArrayPointer:
		return "length"
	case *ssa.Call:
		return called(in)
	}
	return ""
}

func isConst(v ssa.Value) bool { _, ok := v.(*ssa.Const); return ok }

// mayBeNil reports whether a pointer may be nil as far as the instruction that makes it tells.
func (l *Lister) mayBeNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.Global, *ssa.FieldAddr, *ssa.IndexAddr, *ssa.FreeVar:
		return false
	case *ssa.Parameter:
		return !l.isSelf(v) && !acts(v.Type())
	case *ssa.UnOp:
		if v.Op == token.MUL && l.isSelf(held(v.X)) {
			return false
		}
	}
	return !acts(v.Type())
}

// isSelf reports whether a value is the receiver of a method of an actor: the actor itself.
func (l *Lister) isSelf(v ssa.Value) bool {
	p, ok := v.(*ssa.Parameter)
	return ok && p.Parent().Signature.Recv() != nil && p.Parent().Params[0] == p && l.selves[p.Type().String()]
}

// held gives what a variable holds to which only one value is ever assigned, as to a receiver that a closure captures;
// nil if there is no such.
func held(v ssa.Value) ssa.Value {
	for {
		free, ok := v.(*ssa.FreeVar)
		if !ok {
			break
		}
		if v = bound(free); v == nil {
			return nil
		}
	}
	cell, ok := v.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var is ssa.Value
	for _, user := range *cell.Referrers() {
		if s, ok := user.(*ssa.Store); ok && s.Addr == cell {
			if is != nil {
				return nil
			}
			is = s.Val
		}
	}
	return is
}

// bound gives what a closure captures.
func bound(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	for _, b := range fn.Parent().Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.MakeClosure); ok && c.Fn == fn {
				for i, f := range fn.FreeVars {
					if f == free {
						return c.Bindings[i]
					}
				}
			}
		}
	}
	return nil
}

// acts reports whether a type is that of the contexts by which handlers act. Frameworks give no nil ones.
func acts(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path, name := n.Obj().Pkg().Path(), n.Obj().Name()
	return (path == model.NativePath || path == model.ProtoactorPath) &&
		(name == "Context" || name == "ReceiverContext" || name == "SenderContext") ||
		name == "T" && path == "github.com/rehearse-go/rehearse/explore"
}

func arithmetic(in *ssa.BinOp) string {
	basic, ok := in.Y.Type().Underlying().(*types.Basic)
	c, known := in.Y.(*ssa.Const)
	switch {
	case !ok || basic.Info()&types.IsInteger == 0:
	case in.Op == token.QUO || in.Op == token.REM:
		if !known || constant.Sign(c.Value) == 0 {
			return "division"
		}
	case in.Op == token.SHL || in.Op == token.SHR:
		if !known && basic.Info()&types.IsUnsigned == 0 {
			return "shift"
		}
	}
	return ""
}

// sends are the operations of which protoactor-go panics if there is no receiver. Native actors lose the message.
var sends = []model.Op{model.Send, model.Request, model.RequestFrom, model.Ask, model.Call, model.Forward, model.Stop,
	model.Watch}

// sendsTo gives the row of a call that panics if there is no receiver.
func sendsTo(in *ssa.Call) (model.Row, bool) {
	fn := in.Call.Method
	if callee := in.Call.StaticCallee(); callee != nil {
		fn, _ = callee.Object().(*types.Func)
	}
	if fn == nil {
		return model.Row{}, false
	}
	row, ok := model.Find(fn)
	return row, ok && row.Framework == model.Protoactor && row.To > 0 && slices.Contains(sends, row.Op)
}

// receiver gives the argument of a call that says who receives.
func receiver(in *ssa.Call) ssa.Value {
	row, _ := sendsTo(in)
	if in.Call.IsInvoke() {
		return in.Call.Args[row.To-1]
	}
	return in.Call.Args[row.To]
}

// called says whether what is called, or who is sent to, may be nil.
func called(in *ssa.Call) string {
	if _, ok := sendsTo(in); ok {
		return nilReceiver
	}
	if in.Call.IsInvoke() {
		if acts(in.Call.Value.Type()) {
			return ""
		}
		return "nil"
	}
	switch in.Call.Value.(type) {
	case *ssa.Function, *ssa.MakeClosure, *ssa.Builtin:
		return ""
	}
	return "nil"
}
