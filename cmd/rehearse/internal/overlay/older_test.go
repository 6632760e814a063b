package overlay

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// older gives the toolchains of other verified versions that the go command has downloaded before. Nothing is
// downloaded.
func older(t *testing.T) (all []Go) {
	t.Helper()
	g := installed(t)
	begin, end := filepath.Join(g.ModCache, "golang.org", "toolchain@v0.0.1-"), "."+runtime.GOOS+"-"+runtime.GOARCH
	for version := range verified {
		if version == minor(g.Version) {
			continue
		}
		roots, err := filepath.Glob(begin + version + ".*" + end)
		if err != nil {
			t.Fatal(err)
		}
		for _, root := range roots {
			all = append(all, Go{root, strings.TrimSuffix(strings.TrimPrefix(root, begin), end), g.ModCache})
		}
	}
	return all
}

// compiledBy builds the tests of a package of this repository by a Go that is not the one in PATH.
func compiledBy(t *testing.T, g Go, folder string) (binary string) {
	t.Helper()
	m, err := Make(g, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(t.TempDir(), "overlaid.test")
	build := exec.Command(filepath.Join(m.Root, "bin", "go"), "test", "-c", "-vet=off", "-ldflags=-s",
		"-overlay="+m.File, "-o", binary)
	build.Dir = filepath.Join("..", "..", "..", "..", folder)
	build.Env = append(os.Environ(), "GOROOT="+m.Root, "GOTOOLCHAIN=local", "GOWORK=off") // the workspace wants a newer Go
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", g.Version, err, out)
	}
	return binary
}

// With a toolchain of another version, where one is there, draws are the same. Goroutines are counted, also by Go 1.25,
// which does not tell how many have ended: those that outlive a handler that was woken leave nothing complete.
func TestOlderGo(t *testing.T) {
	if !all() {
		return // it compiles much
	}
	for _, g := range older(t) {
		run := chooser(t, compiledBy(t, g, "internal/tests/choosers"))
		sameOutcome(t, run, "200", append(repeated, racing...)...)
		for points := range 2 {
			enumerated(t, run, "enumerate", points, countsOfPoints[points])
		}
		enumerated(t, run, "sparse", -1, sparse)
		for folder, tests := range map[string][]string{
			"internal/goroutine": {"TestCountable", "TestStarted", "TestStartedWhereTheRuntimeEndsSome"},
			"actor":              {"TestGoroutinesOfLaterExecutions", "TestDrawsOfTheLibrary"},
			"adapter/protoactor": {"TestGoroutinesOfWokenHandlers", "TestOverlaidGoroutines"},
		} {
			out, err := exec.Command(compiledBy(t, g, folder), "-test.v",
				"-test.run=^("+strings.Join(tests, "|")+")$").CombinedOutput()
			for _, name := range tests {
				if err != nil || !strings.Contains(string(out), "--- PASS: "+name+" ") {
					t.Errorf("%s, %s, %s: %v\n%s", g.Version, folder, name, err, out)
				}
			}
		}
	}
}
