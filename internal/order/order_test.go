package order

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// scene is a record made by hand: actors by their creators, and who sends to whom, event by event.
type scene struct{ trace.Trace }

func newScene(actors int) *scene {
	s := &scene{}
	s.AddDriver()
	s.Begin(trace.StartStep(0))
	for range actors {
		s.AddActor(s.TypeNamed("A"), "", 0, 0)
	}
	return s
}

// handles records that an actor handles a message and sends to others; it gives the messages.
func (s *scene) handles(m int32, to ...int32) []int32 {
	e, by := int32(0), int32(0)
	if m >= 0 {
		by = s.Messages[m].Receiver
		e = s.Begin(s.DeliveryOf(m))
	}
	var sent []int32
	for _, r := range to {
		sent = append(sent, s.AddMessage(s.TypeNamed("M"), trace.User, by, r, e, nil))
	}
	return sent
}

func (s *scene) enabled(messages ...int32) []trace.Step {
	var steps []trace.Step
	for _, m := range messages {
		steps = append(steps, s.DeliveryOf(m))
	}
	return steps
}

func mustNew(t *testing.T, name string) Order {
	t.Helper()
	o, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestOrders: messages 0 and 3 for actor 3, 1 and 4 for actor 1, 2 for actor 2.
func TestOrders(t *testing.T) {
	for name, want := range map[string][]int32{
		"auto": {3, 1, 2}, "ECA": {1, 2, 3}, "LCA": {3, 2, 1}, "FIFO": {3, 1, 2}, "lifo": {1, 3, 2},
		"LDM": {2, 1, 3}, "HDM": {1, 3, 2},
		"HMS": {1, 2, 3}, "SGR": {1, 2, 3},
	} {
		s := newScene(3)
		ms := s.handles(-1, 3, 1, 2, 3, 1)
		steps := s.enabled(ms[4], ms[2], ms[0], ms[3], ms[1])
		o := mustNew(t, name)
		if got := o.Actors([]int32{9}, &s.Trace, steps); !slices.Equal(got, append([]int32{9}, want...)) {
			t.Errorf("%s: %v, want 9 and %v", name, got, want)
		}
		if got := o.Actors(nil, &s.Trace, nil); len(got) != 0 {
			t.Errorf("%s at the end: %v", name, got)
		}
	}
}

// TestHistory: HMS and SGR go by what happened before, also in executions that are over.
func TestHistory(t *testing.T) {
	hms, sgr := mustNew(t, "HMS"), mustNew(t, "SGR")
	learn := func(s *scene) {
		hms.Actors(nil, &s.Trace, nil)
		sgr.Actors(nil, &s.Trace, nil)
	}
	s := newScene(3)
	ms := s.handles(-1, 3, 1)
	learn(s)
	s.handles(ms[0], 2, 2) // 3 sends two per message, to 2
	learn(s)
	s.handles(ms[1]) // 1 sends none
	learn(s)
	s = newScene(3)
	ms = s.handles(-1, 1, 2, 3)
	steps := s.enabled(ms...)
	if got := hms.Actors(nil, &s.Trace, steps); !slices.Equal(got, []int32{3, 2, 1}) {
		t.Errorf("HMS: %v; 2 is not known, which counts as one per message", got)
	}
	if got := sgr.Actors(nil, &s.Trace, steps); !slices.Equal(got, []int32{1, 3, 2}) {
		t.Errorf("SGR: %v; 3 reaches 2", got)
	}
}

func TestSteps(t *testing.T) {
	s := newScene(2)
	ms := s.handles(-1, 1, 2, 1)
	got := Steps(nil, []int32{2, 1}, s.enabled(ms...))
	if len(got) != 3 || got[0].Message != ms[1] || got[1].Message != ms[0] || got[2].Message != ms[2] {
		t.Errorf("%v", got)
	}
}

// TestPatterns: what auto takes for a pipeline and for a tree.
func TestPatterns(t *testing.T) {
	type send struct{ from, to int32 }
	for _, tt := range []struct {
		name    string
		parents []int32 // of actors 1, 2, ...
		sends   []send
		want    string // order that auto settles for; FIFO: it stays
	}{
		{"chain of three", []int32{0, 0, 0}, []send{{1, 2}, {2, 3}, {1, 1}}, "ECA"},
		{"chain of two", []int32{0, 0}, []send{{1, 2}}, "FIFO"},
		{"ring", []int32{0, 0, 0}, []send{{1, 2}, {2, 3}, {3, 1}}, "FIFO"},
		{"chain and ring", []int32{0, 0, 0, 0, 0}, []send{{1, 2}, {2, 3}, {4, 5}, {5, 4}}, "FIFO"},
		{"two chains", []int32{0, 0, 0, 0}, []send{{1, 2}, {3, 4}}, "FIFO"},
		{"tree", []int32{0, 1, 1}, []send{{1, 2}, {1, 3}, {2, 1}, {3, 1}}, "LCA"},
		{"tree whose children talk", []int32{0, 1, 1}, []send{{1, 2}, {1, 3}, {2, 1}, {3, 1}, {2, 3}}, "FIFO"},
		{"one child", []int32{0, 1}, []send{{1, 2}, {2, 1}}, "FIFO"},
		{"workers created before", []int32{0, 0, 0}, []send{{3, 1}, {3, 2}, {1, 3}, {2, 3}}, "FIFO"},
	} {
		s := newScene(0)
		for _, p := range tt.parents {
			s.AddActor(s.TypeNamed("A"), "", p, 0)
		}
		for _, x := range tt.sends {
			s.AddMessage(s.TypeNamed("M"), trace.User, x.from, x.to, 0, nil)
		}
		a := newAuto()
		changed := a.Observe(&s.Trace)
		if got := a.Order.Name(); got != tt.want || changed != (tt.want != "FIFO") {
			t.Errorf("%s: %s, changed %v, want %s", tt.name, got, changed, tt.want)
		}
		if a.Observe(&s.Trace) {
			t.Errorf("%s: it settles twice", tt.name)
		}
	}
}

// TestMergeSort: with an order that is one, it sorts, stably.
func TestMergeSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		got := make([]int32, r.IntN(40))
		for i := range got {
			got[i] = int32(r.IntN(8))<<8 + int32(i)
		}
		want := slices.Clone(got)
		slices.Sort(want)
		mergeSort(slices.Clone(got), got, func(a, b int32) bool { return a>>8 > b>>8 })
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

func TestNames(t *testing.T) {
	if _, err := New("XYZ"); err == nil || !strings.Contains(err.Error(),
		`unknown order of actors "XYZ": want one of auto, ECA, LCA, FIFO, LIFO, LDM, HDM, HMS, SGR`) {
		t.Errorf("%v", err)
	}
	if o := mustNew(t, ""); o.Name() != "auto" {
		t.Errorf("the default is %s", o.Name())
	}
	for _, name := range Names() {
		if o := mustNew(t, name); o.Name() != name || !strings.Contains(Doc(), "  "+name+" ") {
			t.Errorf("%s makes %s, or has no line in Doc", name, o.Name())
		}
	}
}
