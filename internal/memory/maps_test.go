package memory

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// orders lists the entries of a map as loops come to them, under some seeds.
func orders(m map[int]string) string {
	s := ""
	for seed := range uint64(16) {
		var mark chance.Mark
		mark.Set(seed, 1)
		for k, v := range m {
			s += fmt.Sprint(k, v, " ")
		}
		s += "\n"
	}
	return s
}

// A map that was put back is ranged over as before, whatever was changed since: for what is drawn.
func TestMapsKeepTheirOrder(t *testing.T) {
	if !chance.Available() {
		t.Skip(chance.Why())
	}
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0))
		table := map[int]string{}
		for range r.IntN(9) {
			table[r.IntN(100)] = "first"
		}
		want, n := orders(table), len(table)
		m := New()
		if err := m.Save(&table); err != nil {
			t.Fatal(err)
		}
		for range r.IntN(4) {
			change(r, table)
		}
		m.Back(0)
		if got := orders(table); got != want {
			t.Errorf("seed %d, %d entries:\n%s\nwant\n%s", seed, n, got, want)
		}
	}
}

// change changes a map, but for what has it kept in tables.
func change(r *rand.Rand, table map[int]string) {
	if r.IntN(3) == 0 {
		for k := range table {
			delete(table, k)
			return
		}
	}
	if len(table) == slots {
		return
	}
	if r.IntN(2) == 0 {
		for k := range table {
			table[k] = "second"
		}
		return
	}
	table[r.IntN(100)] = "third"
}

// What has gaps keeps them as long as only values change.
func TestMapsKeepTheirGaps(t *testing.T) {
	if !chance.Available() {
		t.Skip(chance.Why())
	}
	table := map[int]string{0: "a", 1: "b", 2: "c", 3: "d"}
	delete(table, 1)
	want := orders(table)
	m := New()
	if err := m.Save(&table); err != nil {
		t.Fatal(err)
	}
	table[0] = "e"
	m.Back(0)
	if got := orders(table); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// A map of 8 entries that is kept in tables stays as it is if nothing was changed.
func TestTablesKeepTheirOrder(t *testing.T) {
	if !chance.Available() {
		t.Skip(chance.Why())
	}
	table := map[int]string{}
	for i := range slots {
		table[i] = "a"
	}
	table[0] = "b" // of a full map: from here on it is kept in tables
	want := orders(table)
	m := New()
	if err := m.Save(&table); err != nil {
		t.Fatal(err)
	}
	m.Back(0)
	if got := orders(table); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
