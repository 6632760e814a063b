package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// written writes a module: files by name and content in turn.
func written(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		at := filepath.Join(dir, files[i])
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(files[i+1]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const module = "module m\n\ngo 1.25\n"

// Tests are found that come to the variable through helpers, constants, variables, methods, functions that are passed
// on, and other packages.
func TestArguments(t *testing.T) {
	dir := written(t, "go.mod", module,
		"help/help.go", `package help

import "os"

const name = "REHEARSE_TOY"

var own = []string{"REHEARSE_TOY"} // no read

type Scale struct{}

func (Scale) Of() string { return os.Getenv(name) }

func Known(s string) bool { return own[0] == s }
`,
		"a/a.go", "package a\n",
		"a/a_test.go", `package a

import (
	"os"
	"testing"

	"m/help"
)

var whole = os.Getenv("REHEARSE_TOY") != ""

func direct() bool { return os.Getenv("REHEARSE_TOY") != "" }

func passed(t *testing.T) { direct() }

func TestVariable(t *testing.T) { _ = whole }
func TestPassed(t *testing.T)   { t.Run("x", passed) }
func TestMethod(t *testing.T)   { help.Scale{}.Of() }
func TestOther(t *testing.T)    { help.Known("direct") }
func TestNames(t *testing.T)    { whole := os.Getenv("REHEARSE_TOY_FROM"); _ = whole }
func FuzzIt(f *testing.F)       { direct() }
`,
		"a/x_test.go", "package a_test\n\nimport \"testing\"\n\nfunc TestMethod(t *testing.T) {}\n",
		"b/b_test.go", "package b\n\nimport \"testing\"\n\nfunc TestNothing(t *testing.T) {}\n",
		"c/c_test.go", `package c_test

import (
	"testing"

	"m/help"
)

func TestFar(t *testing.T) { help.Scale.Of(help.Scale{}) }
`,
	)
	got, err := arguments(dir, "./...")
	if want := "-run=^(FuzzIt|TestFar|TestMethod|TestPassed|TestVariable)$ ./a ./c"; err != nil || got != want {
		t.Errorf("%q, %v: want %q", got, err, want)
	}
}

// What it cannot list is an error: nothing is left out in silence.
func TestErrors(t *testing.T) {
	const reads = "package a\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n"
	for source, want := range map[string]string{
		reads + "func TestMain(m *testing.M) { os.Getenv(\"REHEARSE_TOY\"); m.Run() }\n": "m/a.TestMain reads REHEARSE_TOY for all tests",
		reads + "func TestA(t *testing.T) { os.Getenv(\"TOY\") }\n":                      "no test reads REHEARSE_TOY",
		reads + "func TestA(t *testing.T) { missing() }\n":                               "undefined: missing",
	} {
		got, err := arguments(written(t, "go.mod", module, "a/a_test.go", source), "./...")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q, %v: want an error with %q", got, err, want)
		}
	}
}
