package restart

import "slices"

// Receipt is what a checkout books.
type Receipt struct {
	Items []string
	Cents int
}

// Till keeps the receipts. The cart alone writes it; read it when the shop is at rest.
type Till struct{ Receipts []Receipt }

// Shelf keeps the items of one cart outside of the actor: the place of a database.
type Shelf struct{ items []AddItem }

// Put adds an item.
func (s *Shelf) Put(item AddItem) { s.items = append(s.items, item) }

// Items lists what was put and not cleared.
func (s *Shelf) Items() []AddItem { return slices.Clone(s.items) }

// Clear forgets the items.
func (s *Shelf) Clear() { s.items = nil }
