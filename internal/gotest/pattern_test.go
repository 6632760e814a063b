package gotest

import (
	"testing"
)

func TestNamesSubtest(t *testing.T) {
	for _, c := range []struct {
		pattern, test string
		want          bool
	}{
		{"", "TestX", false}, {"TestX", "TestX", false}, {"^TestX$/^a$", "TestX", true}, {"X/a/b", "TestX/a", true},
		{"X/a", "TestX/a", false},
		{"Test[/|]*X", "TestX", false}, {"A|(X/C)", "TestX", false}, {`TestX\/b`, "TestX", false}, {`X\|/b`, "X|", true},
		{"TestA/x|TestX", "TestX", false}, {"TestX|TestA/x", "TestX", false}, {"TestX/a|TestX", "TestX", false},
		{"TestA|TestX/a", "TestX", true},
		{"TestX/a|", "TestX", false}, {"/a", "TestX", true}, {"TestX/a b/c", "TestX/a_b", true},
		{"Test(X|Y)/[a/b]", "TestX", true}, {"TestA/x", "TestX", false},
	} {
		if got := NamesSubtest(c.pattern, c.test); got != c.want {
			t.Errorf("-run %q, %s: %v, want %v", c.pattern, c.test, got, c.want)
		}
	}
}
