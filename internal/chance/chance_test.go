package chance

import (
	"fmt"
	mathrand "math/rand"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/choosers"
)

// programs are those whose outcome Go decides.
var programs = map[string]struct {
	run      func() string
	outcomes int // over all seeds; 0: more than can be counted
}{
	"map of 5":  {choosers.Programs["map of 5"], 5},
	"map of 20": {choosers.Programs["map of 20"], 0},
	"select":    {choosers.Programs["select"], 6},
	"math/rand": {func() string { return fmt.Sprint(mathrand.Int()) }, 0},
}

// onOneThread runs f where the package promises that a seed decides: on one thread, without a collection in between.
func onOneThread(t *testing.T, f func()) {
	t.Helper()
	if !Available() {
		t.Skip(Why())
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	f()
}

// outcome is what a program does under a seed, with the number of its draws that others may add to.
func outcome(seed uint64, run func() string) (string, Drawn) {
	var m Mark
	m.Set(seed, 1)
	s := run()
	return s, m.Drawn()
}

// One seed, one outcome. A run in which the runtime has drawn for itself does not count: other processes may bring that
// about at any time.
func TestOneSeed(t *testing.T) {
	for name, c := range programs {
		t.Run(name, func(t *testing.T) {
			onOneThread(t, func() {
				for seed := range uint64(5) {
					counted := map[Drawn]string{}
					for range 200 {
						got, drawn := outcome(seed, c.run)
						if want, ok := counted[drawn]; ok && got != want {
							t.Fatalf("seed %d, %+v: %s, want %s", seed, drawn, got, want)
						}
						counted[drawn] = got
					}
					if len(counted) > 20 {
						t.Errorf("seed %d: %d numbers of draws, want about one", seed, len(counted))
					}
				}
			})
		})
	}
}

// Seeds give all outcomes.
func TestSeedsCover(t *testing.T) {
	for name, c := range programs {
		t.Run(name, func(t *testing.T) {
			onOneThread(t, func() {
				seen := map[string]int{}
				for seed := range uint64(500) {
					s, _ := outcome(seed, c.run)
					seen[s]++
				}
				if c.outcomes > 0 && len(seen) != c.outcomes || c.outcomes == 0 && len(seen) < 20 {
					t.Errorf("%d outcomes, want %d: %v", len(seen), c.outcomes, seen)
				}
			})
		})
	}
}

// Drawn tells who has drawn what.
func TestDrawn(t *testing.T) {
	onOneThread(t, func() {
		if _, d := outcome(1, func() string { return "" }); d.Numbers {
			t.Errorf("nothing was drawn: %+v", d)
		}
		for _, n := range []int{1, 31, 32, 33, 124, 125, 128, 1000} {
			_, d := outcome(uint64(n), func() string {
				for range n {
					rand()
				}
				return ""
			})
			if !d.Numbers {
				t.Errorf("%d numbers were drawn: %+v", n, d)
			}
		}
		if _, d := outcome(1, func() string { cheaprand(); cheaprand(); return "" }); d.Numbers || d.Cheap < 2 {
			t.Errorf("two cheap numbers were drawn: %+v", d)
		}
	})
}

// Another thread has other states, of which a mark knows nothing.
func TestMoved(t *testing.T) {
	onOneThread(t, func() {
		var m Mark
		m.Set(1, 1)
		got := make(chan Drawn)
		go func() { got <- m.Drawn() }() // this thread is locked: it runs on another one
		if d := <-got; d != (Drawn{Moved: true}) {
			t.Errorf("%+v", d)
		}
	})
}

// What is drawn aside is not drawn.
func TestAside(t *testing.T) {
	onOneThread(t, func() {
		plain, _ := outcome(3, func() string { return fmt.Sprint(rand(), rand()) })
		aside, _ := outcome(3, func() string {
			first := rand()
			Aside(func() {
				for range 100 {
					rand()
				}
			})
			return fmt.Sprint(first, rand())
		})
		if plain != aside {
			t.Errorf("%s, and %s with draws aside", plain, aside)
		}
		before, _ := outcome(4, func() string { Aside(func() { rand() }); return "" })
		if _, d := outcome(4, func() string { Aside(func() { rand() }); return before }); d.Numbers {
			t.Errorf("numbers were drawn aside: %+v", d)
		}
	})
}

// The scheduler's count becomes a multiple of its period, and never less.
func TestAlignTick(t *testing.T) {
	onOneThread(t, func() {
		for range 100 {
			procPin()
			before := tick()
			AlignTick()
			after := tick()
			procUnpin()
			if after%tickPeriod != 0 || after <= before || after > before+tickPeriod {
				t.Fatalf("%d became %d", before, after)
			}
		}
	})
}

// tick is the count of the processor that this goroutine is pinned to.
//
//go:norace
//go:nocheckptr
func tick() uint32 {
	return *(*uint32)(pointer(*(*uintptr)(thread(getm()).at(where.processor)) + tickAt))
}

// A zero Mark, and one that was never set because the package is not available, has seen nothing.
func TestNothingWithoutProof(t *testing.T) {
	was := available
	available = false
	defer func() { available = was }()
	var m Mark
	m.Set(1, 2)
	called := false
	Aside(func() { called = true })
	AlignTick()
	if m != (Mark{}) || m.Drawn() != (Drawn{}) || !called {
		t.Errorf("%+v, %+v, called %v", m, m.Drawn(), called)
	}
}

// The last one to release restores what was.
func TestAlone(t *testing.T) {
	was := runtime.GOMAXPROCS(0)
	first, second := Alone(), Alone()
	first()
	first()
	if n := runtime.GOMAXPROCS(0); n != 1 {
		t.Errorf("GOMAXPROCS is %d while one is left", n)
	}
	second()
	if n := runtime.GOMAXPROCS(0); n != was {
		t.Errorf("GOMAXPROCS is %d, was %d", n, was)
	}
}

// Maps are ranged over in the order in which they were filled, and what that draws is not drawn.
func TestInOrder(t *testing.T) {
	onOneThread(t, func() {
		for seed := range uint64(50) {
			for n := range 9 {
				var got string
				_, drawn := outcome(seed, func() string { InOrder(func() { got = choosers.Ranged(n) }); return "" })
				want := fmt.Sprint([]int{0, 1, 2, 3, 4, 5, 6, 7}[:n])
				if got != want || drawn.Numbers {
					t.Errorf("seed %d: %s, want %s; drawn %+v", seed, got, want, drawn)
				}
			}
		}
	})
}
