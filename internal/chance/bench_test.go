package chance

import "testing"

func BenchmarkSet(b *testing.B) {
	if !Available() {
		b.Fatal(Why())
	}
	var m Mark
	for i := range b.N {
		m.Set(uint64(i), 1)
	}
}

func BenchmarkDrawn(b *testing.B) {
	if !Available() {
		b.Fatal(Why())
	}
	var m Mark
	m.Set(1, 1)
	n := 0
	for range b.N {
		if m.HasNumbers() {
			n++
		}
	}
}
