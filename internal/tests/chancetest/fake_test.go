package chancetest

import (
	"reflect"
	"testing"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// enumerate executes a program once for each list of draws that it can meet, and gives the lists.
func enumerate(run func()) (all [][]uint32) {
	for script := []uint32{}; ; {
		chance.Begin(1, 2, script, false, -1)
		run()
		log := chance.End()
		values := make([]uint32, len(log))
		for i, d := range log {
			values[i] = d.Value
		}
		all = append(all, values)
		last := len(log) - 1
		for last >= 0 && log[last].Value+1 == log[last].N {
			last--
		}
		if last < 0 {
			return all
		}
		script = append(append([]uint32(nil), values[:last]...), values[last]+1)
	}
}

// A script reaches each list of values once.
func TestScript(t *testing.T) {
	f := new(Fake)
	defer chance.SetSource(f)()
	got := enumerate(func() {
		if f.Draw(chance.Map, 3) == 1 {
			f.Draw(chance.Select, 2)
		}
		f.Draw(chance.Map, 1)
	})
	if want := [][]uint32{{0}, {1, 0}, {1, 1}, {2}}; !reflect.DeepEqual(got, want) {
		t.Errorf("lists %v, want %v", got, want)
	}
}

// What is behind the script is 0, or the seed's; preemptions are counted.
func TestBehindTheScript(t *testing.T) {
	f := new(Fake)
	defer chance.SetSource(nil)()
	if chance.Numbered() {
		t.Fatal("draws have numbers without a source")
	}
	restore := chance.SetSource(f)
	if !chance.Numbered() {
		t.Error("draws have no numbers with a source")
	}
	draws := func(hi uint64, sample bool, points int, script ...uint32) (values []uint32) {
		chance.Begin(hi, 0, script, sample, points)
		for range 20 {
			f.Draw(chance.Point, 2)
		}
		f.Number()
		for _, d := range chance.End() {
			values = append(values, d.Value)
		}
		if n := chance.UnnumberedDraws().Numbers; n != 1 {
			t.Errorf("%d numbers were drawn, want 1", n)
		}
		return values
	}
	if got := draws(1, false, 2, 0, 1, 0, 1); !reflect.DeepEqual(got, []uint32{0, 1, 0, 1}) {
		t.Errorf("two preemptions allowed: %v", got)
	}
	if got := draws(1, false, -1); len(got) != 20 {
		t.Errorf("any number of preemptions: %v", got)
	}
	if a, b, c := draws(1, true, -1), draws(1, true, -1), draws(2, true, -1); !reflect.DeepEqual(a, b) ||
		reflect.DeepEqual(a, c) {
		t.Errorf("seeds: %v, %v, %v", a, b, c)
	}
	restore()
	if chance.Numbered() {
		t.Error("the source is still there")
	}
}
