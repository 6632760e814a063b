package reverse

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// This file divides a reverse search. An item is one class with all below it: how it begins, up to its last deviation,
// and how that beginning is read. Nothing else is needed, so items share nothing and overlap in nothing. Of a class
// with very many children an item is several of these: siblings.go.
//
//	source:     ours; the tree can be walked from any of its nodes, as that of [AF96]
//	invariants: a child is either given away or visited
//	cost:       an item has the size of its beginning; taking it up executes that once more
//	checked by: divide_test.go; internal/parallel

var _ explore.Divisible = (*Search)(nil)

// errItem is what Take says of an item that Split never made.
var errItem = errors.New("the item is not one of a reverse search")

// Take is explore.Divisible.
func (r *Search) Take(item explore.Item) error {
	if search.Undivided(item) {
		return nil
	}
	if len(item.Rest) > 0 && item.Rest[0] == together {
		return r.takeSiblings(item)
	}
	n := len(item.Steps)
	if len(item.Rest) < n || (len(item.Rest)-n)%20 != 0 {
		return fmt.Errorf("%w: %d steps, %d bytes", errItem, n, len(item.Rest))
	}
	labels, rest := item.Rest[:n], item.Rest[n:]
	r.plan, r.labels, r.displaced = item.Steps, nil, nil
	for _, l := range labels {
		if stepLabel(l) > deviation {
			return fmt.Errorf("%w: label %d", errItem, l)
		}
		r.labels = append(r.labels, stepLabel(l))
	}
	for ; len(rest) > 0; rest = rest[20:] {
		d := displaced{trace.ID{Hi: binary.BigEndian.Uint64(rest), Lo: binary.BigEndian.Uint64(rest[8:])},
			int32(binary.BigEndian.Uint32(rest[16:]))}
		if d.at < 0 || int(d.at) >= n {
			return fmt.Errorf("%w: a deviation at step %d of %d", errItem, d.at, n)
		}
		r.displaced = append(r.displaced, d)
	}
	return nil
}

// Split is explore.Divisible: it gives away children of the classes that have the fewest deviations.
func (r *Search) Split(limit int) []explore.Item {
	var given []explore.Item
	for i, rec := range r.levels {
		for len(given) < limit && rec.more() {
			item, many, _ := rec.part(r.parts)
			r.walk.Give(i, many)
			given = append(given, item)
		}
	}
	return given
}

// item makes an item of a child: the steps that lead to it, who chose each, and what it displaces. Whoever has the item
// goes on as if it had come down from the parent. By L6 nobody else comes to the same class.
func (rec *record) item(c child) explore.Item {
	steps, labels := rec.plan(c, nil, nil)
	item := explore.Item{Steps: steps}
	for _, l := range labels {
		item.Rest = append(item.Rest, byte(l))
	}
	for _, d := range rec.displacedBy(c, nil) {
		item.Rest = binary.BigEndian.AppendUint64(item.Rest, d.t.Hi)
		item.Rest = binary.BigEndian.AppendUint64(item.Rest, d.t.Lo)
		item.Rest = binary.BigEndian.AppendUint32(item.Rest, uint32(d.at))
	}
	return item
}
