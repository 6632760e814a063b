package exec

import (
	"go/token"

	"golang.org/x/tools/go/ssa"
)

// frame is a call of a function that runs.
type frame struct {
	fn         *ssa.Function
	up         *frame
	env        map[ssa.Value]Value
	at         token.Pos
	instr      ssa.Instruction
	turns      map[*ssa.BasicBlock]*turns
	defers     []deferred
	panicking  *thrown
	deferredBy *frame // the function whose deferred call this is
}

// enter calls a function whose source was read.
func (r *run) enter(fn *ssa.Function, args, free []Value, deferredBy *frame) Value {
	if r.depth >= r.config.Calls {
		r.cut("calls nested more than %d deep", r.config.Calls)
	}
	r.depth++
	f := &frame{fn: fn, up: r.frame, env: make(map[ssa.Value]Value, 2*len(fn.Params)+8),
		turns: map[*ssa.BasicBlock]*turns{}, deferredBy: deferredBy}
	for i, p := range fn.Params {
		f.env[p] = args[i]
	}
	for i, v := range fn.FreeVars {
		f.env[v] = free[i]
	}
	r.frame = f
	v := r.body(f)
	r.frame, r.depth = f.up, r.depth-1
	return v
}

// execute runs from a block to the function's end.
func (r *run) execute(f *frame, b *ssa.BasicBlock) Value {
	var from *ssa.BasicBlock
	for {
		r.block(b)
		r.phis(f, b, from)
		next, result, done := r.instructions(f, b)
		if done {
			return result
		}
		r.leave(b, next)
		r.turn(f, b, next)
		from, b = b, next
	}
}

// block notes that a block was visited.
func (r *run) block(b *ssa.BasicBlock) {
	if !r.blocks[b] {
		r.blocks[b] = true
		r.path.Blocks = append(r.path.Blocks, b)
	}
}

// leave notes by which of two ways a block was left.
func (r *run) leave(b, next *ssa.BasicBlock) {
	if len(b.Succs) != 2 {
		return
	}
	way := Branch{Block: b}
	if next != b.Succs[0] {
		way.Succ = 1
	}
	if !r.branches[way] {
		r.branches[way] = true
		r.path.Branches = append(r.path.Branches, way)
	}
}

// phis gives all phi nodes of a block their values at once.
func (r *run) phis(f *frame, b, from *ssa.BasicBlock) {
	edge := 0
	for i, p := range b.Preds {
		if p == from {
			edge = i
		}
	}
	var vals []Value
	for _, in := range b.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		vals = append(vals, r.value(f, phi.Edges[edge]))
	}
	for i, v := range vals {
		f.env[b.Instrs[i].(*ssa.Phi)] = v
	}
}

// instructions executes a block. It gives the next one, or what the function returns.
func (r *run) instructions(f *frame, b *ssa.BasicBlock) (next *ssa.BasicBlock, result Value, done bool) {
	for _, in := range b.Instrs {
		r.steps++
		if r.steps > r.config.Instructions {
			r.cut("more than %d instructions", r.config.Instructions)
		}
		if r.steps%256 == 0 && r.ctx.Err() != nil {
			r.cut("the time is over")
		}
		f.instr = in
		if p := in.Pos(); p.IsValid() {
			f.at = p
		}
		switch in := in.(type) {
		case *ssa.Return:
			return nil, r.returned(f, in), true
		case *ssa.Jump:
			return b.Succs[0], nil, false
		case *ssa.If:
			return r.branch(f, in), nil, false
		case *ssa.Panic:
			r.panics(f, in)
		default:
			r.instruction(f, in)
		}
	}
	panic("exec: a block without an end")
}

func (r *run) returned(f *frame, in *ssa.Return) Value {
	switch len(in.Results) {
	case 0:
		return nil
	case 1:
		return r.value(f, in.Results[0])
	}
	t := make(Tuple, len(in.Results))
	for i, v := range in.Results {
		t[i] = r.value(f, v)
	}
	return t
}

// panics is the builtin panic.
func (r *run) panics(f *frame, in *ssa.Panic) {
	v := r.value(f, in.X)
	if r.truth(r.faceNil(v)) {
		r.throw(nilPanic)
	}
	panic(&thrown{why: explicit, val: v, pos: in.Pos()})
}
