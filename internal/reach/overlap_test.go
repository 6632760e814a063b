package reach

import (
	"slices"
	"testing"
)

// What is shared comes in the order of its owners and their regions, wherever in memory it lies.
func TestOrderOfShared(t *testing.T) {
	want := []spot{{0, 1}, {0, 2}, {1, 0}, {2, 3}}
	for _, all := range [][]interval{
		{{10, 20, spot{0, 0}}, {30, 40, spot{0, 1}}, {30, 40, spot{1, 0}}, {50, 60, spot{0, 2}}, {55, 58, spot{2, 3}}},
		{{10, 20, spot{2, 3}}, {15, 18, spot{0, 2}}, {30, 40, spot{0, 0}}, {50, 60, spot{1, 0}}, {50, 60, spot{0, 1}}},
	} {
		v := overlap{all: all}
		v.sweep()
		if !slices.Equal(v.shared, want) {
			t.Errorf("%v: shared is %v, want %v", all, v.shared, want)
		}
	}
}
