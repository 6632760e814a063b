package gentest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// office lays the package office of package flow over a folder of the adapter's module, where it can be compiled.
func office(t *testing.T) (dir string, files map[string]string) {
	t.Helper()
	dir, err := filepath.Abs("../../adapter/goakt")
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, name := range []string{"office.go", "office_test.go"} {
		source, err := filepath.Abs(filepath.Join("../../static/flow/testdata/goakt/office", name))
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Join(dir, "internal", name)] = source
	}
	return dir, files
}

// Tests of handlers of GoAkt: answers, children, behaviours, pills, and what PreStart does of a new actor. With
// REHEARSE_TOY they are compiled, pass, and go the ways of their cases.
func TestGoAkt(t *testing.T) {
	dir, files := office(t)
	c := load.Config{Dir: dir, Patterns: []string{"./sessions", "./internal"}, Overlay: map[string][]byte{}}
	for name, from := range files {
		source, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		c.Overlay[name] = source
	}
	p, err := cases.Load(c)
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	q := cases.New(t.Context(), p, store, solver)
	targets, err := q.Select("")
	if err != nil {
		t.Fatal(err)
	}
	packages, err := gentest.Generate(t.Context(), q, solver, gentest.Tested(q, targets), gentest.Options{})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, pkg := range packages {
		for _, x := range pkg.Tests {
			if x.Target.Kind != cases.GoAktHandler {
				t.Errorf("%s is a %v", x.Target.Name, x.Target.Kind)
			}
			text += strings.Join(x.Lines, "\n")
		}
	}
	for _, want := range []string{"x.Asks()", `x.Child("`, "x.Stops(", "x.Ends()", "x.Becomes()", "x.Answers(",
		"x.Sends(x.Self(), &actor.PoisonPill{})", "&session{", "x.Sends(x.Sender(), Answer{"} {
		if !strings.Contains(text, want) {
			t.Errorf("no test has %s", want)
		}
	}
	if n := strings.Count(text, ", Later{})"); n < 3 { // to who is found by a name, who is, and nobody is
		t.Errorf("%d tests and sends of what looks a name up", n)
	}
	if os.Getenv("REHEARSE_TOY") == "" {
		return
	}
	all := share{}
	for _, pkg := range packages {
		s := confirmedWith(t, pkg, files)
		all.confirmed, all.unconfirmed = all.confirmed+s.confirmed, all.unconfirmed+s.unconfirmed
	}
	if want := (share{confirmed: 72, unconfirmed: 4}); all != want { // a name begins with no dash
		t.Errorf("%+v, want %+v", all, want)
	}
}
