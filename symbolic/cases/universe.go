package cases

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
)

// This file finds the blocks that a target could execute: those of its function, as far as the type of the message lets
// it, and of functions that were called.

// universe is what there is to cover.
type universe struct {
	p        *Program
	target   *Target
	visited  map[*ssa.Function]bool
	blocks   []*ssa.BasicBlock
	branches []exec.Branch
	seen     map[*ssa.Function]bool
	asked    []types.Type // messages with a case of their own
}

// universe lists what a target could execute, from the paths that were found, also those that were cut.
func (p *Program) universe(t *Target, paths []*exec.Path, tasks bool) *universe {
	u := &universe{p: p, target: t, visited: map[*ssa.Function]bool{}, seen: map[*ssa.Function]bool{}}
	var order []*ssa.Function
	for _, path := range paths {
		for _, b := range path.Blocks {
			if fn := b.Parent(); !u.visited[fn] {
				u.visited[fn] = true
				order = append(order, fn)
			}
		}
	}
	if t.Kind != Function && t.Handler.Message == nil {
		for _, other := range p.targets {
			if other.Kind != Function && other.Fn == t.Fn && other.Handler.Message != nil {
				u.asked = append(u.asked, other.Handler.Message)
			}
		}
	}
	u.function(t.Fn, u.messageParam(t.Fn))
	if !tasks { // other handlers run in tasks, too
		for _, fn := range order {
			u.function(fn, nil)
		}
	}
	return u
}

// messageParam gives the parameter that is the message, nil if there is none.
func (u *universe) messageParam(fn *ssa.Function) ssa.Value {
	if u.target.Kind != NativeHandler {
		return nil
	}
	for _, v := range fn.Params {
		if face, ok := v.Type().Underlying().(*types.Interface); ok && face.NumMethods() == 0 {
			return v
		}
	}
	return nil
}

// ours reports whether a function is one of the application, whose coverage is of interest: not what cgo makes.
func (u *universe) ours(fn *ssa.Function) bool {
	pkg := packageOf(fn)
	return pkg != nil && u.visited[fn] && fn.Synthetic == "" && !strings.HasPrefix(fn.Name(), "_C") &&
		!slices.Contains(summary.Libraries, pkg.Pkg.Path())
}

// function adds the blocks of a function, if it was called, and those of functions that it calls. Message is the
// parameter that is the message, nil for none.
func (u *universe) function(fn *ssa.Function, message ssa.Value) {
	if u.seen[fn] || fn != u.target.Fn && !u.ours(fn) {
		return
	}
	u.seen[fn] = true
	work := []*ssa.BasicBlock{fn.Blocks[0]} // and not fn.Recover, which stands for no source
	in := map[*ssa.BasicBlock]bool{}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if in[b] {
			continue
		}
		in[b] = true
		u.blocks = append(u.blocks, b)
		ways := u.ways(b, message)
		for _, i := range ways {
			work = append(work, b.Succs[i])
			if len(b.Succs) == 2 && len(ways) == 2 {
				u.branches = append(u.branches, exec.Branch{Block: b, Succ: i})
			}
		}
		for _, instr := range b.Instrs {
			u.calls(instr, message)
		}
	}
}

// calls adds the functions that an instruction calls or makes.
func (u *universe) calls(instr ssa.Instruction, message ssa.Value) {
	if c, ok := instr.(ssa.CallInstruction); ok {
		if fn := c.Common().StaticCallee(); fn != nil && len(fn.Blocks) > 0 {
			var param ssa.Value
			for i, a := range c.Common().Args {
				if u.isMessage(a, message) && i < len(fn.Params) {
					param = fn.Params[i]
				}
			}
			u.function(fn, param)
		}
	}
	if c, ok := instr.(*ssa.MakeClosure); ok {
		if fn, ok := c.Fn.(*ssa.Function); ok && len(fn.Blocks) > 0 {
			u.function(fn, nil)
		}
	}
}

// ways lists the successors that a block may have for a message of the target's type.
func (u *universe) ways(b *ssa.BasicBlock, message ssa.Value) []int {
	var all []int
	for i := range b.Succs {
		all = append(all, i)
	}
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok {
		return all
	}
	extract, ok := branch.Cond.(*ssa.Extract)
	if !ok || extract.Index != 1 {
		return all
	}
	assert, ok := extract.Tuple.(*ssa.TypeAssert)
	if !ok || !u.isMessage(assert.X, message) {
		return all
	}
	holds, known := u.holds(assert.AssertedType)
	switch {
	case !known:
		return all
	case holds:
		return all[:1]
	}
	return all[1:]
}

// isMessage reports whether a value is the message that is handled.
func (u *universe) isMessage(v, message ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.ChangeInterface:
		return u.isMessage(v.X, message)
	case *ssa.Call:
		m := v.Common().Method
		if fn := v.Common().StaticCallee(); fn != nil && m == nil {
			m, _ = fn.Object().(*types.Func)
		}
		if m != nil && u.target.Kind != NativeHandler {
			row, ok := model.Find(m)
			return ok && row.Op == model.Message
		}
	}
	return message != nil && v == message
}

// holds reports whether the message is of a type, and whether that is known.
func (u *universe) holds(t types.Type) (holds, known bool) {
	face, isFace := t.Underlying().(*types.Interface)
	if msg := u.target.Handler.Message; msg != nil {
		if isFace {
			return types.Implements(msg, face), true
		}
		return types.Identical(msg, t), true
	}
	return false, u.target.Kind != Function &&
		slices.ContainsFunc(u.asked, func(a types.Type) bool { return types.Identical(a, t) })
}

// assumedNil reports whether a place is where the message or the actor is a nil pointer, which the framework never
// hands over.
func (u *universe) assumedNil(w way) bool {
	if w.succ >= 0 && u.nilWay(w.block) == w.succ {
		return true
	}
	for b := w.block; b.Idom() != nil; b = b.Idom() {
		if d := b.Idom(); len(b.Preds) == 1 && b.Preds[0] == d && len(d.Succs) == 2 &&
			u.nilWay(d) == slices.Index(d.Succs, b) {
			return true
		}
	}
	return false
}

// nilWay gives the way out of a block on which the message or the actor is nil, -1 if its condition is another one.
func (u *universe) nilWay(b *ssa.BasicBlock) int {
	branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
	if !ok || b.Parent() != u.target.Fn || u.target.Kind == Function {
		return -1
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || !u.handed(cond.X) && !u.handed(cond.Y) || !isNil(cond.X) && !isNil(cond.Y) {
		return -1
	}
	switch cond.Op {
	case token.EQL:
		return 0
	case token.NEQ:
		return 1
	}
	return -1
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// handed reports whether a value is the tested actor, or the message by its type.
func (u *universe) handed(v ssa.Value) bool {
	fn := u.target.Fn
	switch v := v.(type) {
	case *ssa.Parameter:
		return fn.Signature.Recv() != nil && v == fn.Params[0]
	case *ssa.Extract:
		assert, ok := v.Tuple.(*ssa.TypeAssert)
		return ok && v.Index == 0 && u.isMessage(assert.X, u.messageParam(fn))
	case *ssa.TypeAssert:
		return u.isMessage(v.X, u.messageParam(fn))
	}
	return false
}
