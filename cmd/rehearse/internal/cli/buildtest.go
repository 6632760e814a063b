package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/command"
	"github.com/rehearse-go/rehearse/internal/settings"
)

// This file builds a test for a companion, as rehearse test would: with facts that are not stale, and with numbers for
// what Go itself chooses. It is no command of the user's.

var buildTestCommand = Command{Name: command.BuildTest, Args: "[flags] PACKAGE",
	Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
		b := &testBuild{}
		command.DeclareSettings(fs, &b.settings, "choices")
		fs.StringVar(&b.out, "o", "", "write the test binary to this `file`")
		fs.StringVar(&b.facts, "facts", "", "what -facts of rehearse test says")
		fs.BoolVar(&b.plain, "no-overlay", false, noOverlayDoc)
		return b.run
	},
}

// testBuild is one call of it.
type testBuild struct {
	settings   command.Values
	out, facts string
	plain      bool
}

func (b *testBuild) run(s Streams, a Arguments) int {
	if len(a.Operands) != 1 || b.out == "" {
		return Usage(s, command.BuildTest, fmt.Errorf("got %d packages: want one, and a file for the binary",
			len(a.Operands)))
	}
	built, err := b.build(s, a)
	if err == nil {
		err = json.NewEncoder(s.Out).Encode(built)
	}
	if err != nil && !errors.Is(err, errCompile) {
		fmt.Fprintln(s.Err, "rehearse:", err)
	}
	if err != nil {
		return ExitError
	}
	return ExitOK
}

func (b *testBuild) build(s Streams, a Arguments) (command.Built, error) {
	if err := settings.Unknown(os.Environ()); err != nil {
		return command.Built{}, err
	}
	built, err := onePackage(a.Operands[0], a.Rest)
	if err != nil {
		return built, err
	}
	if b.facts != "off" {
		if err := renewFacts(s.Err, []string{built.Dir}, b.facts == makeFacts); err != nil {
			return built, err
		}
	}
	out, err := filepath.Abs(b.out)
	if err != nil {
		return built, err
	}
	g := &goTest{dir: built.Dir, err: s.Err}
	if (&testRun{settings: b.settings, overlay: true, plain: b.plain}).wantsOverlay() {
		g.numberDraws()
		built.Numbered = len(g.args) > 0
	}
	// SUBTLE: the go command leaves an older file there if the package has no tests.
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return built, err
	}
	if err := g.compile(append([]string{"-o", out}, a.Rest...)); err != nil {
		return built, err
	}
	if _, err := os.Stat(out); err != nil {
		return built, fmt.Errorf("%s has no test files", built.Package)
	}
	return built, nil
}

// onePackage asks the go command where a package is.
func onePackage(pkg string, flags []string) (b command.Built, err error) {
	cmd := exec.Command("go", append(append([]string{"list", "-find", "-f",
		"{{.ImportPath}}\n{{.Dir}}\n{{with .Module}}{{.Dir}}{{end}}"}, listFlags(flags)...), "--", pkg)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return b, fmt.Errorf("go list: %s", strings.TrimSpace(stderr.String()+" "+err.Error()))
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	switch {
	case len(lines) != 3:
		return b, fmt.Errorf("%s is not one package: want one, such as ./account", pkg)
	case lines[2] == "":
		return b, fmt.Errorf("%s is in no module: want a package of a module", pkg)
	}
	return command.Built{Package: lines[0], Dir: lines[1], Root: lines[2]}, nil
}
