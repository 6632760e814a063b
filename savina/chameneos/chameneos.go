// Package chameneos is creatures that meet in pairs at a mall and change their colours. When no meeting is left, each
// is told to fade, and reports how often it met. It is program 6 of Savina [IS14]. Who meets whom depends on the order,
// the number of meetings does not. In a mutant a creature whose colour was changed looks for no new meeting.
package chameneos

import "fmt"

// Config sets the number of creatures, and of meetings.
type Config struct {
	Creatures    int  // at least 2
	Meetings     int  // of pairs
	NoNewMeeting bool // mutant: none follows a colour change
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Creatures: 3, Meetings: 1}
	Published = Config{Creatures: 100, Meetings: 200_000}
)

// Validate says what makes no sense. One creature would wait for ever.
func (c Config) Validate() error {
	if c.Creatures < 2 || c.Meetings < 0 {
		return fmt.Errorf("chameneos: %d creatures, %d meetings: want at least 2 creatures, and no meetings below 0",
			c.Creatures, c.Meetings)
	}
	return nil
}

// Colour is a creature's.
type Colour uint8

// The colours. A creature that ends is faded.
const (
	Yellow Colour = iota
	Blue
	Red
	Faded
)

// complement is the colour of a creature after a meeting.
func complement(own, other Colour) Colour {
	switch {
	case own == Faded || other == Faded:
		return Faded
	case own == other:
		return own
	}
	return Yellow + Blue + Red - own - other
}

// Start has a creature look for its first meeting.
type Start struct{}

// Meet is a wish to meet, to the mall, which forwards it to the creature that waits. R refers to an actor of a
// framework.
type Meet[R any] struct {
	Colour Colour
	Sender R
}

// Change tells the other creature its new colour.
type Change[R any] struct {
	Colour Colour
	Sender R
}

// Count is how often a creature met.
type Count[R any] struct {
	N      int
	Sender R
}

// Exit tells a creature to fade.
type Exit[R any] struct{ Sender R }

// Seen is what is left in the end.
type Seen struct {
	Sum         int // of all counts
	Faded       int // creatures
	MallStopped bool
}

// Check says what is wrong with the end, nil if nothing is: two creatures took part in each meeting, and all ended.
func (c Config) Check(s Seen) error {
	if want := 2 * c.Meetings; s.Sum != want || s.Faded != c.Creatures || !s.MallStopped {
		return fmt.Errorf("%d parts in meetings, %d creatures have faded, and the mall has stopped: %t; want %d and %d",
			s.Sum, s.Faded, s.MallStopped, want, c.Creatures)
	}
	return nil
}
