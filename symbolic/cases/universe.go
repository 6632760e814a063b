package cases

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/summary"
)

// This file finds the blocks that a target could execute: those of its function, as far as the type of the message lets it, and of functions that were called.

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

// ours reports whether a function is one of the application, whose coverage is of interest.
func (u *universe) ours(fn *ssa.Function) bool {
	pkg := packageOf(fn)
	return pkg != nil && u.visited[fn] && fn.Synthetic == "" && !slices.Contains(summary.Libraries, pkg.Pkg.Path())
}

// function adds the blocks of a function, if it was called, and those of functions that it calls. Message is the parameter that is the message, nil for none.
func (u *universe) function(fn *ssa.Function, message ssa.Value) {
	if u.seen[fn] || fn != u.target.Fn && !u.ours(fn) {
		return
	}
	u.seen[fn] = true
	work := []*ssa.BasicBlock{fn.Blocks[0]}
	if fn.Recover != nil {
		work = append(work, fn.Recover)
	}
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
		if m := v.Common().Method; m != nil && u.target.Kind == ProtoHandler {
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
	return false, u.target.Kind != Function && slices.ContainsFunc(u.asked, func(a types.Type) bool { return types.Identical(a, t) })
}
