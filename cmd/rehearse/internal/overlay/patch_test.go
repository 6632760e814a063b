package overlay

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `package p

// T has methods.
type T[E any] struct {
	a int
}

// Get gives it.
func (t *T[E]) Get() int { return t.a }

// Set sets it twice.
func (t T[E]) Set(n int) {
	t.a = n
	t.a = n
}

// free is linked.
func free() int

func last() { free() }
`

// place writes a standard library of one file.
func place(t *testing.T, text string) string {
	t.Helper()
	src := t.TempDir()
	if err := os.MkdirAll(filepath.Join(src, "p"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(src, "p", "p.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return src
}

func TestPatch(t *testing.T) {
	p, err := patch("go1.99", place(t, source), []edit{
		{"p/p.go", "last", "free()", "if true { $0 }"},
		{"p/p.go", "T", "", "\tb int\n"},
		{"p/p.go", "*", "", " point(); "},
		{"p/p.go", "free", "linked", "bound"},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("{ free() }", "{ if true { free() } }", "\ta int\n", "\ta int\n\tb int\n", "{ return",
		"{ point();  return", "(n int) {", "(n int) { point(); ", "is linked", "is bound").Replace(source)
	if got := string(p.files["p/p.go"]); got != want {
		t.Errorf("patched:\n%s\nwant:\n%s", got, want)
	}
}

// What is not as expected is refused, and the line says what, where and in which version.
func TestPatchRefuses(t *testing.T) {
	for want, e := range map[string]edit{
		"go1.99: T.Get in p/p.go has 0 places to patch, want 1": {"p/p.go", "T.Get", "return nil", ""},
		"go1.99: T.Set in p/p.go has 2 places to patch, want 1": {"p/p.go", "T.Set", "t.a = n", ""},
		"go1.99: T.Put in p/p.go has 0 places to patch, want 1": {"p/p.go", "T.Put", "x", ""},
		"go1.99: open ": {"q/q.go", "T", "x", ""},
	} {
		if _, err := patch("go1.99", place(t, source), []edit{e}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", e, err, want)
		}
	}
	if _, err := patch("go1.99", place(t, "package"), []edit{{"p/p.go", "T", "x", ""}}); err == nil ||
		!strings.HasPrefix(err.Error(), "go1.99: p/p.go:1") {
		t.Errorf("no Go: %v", err)
	}
}

// The hash is that of the declarations that are patched, and of no other.
func TestHash(t *testing.T) {
	hash := func(text string) string {
		p, err := patch("go1.99", place(t, text), []edit{{"p/p.go", "T.Get", "", "x"}})
		if err != nil {
			t.Fatal(err)
		}
		return p.hash
	}
	if hash(source) != hash(strings.Replace(source, "free()", "free2()", 1)) {
		t.Error("another declaration changes the hash")
	}
	if hash(source) == hash(strings.Replace(source, "return t.a", "return 1", 1)) {
		t.Error("the declaration does not change the hash")
	}
}

func TestSupported(t *testing.T) {
	for version, want := range map[string]string{
		"go1.26.8": "", "go1.25": "", "go1.26rc1": "", "go1.26.8 X:nodwarf5": "",
		"go1.24.3":          "go1.24.3: not known to this version of Rehearse, which patches go1.25 and go1.26",
		"go1.27":            "go1.27: not known",
		"devel go1.27-0123": "devel go1.27-0123: not known",
	} {
		if err := supported(version); (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", version, err, want)
		}
	}
	if err := verify("go1.26.9", "0123"); err == nil ||
		err.Error() != "go1.26.9: the functions to patch are not those that were tested (hash 0123)" {
		t.Errorf("another hash: %v", err)
	}
}
