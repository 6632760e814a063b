package search

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

var errBad = errors.New("bad")

// written is what a random part of an item holds.
type written struct {
	count int
	flags [3]bool
	ids   []trace.ID
	end   byte
}

// part writes random values. Identities come again and again.
func part(r *rand.Rand) (w written, b []byte) {
	w = written{count: r.IntN(1 << r.IntN(30)), end: byte(r.IntN(256))}
	for i := range w.flags {
		w.flags[i] = r.IntN(2) == 0
	}
	for range r.IntN(8) {
		w.ids = append(w.ids, trace.ID{Hi: uint64(r.IntN(2)), Lo: uint64(r.IntN(3))})
	}
	e := NewEncoder()
	e.Count(w.count)
	e.Flags(w.flags[:]...)
	e.List(w.ids)
	e.Byte(w.end)
	return w, e.B
}

// read reads the same.
func read(d *Decoder) (w written) {
	w.count = int(d.Uvarint())
	d.Flags(&w.flags[0], &w.flags[1], &w.flags[2])
	w.ids = d.List()
	w.end = d.Byte()
	return w
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		want, b := part(r)
		d := NewDecoder(b, errBad)
		got := read(d)
		same := got.count == want.count && got.flags == want.flags && got.end == want.end && slices.Equal(got.ids, want.ids)
		if d.Err != nil || len(d.B) > 0 || !same {
			t.Fatalf("%+v was read as %+v, %d bytes are left, %v", want, got, len(d.B), d.Err)
		}
	}
}

// An identity is written once.
func TestIdentitiesAreNumbered(t *testing.T) {
	e := NewEncoder()
	e.List([]trace.ID{{Lo: 1}, {Lo: 1}, {Lo: 2}, {Lo: 1}})
	if want := 1 + 2*17 + 2; len(e.B) != want {
		t.Errorf("%d bytes, want %d", len(e.B), want)
	}
}

// Bytes that end too early are refused wherever that is, and what is read from then on is zero.
func TestShortPartsAreRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		_, b := part(r)
		for n := range b {
			d := NewDecoder(b[:n], errBad)
			read(d)
			if !errors.Is(d.Err, errBad) {
				t.Fatalf("%d of %d bytes are read: %v", n, len(b), d.Err)
			}
			if id := d.ID(); !id.IsZero() || d.Count() != 0 || d.Byte() != 0 || d.List() != nil {
				t.Fatalf("something is read after %v", d.Err)
			}
		}
	}
}

// A count beyond what is there, and a number of an identity that was not written, are refused before memory is taken
// for them.
func TestNumbersBeyondWhatIsThere(t *testing.T) {
	e := NewEncoder()
	e.Count(1 << 40)
	for name, f := range map[string]func(d *Decoder){
		"count":    func(d *Decoder) { d.Count() },
		"list":     func(d *Decoder) { d.List() },
		"identity": func(d *Decoder) { d.ID() },
	} {
		d := NewDecoder(e.B, errBad)
		if f(d); !errors.Is(d.Err, errBad) {
			t.Errorf("%s: %v", name, d.Err)
		}
	}
}
