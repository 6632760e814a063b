package vet

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/rehearse-go/rehearse/static/load"
)

// sameInOneProcess holds that Run finds in packages what a driver finds that reads everything from source, the standard
// library included.
func sameInOneProcess(t *testing.T, root string, pkgs []string, results []*analysistest.Result) {
	t.Helper()
	var want []string
	for _, r := range results {
		for _, d := range r.Action.Diagnostics {
			want = append(want, fmt.Sprintf("%s: %s", r.Action.Package.Fset.Position(d.Pos), d.Message))
		}
	}
	env := append(os.Environ(), "GO111MODULE=off", "GOWORK=off", "GOPATH="+root)
	found, problems, err := Run(load.Config{Dir: root, Patterns: pkgs, Env: env}, Analyzers())
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	var got []string
	for _, f := range found {
		got = append(got, fmt.Sprintf("%s: %s", f.At, f.Message))
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("in one process\n\t%s\nin one that reads all sources\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}
