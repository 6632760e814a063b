package prove_test

import (
	"maps"
	"slices"
	"testing"
)

// checked has functions whose lines say in a comment which check on them may fail. All others cannot.
const checked = `package main

type room struct {
	waiting []int
	book    *room
	open    map[int]int
}

func (r *room) Send(int) {}

func walk(s []int) (sum int) {
	for _, v := range s {
		if v > s[0] {
			continue
		}
		sum += v
	}
	for i := len(s) - 1; i >= 0; i-- {
		sum += s[i]
	}
	return sum + s[len(s)-1] // index
}

func first(r *room) int {
	if len(r.waiting) == 0 { // nil
		return 0
	}
	next := r.waiting[0]
	r.waiting = r.waiting[1:]
	return next + r.waiting[0] // index
}

func drop(s []int, x int) []int {
	for i, v := range s {
		if v == x {
			return append(s[:i], s[i+1:]...)
		}
	}
	return s[x:] // slice
}

func ring(s []int, i int) int {
	if i < 0 || len(s) == 0 {
		return 1 % i // division
	}
	return s[i%len(s)] + s[(i+1)%len(s)] // index
}

func copied(s []int) []int {
	t := make([]int, 0, 4)
	for _, v := range s {
		t = append(t, v)
	}
	t = append(t, 1)
	t[0]++
	m := map[int]int{}
	m[1] = t[1] // index
	return t
}

func write(r *room) {
	if r == nil || r.book == nil {
		return
	}
	r.book.open[1] = 2 // map
	r.book.open[2] = 3
	r.book = nil
	r.book.waiting = nil // nil
}
`

func TestChecks(t *testing.T) {
	want := map[string]bool{"21 index": true, "25 nil": true, "30 index": true, "39 slice": true, "44 division": true, "46 index": true, "57 index": true, "65 map": true, "68 nil": true}
	got := map[string]bool{}
	for key, c := range checksOf(t, checked) {
		if c.left > 0 {
			got[key] = true
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("checks that may fail: %q, want %q", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}
