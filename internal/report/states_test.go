package report

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

type shelf struct{ Pieces int }

// seenRun is an execution in which actors change their own state and that of others, with what a plain reader of all
// states after each event has written down.
type seenRun struct {
	*story
	values map[int32]any
	seen   *Seen
	all    []map[int32]string // after each event
}

func newSeenRun(room int) *seenRun {
	r := &seenRun{story: newStory(), values: map[int32]any{}, seen: NewSeen(room, 1)}
	r.spawn("A", "B", "C")
	for _, name := range []string{"A", "B", "C"} {
		r.values[r.at[name]] = &shelf{}
	}
	r.look()
	return r
}

func (r *seenRun) look() {
	r.seen.Look(&r.tr, r.e, func(a int32) (any, bool) { return r.values[a], false })
	now := map[int32]string{}
	for a, v := range r.values {
		now[a] = render.Value(v, PictureText)
	}
	r.all = append(r.all, now)
}

// TestStatesOfRandomExecutions: the states in the rows of a picture, taken together, are those after the last event of
// each row, for all actors.
func TestStatesOfRandomExecutions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"A", "B", "C"}
	for range 200 {
		r := newSeenRun(1)
		for range random.IntN(20) {
			m := r.send("M", names[random.IntN(3)], nil)
			if random.IntN(4) == 0 {
				r.take(r.tr.ReleaseOf(m)) // it has no row
				r.look()
			}
			r.deliver(m)
			for range random.IntN(3) {
				r.values[r.at[names[random.IntN(3)]]].(*shelf).Pieces = random.IntN(2)
			}
			r.look()
		}
		checkStates(t, r)
	}
}

func checkStates(t *testing.T, r *seenRun) {
	t.Helper()
	p := NewPicture(&r.tr, PictureOptions{Seen: r.seen})
	row := 0 // as the builder numbers them: an event without a row belongs to the row before
	rowOf := make([]int, len(r.tr.Events))
	for e := range r.tr.Events {
		if row+1 < len(p.Rows) && p.Rows[row+1].ID == r.tr.Events[e].Step.ID.String() {
			row++
		}
		rowOf[e] = row
	}
	states := map[int32]string{}
	for i := range p.Rows {
		for _, s := range p.Rows[i].States {
			if states[int32(s.Lifeline)] == s.Text {
				t.Fatalf("row %d tells %q again", i, s.Text)
			}
			states[int32(s.Lifeline)] = s.Text
		}
		last := -1
		for e := range rowOf {
			if rowOf[e] == i {
				last = e
			}
		}
		if last >= 0 && !reflect.DeepEqual(states, r.all[last]) {
			t.Fatalf("after row %d the states are %v, want %v, in\n%+v", i, states, r.all[last], p.Rows)
		}
	}
}

// What cannot be seen has a reason, and where not all is looked at, the picture says so.
func TestUnseenStates(t *testing.T) {
	r := newSeenRun(1)
	r.values[r.at["A"]] = func() {}
	r.values[r.at["B"]] = nil
	r.look()
	p := NewPicture(&r.tr, PictureOptions{Seen: r.seen})
	if !p.Looked || !strings.Contains(p.Lifelines[1].Unseen, "function") ||
		!strings.Contains(p.Lifelines[2].Unseen, "not known") || p.Lifelines[3].Unseen != "" || len(p.Notes) > 0 {
		t.Errorf("%+v, notes %q", p.Lifelines, p.Notes)
	}
	if p := NewPicture(&r.tr, PictureOptions{}); p.Looked {
		t.Error("nobody looked")
	}

	r = newSeenRun(mostLooks + 1)
	m := r.send("M", "A", nil)
	r.deliver(m)
	for a := range r.values {
		r.values[a] = &shelf{7}
	}
	r.look()
	p = NewPicture(&r.tr, PictureOptions{Seen: r.seen})
	if len(p.Notes) != 1 || !strings.Contains(p.Notes[0], "only the actor that takes it") {
		t.Errorf("notes %q", p.Notes)
	}
	if got := fmt.Sprint(p.Rows[1].States); got != "[{1 &shelf{Pieces:7}}]" {
		t.Errorf("states %s", got)
	}
}

// An actor that has stopped has no state.
func TestStatesOfStopped(t *testing.T) {
	s := newStory()
	s.spawn("A")
	seen := NewSeen(1, 1)
	seen.Look(&s.tr, s.e, func(int32) (any, bool) { return &shelf{1}, false })
	s.deliver(s.send("Stop", "A", nil))
	seen.Look(&s.tr, s.e, func(int32) (any, bool) { return &shelf{1}, true })
	p := NewPicture(&s.tr, PictureOptions{Seen: seen})
	if got := p.Rows[1].States; len(got) != 1 || got[0].Text != "stopped" {
		t.Errorf("%+v", got)
	}
}

// A message that a fault lost ends in the row of the fault.
func TestLostMessage(t *testing.T) {
	s := newStory()
	s.spawn("A", "B")
	ask := s.send("Ask", "A", nil)
	s.deliver(ask)
	note := s.send("Note", "B", nil)
	s.take(s.tr.FaultStep(s.tr.StepOf(s.e), trace.Drop, note))
	p := NewPicture(&s.tr, PictureOptions{})
	i := len(p.Arrows) - 1
	if a := p.Arrows[i]; a.Kind != "lost" || a.Arrived != 2 || a.Sent != 1 {
		t.Errorf("%+v", p.Arrows)
	}
	if svg := valid(t, p); !strings.Contains(svg, "from A to B was lost") || !strings.Contains(svg, `class="arrow lost"`) {
		t.Error(svg)
	}
}
