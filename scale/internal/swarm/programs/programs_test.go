// Package programs is what swarms explore in tests: a test binary like that of a user, which links no broker.
package programs

import (
	"cmp"
	"fmt"
	"os"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/subjects"
)

// programs are explored by swarms.
var programs = map[string]struct {
	strategy string
	sys      func() rehearse.System
	budget   string // "": unlimited
}{
	"pi6":    {"reverse", func() rehearse.System { return subjects.Pi(6) }, ""},
	"pi8":    {"reverse", func() rehearse.System { return subjects.Pi(8) }, ""},
	"pi9":    {"reverse", func() rehearse.System { return subjects.Pi(9) }, ""},
	"fib6":   {"reverse", func() rehearse.System { return subjects.Fib(6) }, ""},
	"random": {"random", func() rehearse.System { return subjects.Pi(4) }, "3000x"},
	"surw":   {"surw/first", func() rehearse.System { return subjects.Pi(4) }, "1500x"},
	"pi4":    {"naive", func() rehearse.System { return subjects.Pi(4) }, ""},
}

// everything is what must be the same whoever explores.
func everything(r *rehearse.Result) string {
	return fmt.Sprintf("complete %v, %d executions, %d blocked, %d classes, depth %d, %d findings", r.Complete, r.Executions,
		r.Blocked, r.Classes, r.Depth, len(r.Findings))
}

// TestProgram is what the bundles of these tests run: it explores a program and prints what came of it.
func TestProgram(t *testing.T) {
	p, ok := programs[os.Getenv("REHEARSE_TEST_PROGRAM")]
	if !ok {
		return
	}
	r, err := rehearse.Explore(rehearse.Config{Strategy: p.strategy, Budget: cmp.Or(p.budget, "unlimited")}, p.sys())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("RESULT " + everything(&r))
	fmt.Println(r.String())
}
