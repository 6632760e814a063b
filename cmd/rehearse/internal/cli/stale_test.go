package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestParts(t *testing.T) {
	for name, want := range map[string]string{
		"bank.Withdraw":                          "bank.Withdraw",
		"string":                                 "",
		"nil":                                    "",
		"struct {}":                              "",
		"*bank.Withdraw":                         "bank.Withdraw",
		"[]time.Duration":                        "time.Duration",
		"map[string][]bank.T":                    "bank.T",
		"bank.Box[example.com/bank.T]":           "bank.Box bank.T",
		"bank.Pair[a.org/b.c/x.K,[]a.org/y.V]":   "bank.Pair x.K y.V",
		`struct { X bank.T "json:\"a.b,c.d\"" }`: "bank.T",
		"func(bank.T) (bank.U, error)":           "bank.T bank.U",
		"größe.Ä":                                "größe.Ä",
		"worker 1.5":                             "",
		"bank.(*Server).Start":                   "",
	} {
		if got := strings.Join(parts(name), " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// declaredIn gives what a source text declares in package example.org/bank.
func declaredIn(t *testing.T, base, source string) *declared {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	d := &declared{dir: t.TempDir(), types: map[string]bool{}, functions: map[string]bool{}, texts: map[string]bool{}}
	d.addTypes(f, base)
	d.addFunctions(f, base)
	return d
}

// Names of every kind are found where they are declared, and stale where they are not.
func TestJudge(t *testing.T) {
	d := declaredIn(t, "bank", `package bank
		type Server struct{}
		type box[T any] struct{}
		func Serve() { type local int; spawn("front door"); spawn("a.b") }
		func (s *Server) Start() {}
		func (b box[T]) open() {}`)
	names := func(list ...string) map[string]bool {
		m := map[string]bool{}
		for _, n := range list {
			m[n] = true
		}
		return m
	}
	for _, actor := range []string{"bank.Server", "bank.Serve", "bank.(*Server).Start", "bank.box[int]", "front door",
		"a.b", "bank.init", "bank.local", "bank.box[...].open"} {
		s, err := d.judge(names(actor), nil)
		if err != nil || len(s.actors)+len(s.unknown) != 0 {
			t.Errorf("actor %s: %v %v, %v", actor, s.actors, s.unknown, err)
		}
	}
	if s, err := d.judge(names("bank.Server", "worker 7"), names("bank.local", "[]bank.Server", "string")); err != nil ||
		!slices.Equal(s.unknown, []string{"worker 7"}) ||
		len(s.messages)+len(s.actors) != 0 || !strings.Contains(s.text(), "may be stale: worker 7") {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := d.judge(names("bank.(*Server).Stop"), nil); err != nil || !s.actors["bank.(*Server).Stop"] {
		t.Errorf("%+v, %v", s, err)
	}
}

type forNames[T any] struct{}

func (*forNames[T]) pointer() {}
func (forNames[T]) value()    {}

// Functions are called as the runtime calls them.
func TestReceiverIsTheRuntimes(t *testing.T) {
	const source = `package cli
		func (*forNames[T]) pointer() {}
		func (forNames[T]) value()    {}`
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, fn := range []any{(*forNames[int]).pointer, forNames[int].value} {
		decl := f.Decls[i].(*ast.FuncDecl)
		want := runtime.FuncForPC(reflect.ValueOf(fn).Pointer()).Name()
		// The runtime calls the instance of a generic method, which this pointer is of, a function within it.
		if got := "cli." + receiver(decl) + decl.Name.Name; !strings.Contains(want, got) {
			t.Errorf("%s, the runtime says %s", got, want)
		}
	}
}
