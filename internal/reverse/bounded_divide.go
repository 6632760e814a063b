package reverse

import (
	"encoding/binary"
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
)

// This file divides a bounded reverse search. An item is that of Search behind the number of its deviations, in four
// bytes; of siblings it is that of their class.
//
//	source:     ours
//	invariants: an item is within the bound: Take refuses all others
//	checked by: divide_test.go: the parts execute the classes of the undivided search

var _ explore.Divisible = (*Bounded)(nil)

// undivided says why the search cannot be divided: level by level the next class depends on what all have found.
func (b *Bounded) undivided() string {
	if b.bound < 0 {
		return "it takes level after level, and each of them is known when the one before is done"
	}
	return ""
}

// Take is explore.Divisible.
func (b *Bounded) Take(item explore.Item) error {
	if search.Undivided(item) {
		return nil
	}
	if len(item.Rest) < 4 {
		return fmt.Errorf("%w: %d bytes", errItem, len(item.Rest))
	}
	b.base = int(binary.BigEndian.Uint32(item.Rest))
	rest := item.Rest[4:]
	least, most := 1, b.bound
	if len(rest) > 0 && rest[0] == together { // those of their class
		least, most = 0, b.bound-1
	}
	if b.base < least || b.base > most {
		return fmt.Errorf("%w: a class with %d deviations, the bound is %d", errItem, b.base, b.bound)
	}
	return b.reverse.Take(explore.Item{Steps: item.Steps, Rest: rest})
}

// Split is explore.Divisible.
func (b *Bounded) Split(limit int) []explore.Item {
	var given []explore.Item
	for n, rec := range b.reverse.levels {
		for len(given) < limit && rec.more() {
			item, many, siblings := rec.part(b.reverse.parts)
			b.reverse.walk.Give(n, many)
			deviations := b.base + n
			if !siblings {
				deviations++
			}
			item.Rest = append(binary.BigEndian.AppendUint32(nil, uint32(deviations)), item.Rest...)
			given = append(given, item)
		}
	}
	return given
}

// Walk is search.Walker.
func (b *Bounded) Walk() *search.Walk { return b.reverse.Walk() }
