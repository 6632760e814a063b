package cover

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// gatling is the program of [Bita13] listing 1: an action has the writer write and tells the terminator, who has the
// writer flush when all actions are done. The schedule is that of the messages' names.
func gatling(actions int, schedule string) *trace.Trace {
	actors := []string{"writer", "terminator"}
	for i := range actions {
		actors = append(actors, fmt.Sprint("action", i+1))
	}
	b := newBuilder(actors...)
	number := func(i int) string {
		if actions == 1 {
			return ""
		}
		return fmt.Sprint(i + 1)
	}
	for i := range actions {
		b.send("ex"+number(i), fmt.Sprint("action", i+1))
	}
	done := 0
	for _, name := range strings.Fields(schedule) {
		b.receive(name)
		switch kind, n := strings.TrimRight(name, "0123456789"), strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"); kind {
		case "ex":
			b.send("w"+n, "writer")
			b.send("ad"+n, "terminator")
		case "ad":
			if done++; done == actions {
				b.send("fl", "writer")
			}
		case "fl":
			b.last().Changes = true // as section III-A3 supposes
			b.send("fd", "terminator")
		}
	}
	return b.tr
}

// names gives those of the places.
func (b *base) names(tr *trace.Trace, places []int32) string {
	var names []string
	for _, p := range places {
		for i := range tr.Messages {
			if tr.DeliveryOf(int32(i)).ID == b.places[p].step {
				names = append(names, tr.Messages[i].Type.Name)
			}
		}
	}
	return strings.Join(names, " ")
}

// Section IV-C: the constraints of figure 1.
func TestMustOfFigure1(t *testing.T) {
	tr := gatling(1, "ex w ad fl fd")
	b := newBase(tr, trace.FIFO, NewAchieved())
	var got []string
	for x := range b.places {
		for y := x + 1; y < len(b.places); y++ {
			if b.must(int32(x), int32(y)) {
				got = append(got, strings.ReplaceAll(b.names(tr, []int32{int32(x), int32(y)}), " ", "-"))
			}
		}
	}
	// The five of the text and what follows from them.
	want := "ex-w ex-ad ex-fl ex-fd w-fd ad-fl ad-fd fl-fd"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}

// Section III-A: the goals of the writer with two actions, and the schedules that cover them.
func TestGoalsOfTheWriter(t *testing.T) {
	for c, sets := range map[Criterion][]string{
		PCR: {"w1 w2 fl", "fl w2 w1", "w1 fl w2", "fl w1 w2"},
		PR:  {"w1 w2 fl", "fl w2 w1"},
		PMR: {"w1 w2 fl", "fl w1 w2"},
	} {
		number := map[string]int32{"w1": 0, "w2": 1, "fl": 2}
		o := NewAchieved()
		box := o.box(trace.ID{Hi: 1})
		for _, set := range sets {
			s := &sequence{change: -1}
			for _, name := range strings.Fields(set) {
				o.add(box, s, number[name], name == "fl")
			}
		}
		want := 6 // ordered pairs
		if c == PMR {
			want = 4 // those with the flush
		}
		if n := o.Count(c); n != want {
			t.Errorf("%v: %d goals, want %d", c, n, want)
		}
		if n := o.Covered(c); n != want/2 {
			t.Errorf("%v: %d pairs covered, want %d", c, n, want/2)
		}
	}
}

// Section IV-D: the schedule that swaps w1 and w2.
func TestScheduleOfSectionIVD(t *testing.T) {
	tr := gatling(2, "ex1 w1 ex2 w2 ad1 ad2 fl fd")
	o := NewAchieved()
	o.Observe(tr)
	b := newBase(tr, trace.FIFO, o)
	g := newGenerator(b, o, PR)
	x := slices.IndexFunc(b.receives, func(r receive) bool { return b.names(tr, []int32{r.place}) == "w1" })
	y := slices.IndexFunc(b.receives, func(r receive) bool { return b.names(tr, []int32{r.place}) == "w2" })
	if got, want := b.names(tr, g.schedule(int32(x), int32(y), true)), "ex1 ex2 w2 ad1 ad2 fl w1"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Section IV-D, figure 2: from an execution with an Error the checks come after it, from one without they cannot.
func TestErrorOfFigure2(t *testing.T) {
	figure := func(order string) *trace.Trace {
		b := newBuilder("writer", "terminator", "action")
		b.send("ex", "action")
		b.send("ch", "terminator")
		flushed := false
		for _, name := range strings.Fields(order) {
			b.receive(name)
			switch name {
			case "ex":
				b.send("w", "writer")
				b.send("ad", "terminator")
			case "ad":
				b.send("fl", "writer")
			case "fl":
				flushed = true
				b.send("fd", "terminator")
			case "w":
				if flushed {
					b.send("er", "terminator")
				}
			}
		}
		return b.tr
	}
	reached := func(order string) bool {
		tr := figure(order)
		o := NewAchieved()
		o.Observe(tr)
		b := newBase(tr, trace.FIFO, o)
		g := newGenerator(b, o, PR)
		var seqs []sequence
		for out := g.next(); out != nil; out = g.next() {
			seqs = g.achieve(out, seqs)
			names := strings.Fields(b.names(tr, out))
			if er, ch := slices.Index(names, "er"), slices.Index(names, "ch"); er >= 0 && ch > er {
				return true
			}
		}
		return false
	}
	if reached("ex ch w ad fl fd") {
		t.Error("a schedule has an Error that the initial execution does not have")
	}
	if !reached("ex ad fl w ch er fd") {
		t.Error("the check never comes after the Error")
	}
}
