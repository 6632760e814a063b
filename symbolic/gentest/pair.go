package gentest

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// This file finds for tests that went those that came in their place. A case has the name of its conditions, so it has
// another one where a constant of a condition changes, or a field is called otherwise. What else changes in it would be
// lost between one that went and one that came.

// alike is the share of words that two tests have to have in common, to be of one case.
const alike = 0.6

// word is a text, a name, a number, or a sign.
var word = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\w+|[^\w\s]`)

func wordsOf(lines []string) (list []string) {
	for _, l := range lines {
		list = append(list, word.FindAllString(l, -1)...)
	}
	return list
}

// label gives what tells the tests of one case apart.
func label(name string) string {
	for _, l := range []string{"distinct", "edge", reachedLabel} {
		if strings.HasSuffix(name, ","+l) {
			return l
		}
	}
	return ""
}

// likeness is the share of words that two tests have in common.
func likeness(a, b oldTest) float64 {
	count := map[string]int{}
	first, second := wordsOf(append(a.lines, a.name)), wordsOf(append(b.lines, b.name))
	for _, w := range first {
		count[w]++
	}
	common := 0
	for _, w := range second {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	return 2 * float64(common) / float64(len(first)+len(second))
}

// pair is a test as it was, and as it is.
type pair struct{ was, is oldTest }

// paired pairs tests of one function that went with those that came: the most alike first.
func paired(gone, came []oldTest) (list []pair) {
	type candidate struct {
		i, j int
		like float64
	}
	var all []candidate
	for i, a := range gone {
		for j, b := range came {
			if a.fn != b.fn || label(a.name) != label(b.name) {
				continue
			}
			if like := likeness(a, b); like >= alike {
				all = append(all, candidate{i, j, like})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch {
		case a.like > b.like:
			return -1
		case a.like < b.like:
			return 1
		}
		return 0
	})
	first, second := map[int]bool{}, map[int]bool{}
	for _, c := range all {
		if !first[c.i] && !second[c.j] {
			first[c.i], second[c.j] = true, true
			list = append(list, pair{gone[c.i], came[c.j]})
		}
	}
	return list
}

var isName = regexp.MustCompile(`^"?([A-Za-z_]\w*)"?$`)

// renames finds fields that have other names all over the tests: the old ones are nowhere in the new tests, and the
// other way round.
func renames(pairs []pair, before, after []oldTest) map[string]string {
	old, now := namesIn(before), namesIn(after)
	found, odd, field := map[string]string{}, map[string]bool{}, map[string]bool{}
	for _, p := range pairs {
		a, b := wordsOf(p.was.lines), wordsOf(p.is.lines)
		if len(a) != len(b) {
			continue
		}
		for i := range a {
			from, to := isName.FindStringSubmatch(a[i]), isName.FindStringSubmatch(b[i])
			if a[i] == b[i] || from == nil || to == nil {
				continue
			}
			if known, ok := found[from[1]]; now[from[1]] || old[to[1]] || ok && known != to[1] {
				odd[from[1]] = true
			}
			found[from[1]] = to[1]
			if i+2 < len(a) && a[i+1] == ":" && a[i+2] != "=" { // the key of a literal
				field[from[1]] = true
			}
		}
	}
	maps.DeleteFunc(found, func(from, _ string) bool { return odd[from] || !field[from] })
	return found
}

func namesIn(tests []oldTest) map[string]bool {
	list := map[string]bool{}
	for _, t := range tests {
		for _, w := range wordsOf(append(t.lines, t.name)) {
			if m := isName.FindStringSubmatch(w); m != nil {
				list[m[1]] = true
			}
		}
	}
	return list
}

// renamed gives a test with other names, and which of them it has.
func renamed(t oldTest, names map[string]string) (oldTest, []string) {
	used := map[string]bool{}
	replace := func(s string) string {
		return word.ReplaceAllStringFunc(s, func(w string) string {
			m := isName.FindStringSubmatch(w)
			if m == nil || names[m[1]] == "" {
				return w
			}
			used[m[1]] = true
			return strings.Replace(w, m[1], names[m[1]], 1)
		})
	}
	r := oldTest{file: t.file, fn: t.fn, name: replace(t.name)}
	for _, l := range t.above {
		r.above = append(r.above, replace(l))
	}
	for _, l := range t.lines {
		r.lines = append(r.lines, replace(l))
	}
	return r, slices.Sorted(maps.Keys(used))
}

// sameName reports whether two names are of the same conditions. Long ones end with a number that is made of them.
func sameName(a, b string) bool {
	cut := func(s string) []string {
		s, _, _ = strings.Cut(s, "~")
		list := strings.Split(s, ",")
		slices.Sort(list)
		return list
	}
	return slices.Equal(cut(a), cut(b)) || strings.Contains(a, "~") && strings.Contains(b, "~")
}
