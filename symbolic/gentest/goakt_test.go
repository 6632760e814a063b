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
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Handlers of GoAkt are found, and that there are no tests of them is said before anything is looked for. So are
// drivers of GoAkt told from others.
func TestGoAkt(t *testing.T) {
	dir, err := filepath.Abs("../../adapter/goakt")
	if err != nil {
		t.Fatal(err)
	}
	c := load.Config{Dir: dir, Patterns: []string{"./office"}, Overlay: map[string][]byte{}}
	for _, name := range []string{"office.go", "office_test.go"} {
		source, err := os.ReadFile(filepath.Join("../../static/flow/testdata/goakt/office", name))
		if err != nil {
			t.Fatal(err)
		}
		c.Overlay[filepath.Join(dir, "office", name)] = source
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
	for _, x := range targets {
		if x.Kind != cases.GoAktHandler {
			t.Errorf("%s is a %v", x.Name, x.Kind)
		}
	}
	err = gentest.Required(q, targets)
	if err == nil || !strings.Contains(err.Error(), "of which no tests can be written") {
		t.Errorf("error %v", err)
	}
	drivers := system.New(p, store, solver).Drivers()
	if len(drivers) != 3 || !drivers[0].GoAkt {
		t.Errorf("drivers %+v", drivers)
	}
}
