package gentest

import "testing"

func TestAligned(t *testing.T) {
	src := "package p\n\nfunc f(a, b bool) bool {\n\treturn a && b\n}\n"
	counted := "//line p.go:1:1\npackage p\n\nfunc f(a, b bool) bool {n.Count[0] = 1;\n\tn.Count[1] = 1;return a && b\n}\n\nvar n = 1\n"
	at, ok := aligned(src, counted, "n.Count[", nil)
	if !ok || len(at) != len(src) {
		t.Fatal(ok, len(at))
	}
	for i := range src {
		if counted[at[i]] != src[i] || i > 0 && at[i] <= at[i-1] {
			t.Fatalf("byte %d is at %d", i, at[i])
		}
	}
	if _, ok := aligned(src, "//line p.go:1:1\npackage p\n\nfunc f(a, c bool)", "n.Count[", nil); ok {
		t.Error("another text is taken for it")
	}
}
