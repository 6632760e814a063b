package points

import (
	"go/token"
	"go/types"
	"math/bits"

	"golang.org/x/tools/go/ssa"
)

// This file knows which instructions of a function have to be looked at again after something has grown. So a function
// in a context is not run from its beginning each time. What an instruction does depends on the sets of its operands,
// on the places that it has read (Solver.Read), and on results of what it has called. A phi also depends on the edges
// that are taken.

// shape is what all contexts of a function have in common.
type shape struct {
	instrs []ssa.Instruction // those that do something, in the order of the source
	blocks []span            // the instructions of each block
	block  []int32           // of each instruction
	// of values that can hold places: parameters first. A tuple has as many numbers as it has parts
	number map[ssa.Value]int32
	size   int                       // how many numbers there are
	uses   map[ssa.Value][]int32     // which instructions read a value
	index  map[ssa.Instruction]int32 // of calls
	calls  []int32
}

type span struct{ from, to int32 }

// shapeOf gives the shape of a function, which it makes at the first time.
func (s *Solver) shapeOf(fn *ssa.Function) *shape {
	h, ok := s.shapes[fn]
	if !ok {
		h = &shape{number: map[ssa.Value]int32{}, uses: map[ssa.Value][]int32{}, index: map[ssa.Instruction]int32{}}
		for _, p := range fn.Params {
			h.add(p, 1)
		}
		for _, b := range fn.Blocks {
			from := int32(len(h.instrs))
			for _, in := range b.Instrs {
				h.instruction(in, int32(b.Index))
			}
			h.blocks = append(h.blocks, span{from, int32(len(h.instrs))})
		}
		s.shapes[fn] = h
	}
	return h
}

func (h *shape) add(v ssa.Value, parts int) {
	h.number[v] = int32(h.size)
	h.size += parts
}

// instruction adds one, unless it cannot do anything.
func (h *shape) instruction(in ssa.Instruction, block int32) {
	v, value := in.(ssa.Value)
	_, call := in.(ssa.CallInstruction)
	if value {
		if t, tuple := v.Type().(*types.Tuple); tuple {
			h.add(v, t.Len())
		} else if carries(v.Type()) {
			h.add(v, 1)
		} else if !call {
			return
		}
	}
	if _, debug := in.(*ssa.DebugRef); debug {
		return
	}
	i := int32(len(h.instrs))
	h.instrs, h.block = append(h.instrs, in), append(h.block, block)
	if call {
		h.index[in] = i
		h.calls = append(h.calls, i)
	}
	for _, op := range in.Operands(nil) {
		h.use(*op, i)
	}
}

// use notes that an instruction reads a value. Some read what their operands were made from (outcome, several).
func (h *shape) use(v ssa.Value, i int32) {
	switch v.(type) {
	case nil, *ssa.Const, *ssa.Function, *ssa.Global, *ssa.Builtin:
		return // always the same
	}
	if list := h.uses[v]; len(list) == 0 || list[len(list)-1] != i {
		h.uses[v] = append(list, i)
	}
	switch h.instrs[i].(type) {
	case *ssa.Next:
		if r, ok := v.(*ssa.Range); ok {
			h.use(r.X, i)
		}
	case *ssa.If:
		switch c := v.(type) {
		case *ssa.UnOp:
			if c.Op == token.NOT {
				h.use(c.X, i)
			}
		case *ssa.Extract:
			if a, ok := c.Tuple.(*ssa.TypeAssert); ok {
				h.use(a.X, i)
			}
		}
	}
}

// reach makes a block one that is executed.
func (f *Function) reach(b *ssa.BasicBlock) {
	if f.reached[b.Index] {
		return
	}
	f.reached[b.Index] = true
	for i := f.shape.blocks[b.Index].from; i < f.shape.blocks[b.Index].to; i++ {
		f.stale[i>>6] |= 1 << (i & 63)
	}
}

// next gives the first instruction from one on that has to be looked at, -1 if there is none.
func (f *Function) next(from int32) int32 {
	for w := int(from >> 6); w < len(f.stale); w++ {
		word := f.stale[w]
		if w == int(from>>6) {
			word &= ^uint64(0) << (from & 63)
		}
		if word != 0 {
			return int32(w<<6 + bits.TrailingZeros64(word))
		}
	}
	return -1
}

// again has an instruction looked at, if its block is executed; later, if another function is running.
func (s *Solver) again(f *Function, i int32) {
	if f.reached[f.shape.block[i]] {
		f.stale[i>>6] |= 1 << (i & 63)
		s.enqueue(f)
	}
}

// used has the instructions looked at that read a value.
func (s *Solver) used(f *Function, v ssa.Value) {
	for _, i := range f.shape.uses[v] {
		s.again(f, i)
	}
}
