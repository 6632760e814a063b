package trace

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"math/bits"
)

// ID identifies an actor, a message or a step. It is a hash of causes ([Bita13] III-B), so it is the same in every
// execution, process and machine in which the same thing happens for the same reasons. Differs: a message is counted
// per type and receiver, so that sending to the values of a map in another order changes no identity.
//
// With 128 bits, two of n identities collide with probability below n*n/2^129: under 10^-14 for a million million.
type ID struct{ Hi, Lo uint64 }

// Less orders identities; it breaks ties between steps of equal depth.
func (a ID) Less(b ID) bool { return a.Hi < b.Hi || a.Hi == b.Hi && a.Lo < b.Lo }

// Compare is the same order for package slices: below 0 if a is less than b, 0 if they are equal.
func (a ID) Compare(b ID) int { return cmp.Or(cmp.Compare(a.Hi, b.Hi), cmp.Compare(a.Lo, b.Lo)) }

// IsZero reports whether a is the absent identity.
func (a ID) IsZero() bool { return a == ID{} }

// String gives 32 hexadecimal digits.
func (a ID) String() string { return fmt.Sprintf("%016x%016x", a.Hi, a.Lo) }

// ParseID reads what String wrote.
func ParseID(s string) (ID, error) {
	b, err := hex.DecodeString(s)
	if err != nil || len(b) != 16 {
		return ID{}, fmt.Errorf("identity %q: want 32 hexadecimal digits", s)
	}
	var id ID
	for i := range 8 {
		id.Hi = id.Hi<<8 | uint64(b[i])
		id.Lo = id.Lo<<8 | uint64(b[i+8])
	}
	return id, nil
}

// With derives the identity of something that a caused; x tells it from the other things that a caused.
// Each lane is a bijection of its input before the lanes are crossed, so no input is lost to a zero factor.
func (a ID) With(x uint64) ID {
	h1, l1 := bits.Mul64(a.Hi^x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	h2, l2 := bits.Mul64(a.Lo^bits.RotateLeft64(x, 32)^0xbf58476d1ce4e5b9, 0xa0761d6478bd642f)
	return ID{avalanche(l1 ^ h2), avalanche(l2 ^ h1 ^ x)}
}

// WithID derives an identity from two.
func (a ID) WithID(b ID) ID { return a.With(b.Hi).With(b.Lo) }

func avalanche(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xe9846af9b1a615d
	x ^= x >> 32
	x *= 0xe9846af9b1a615d
	return x ^ x>>28
}

// HashString is the 64-bit FNV-1a hash of s, finished by an avalanche.
func HashString(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return avalanche(h)
}
