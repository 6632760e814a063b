package search

import (
	"encoding/binary"
	"errors"
	"math"
)

// This file: outlines, and what finished branches teach, as bytes. What is read may be anybody's.
//
//	invariants: I1 whatever is read is finite, and no larger than what a search comes to
//	cost:       three bytes for an item that was done without a rest, ten to fifteen for a row of a table
//	checked by: surveycodec_test.go

var errSurvey = errors.New("what it says of the tree is damaged")

// mostExecutions is more than a search comes to.
const mostExecutions = 1 << 50

// AppendOutline writes the outline of an item.
func AppendOutline(b []byte, item int, o Outline) []byte {
	b = binary.AppendUvarint(b, uint64(item))
	b = binary.AppendUvarint(b, uint64(len(o)))
	for _, n := range o {
		b = binary.AppendUvarint(b, uint64(n.Parent))
		b = binary.AppendUvarint(b, uint64(n.Sum))
	}
	return b
}

// DecodeOutlines reads what AppendOutline has written, item after item.
func DecodeOutlines(b []byte) (map[int]Outline, error) {
	all, d := map[int]Outline{}, NewDecoder(b, errSurvey)
	for len(d.B) > 0 {
		id, o := int(d.upTo(math.MaxInt32)), Outline{}
		for k := range d.Count() {
			n := OutlineNode{Parent: int(d.upTo(uint64(max(k-1, 0)))), Sum: int(d.upTo(mostExecutions))}
			o = append(o, n)
		}
		if len(o) == 0 || all[id] != nil {
			d.Fail()
		}
		all[id] = o
	}
	return all, d.Err
}

// upTo reads a number that is no larger than this.
func (d *Decoder) upTo(most uint64) uint64 {
	n := d.Uvarint()
	if n > most {
		d.Fail()
		return 0
	}
	return n
}

// mostRows bounds what is told of a table: what is known of the last row is known of those behind.
const mostRows = 512

// Add adds what others have learned.
func (g *Growth) Add(o *Growth) {
	g.links.add(o.links)
	g.ends.add(o.ends)
}

func (t *table) add(o table) {
	for len(*t) < len(o) {
		*t = append(*t, link{})
	}
	for j := range o {
		l, m := &(*t)[j], &o[j]
		l.n, l.from, l.to = l.n+m.n, l.from+m.from, l.to+m.to
		l.logs, l.square, l.weight = l.logs+m.logs, l.square+m.square, l.weight+m.weight
	}
}

// Encode writes it, nil for nothing.
func (g *Growth) Encode() (b []byte) {
	if len(g.links)+len(g.ends) == 0 {
		return nil
	}
	for _, t := range []table{g.links, g.ends} {
		t = t[:min(len(t), mostRows)]
		for len(t) > 0 && t[len(t)-1].n == 0 { // of a node that was left at its first branches
			t = t[:len(t)-1]
		}
		b = binary.AppendUvarint(b, uint64(len(t)))
		for j := range t {
			l := &t[j]
			b = binary.AppendUvarint(b, uint64(l.n))
			b = binary.AppendUvarint(b, uint64(l.from))
			b = binary.AppendUvarint(b, uint64(l.to))
			b = binary.BigEndian.AppendUint32(b, math.Float32bits(float32(l.logs)))
			b = binary.BigEndian.AppendUint32(b, math.Float32bits(float32(l.square)))
		}
	}
	return b
}

// DecodeGrowth reads what Encode has written.
func DecodeGrowth(b []byte) (g Growth, err error) {
	if len(b) == 0 {
		return g, nil
	}
	d := NewDecoder(b, errSurvey)
	for _, t := range []*table{&g.links, &g.ends} {
		rows := d.upTo(mostRows)
		for range rows {
			l := link{n: int(d.upTo(mostExecutions)), from: float64(d.upTo(mostExecutions)), to: float64(d.upTo(mostExecutions))}
			l.logs, l.square, l.weight = d.float(), d.float(), l.from
			if l.n > 0 && (l.from == 0 || l.to <= l.from) || l.n == 0 && l != (link{}) {
				d.Fail()
			}
			*t = append(*t, l)
		}
	}
	if len(d.B) > 0 {
		d.Fail()
	}
	if d.Err != nil {
		return Growth{}, d.Err
	}
	return g, nil
}

// float reads a number that is not below 0, and no larger than what is counted can make it.
func (d *Decoder) float() float64 {
	if len(d.B) < 4 {
		d.Fail()
		return 0
	}
	f := float64(math.Float32frombits(binary.BigEndian.Uint32(d.B)))
	d.B = d.B[4:]
	if !(f >= 0 && f <= math.MaxFloat32) {
		d.Fail()
		return 0
	}
	return f
}
