package parallel

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/internal/search"
)

// Parts are items as they travel and as they are kept: in JSON a text, in base64, of
//
//	how many there are, then of each: its number, how many steps it has in common with the one before, how many more it
//	has, these steps, the length of the rest, the rest
//
// where numbers are varints and a step has 16 bytes. Items of one search have most of their steps in common. If it is
// known where they lie in their tree, the text begins with 0 and 1, and each item ends with its spot. Earlier versions
// had no spots, or a list of objects, which are read too.
type Parts []Part

// MarshalJSON writes the text.
func (ps Parts) MarshalJSON() ([]byte, error) { return json.Marshal(ps.encode()) }

func (ps Parts) encode() []byte {
	var b, before []byte
	spots := slices.ContainsFunc(ps, func(p Part) bool { return p.Spot != search.Spot{} })
	if spots {
		b = append(b, withSpots...)
	}
	b = binary.AppendUvarint(b, uint64(len(ps)))
	for i := range ps {
		p := &ps[i]
		common := commonSteps(before, p.Steps)
		b = binary.AppendUvarint(b, uint64(p.ID))
		b = binary.AppendUvarint(b, uint64(common/perStep))
		b = binary.AppendUvarint(b, uint64((len(p.Steps)-common)/perStep))
		b = append(b, p.Steps[common:]...)
		b = binary.AppendUvarint(b, uint64(len(p.Rest)))
		b = append(b, p.Rest...)
		before = p.Steps
		if spots {
			for _, n := range []int{p.Spot.Of, p.Spot.Node, p.Spot.From, p.Spot.Many + 1} {
				b = binary.AppendUvarint(b, uint64(n))
			}
		}
	}
	return b
}

const perStep = 16 // bytes

// withSpots begins a list of which each item has its spot. No list without begins so: nothing follows none.
var withSpots = []byte{0, 1}

// commonSteps is the number of bytes of the steps that two items begin with.
func commonSteps(a, b []byte) int {
	n := 0
	if len(a) > 0 && len(b) > 0 && &a[0] == &b[0] {
		n = min(len(a), len(b)) / perStep * perStep // decodeParts has put them into one place
	}
	for n+perStep <= min(len(a), len(b)) && bytes.Equal(a[n:n+perStep], b[n:n+perStep]) {
		n += perStep
	}
	return n
}

// UnmarshalJSON reads the text, or the list of earlier versions. What is read may be anybody's.
func (ps *Parts) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, (*[]Part)(ps))
	}
	var b []byte
	if err := json.Unmarshal(data, &b); err != nil || b == nil {
		return err
	}
	list, err := decodeParts(b, &limits{items: math.MaxInt, steps: mostSteps, copies: mostSteps})
	if err != nil {
		return fmt.Errorf("items of a search: %w", err)
	}
	*ps = list
	return nil
}

// mostSteps bounds the bytes of the steps of all items that are read: common ones are short when they travel, and long
// for whoever looks at each item.
const mostSteps = 1 << 30

// limits are what may still be read. Several lists of a message have the same ones.
type limits struct {
	items  int // how many
	steps  int // bytes of the steps of all of them
	copies int // of these, bytes that two items have in common and not in one place
}

func decodeParts(b []byte, l *limits) (Parts, error) {
	b, spots := bytes.CutPrefix(b, withSpots)
	r := partReader{b: b}
	n := r.number()
	// Each has four bytes at least.
	if n < 0 || n > len(b)/4 {
		return nil, errCut
	}
	if n > l.items {
		return nil, fmt.Errorf("there are %d: at most %d are read", n, l.items)
	}
	l.items -= n
	ps := make(Parts, 0, n)
	var path path
	for range n {
		p := Part{ID: r.number()}
		common, more := r.number(), r.number()
		steps := r.bytes(more, perStep)
		rest := r.number()
		p.Rest = r.bytes(rest, 1)
		if spots {
			p.Spot = search.Spot{Of: r.number(), Node: r.number(), From: r.number(), Many: r.number() - 1}
		}
		if r.bad || common > path.steps/perStep {
			return nil, errCut
		}
		if l.steps -= common*perStep + len(steps); l.steps < 0 {
			return nil, fmt.Errorf("their steps have more than %d bytes", mostSteps)
		}
		if l.copies -= path.follow(common*perStep, steps); l.copies < 0 {
			return nil, fmt.Errorf("their steps have more than %d bytes that are those of others too", mostCopies)
		}
		p.Steps = path.item()
		ps = append(ps, p)
	}
	if len(r.b) > 0 {
		return nil, errors.New("something follows the last one")
	}
	return ps, nil
}

// path has the steps of the items that are read. Those of a search are mostly beginnings of one path: they are in one
// place.
//
//	invariants: I1 what was written behind an item is not changed
type path struct {
	all   []byte
	steps int // bytes of the item: the first ones
}

// follow goes to the next item: so many bytes of the one before, and the given ones. It gives how many were copied.
func (p *path) follow(common int, steps []byte) (copied int) {
	known := commonSteps(p.all[common:], steps)
	switch {
	case known == len(steps): // it is on the path
	case common+known == len(p.all):
		p.all = append(p.all, steps[known:]...)
	default:
		p.all = append(append(make([]byte, 0, common+len(steps)), p.all[:common]...), steps...)
		copied = common
	}
	p.steps = common + len(steps)
	return copied
}

// item gives the steps of the item, nil for none.
func (p *path) item() []byte {
	if p.steps == 0 {
		return nil
	}
	return p.all[:p.steps:p.steps]
}

var errCut = errors.New("they are cut short, or no items")

// partReader reads numbers and bytes until something is wrong.
type partReader struct {
	b   []byte
	bad bool
}

func (r *partReader) number() int {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > 1<<40 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

// bytes reads n times so many, nil for none.
func (r *partReader) bytes(n, each int) []byte {
	if n == 0 || r.bad || n > len(r.b)/each {
		r.bad = r.bad || n != 0
		return nil
	}
	b := r.b[: n*each : n*each]
	r.b = r.b[n*each:]
	return b
}
