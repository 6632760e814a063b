package term

import "math/bits"

// maxLen bounds the length of a string: a machine of 64 bits addresses no more.
const maxLen = 1 << 47

// rangeDepth is how deep signedRange looks: ranges are made again at every question, so they have to be cheap.
const rangeDepth = 4

// signedRange gives the least and the greatest value that a word may have, read as signed, as far as its structure
// tells.
func signedRange(t *Term, depth int) (lo, hi int64) {
	lo, hi = least(t.Sort), greatest(t.Sort)
	if depth == 0 {
		return lo, hi
	}
	switch t.Op {
	case OpConst:
		v := t.Sort.signed(t.Val)
		return v, v
	case OpLen:
		return 0, maxLen
	case OpIf:
		alo, ahi := signedRange(t.Args[1], depth-1)
		blo, bhi := signedRange(t.Args[2], depth-1)
		return min(alo, blo), max(ahi, bhi)
	case OpSExtend, OpZExtend, OpTruncate:
		return rangeOfWidth(t, lo, hi, depth)
	case OpBitAnd, OpBitOr, OpBitXor:
		return rangeOfBits(t, lo, hi, depth)
	case OpSDiv, OpUDiv, OpSRem, OpURem:
		return rangeOfQuotient(t, lo, hi, depth)
	case OpSShr, OpUShr:
		return rangeOfShift(t, lo, hi, depth)
	case OpSum:
		return rangeOfSum(t, lo, hi, depth)
	case OpMul:
		return rangeOfProduct(t, lo, hi, depth)
	}
	return lo, hi
}

func least(s Sort) int64    { return s.signed(s.signBit()) }
func greatest(s Sort) int64 { return s.signed(s.signBit() - 1) }

// nonNegative reports whether a word, read as signed, is known to be 0 or more: then signed and unsigned operations
// agree.
func nonNegative(t *Term) bool {
	lo, _ := signedRange(t, rangeDepth)
	return lo >= 0
}

func rangeOfWidth(t *Term, lo, hi int64, depth int) (int64, int64) {
	alo, ahi := signedRange(t.Args[0], depth-1)
	switch {
	case t.Op == OpZExtend && alo < 0:
		return 0, int64(t.Args[0].Sort.Mask())
	case t.Op == OpTruncate && (alo < lo || ahi > hi):
		return lo, hi
	}
	return alo, ahi
}

func rangeOfBits(t *Term, lo, hi int64, depth int) (int64, int64) {
	all, some := true, false
	least, greatest := hi, int64(0) // upper ends of those that are not negative
	for _, a := range t.Args {
		alo, ahi := signedRange(a, depth-1)
		if alo < 0 {
			all = false
			continue
		}
		some = true
		least, greatest = min(least, ahi), max(greatest, ahi)
	}
	switch {
	case t.Op == OpBitAnd && some:
		return 0, least
	case t.Op != OpBitAnd && all:
		return 0, int64(1)<<bits.Len64(uint64(greatest)) - 1
	}
	return lo, hi
}

// rangeOfQuotient knows constant divisors alone, since a divisor that may be 0 gives anything.
func rangeOfQuotient(t *Term, lo, hi int64, depth int) (int64, int64) {
	d := t.Sort.signed(t.Args[1].Val)
	if !t.Args[1].Const() || d <= 0 {
		return lo, hi
	}
	alo, ahi := signedRange(t.Args[0], depth-1)
	switch {
	case t.Op == OpSDiv:
		return alo / d, ahi / d
	case t.Op == OpUDiv && alo >= 0:
		return alo / d, ahi / d
	case t.Op == OpUDiv && d > 1:
		return 0, int64(t.Sort.Mask() / uint64(d))
	case t.Op == OpUDiv:
		return lo, hi
	case alo >= 0:
		return 0, min(ahi, d-1)
	case t.Op == OpURem:
		return 0, d - 1
	}
	return max(alo, 1-d), max(0, min(ahi, d-1))
}

func rangeOfShift(t *Term, lo, hi int64, depth int) (int64, int64) {
	alo, ahi := signedRange(t.Args[0], depth-1)
	count := t.Args[1]
	known := count.Const() && count.Val < uint64(t.Sort.Bits)
	switch {
	case alo >= 0 && known:
		return alo >> count.Val, ahi >> count.Val
	case alo >= 0:
		return 0, ahi
	case t.Op == OpSShr && known:
		return alo >> count.Val, ahi >> count.Val
	case t.Op == OpSShr:
		return alo, max(ahi, -1)
	case known && count.Val > 0:
		return 0, int64(t.Sort.Mask() >> count.Val)
	}
	return lo, hi
}

func rangeOfSum(t *Term, lo, hi int64, depth int) (int64, int64) {
	slo := t.Sort.signed(t.Val)
	shi := slo
	for i, a := range t.Args {
		alo, ahi := signedRange(a, depth-1)
		c := t.Sort.signed(t.Coef[i])
		if c < 0 {
			alo, ahi = ahi, alo
		}
		plo, ok1 := product(c, alo)
		phi, ok2 := product(c, ahi)
		nlo, ok3 := sum(slo, plo)
		nhi, ok4 := sum(shi, phi)
		if !(ok1 && ok2 && ok3 && ok4) {
			return lo, hi
		}
		slo, shi = nlo, nhi
	}
	if slo < lo || shi > hi {
		return lo, hi
	}
	return slo, shi
}

func rangeOfProduct(t *Term, lo, hi int64, depth int) (int64, int64) {
	plo, phi := int64(1), int64(1)
	for _, a := range t.Args {
		alo, ahi := signedRange(a, depth-1)
		var corners [4]int64
		ok := true
		for i, pair := range [4][2]int64{{plo, alo}, {plo, ahi}, {phi, alo}, {phi, ahi}} {
			c, fits := product(pair[0], pair[1])
			corners[i], ok = c, ok && fits
		}
		if !ok {
			return lo, hi
		}
		plo = min(corners[0], corners[1], corners[2], corners[3])
		phi = max(corners[0], corners[1], corners[2], corners[3])
	}
	if plo < lo || phi > hi {
		return lo, hi
	}
	return plo, phi
}

// product multiplies, and reports whether the result fits.
func product(a, b int64) (int64, bool) {
	p := a * b
	if a == 0 || b == 0 {
		return 0, true
	}
	return p, p/b == a && !(a == -1 && b == least(Word64)) && !(b == -1 && a == least(Word64))
}

// sum adds, and reports whether the result fits.
func sum(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}
