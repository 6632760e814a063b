package reachtest

import "testing"

// What the go command says of a module without the adapter becomes advice, for drivers that have no other reason to require it.
func TestMissing(t *testing.T) {
	for _, x := range []struct{ said, test, want string }{
		{"main_test.go:3:2: no required module provides package x; to add it:\n\tgo get x", "t", `its module does not require the adapter: run "go get ` + adapter + `" in dir`},
		{"go: updates to go.mod needed; to update it:\n\tgo mod tidy", "t", `its module does not require the adapter: run "go get ` + adapter + `" in dir`},
		{"main_test.go:3:2: no required module provides package x; to add it:\n\tgo get x", "", ""},
		{"main_test.go:3:2: undefined: x", "t", ""},
		{"# " + adapter + "\nnamed.go:23:9: cannot use f", "t", "the adapter does not compile with the version of protoactor-go that its module requires: the adapter's go.mod names the one that it is for"},
	} {
		of := &Test{Dir: "dir", w: &writer{d: &driver{test: x.test}}}
		if got := of.missing(x.said); got != x.want {
			t.Errorf("%q: %q, want %q", x.said, got, x.want)
		}
	}
}
