package prove

import (
	"go/constant"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

// base is an integer: a value, or the length of one. Without a value it is 0.
type base struct {
	v      ssa.Value
	length bool
}

// node is an integer with a number that is added to it in mathematics, without overflow.
type node struct {
	base
	add int64
}

var zero = node{}

// plus adds in mathematics. ok: the number that is added stays within 64 bits.
func (n node) plus(k int64) (node, bool) {
	if k > 0 && n.add > math.MaxInt64-k || k < 0 && n.add < math.MinInt64-k {
		return n, false
	}
	n.add += k
	return n, true
}

// counts reports whether a type is of signed integers of 64 bits.
func counts(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && (basic.Kind() == types.Int || basic.Kind() == types.Int64)
}

// nodeOf gives the node of a value.
func nodeOf(v ssa.Value) node {
	switch v := v.(type) {
	case *ssa.Const:
		if k, ok := number(v); ok {
			return node{add: k}
		}
	case *ssa.ChangeType:
		if counts(v.X.Type()) {
			return nodeOf(v.X)
		}
	case *ssa.Call:
		if isBuiltin(v, "len") && fixed(v.Call.Args[0].Type()) {
			return lengthOf(v.Call.Args[0])
		}
	}
	return node{base: base{v: v}}
}

// number gives the integer that a constant is.
func number(v ssa.Value) (int64, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0, false
	}
	return constant.Int64Val(c.Value)
}

func isBuiltin(v ssa.Value, name string) bool {
	c, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := c.Call.Value.(*ssa.Builtin)
	return ok && b.Name() == name
}

// fixed reports whether a value of a type has always the same length. A map or a channel has not.
func fixed(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return true
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Pointer:
		return true // to an array
	}
	return false
}

// lengthOf gives the node of the length of a slice, an array or a string.
func lengthOf(v ssa.Value) node {
	if n, ok := arrayLength(v.Type()); ok {
		return node{add: n}
	}
	switch v := v.(type) {
	case *ssa.Const:
		switch {
		case v.Value == nil: // a nil slice
			return zero
		case v.Value.Kind() == constant.String:
			return node{add: int64(len(constant.StringVal(v.Value)))}
		}
	case *ssa.ChangeType:
		return lengthOf(v.X)
	case *ssa.MakeSlice:
		if counts(v.Len.Type()) {
			return nodeOf(v.Len)
		}
	case *ssa.Slice:
		return sliceLength(v)
	}
	return node{base: base{v: v, length: true}}
}

// sliceLength is high - low, where that is a node. The slice was made, so its bounds were in range and nothing
// overflows.
func sliceLength(v *ssa.Slice) node {
	whole := node{base: base{v: v, length: true}}
	low := int64(0)
	if v.Low != nil {
		k, ok := number(v.Low)
		if !ok || k < 0 {
			return whole
		}
		low = k
	}
	high := lengthOf(v.X)
	if v.High != nil {
		if !counts(v.High.Type()) {
			return whole
		}
		high = nodeOf(v.High)
	}
	if length, ok := high.plus(-low); ok {
		return length
	}
	return whole
}

// arrayLength gives the length of an array, or of that to which a pointer leads.
func arrayLength(t types.Type) (int64, bool) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		return a.Len(), true
	}
	return 0, false
}

// sameBase reports whether two bases are the same number.
func (p *prover) sameBase(a, b base) bool {
	if a.v == nil || b.v == nil {
		return a.v == b.v
	}
	return a.length == b.length && p.same(a.v, b.v, depth)
}
