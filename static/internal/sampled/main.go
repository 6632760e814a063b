// Sampled prints, as arguments of go test, the tests that take a sample by default and the whole with REHEARSE_TOY, and
// their packages:
//
//	-run=^(TestStrategiesAgree|TestToys)$ ./actor ./symbolic/target
//
// The other tests do the same with the variable as without, so .ci/run need not run them twice. It reads all modules of
// the workspace, and is started in its root.
package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	args, err := arguments(".", "work")
	if err != nil {
		fmt.Fprintln(os.Stderr, "sampled:", err)
		os.Exit(1)
	}
	fmt.Println(args)
}

// arguments gives the arguments of go test in a folder, for those of the packages that the patterns name.
func arguments(dir string, patterns ...string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	by, err := tests(dir, patterns...)
	if err != nil {
		return "", err
	}
	var names, dirs []string
	for _, at := range slices.Sorted(maps.Keys(by)) {
		rel, err := filepath.Rel(dir, at)
		if err != nil {
			return "", err
		}
		names, dirs = append(names, by[at]...), append(dirs, "./"+filepath.ToSlash(rel))
	}
	if len(names) == 0 {
		return "", fmt.Errorf("no test reads %s: has it another name now?", variable)
	}
	slices.Sort(names)
	return fmt.Sprintf("-run=^(%s)$ %s", strings.Join(slices.Compact(names), "|"), strings.Join(dirs, " ")), nil
}
