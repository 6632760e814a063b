package system

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// sealed is a message that a driver makes in one way.
type sealed struct{ list []int }

// sealer counts messages, and changes what is in them.
type sealer struct{ n int }

func (s *sealer) Receive(_ *actor.Context, msg any) {
	m := msg.(sealed)
	if s.n++; s.n == 2 && m.list[0] == 7 {
		sealedTwice()
	}
	if m.list[0] != 7 {
		sealedOther()
	}
	m.list[0]++
}

func sealedTwice() {}
func sealedOther() {}

func twinSealed() *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		to := ctx.Spawn(&sealer{})
		ctx.Send(to, sealed{[]int{7}})
	})
}

// Messages as the driver makes them come as often as the search likes, each with memory of its own, and have no other
// values.
func TestMade(t *testing.T) {
	p := program(t, ".", ".")
	s := startOf(t, p, "twinSealed")
	made := s.Made()
	if made == nil || len(made.Shapes) != 1 || made.Shapes[0].Like != 1 || len(s.Shapes) != 1 || s.Shapes[0].Like != 0 {
		t.Fatalf("shapes: %+v, of the driver %+v", made.Shapes, s.Shapes)
	}
	for _, model := range models {
		for _, c := range []struct {
			start    *Start
			function string
			outside  int
			want     bool
		}{{made, "sealedTwice", 2, true}, {made, "sealedTwice", 1, false}, {made, "sealedOther", 2, false}, {s, "sealedOther", 1, true}} {
			found := p.Search(t.Context(), c.start, []Goal{{Block: function(t, p, c.function).Blocks[0]}}, model, Bounds{Outside: c.outside, Steps: 4})
			if w := found.Ways[0]; (w != nil) != c.want || w == nil && !found.Complete() {
				t.Errorf("%v, %s with %d messages: %+v, complete %v", model, c.function, c.outside, w, found.Complete())
			}
		}
	}
	if none := (&Start{}).Made(); none != nil {
		t.Errorf("a driver that sends nothing: %+v", none.Shapes)
	}
}
