package check

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// world is an execution as a test wants it: a driver, the actors "a", "b" and "c", and what the test adds.
type world struct {
	tr      trace.Trace
	status  map[int32]explore.Status
	pending []int32
	wedged  bool
	places  []string
	checks  []string // functions of the user that have begun, and "end" for each that is over
}

func newWorld() *world {
	w := &world{status: map[int32]explore.Status{}}
	w.tr.AddDriver()
	start := w.tr.Begin(trace.StartStep(0))
	for _, name := range []string{"a", "b", "c"} {
		w.tr.AddActor(w.tr.TypeNamed("bank."+strings.ToUpper(name)), name, 0, start)
	}
	return w
}

// send has actor from send a message in the last event, which stays pending.
func (w *world) send(class trace.MessageKind, from, to int32, value any) int32 {
	m := w.tr.AddMessage(w.tr.TypeNamed(fmt.Sprintf("bank.%T", value)), class, from, to, int32(len(w.tr.Events)-1), value)
	w.pending = append(w.pending, m)
	return m
}

// handle delivers a pending message.
func (w *world) handle(m int32) int32 {
	w.pending = slices.DeleteFunc(w.pending, func(p int32) bool { return p == m })
	return w.tr.Begin(w.tr.DeliveryOf(m))
}

func (w *world) Trace() *trace.Trace               { return &w.tr }
func (w *world) State(a int32) any                 { return map[string]int{w.tr.ActorName(a): int(a)} }
func (w *world) Wedged() bool                      { return w.wedged }
func (w *world) Locate([]int32) ([]string, string) { return w.places, "all stacks" }
func (w *world) EndCheck()                         { w.checks = append(w.checks, "end") }
func (w *world) BeginCheck(c explore.Check)        { w.checks = append(w.checks, fmt.Sprint(c.Kind, c.Index)) }

func (w *world) Status(a int32) explore.Status {
	_ = w.tr.Actors[a] // nobody else has a status
	return w.status[a]
}

// plain is an execution that can do nothing beyond what it must.
type plain struct{ explore.Execution }

func (w *world) Pending(f func(int32)) {
	for _, m := range w.pending {
		f(m)
	}
}

// told gives violations as "kind: text".
func told(vs []trace.Violation) (list []string) {
	for i := range vs {
		list = append(list, vs[i].Kind.String()+": "+vs[i].Text)
	}
	return list
}

func expect(t *testing.T, name string, got []trace.Violation, want ...string) {
	t.Helper()
	if list := told(got); !slices.Equal(list, want) {
		t.Errorf("%s:\n got %q\nwant %q", name, list, want)
	}
}

// TestLevels: an error is returned, a warning is told, and the rest is dropped. What a fault brings about by itself is
// a warning at most.
func TestLevels(t *testing.T) {
	for _, tt := range []struct {
		name     string
		kind     trace.ViolationKind
		levels   Levels
		injected bool
		want     Level
	}{
		{"a panic", trace.Panic, nil, false, Error},
		{"shared memory", trace.Isolation, nil, false, Warning},
		{"left for a stopped actor", trace.OrphanDead, nil, false, Warning},
		{"as the user says", trace.OrphanDead, Levels{trace.OrphanDead: Error}, false, Error},
		{"as the user says: off", trace.DeadLetter, Levels{trace.DeadLetter: Off}, false, Off},
		{"another kind is off", trace.Panic, Levels{trace.DeadLetter: Off}, false, Error},
		{"the default, by name", trace.Isolation, Levels{trace.Isolation: ByDefault}, false, Warning},
		{"by a fault", trace.DeadLetter, nil, true, Warning},
		{"by a fault, off", trace.DeadLetter, Levels{trace.DeadLetter: Off}, true, Off},
	} {
		w := newWorld()
		w.tr.Events[0].Incidents = []trace.Incident{{Kind: tt.kind, Actor: 1, Message: -1, Injected: tt.injected}}
		var warned []trace.Violation
		c := Checker{Levels: tt.levels, Warned: func(v trace.Violation) { warned = append(warned, v) }}
		got := Off
		switch vs := c.Step(w, 0); {
		case len(vs) == 1 && len(warned) == 0:
			got = Error
		case len(vs) == 0 && len(warned) == 1:
			got = Warning
		case len(vs)+len(warned) > 0:
			t.Errorf("%s: %d violations, %d warnings", tt.name, len(vs), len(warned))
		}
		if got != tt.want {
			t.Errorf("%s: level %d, want %d", tt.name, got, tt.want)
		}
		c.Warned = nil
		if vs := c.Step(w, 0); (len(vs) == 1) != (tt.want == Error) {
			t.Errorf("%s: %d violations where nobody hears warnings", tt.name, len(vs))
		}
	}
	c := Checker{Levels: Levels{trace.Livelock: Off}}
	expect(t, "what others saw", c.Weigh(trace.Violation{Kind: trace.Panic, Text: "x"}), "panic: x")
	expect(t, "what others saw, off", c.Weigh(trace.Violation{Kind: trace.Livelock}))
}

// TestIncidents: what people read of each kind, and the types that make two findings the same.
func TestIncidents(t *testing.T) {
	const handled, start = 1, 0 // events: a handles an int, the driver starts
	for _, tt := range []struct {
		event    int32
		kind     trace.ViolationKind
		actor, m int32
		typ      string
		says     string
		text, of string
	}{
		{handled, trace.Panic, 1, -1, "", "no", "a panicked on int from Driver: no", "bank.int"},
		{start, trace.Panic, 0, -1, "", "no", "Driver panicked: no", ""},
		{handled, trace.DeadLetter, 1, -1, "bank.Lost", "who", "Lost was sent to nobody: who", "bank.Lost"},
		{handled, trace.Unhandled, 1, 1, "", "", "a has no handler for string from Driver", "bank.string"},
		{start, trace.Unhandled, 1, 0, "", "", "a has no handler for int from Driver", "bank.int"},
		{handled, trace.Unhandled, 1, 1, "", "why", "a has no handler for string from Driver: why", "bank.string"},
		{handled, trace.Assertion, 1, -1, "", "as it is", "as it is", "bank.int"},
		{start, trace.Isolation, -1, -1, "", "as it is", "as it is", ""},
	} {
		w := newWorld()
		first, _ := w.send(trace.User, 0, 1, 7), w.send(trace.User, 0, 1, "")
		w.handle(first)
		w.tr.Events[tt.event].Incidents = []trace.Incident{{Kind: tt.kind, Actor: tt.actor, Message: tt.m, Type: tt.typ,
			Text: tt.says, Site: "f", Where: "f.go:1", Stack: "all"}}
		c := Checker{Levels: Levels{trace.Isolation: Error}}
		want := trace.Violation{Kind: tt.kind, MessageType: tt.of, Text: tt.text, Event: int(tt.event),
			Site: "f", Where: "f.go:1", Stack: "all"}
		if tt.actor >= 0 {
			want.Actor, want.ActorType = w.tr.ActorName(tt.actor), w.tr.Actors[tt.actor].Type.Name
		}
		if vs := c.Step(w, tt.event); len(vs) != 1 || !reflect.DeepEqual(vs[0], want) {
			t.Errorf("got %+v\nwant %+v", vs, want)
		}
	}
}

// TestInvariants: all are asked after each step, in order. One that panics is told apart from one that does not hold,
// and one that calls FailNow has said what is wrong.
func TestInvariants(t *testing.T) {
	w := newWorld()
	event := w.handle(w.send(trace.User, 0, 2, 7))
	c := Checker{Invariants: []Invariant{
		{"holds", func(State) error { return nil }},
		{"broken", func(State) error { return errors.New("sum is 3") }},
		{"panics", func(State) error { panic("own") }},
		{"fails", func(State) error { explore.NewT("x", nil).FailNow(); return nil }},
	}}
	vs := c.Step(w, event)
	expect(t, "invariants", vs, "assertion: invariant broken does not hold: sum is 3",
		"assertion: invariant panics itself panicked: own")
	want := trace.Violation{Kind: trace.Assertion, Site: "invariant broken", ActorType: "bank.B", Actor: "b",
		MessageType: "bank.int", Event: int(event), Text: vs[0].Text}
	if !reflect.DeepEqual(vs[0], want) {
		t.Errorf("got %+v\nwant %+v", vs[0], want)
	}
	if v := vs[1]; v.Actor != "" || v.Event != int(event) || !strings.Contains(v.Stack, "TestInvariants") {
		t.Errorf("%+v", v)
	}
	var begun []string
	for i := range c.Invariants {
		begun = append(begun, fmt.Sprint(explore.Invariant, i), "end")
	}
	if !slices.Equal(w.checks, begun) {
		t.Errorf("checks that have begun and ended: %q, want %q", w.checks, begun)
	}
	vs = c.Step(plain{w}, 0)
	want.Event, want.MessageType, want.ActorType, want.Actor = 0, "", w.tr.Actors[0].Type.Name, "Driver"
	if !reflect.DeepEqual(vs[0], want) {
		t.Errorf("after the start got %+v\nwant %+v", vs[0], want)
	}
	if c.Global() == "" || (&Checker{}).Global() != "" {
		t.Error("a checker is global if and only if it has invariants")
	}
}
