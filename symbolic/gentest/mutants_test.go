package gentest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// trial is the test binary of a package with its mutants and its generated tests.
type trial struct {
	mutants *mutants
	bin     string
	run     string // the generated tests
}

// prepare compiles it.
func prepare(t *testing.T, dir, pattern string) *trial {
	t.Helper()
	q, packages := made(t, dir, pattern, "", gentest.Options{})
	pkg := packages[0]
	confirmed(t, packages[:1], 1)
	var source *load.Package
	for _, p := range q.Loaded().Packages {
		if p.PkgPath == pkg.Path {
			source = p
		}
	}
	m := mutate(q.Loaded().Fset, source)
	scratch := t.TempDir()
	overlay, err := m.write(scratch)
	if err != nil {
		t.Fatal(err)
	}
	files, err := pkg.Files(func(x *gentest.Test) bool { return x.State == gentest.Confirmed })
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		at := filepath.Join(scratch, f.Name)
		if err := os.WriteFile(at, f.Content, 0o666); err != nil {
			t.Fatal(err)
		}
		overlay[filepath.Join(pkg.Dir, f.Name)] = at
	}
	data, _ := json.Marshal(map[string]any{"Replace": overlay})
	at := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(at, data, 0o666); err != nil {
		t.Fatal(err)
	}
	var names []string
	seen := map[string]bool{}
	for _, x := range pkg.Tests {
		if x.State == gentest.Confirmed && !seen[x.Func] {
			seen[x.Func], names = true, append(names, x.Func)
		}
	}
	w := &trial{mutants: m, bin: filepath.Join(scratch, "test"), run: "^(" + strings.Join(names, "|") + ")$"}
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-w", "-overlay="+at, "-o", w.bin, ".")
	cmd.Dir = pkg.Dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return w
}

// kills reports whether tests fail on a mutant; 0 is the program as it is. A test that does not end fails, too.
func (w *trial) kills(n int, args ...string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.bin, append([]string{"-test.failfast", "-test.short", "-test.timeout=1m"}, args...)...)
	cmd.Dir = filepath.Dir(w.mutants.pkg.GoFiles[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("REHEARSE_MUTANT=%d", n))
	return cmd.Run() != nil
}

// TestMutants: generated tests fail on mutants of the handlers. REHEARSE_GENERATE=mutants takes 300 of subjects.
func TestMutants(t *testing.T) {
	dir, pattern, count := "../../examples", "./bank", 1000
	if os.Getenv("REHEARSE_GENERATE") == "mutants" {
		dir, pattern, count = "../../subjects", ".", 300
	}
	w := prepare(t, dir, pattern)
	if w.kills(0, "-test.run="+w.run) {
		t.Fatal("the generated tests fail on the program as it is")
	}
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(w.mutants.told))
	order = order[:min(count, len(order))]
	killed := 0
	for _, k := range order {
		if w.kills(k+1, "-test.run="+w.run) {
			killed++
		} else {
			t.Logf("survives: %s", w.mutants.told[k])
		}
	}
	t.Logf("%d of %d mutants killed by generated tests", killed, len(order))
	if killed*10 < len(order)*8 {
		t.Errorf("%d of %d mutants are killed: want four of five", killed, len(order))
	}
}
