package term

import (
	"fmt"
	"go/types"
)

// Kind is the kind of a sort.
type Kind uint8

const (
	BoolKind   Kind = iota + 1
	WordKind        // integers, with wrap-around
	FloatKind       // IEEE 754, with one NaN
	StringKind      // identity, length and concatenation
)

// Sort says which values a term may have. Sorts are comparable.
type Sort struct {
	Kind Kind
	Bits uint8 // of words 8, 16, 32, 64; of floats 32, 64; otherwise 0
}

// The sorts that there are.
var (
	Bool    = Sort{BoolKind, 0}
	Word8   = Sort{WordKind, 8}
	Word16  = Sort{WordKind, 16}
	Word32  = Sort{WordKind, 32}
	Word64  = Sort{WordKind, 64}
	Float32 = Sort{FloatKind, 32}
	Float64 = Sort{FloatKind, 64}
	String  = Sort{StringKind, 0}
)

// Word gives the sort of integers of that width.
func Word(bits int) Sort { return Sort{WordKind, uint8(bits)} }

// String names a sort, as in "word64".
func (s Sort) String() string {
	switch s.Kind {
	case BoolKind:
		return "bool"
	case WordKind:
		return fmt.Sprintf("word%d", s.Bits)
	case FloatKind:
		return fmt.Sprintf("float%d", s.Bits)
	case StringKind:
		return "string"
	}
	return "no sort"
}

// valid reports whether it is one of the sorts that there are.
func (s Sort) valid() bool {
	switch s {
	case Bool, Word8, Word16, Word32, Word64, Float32, Float64, String:
		return true
	}
	return false
}

// Mask has the bits of a word of this sort.
func (s Sort) Mask() uint64 { return ^uint64(0) >> (64 - s.Bits) }

// signBit is the highest bit of a word of this sort.
func (s Sort) signBit() uint64 { return 1 << (s.Bits - 1) }

// signed reads a word as a signed integer.
func (s Sort) signed(v uint64) int64 { return int64(v<<(64-s.Bits)) >> (64 - s.Bits) }

// Type is a sort as the operators of Go see it: a word is signed or not.
type Type struct {
	Sort
	Unsigned bool
}

// TypeOf gives the type of a value of Go, if it is one that terms have: booleans, integers, floats, strings, and types
// defined by them. Integers and pointers of the machine have 64 bits.
func TypeOf(t types.Type) (Type, bool) {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return Type{}, false
	}
	switch b.Kind() {
	case types.Bool, types.UntypedBool:
		return Type{Bool, false}, true
	case types.Int8:
		return Type{Word8, false}, true
	case types.Int16:
		return Type{Word16, false}, true
	case types.Int32, types.UntypedRune:
		return Type{Word32, false}, true
	case types.Int, types.Int64, types.UntypedInt:
		return Type{Word64, false}, true
	case types.Uint8:
		return Type{Word8, true}, true
	case types.Uint16:
		return Type{Word16, true}, true
	case types.Uint32:
		return Type{Word32, true}, true
	case types.Uint, types.Uint64, types.Uintptr:
		return Type{Word64, true}, true
	case types.Float32:
		return Type{Float32, false}, true
	case types.Float64, types.UntypedFloat:
		return Type{Float64, false}, true
	case types.String, types.UntypedString:
		return Type{String, false}, true
	}
	return Type{}, false
}
