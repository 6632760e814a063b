package search

import (
	"encoding/binary"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file and the next write and read the items of a divided search as bytes: numbers, flags and identities.
//
//	itemencoder.go  what is written
//	itemdecoder.go  the same, read from bytes that may be damaged
//
// The search decides what an item consists of: see internal/dpor and internal/reverse.
//
//	source:     ours
//	invariants: I1 what is written is read again as it was; of damaged bytes the decoder says so, and takes no memory for
//	               what is not there
//	cost:       17 bytes for an identity the first time, one or two from then on
//	checked by: itemcodec_test.go; the tests of both searches, which read damaged items

// Undivided reports whether an item is the search that nobody has divided yet.
func Undivided(item explore.Item) bool { return len(item.Steps) == 0 && len(item.Rest) == 0 }

// Encoder writes one part of an item. Numbers are of variable length. An identity is its number among those of the same
// part, and follows the number if it is new.
type Encoder struct {
	B   []byte // what was written
	ids map[trace.ID]uint64
}

// NewEncoder makes an encoder that has written nothing.
func NewEncoder() *Encoder { return &Encoder{ids: map[trace.ID]uint64{}} }

// Byte writes a byte.
func (e *Encoder) Byte(b byte) { e.B = append(e.B, b) }

// Count writes a number, or how many follow.
func (e *Encoder) Count(n int) { e.B = binary.AppendUvarint(e.B, uint64(n)) }

// Flags writes up to eight flags in a byte.
func (e *Encoder) Flags(flags ...bool) {
	bits := byte(0)
	for i, f := range flags {
		if f {
			bits |= 1 << i
		}
	}
	e.B = append(e.B, bits)
}

// ID writes an identity.
func (e *Encoder) ID(id trace.ID) {
	n, ok := e.ids[id]
	if !ok {
		n = uint64(len(e.ids))
		e.ids[id] = n
	}
	e.B = binary.AppendUvarint(e.B, n)
	if !ok {
		e.B = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(e.B, id.Hi), id.Lo)
	}
}

// List writes identities and their number.
func (e *Encoder) List(ids []trace.ID) {
	e.Count(len(ids))
	for _, id := range ids {
		e.ID(id)
	}
}
