package trace

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// nameByCounting is ActorName without an index.
func nameByCounting(t *Trace, a int32) string {
	ordinal, total := 1, 0
	for i := range t.Actors {
		if t.baseName(int32(i)) == t.baseName(a) {
			total++
			if int32(i) < a {
				ordinal++
			}
		}
	}
	if total == 1 {
		return t.baseName(a)
	}
	return fmt.Sprintf("%s#%d", t.baseName(a), ordinal)
}

// indexByCounting is the ordinal of the i-th of an event's messages, or children, among those that are alike.
func indexByCounting(effects []int32, i int, alike func(a, b int32) bool) int32 {
	n := int32(0)
	for _, e := range effects[:i] {
		if alike(e, effects[i]) {
			n++
		}
	}
	return n
}

// Names and ordinals are looked up where there are many. They are those that counting gives, also after steps were
// taken back, after a new execution has begun, and in a copy.
func TestNamesAndOrdinals(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	tr := &Trace{}
	types := []*Type{tr.TypeNamed("a.A"), tr.TypeNamed("a.B"), tr.TypeNamed("b.B")}
	type point struct{ events, actors, messages int }
	var points []point
	tr.AddDriver()
	for n := range 600 {
		switch {
		case n%200 == 150:
			tr.Reset()
			tr.AddDriver()
			points = points[:0]
		case n%3 == 2 && len(points) > 3:
			points = points[:len(points)-rng.IntN(3)]
			p := points[len(points)-1]
			tr.Cut(p.events, p.actors, p.messages)
			points = points[:len(points)-1]
		}
		points = append(points, point{len(tr.Events), len(tr.Actors), len(tr.Messages)})
		e := tr.Begin(StartStep(n % 3)) // equal steps: their identities tell nothing
		spawns := rng.IntN(3)
		for range []int{rng.IntN(3 * few), few + 1, few + 2}[rng.IntN(3)] {
			if rng.IntN(2) < spawns {
				tr.AddActor(types[rng.IntN(3)], []string{"", "", "x", "B"}[rng.IntN(4)], 0, e)
			} else {
				tr.AddMessage(types[rng.IntN(3)], User, 0, int32(rng.IntN(min(4, len(tr.Actors)))), e, nil)
			}
		}
		checkOrdinals(t, tr, &tr.Events[e])
		if n%5 == 0 {
			checkNames(t, tr)
		}
	}
	head := *tr
	head.Actors = append(head.Actors[:2:2], Actor{Type: types[0], Name: "other"})
	checkNames(t, &head)
	checkNames(t, tr)
	if len(tr.Actors) < 100 {
		t.Errorf("%d actors: too few to tell", len(tr.Actors))
	}
}

func checkNames(t *testing.T, tr *Trace) {
	t.Helper()
	for range 20 {
		a := int32(rand.IntN(len(tr.Actors)))
		if got, want := tr.ActorName(a), nameByCounting(tr, a); got != want {
			t.Fatalf("actor %d of %d: %s, want %s", a, len(tr.Actors), got, want)
		}
	}
}

func checkOrdinals(t *testing.T, tr *Trace, e *Event) {
	t.Helper()
	for i, m := range e.Sent {
		msg := &tr.Messages[m]
		want := indexByCounting(e.Sent, i, func(a, b int32) bool {
			return tr.Messages[a].Type == tr.Messages[b].Type && tr.Messages[a].Receiver == tr.Messages[b].Receiver
		})
		if msg.Index != want {
			t.Fatalf("message %d of the event has index %d, want %d", i, msg.Index, want)
		}
	}
	for i, a := range e.Created {
		n := indexByCounting(e.Created, i, func(a, b int32) bool { return tr.Actors[a].Type == tr.Actors[b].Type })
		if want := e.Step.ID.With(tr.Actors[a].Type.Hash).With(uint64(n)); tr.Actors[a].ID != want {
			t.Fatalf("child %d of the event has another identity than the %d. of its type", i, n)
		}
	}
}

func TestShortType(t *testing.T) {
	for name, want := range map[string]string{
		"bank.Withdraw":            "Withdraw",
		"*bank.Withdraw":           "Withdraw",
		"int":                      "int",
		"[]bank.Withdraw":          "[]bank.Withdraw",
		"map[string]bank.Withdraw": "map[string]bank.Withdraw",
		"func(bank.Withdraw)":      "func(bank.Withdraw)",
		"ring.Data[int]":           "Data[int]",
		"ring.Data[*example.org/go-bank/v2.Till]": "Data[*v2.Till]",
		"ring.Pair[a.org/x.A,[]b.org/y/z.B]":      "Pair[x.A,[]z.B]",
	} {
		if got := ShortType(name); got != want {
			t.Errorf("ShortType(%q) = %q, want %q", name, got, want)
		}
	}
}
