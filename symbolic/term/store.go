package term

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Op is what a term does with its arguments.
type Op uint8

// The operations, in the order in which arguments that commute are sorted: what is simplest comes first.
const (
	OpVar   Op = iota + 1
	OpLen      // of a string, a word of 64 bits, never negative
	OpApply    // a function of which nothing is known but that it is one

	OpNot
	OpAnd // two or more
	OpOr  // two or more
	OpEq  // of booleans, words, strings; floats that are the same value, NaN included
	OpSLess
	OpULess
	OpIf // condition, then, else; of any sort

	OpMul    // two or more, none a constant
	OpSDiv   // truncated
	OpUDiv   //
	OpSRem   // has the sign of the dividend
	OpURem   //
	OpBitAnd // two or more
	OpBitOr  // two or more
	OpBitXor // two or more
	OpShl    // the count may have another width
	OpSShr   // fills with the sign
	OpUShr   // fills with zeros
	OpSExtend
	OpZExtend
	OpTruncate
	OpSum // Val + Coef[0]*Args[0] + ...

	OpFAdd
	OpFSub
	OpFMul
	OpFDiv
	OpFNeg
	OpFEqual  // Go's ==: NaN differs from itself, 0 equals -0
	OpFLess   // Go's <
	OpFAtMost // Go's <=
	OpSToF    // signed word to float
	OpUToF    // unsigned word to float
	OpFToS    // float to signed word
	OpFToU    // float to unsigned word
	OpFToF    // between the widths

	OpConcat // two or more
	OpTextLess
	OpConst // last, so that constants end a list
)

// opNames are the operations as an error names them.
var opNames = [...]string{OpVar: "variable", OpLen: "len", OpApply: "apply", OpNot: "not", OpAnd: "and", OpOr: "or",
	OpEq: "equal", OpSLess: "sless", OpULess: "uless",
	OpIf: "if", OpMul: "mul", OpSDiv: "sdiv", OpUDiv: "udiv", OpSRem: "srem", OpURem: "urem", OpBitAnd: "bitand",
	OpBitOr: "bitor", OpBitXor: "bitxor", OpShl: "shl",
	OpSShr: "sshr", OpUShr: "ushr", OpSExtend: "sextend", OpZExtend: "zextend", OpTruncate: "truncate", OpSum: "sum",
	OpFAdd: "fadd", OpFSub: "fsub", OpFMul: "fmul",
	OpFDiv: "fdiv", OpFNeg: "fneg", OpFEqual: "fequal", OpFLess: "fless", OpFAtMost: "fatmost", OpSToF: "stof",
	OpUToF: "utof", OpFToS: "ftos", OpFToU: "ftou",
	OpFToF: "ftof", OpConcat: "concat", OpTextLess: "textless", OpConst: "constant"}

// String names the operation.
func (op Op) String() string {
	if int(op) < len(opNames) && opNames[op] != "" {
		return opNames[op]
	}
	return fmt.Sprintf("operation %d", uint8(op))
}

// Term is a value made of operations, variables and constants. Do not change one, and make one by a Store alone.
type Term struct {
	Op   Op
	Sort Sort
	Args []*Term
	Coef []uint64 // of a sum, one for each argument, none 0
	Val  uint64   // of a constant: 0 or 1, the bits of a word, the IEEE bits of a float; of a sum: its constant
	Name string   // of a variable or function; the text of a constant string
	ID   int      // in the order of creation, from 1; for memory of those who look at terms
}

// Store makes terms. Equal terms of one store are one pointer. A store is for one goroutine at a time.
type Store struct {
	terms map[string]*Term
	key   []byte // scratch
	plain bool   // no simplification: for the twin that the simplifier is tested against

	truth, falsity *Term
	negations      map[*Term]*Term
}

// NewStore gives an empty store.
func NewStore() *Store {
	s := &Store{terms: map[string]*Term{}, negations: map[*Term]*Term{}}
	s.truth = s.intern(Term{Op: OpConst, Sort: Bool, Val: 1})
	s.falsity = s.intern(Term{Op: OpConst, Sort: Bool})
	return s
}

// NewPlain gives a store that does not simplify: for twins, which compare what is simplified with what is not.
func NewPlain() *Store {
	s := NewStore()
	s.plain = true
	return s
}

// Count counts the terms made so far.
func (s *Store) Count() int { return len(s.terms) }

// intern gives the term with that content.
func (s *Store) intern(t Term) *Term {
	k := append(s.key[:0], byte(t.Op), byte(t.Sort.Kind), t.Sort.Bits)
	k = binary.AppendUvarint(k, t.Val)
	k = binary.AppendUvarint(k, uint64(len(t.Name)))
	k = append(k, t.Name...)
	for _, a := range t.Args {
		k = binary.AppendUvarint(k, uint64(a.ID))
	}
	for _, c := range t.Coef {
		k = binary.AppendUvarint(k, c)
	}
	s.key = k
	if known := s.terms[string(k)]; known != nil {
		return known
	}
	t.ID = len(s.terms) + 1
	made := t
	s.terms[string(k)] = &made
	return &made
}

// make interns an operation on arguments.
func (s *Store) make(op Op, sort Sort, args ...*Term) *Term {
	return s.intern(Term{Op: op, Sort: sort, Args: args})
}

// Var gives the variable of that name and sort.
func (s *Store) Var(name string, sort Sort) *Term {
	if !sort.valid() || name == "" {
		panic(fmt.Sprintf("term: variable %q of %v", name, sort))
	}
	return s.intern(Term{Op: OpVar, Sort: sort, Name: name})
}

// Apply gives the result of a function of which nothing is known but that equal arguments give equal results. Functions
// are told apart by name and by the sorts of arguments and result.
func (s *Store) Apply(name string, result Sort, args ...*Term) *Term {
	if !result.valid() || name == "" {
		panic(fmt.Sprintf("term: function %q with a result of %v", name, result))
	}
	return s.intern(Term{Op: OpApply, Sort: result, Name: name, Args: slices.Clone(args)})
}

// Bool gives true or false.
func (s *Store) Bool(b bool) *Term {
	if b {
		return s.truth
	}
	return s.falsity
}

// Int gives a constant word: v wrapped around to its width.
func (s *Store) Int(sort Sort, v int64) *Term { return s.word(sort, uint64(v)) }

// Uint gives a constant word: v wrapped around to its width.
func (s *Store) Uint(sort Sort, v uint64) *Term { return s.word(sort, v) }

func (s *Store) word(sort Sort, v uint64) *Term {
	want(sort.Kind == WordKind && sort.valid(), "constant word of %v", sort)
	return s.intern(Term{Op: OpConst, Sort: sort, Val: v & sort.Mask()})
}

// Float gives a constant float: f rounded to its width. All NaNs are one.
func (s *Store) Float(sort Sort, f float64) *Term {
	want(sort.Kind == FloatKind && sort.valid(), "constant float of %v", sort)
	return s.intern(Term{Op: OpConst, Sort: sort, Val: floatBits(sort, f)})
}

// Text gives a constant string.
func (s *Store) Text(text string) *Term {
	return s.intern(Term{Op: OpConst, Sort: String, Name: text})
}

// Const gives the constant of a value.
func (s *Store) Const(v Value) *Term {
	return s.intern(Term{Op: OpConst, Sort: v.Sort, Val: v.Bits, Name: v.Text})
}

// floatBits gives the bits of f in that width, of NaN always the same ones.
func floatBits(sort Sort, f float64) uint64 {
	switch {
	case f != f && sort.Bits == 32:
		return 0x7fc00000
	case f != f:
		return 0x7ff8000000000000
	case sort.Bits == 32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// floatOf reads the bits of a float of that width.
func floatOf(sort Sort, bits uint64) float64 {
	if sort.Bits == 32 {
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// Const reports whether it is a constant.
func (t *Term) Const() bool { return t.Op == OpConst }

// True reports whether it is the constant true.
func (t *Term) True() bool { return t.Op == OpConst && t.Sort == Bool && t.Val == 1 }

// False reports whether it is the constant false.
func (t *Term) False() bool { return t.Op == OpConst && t.Sort == Bool && t.Val == 0 }

// is reports whether it is that constant word.
func (t *Term) is(v uint64) bool { return t.Op == OpConst && t.Val == v&t.Sort.Mask() }

// Value gives the value of a constant.
func (t *Term) Value() Value {
	want(t.Const(), "the value of %v, which is no constant", t)
	return Value{Sort: t.Sort, Bits: t.Val, Text: t.Name}
}

// Signature tells functions apart: by name, sorts of arguments and result.
func (t *Term) Signature() string {
	var b strings.Builder
	b.WriteString(t.Name)
	b.WriteByte('(')
	for i, a := range t.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(a.Sort.String())
	}
	b.WriteString(") ")
	b.WriteString(t.Sort.String())
	return b.String()
}

// want panics where a caller breaks a law of this package: sorts that do not fit are a mistake of the program that
// makes the terms.
func want(ok bool, format string, args ...any) {
	if !ok {
		panic("term: " + fmt.Sprintf(format, args...))
	}
}

// Compare orders terms by content: variables by name before what is made of them, constants last. It is 0 for equal
// terms alone, also of different stores.
func Compare(a, b *Term) int {
	if a == b {
		return 0
	}
	if c := cmp.Compare(a.Op, b.Op); c != 0 {
		return c
	}
	if c := cmp.Or(cmp.Compare(a.Sort.Kind, b.Sort.Kind), cmp.Compare(a.Sort.Bits, b.Sort.Bits),
		cmp.Compare(a.Name, b.Name), cmp.Compare(len(a.Args), len(b.Args))); c != 0 {
		return c
	}
	for i := range a.Args {
		if c := Compare(a.Args[i], b.Args[i]); c != 0 {
			return c
		}
	}
	return cmp.Or(slices.Compare(a.Coef, b.Coef), cmp.Compare(a.Val, b.Val))
}
