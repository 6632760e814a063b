package reachtest

import (
	"strings"
	"testing"
)

// What the go command says of a module without the adapter becomes advice, for drivers that have no other reason to
// require it.
func TestMissing(t *testing.T) {
	const advice = "its module does not require the adapter: in its folder run go get -t " + adapter + ", "
	for _, x := range []struct{ said, test, want string }{
		{"main_test.go:3:2: no required module provides package x; to add it:\n\tgo get x", "t", advice},
		{"go: updates to go.mod needed; to update it:\n\tgo mod tidy", "t", advice},
		{"main_test.go:3:2: no required module provides package x; to add it:\n\tgo get x", "", ""},
		{"main_test.go:3:2: undefined: x", "t", ""},
		{"# " + adapter + "\nnamed.go:23:9: cannot use f", "t", "the adapter does not compile with the version of protoactor-go that its module requires: the adapter's go.mod names the one that it is for"},
	} {
		of := &Test{Dir: "dir", w: &writer{d: &driver{test: x.test}}}
		if got := of.missing(x.said); !strings.HasPrefix(got, x.want) || x.want == "" && got != "" {
			t.Errorf("%q: %q, want %q", x.said, got, x.want)
		}
	}
}

// TestExits: a driver that ends its process is told apart from tests that fail, panic, are killed or never begin.
func TestExits(t *testing.T) {
	for said, want := range map[string]bool{
		"=== RUN   TestTarget_m_18\nFAIL\todd/m\t0.014s\nFAIL\n":                                                true,
		"=== RUN   TestTarget_m_18\nopen x: no such file\nFAIL\todd/m\t0.014s\nFAIL\n":                          true,
		"=== RUN   TestTarget_m_18\n":                                                                           false,
		"=== RUN   TestTarget_m_1\nFAIL\todd/m\t0.014s\nFAIL\n":                                                 false,
		"# odd/m\nm.go:3:1: undefined: x\nFAIL\todd/m [build failed]\n":                                         false,
		"=== RUN   TestTarget_m_18\n--- FAIL: TestTarget_m_18 (0.00s)\nFAIL\nFAIL\todd/m\t0.014s\nFAIL\n":       false,
		"=== RUN   TestTarget_m_18\npanic: test timed out after 1m0s\nFAIL\todd/m\t60.014s\nFAIL\n":             false,
		"=== RUN   TestTarget_m_18\nfatal error: all goroutines are asleep\nFAIL\todd/m\t0.014s\nFAIL\n":        false,
		"=== RUN   TestTarget_m_18\nsignal: killed\nFAIL\todd/m\t0.014s\nFAIL\n":                                false,
		"=== RUN   TestTarget_m_18\n*** Test killed with quit: ran too long (2m0s).\nFAIL\todd/m\t120s\nFAIL\n": false,
	} {
		if got := (&Test{Func: "TestTarget_m_18"}).exits(said); got != want {
			t.Errorf("%q: %t, want %t", said, got, want)
		}
	}
}

// TestBroken: a Check that ends before its order is judged says why, without the stack.
func TestBroken(t *testing.T) {
	said := "=== RUN   TestTarget_a_1\n    a_target_test.go:19: rehearse: join from a to b does not end: no progress for 10s\n        goroutine 36 [sync.Mutex.Lock]:\n--- FAIL: TestTarget_a_1 (10s)\n"
	if got, want := broken(said), "join from a to b does not end: no progress for 10s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := broken("panic: x\n\tat y\n"), "panic: x\n\tat y"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
