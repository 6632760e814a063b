package sample

import (
	"bytes"

	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// This file writes a profile for other processes, and reads it strictly: what was not written here is refused.
//
//	format:     the kinds, the actors, then of each step its identity, parent + 1, kind, and what it is about. Kinds and
//	            actors come in the order in which steps name them first
//	checked by: profile_told_test.go; FuzzProfile

// encode writes the profile.
func (p *profile) encode() []byte {
	kinds, actors := make([]kind, len(p.kinds)), make([]trace.ID, max(len(p.often), 1))
	for k, i := range p.kinds {
		kinds[i] = k
	}
	for id, i := range p.actors {
		actors[i] = id
	}
	steps := make([]trace.ID, len(p.parent)) // one that comes twice has its identity where it came last
	for id, i := range p.steps {
		steps[i] = id
	}
	e := search.NewEncoder()
	e.Count(len(kinds))
	for _, k := range kinds {
		e.Byte(byte(k.step))
		e.ID(trace.ID{Hi: k.message, Lo: k.receiver})
	}
	e.List(actors[everybody+1:])
	e.Count(len(steps))
	from := int32(0)
	for i, id := range steps {
		e.ID(id)
		e.Count(int(p.parent[i] + 1))
		e.Count(int(p.kind[i]))
		e.Count(int(p.ends[i] - from))
		for ; from < p.ends[i]; from++ {
			e.Count(int(p.about[from]))
		}
	}
	return e.B
}

// decodeProfile reads what encode has written.
func decodeProfile(b []byte) (*profile, error) {
	if len(b) > search.MostTold {
		return nil, search.ErrTold
	}
	p := &profile{steps: map[trace.ID]int32{}, kinds: map[kind]int32{}, actors: map[trace.ID]int32{{}: everybody},
		often: []uint32{0}}
	d := search.NewDecoder(b, search.ErrTold)
	told := d.Count()
	for i := range int32(told) {
		step := trace.Kind(d.Byte())
		types := d.ID()
		p.kinds[kind{step, types.Hi, types.Lo}] = i
	}
	actors := d.List()
	for i, id := range actors {
		p.actors[id] = int32(i) + 1
	}
	if len(p.kinds) != told || len(p.actors) != len(actors)+1 { // one comes twice, or nobody is an actor
		d.Fail()
	}
	kinds, steps := 0, d.Count()
	for i := 0; i < steps && d.Err == nil; i++ {
		kinds = p.decodeStep(d, i, kinds)
	}
	// Only what is written like this is ours: each kind and actor is named, and no number is too long.
	if d.Err != nil || kinds != len(p.kinds) || len(p.often) != len(p.actors) || !bytes.Equal(p.encode(), b) {
		return nil, search.ErrTold
	}
	return p, nil
}

// decodeStep reads step i, before which so many kinds were named, and gives how many are named then.
func (p *profile) decodeStep(d *search.Decoder, i, kinds int) int {
	if id := d.ID(); !id.IsZero() {
		p.steps[id] = int32(i)
	}
	parent, kind := d.Uvarint(), d.Uvarint()
	if parent > uint64(i) || kind > uint64(kinds) || kind >= uint64(len(p.kinds)) {
		d.Fail()
		return kinds
	}
	p.parent, p.kind = append(p.parent, int32(parent)-1), append(p.kind, int32(kind))
	for range d.Count() {
		actor := d.Uvarint()
		switch {
		case actor > uint64(len(p.often)) || actor >= uint64(len(p.actors)):
			d.Fail()
			return kinds
		case actor == uint64(len(p.often)):
			p.often = append(p.often, 0)
		}
		p.often[actor]++
		p.about = append(p.about, int32(actor))
	}
	p.ends = append(p.ends, int32(len(p.about)))
	return max(kinds, int(kind)+1)
}
