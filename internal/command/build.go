package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// This file: a companion that has a test built. rehearse knows how tests are built, and the companion needs not.

// BuildTest is what rehearse is asked; the rest are flags and a package, as in
//
//	-build-test -o FILE [-no-overlay] [-choices HOW] [-facts HOW] PACKAGE [-- flags of go test]
//
// It writes Built as JSON.
const BuildTest = "-build-test"

// Built is a test binary that was built.
type Built struct {
	Package  string // import path
	Dir      string // its folder
	Root     string // folder of the module that it is in
	Numbered bool   // what Go itself chooses has numbers
}

// Build has rehearse build a test. What the go command says goes to w. The error is ErrBuild where that is enough.
func (c *Caller) Build(ctx context.Context, w io.Writer, args []string) (b Built, err error) {
	path := c.Path
	if path == "" {
		if path, err = exec.LookPath("rehearse"); err != nil {
			return b, fmt.Errorf("a test is built by the command rehearse, which is not in PATH: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, path, append([]string{BuildTest}, args...)...)
	cmd.Stderr = w
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return b, ErrBuild
	} else if err != nil {
		return b, fmt.Errorf("%s: %w", path, err)
	}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		return b, fmt.Errorf("%s said what it should not: %w; install both commands anew", path, err)
	}
	return b, nil
}

// ErrBuild says that a test could not be built, and that the reason was told.
var ErrBuild = errors.New("the test was not built")

// FindCompanion is what rehearse is asked, with the name of a companion. It writes where that is, which it builds if it
// must.
const FindCompanion = "-find-companion"

// Companion has rehearse say where another companion is. The error is ErrFind where the reason was told.
func (c *Caller) Companion(ctx context.Context, w io.Writer, name string) (string, error) {
	path := c.Path
	if path == "" {
		var err error
		if path, err = exec.LookPath("rehearse"); err != nil {
			return "", fmt.Errorf("%s is found by the command rehearse, which is not in PATH: %w", name, err)
		}
	}
	cmd := exec.CommandContext(ctx, path, FindCompanion, name)
	cmd.Stderr = w
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", ErrFind
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// ErrFind says that a companion was not found, and that the reason was told.
var ErrFind = errors.New("a part of rehearse is missing")
