package term

import (
	"fmt"
	"math"
	"strconv"
)

// Value is a value of Go that a term may have. Values are comparable: equal ones are the same value, NaN included.
type Value struct {
	Sort Sort
	Bits uint64 // of a boolean 0 or 1; of a word its bits; of a float its IEEE bits, NaN always math.NaN's
	Text string // of a string
}

// BoolValue is a boolean.
func BoolValue(b bool) Value {
	v := Value{Sort: Bool}
	if b {
		v.Bits = 1
	}
	return v
}

// WordValue is a word: v wrapped around to the width of the sort.
func WordValue(sort Sort, v uint64) Value { return Value{Sort: sort, Bits: v & sort.Mask()} }

// FloatValue is a float, rounded to the width of the sort.
func FloatValue(sort Sort, f float64) Value { return Value{Sort: sort, Bits: floatBits(sort, f)} }

// TextValue is a string.
func TextValue(s string) Value { return Value{Sort: String, Text: s} }

// Bool is the value of a boolean.
func (v Value) Bool() bool { return v.Bits == 1 }

// Int is the value of a word, read as signed.
func (v Value) Int() int64 { return v.Sort.signed(v.Bits) }

// Uint is the value of a word, read as unsigned.
func (v Value) Uint() uint64 { return v.Bits }

// Float is the value of a float.
func (v Value) Float() float64 { return floatOf(v.Sort, v.Bits) }

// String writes the value as a constant of Go, words as signed.
func (v Value) String() string {
	switch v.Sort.Kind {
	case BoolKind:
		return strconv.FormatBool(v.Bool())
	case WordKind:
		return strconv.FormatInt(v.Int(), 10)
	case FloatKind:
		return formatFloat(v)
	case StringKind:
		return strconv.Quote(v.Text)
	}
	return fmt.Sprintf("value of no sort %v", v.Sort)
}

// formatFloat writes a float so that Go reads the same one.
func formatFloat(v Value) string {
	f := v.Float()
	switch {
	case f != f:
		return "math.NaN()"
	case math.IsInf(f, 1):
		return "math.Inf(1)"
	case math.IsInf(f, -1):
		return "math.Inf(-1)"
	case f == 0 && math.Signbit(f):
		return "math.Copysign(0, -1)"
	}
	s := strconv.FormatFloat(f, 'g', -1, int(v.Sort.Bits))
	if _, err := strconv.Atoi(s); err == nil {
		s += ".0"
	}
	return s
}

// Entry is a row of a function's table.
type Entry struct {
	Args   []Value
	Result Value
}

// Model gives values to variables and functions. What it does not name has the zero value of its sort.
type Model struct {
	Vars  map[*Term]Value    // by variable
	Funcs map[string][]Entry // by Signature; rows have different arguments
}
