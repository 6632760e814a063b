package gotest

import (
	"regexp"
	"strings"
)

// NamesSubtest reports whether every alternative of a -run pattern that lets the test run asks for a subtest of it.
func NamesSubtest(pattern, test string) bool {
	names := strings.Split(test, "/")
	deeper := false
	for _, elements := range alternatives(pattern) {
		if !matchesAll(elements, names) {
			continue
		}
		if len(elements) <= len(names) {
			return false
		}
		deeper = true
	}
	return deeper
}

// matchesAll reports whether the elements of a pattern match those of a name, as far as there are both.
func matchesAll(elements, names []string) bool {
	for i := range min(len(elements), len(names)) {
		// The testing package has refused what is no pattern. It also sees spaces as the names of subtests show them.
		if ok, err := regexp.MatchString(strings.ReplaceAll(elements[i], " ", "_"), names[i]); err != nil || !ok {
			return false
		}
	}
	return true
}

// alternatives takes a -run pattern apart as the testing package does: bars separate alternatives and slashes their
// elements, unless they stand in brackets.
func alternatives(pattern string) [][]string {
	var all [][]string
	var elements []string
	from, square, round := 0, 0, 0
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '\\':
			i++
		case c == '[':
			square++
		case c == ']':
			square = max(0, square-1)
		case square > 0:
		case c == '(':
			round++
		case c == ')':
			round--
		case (c == '/' || c == '|') && round == 0:
			elements = append(elements, pattern[from:i])
			from = i + 1
			if c == '|' {
				all, elements = append(all, elements), nil
			}
		}
	}
	return append(all, append(elements, pattern[from:]))
}

// PatternOf is the -run pattern for one test or subtest.
func PatternOf(test string) string {
	elements := strings.Split(test, "/")
	for i, e := range elements {
		elements[i] = "^" + regexp.QuoteMeta(e) + "$"
	}
	return strings.Join(elements, "/")
}
