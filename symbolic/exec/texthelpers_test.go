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

// Of these the text comes from outside.

func order(s string) string {
	parts := strings.Split(s, " ")
	if len(parts) != 2 || parts[0] != "pay" {
		return "no order"
	}
	n, err := strconv.Atoi(parts[1])
	switch {
	case err != nil:
		return "no number"
	case n > 1000:
		return "much"
	}
	return "little"
}

func setting(s string) string {
	key, value, found := strings.Cut(s, "=")
	switch {
	case !found:
		return "no setting"
	case value == "on":
		return "on"
	case strings.HasPrefix(key, "x-"):
		return "x"
	case key == "":
		return "no key"
	}
	return "other"
}

func seats(s string) string {
	fields := strings.Fields(s)
	if len(fields) < 2 {
		return "few"
	}
	if fields[1] == "row" {
		n, err := strconv.Atoi(fields[0])
		if err == nil && n < -3 {
			return "below"
		}
		return "row"
	}
	return "other"
}

func version(s string) string {
	parts := strings.Split(s, ".")
	if len(parts) == 3 && strings.TrimSpace(parts[2]) == "9" {
		return "nine"
	}
	if strings.Contains(s, "beta") {
		return "beta"
	}
	return fmt.Sprint(len(parts))
}
