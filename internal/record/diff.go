package record

import "unicode"

// This file finds what two sequences have in common.

// part is a piece of a comparison: of both sequences, or of one.
type part struct {
	in   side
	a, b int // indices; of the side that it is in
}

type side uint8

const (
	both side = iota
	onlyA
	onlyB
)

// mostCompared bounds a comparison, in pairs of elements. Above it the sequences count as different but for their
// common begin and end.
const mostCompared = 4 << 20

// compare finds a longest common subsequence of two sequences of so many elements, and gives both as parts, in order.
func compare(n, m int, equal func(a, b int) bool) []part {
	var parts, tail []part
	a, b := 0, 0
	for a < n && b < m && equal(a, b) {
		parts = append(parts, part{both, a, b})
		a, b = a+1, b+1
	}
	for n > a && m > b && equal(n-1, m-1) {
		n, m = n-1, m-1
		tail = append(tail, part{both, n, m})
	}
	if rows, columns := n-a, m-b; rows*columns <= mostCompared {
		parts = append(parts, middle(a, b, rows, columns, equal)...)
	} else {
		for ; a < n; a++ {
			parts = append(parts, part{onlyA, a, b})
		}
		for ; b < m; b++ {
			parts = append(parts, part{onlyB, a, b})
		}
	}
	for i := len(tail) - 1; i >= 0; i-- {
		parts = append(parts, tail[i])
	}
	return parts
}

// middle is the textbook's table: length[i][j] is that of the longest common subsequence behind i and j.
func middle(a, b, rows, columns int, equal func(a, b int) bool) (parts []part) {
	length := make([][]int32, rows+1)
	for i := range length {
		length[i] = make([]int32, columns+1)
	}
	for i := rows - 1; i >= 0; i-- {
		for j := columns - 1; j >= 0; j-- {
			if equal(a+i, b+j) {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < rows || j < columns; {
		switch {
		case i < rows && j < columns && equal(a+i, b+j):
			parts = append(parts, part{both, a + i, b + j})
			i, j = i+1, j+1
		case j == columns || i < rows && length[i+1][j] >= length[i][j+1]:
			parts = append(parts, part{onlyA, a + i, b + j})
			i++
		default:
			parts = append(parts, part{onlyB, a + i, b + j})
			j++
		}
	}
	return parts
}

// words cuts a printed value into words, numbers and single signs. Joined they are the text.
func words(s string) (list []string) {
	in := false // a word
	for _, r := range s {
		inside := r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
		if inside && in {
			list[len(list)-1] += string(r)
		} else {
			list = append(list, string(r))
		}
		in = inside
	}
	return list
}

// change writes a text that became another one, with what is gone and what is new.
func (w *writer) change(before, after string) {
	x, y := words(before), words(after)
	tag := ""
	turn := func(to string) {
		if to == tag {
			return
		}
		if tag != "" {
			w.raw("</" + tag + ">")
		}
		if tag = to; tag != "" {
			w.raw("<" + tag + ">")
		}
	}
	for _, p := range compare(len(x), len(y), func(a, b int) bool { return x[a] == y[b] }) {
		switch p.in {
		case both:
			turn("")
			w.f("%s", x[p.a])
		case onlyA:
			turn("del")
			w.f("%s", x[p.a])
		case onlyB:
			turn("ins")
			w.f("%s", y[p.b])
		}
	}
	turn("")
}
