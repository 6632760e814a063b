package exec_test

import (
	"fmt"
	"strconv"
	"strings"
)

// Go executes these functions, and their source is executed symbolically.

func cutOf(s, sep string) string {
	before, after, found := strings.Cut(s, sep)
	return before + "/" + after + choose(found)
}

func choose(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

func number(s string) string {
	n, err := strconv.Atoi(s)
	if err != nil {
		return fmt.Sprint("error ", n)
	}
	return strconv.Itoa(n)
}
