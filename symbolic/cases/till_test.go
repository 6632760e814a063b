package cases_test

import "github.com/rehearse-go/rehearse/actor"

// This file is a program for tests, read as source and executed for real. Tests set exported fields of messages.

type (
	Open  struct{}
	Put   struct{ N int }
	Take  struct{ N int }
	Note  struct{ Key string }
	Seven struct{}
	Never struct{}
	Audit struct{ Least uint8 }
	Level struct{}
	Both  struct{ A, B []int }
	Part  struct {
		Keys []int
		Name string
	}
)

// Till is an actor with failures after different messages.
type Till struct {
	sum, limit int
	open       bool
	notes      map[string]int
	parts      []Part
	calls      *int
}

// level is a package variable that changes.
var level int

// SetLevel changes it.
func SetLevel(n int) { level = n }

// NewTill makes one with a limit of at least 10.
func NewTill(limit int) (*Till, error) {
	if limit < 10 {
		limit = 10
	}
	return &Till{limit: limit, notes: map[string]int{}, calls: new(int)}, nil
}

// Receive implements actor.Behavior.
func (t *Till) Receive(ctx *actor.Context, msg any) {
	*t.calls++
	switch m := msg.(type) {
	case Open:
		t.open = true
	case Put:
		t.sum += m.N
	case Take:
		if t.open && t.sum-m.N < 0 && t.limit > 20 {
			panic("short")
		}
	case Note:
		t.notes[m.Key]++
		if t.notes[m.Key] == 3 {
			panic("three notes")
		}
	case Seven:
		if t.open && t.sum == 7 {
			panic("seven")
		}
	case Never:
		if t.limit < 10 {
			panic("a limit that there is not")
		}
	case Audit:
		if t.limit == 30 && uint8(t.sum) > m.Least {
			ctx.T().Errorf("%d", t.sum)
		}
	case Level:
		if level > 6 {
			panic("too high")
		}
	case Both:
		if len(m.A)+len(m.B) < 0 {
			panic("more elements than there are numbers")
		}
	case *Part:
		if len(t.parts) > 1 && len(t.parts[1].Keys) == 1 && t.parts[1].Keys[0] == len(m.Name)+4 {
			panic("parts")
		}
		t.parts = append(t.parts, *m)
	}
}
