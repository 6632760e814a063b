package search

import (
	"encoding/binary"

	"github.com/rehearse-go/rehearse/trace"
)

// Decoder reads one part of an item until something is wrong; then all is zero, and Err says so.
type Decoder struct {
	B   []byte // what is left
	Err error  // what is wrong
	bad error
	ids []trace.ID
}

// NewDecoder makes a decoder of b. Its Err is bad where these bytes are none that were written.
func NewDecoder(b []byte, bad error) *Decoder { return &Decoder{B: b, bad: bad} }

// Fail says that something is wrong.
func (d *Decoder) Fail() {
	if d.Err == nil {
		d.Err = d.bad
	}
	d.B, d.ids = nil, nil
}

// Uvarint reads a number.
func (d *Decoder) Uvarint() uint64 {
	n, k := binary.Uvarint(d.B)
	if k <= 0 {
		d.Fail()
		return 0
	}
	d.B = d.B[k:]
	return n
}

// Count reads how many follow: each has a byte at least.
func (d *Decoder) Count() int {
	n := d.Uvarint()
	if n > uint64(len(d.B)) {
		d.Fail()
		return 0
	}
	return int(n)
}

// Byte reads a byte.
func (d *Decoder) Byte() byte {
	if len(d.B) == 0 {
		d.Fail()
		return 0
	}
	b := d.B[0]
	d.B = d.B[1:]
	return b
}

// Flags reads what Encoder.Flags has written.
func (d *Decoder) Flags(flags ...*bool) {
	b := d.Byte()
	for i, f := range flags {
		*f = b&(1<<i) != 0
	}
}

// ID reads an identity.
func (d *Decoder) ID() trace.ID {
	n := d.Uvarint()
	switch {
	case n < uint64(len(d.ids)):
		return d.ids[n]
	case n > uint64(len(d.ids)) || len(d.B) < 16:
		d.Fail()
		return trace.ID{}
	}
	id := trace.ID{Hi: binary.BigEndian.Uint64(d.B), Lo: binary.BigEndian.Uint64(d.B[8:])}
	d.B, d.ids = d.B[16:], append(d.ids, id)
	return id
}

// List reads identities.
func (d *Decoder) List() (ids []trace.ID) {
	for range d.Count() {
		ids = append(ids, d.ID())
	}
	return ids
}
