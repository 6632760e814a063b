package exec_test

import (
	"strconv"
	"strings"
)

// splitsOf calls functions of texts. TestConstantTexts executes it, and takes its source to be executed symbolically:
// this file holds nothing else.
func splitsOf(s, sep string) string {
	all := ""
	for _, part := range strings.Split(s, sep) {
		all += "<" + part + ">"
	}
	for _, part := range strings.SplitAfter(s, sep) {
		all += "(" + part + ")"
	}
	for _, part := range strings.Fields(s) {
		all += "{" + part + "}"
	}
	before, after, found := strings.Cut(s, sep)
	all += before + "/" + after
	if found {
		all += "!"
	}
	all += strings.ReplaceAll(s, sep, "_")
	if n, err := strconv.Atoi(after); err == nil {
		all += strconv.Itoa(n + 1)
	}
	return all
}
