package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
)

// This file: how the command was called, so that the lines that replay a finding can be typed as they are. A binary
// has a name in PATH. One that `go run` has built has none: it is in a folder of the go command's.

// ofGoRun matches the folders in which the go command keeps binaries: those of one run, and those of its cache.
var ofGoRun = regexp.MustCompile(`[/\\](go-build\d+[/\\]b\d+[/\\]exe|[0-9a-f]{2}[/\\][0-9a-f]{64}-d)$`)

// calledAs is the command line that calls this binary, without arguments. exe is its path; parent are the arguments
// of the process that has started it, nil if they are not known; path is the package that it was built from.
func calledAs(exe string, args, parent []string, path string) string {
	if !ofGoRun.MatchString(filepath.Dir(exe)) {
		return "rehearse"
	}
	if n := len(parent) - len(args); n >= 3 && slices.Equal(parent[n:], args) && slices.Contains(parent[1:n], "run") {
		return "go " + strings.Join(parent[1:n], " ")
	}
	return "go run " + path
}

// howCalled is calledAs for this process.
func howCalled() string {
	exe, err := os.Executable()
	info, ok := debug.ReadBuildInfo()
	if err != nil || !ok {
		return "rehearse"
	}
	return calledAs(exe, os.Args[1:], parentArgs(), info.Path)
}

// parentArgs are the arguments of the process that has started this one, where the system shows them.
func parentArgs() []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", os.Getppid()))
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")
}
