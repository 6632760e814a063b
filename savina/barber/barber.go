// Package barber is a barber who sleeps while nobody waits, a waiting room, and a factory that sends customers. A
// customer who finds no seat goes back to the factory, which sends it again. It is program 12 of Savina [IS14]. The
// program of that name in [Bita13] is another one. Its hazards: the last customer may be done, and the room told to
// end, before the barber asks the room for the next. While the room is full, a customer may come without end.
package barber

import (
	"fmt"
	"slices"
)

// Config sets the size of the program.
type Config struct {
	Haircuts  int
	Seats     int  // in the room
	Repaired  bool // the room ends when the barber has asked it for the next
	DoneFirst bool // a mutant: a customer is told that it is done before it is told that the barber starts
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Haircuts: 2, Seats: 2}
	Published = Config{Haircuts: 5_000, Seats: 1_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Haircuts < 1 || c.Seats < 1 {
		return fmt.Errorf("barber: %d haircuts, %d seats: want at least 1 of each", c.Haircuts, c.Seats)
	}
	return nil
}

// Start has the factory send its customers, and tells a customer that the barber starts.
type Start struct{}

// Enter is a customer who comes, to the room and from there to the barber. R refers to an actor of a framework.
type Enter[R any] struct {
	Customer R
	ID       int
	Room     R
}

// Full says that there is no seat.
type Full struct{}

// Wait tells a customer to wait for its turn, and the barber for a customer.
type Wait struct{}

// Next asks the room for the next customer.
type Next struct{}

// Returned says that a customer found no seat.
type Returned[R any] struct {
	Customer R
	ID       int
}

// Done tells a customer that it is served, and the factory so.
type Done struct{}

// Exit ends the room and the barber.
type Exit struct{}

// Check says what is wrong with the end, nil if nothing is: every customer was served once, in the order in which they
// took their seats.
func (c Config) Check(seated, served []int) error {
	if !slices.Equal(seated, served) {
		return fmt.Errorf("customers were seated in the order %v and served in the order %v", seated, served)
	}
	for id, got := range slices.Sorted(slices.Values(served)) {
		if id != got {
			return fmt.Errorf("customers %v were served, want %d, each once", served, c.Haircuts)
		}
	}
	if len(served) != c.Haircuts {
		return fmt.Errorf("%d customers were served, want %d", len(served), c.Haircuts)
	}
	return nil
}
