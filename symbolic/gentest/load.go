package gentest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/cases"
)

// Load reads packages with their tests, which is where most actors are made, but for generated ones: these make what they like, and may be stale.
func Load(dir string, patterns []string) (*load.Program, error) {
	cmd := exec.Command("go", append([]string{"list", "-e", "-f", `{{$d := .Dir}}{{range .TestGoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}`}, patterns...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		out = nil // loading says what is wrong
	}
	overlay := map[string][]byte{}
	for path := range strings.Lines(string(out)) {
		path = filepath.FromSlash(strings.TrimSpace(path))
		if !strings.HasSuffix(path, Suffix) {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if m := packageClause.FindSubmatch(src); m != nil && strings.HasPrefix(string(src), generated) {
			overlay[path] = fmt.Appendf(nil, "package %s\n", m[1])
		}
	}
	return cases.Load(load.Config{Dir: dir, Patterns: patterns, Overlay: overlay})
}

var packageClause = regexp.MustCompile(`(?m)^package (\w+)`)

// Tested drops the targets that are in files of tests: these are not what is tested.
func Tested(p *cases.Program, targets []*cases.Target) []*cases.Target {
	return slices.DeleteFunc(slices.Clone(targets), func(t *cases.Target) bool {
		return strings.HasSuffix(p.Loaded().Fset.Position(t.Pos).Filename, "_test.go")
	})
}
