package streams

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
)

// An envelope is the bytes of a message:
//
//	offset  bytes
//	0       1      'R'
//	1       1      1, the version
//	2       1      0: the data follow; 1: they are an object
//	3       16     random: tells two publishers of the same bytes apart, and names the object
//	19      8      of an object: its size, big-endian
//	27      32     of an object: the SHA-256 of its bytes
const (
	headLength      = 19
	referenceLength = headLength + 8 + sha256.Size
	magic           = 'R'
	version         = 1
	kindData        = 0
	kindObject      = 1
)

// MaxData bounds the data of a task or a result, in bytes. More is refused by who sends and by who receives.
const MaxData = 64 << 20

// envelope is a message taken apart.
type envelope struct {
	nonce  [16]byte
	data   []byte // nil if they are an object
	object bool
	size   int64
	digest [sha256.Size]byte
}

func newEnvelope(data []byte, asObject bool) (*envelope, error) {
	e := &envelope{object: asObject}
	if _, err := rand.Read(e.nonce[:]); err != nil {
		return nil, fmt.Errorf("no random number for a message: %w", err)
	}
	if asObject {
		e.size, e.digest = int64(len(data)), sha256.Sum256(data)
	} else {
		e.data = data
	}
	return e, nil
}

func (e *envelope) encode() []byte {
	kind := byte(kindData)
	if e.object {
		kind = kindObject
	}
	b := append([]byte{magic, version, kind}, e.nonce[:]...)
	if !e.object {
		return append(b, e.data...)
	}
	return append(binary.BigEndian.AppendUint64(b, uint64(e.size)), e.digest[:]...)
}

// decode takes the bytes of a message apart. They come from the network: any bytes give an envelope or an error. The
// data of the envelope are a part of b.
func decode(b []byte) (*envelope, error) {
	if len(b) < headLength || b[0] != magic {
		return nil, errors.New("it is no message of Rehearse")
	}
	if b[1] != version {
		return nil, fmt.Errorf("it is a message of version %d: want %d, of the same version of Rehearse", b[1], version)
	}
	e := &envelope{nonce: [16]byte(b[3:headLength])}
	switch b[2] {
	case kindData:
		e.data = b[headLength:]
		return e, nil
	case kindObject:
		if len(b) != referenceLength {
			return nil, fmt.Errorf("its reference to an object has %d bytes: want %d", len(b), referenceLength)
		}
		size := binary.BigEndian.Uint64(b[headLength:])
		if size > MaxData {
			return nil, fmt.Errorf("it refers to an object of %d bytes: at most %d are read", size, MaxData)
		}
		e.object, e.size, e.digest = true, int64(size), [sha256.Size]byte(b[headLength+8:])
		return e, nil
	}
	return nil, fmt.Errorf("it is a message of kind %d, which is not known", b[2])
}

// name is what the object is called.
func (e *envelope) name() string { return hex.EncodeToString(e.nonce[:]) }
