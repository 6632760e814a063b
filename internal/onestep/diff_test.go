package onestep

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

type link struct {
	v    int
	next *link
}

type mixed struct {
	any   any
	list  []int
	table map[string]int
	f     func()
	x     float64
}

func loop(n int) *link {
	first := &link{v: 0}
	last := first
	for i := 1; i < n; i++ {
		last.next = &link{v: i}
		last = last.next
	}
	last.next = first
	return first
}

func TestDiff(t *testing.T) {
	f, g := func() {}, func() { t.Log() }
	for _, tt := range []struct {
		got, want any
		diff      string
	}{
		{1, 1, ""}, {1, 2, "v is 1, want 2"}, {1, "1", `v is 1 of type int, want "1" of type string`}, {nil, nil, ""},
		{nil, 1, "v is nil, want 1"},
		{link{1, &link{2, nil}}, link{1, &link{3, nil}}, "v.next.v is 2, want 3"},
		{&link{}, (*link)(nil), "v is &{v:0 next:<nil>}, want <nil>"},
		{loop(3), loop(3), ""}, {loop(3), loop(4), "v.next.next.next.v is 0, want 3"},
		{mixed{list: []int{1, 2}}, mixed{list: []int{1}}, "v.list has 2 elements, want 1: [1 2], want [1]"},
		{mixed{list: []int{}}, mixed{}, "v.list is [], want []"},
		{mixed{list: []int{1}}, mixed{list: []int{4}}, "v.list[0] is 1, want 4"},
		{mixed{table: map[string]int{"a": 1}}, mixed{table: map[string]int{"b": 1}}, `v.table["b"] is not there, want 1`},
		{mixed{table: map[string]int{"a": 1}}, mixed{table: map[string]int{"a": 2}}, `v.table["a"] is 1, want 2`},
		{mixed{table: map[string]int{}}, mixed{}, "v.table is map[], want map[]"},
		{mixed{table: map[string]int{"a": 1}}, mixed{table: map[string]int{}}, "v.table has 1 entries, want 0"},
		{mixed{any: 1}, mixed{any: int8(1)}, "v.any is 1 of type int, want 1 of type int8"},
		{mixed{any: 1}, mixed{}, "v.any is 1, want <nil>"},
		{mixed{f: f}, mixed{f: f}, ""}, {mixed{f: f}, mixed{f: g}, "v.f is "},
		{mixed{x: math.NaN()}, mixed{x: math.NaN()}, ""}, {mixed{x: 1}, mixed{x: math.NaN()}, "v.x is 1, want NaN"},
		{[2]int{1, 2}, [2]int{1, 3}, "v[1] is 2, want 3"},
	} {
		got := (&Differ{}).Diff("v", tt.got, tt.want)
		if tt.diff == "" && got != "" || !strings.HasPrefix(got, tt.diff) {
			t.Errorf("%+v and %+v: %q, want %q", tt.got, tt.want, got, tt.diff)
		}
	}
}

// TestDiffSame: what counts as a whole is compared as that, also as a key.
func TestDiffSame(t *testing.T) {
	d := &Differ{Same: func(a, b reflect.Value) (same, ok bool) {
		if a.Type() != reflect.TypeFor[*link]() {
			return false, false
		}
		return a.Elem().Field(0).Int() == b.Elem().Field(0).Int(), true
	}}
	a, b := map[*link]int{{v: 1}: 5}, map[*link]int{{v: 1, next: &link{}}: 5}
	if s := d.Diff("v", a, b); s != "" {
		t.Error(s)
	}
	if s := d.Diff("v", a, map[*link]int{{v: 2}: 5}); !strings.Contains(s, "is not there") {
		t.Errorf("%q, want that a key is not there", s)
	}
}
