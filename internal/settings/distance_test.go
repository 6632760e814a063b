package settings

import (
	"math/rand/v2"
	"testing"
)

// slowDistance is the recursion that defines the distance.
func slowDistance(a, b string) int {
	if a == "" || b == "" {
		return len(a) + len(b)
	}
	n, m := len(a), len(b)
	change := slowDistance(a[:n-1], b[:m-1])
	if a[n-1] != b[m-1] {
		change++
	}
	d := min(slowDistance(a[:n-1], b)+1, slowDistance(a, b[:m-1])+1, change)
	if n > 1 && m > 1 && a[n-1] == b[m-2] && a[n-2] == b[m-1] {
		d = min(d, slowDistance(a[:n-2], b[:m-2])+1)
	}
	return d
}

// TestDistance: the distance up to every limit is that of its definition, for random words of few letters.
func TestDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		w := make([]byte, random.IntN(6))
		for i := range w {
			w[i] = "abc"[random.IntN(3)]
		}
		return string(w)
	}
	for range 300 {
		a, b := word(), word()
		want := slowDistance(a, b)
		for limit := range 6 {
			if got := distance(a, b, limit); got != min(want, limit) {
				t.Errorf("from %q to %q, up to %d: %d, want %d", a, b, limit, got, min(want, limit))
			}
		}
	}
}
