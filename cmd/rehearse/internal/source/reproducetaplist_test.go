package source

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
)

// The targets in Savina that are published are those that the seed draws. What static facts alone exclude of its
// implicit panics is published, too: one construct anywhere can cost the facts of all programs, and searches would say
// less without a word. Reading the programs is nearly all of the cost, so both are one test.
func TestTAPTargets(t *testing.T) {
	t.Chdir(filepath.Join("..", "..", "..", "..", "savina"))
	var out, said bytes.Buffer
	s := cli.Streams{Out: &out, Err: &said}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	r := &tapRun{drivers: "./starts", sample: 500, seed: 1, dir: dir}
	packages, err := packagePaths(dir, []string{"./..."})
	if err != nil {
		t.Fatal(err)
	}
	projects, err := r.projects(t.Context(), s, packages)
	if err != nil || len(projects) != 1 {
		t.Fatalf("%d programs, want all as one: %v\n%s", len(projects), err, said.String())
	}
	golden(t, filepath.Join("testdata", "panics.txt"), panicsOf(projects[0]))
	if err := listTAP(s, projects); err != nil {
		t.Fatal(err)
	}
	golden(t, filepath.Join("testdata", "targets.txt"), out.String())
	const want = "of 403 implicit panics the whole program excludes 151: "
	if !strings.Contains(said.String(), want) {
		t.Errorf("want %q in what is said:\n%s", want, said.String())
	}
}

// golden compares a text with a file, but for the first line of that. With -update it writes the file.
func golden(t *testing.T, file, text string) {
	t.Helper()
	published, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, list, _ := strings.Cut(string(published), "\n")
	if list == text {
		return
	}
	if *updateTAP {
		if err := os.WriteFile(file, []byte(head+"\n"+text), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	got := strings.Split(text, "\n")
	for _, line := range strings.Split(list, "\n") {
		if i := slices.Index(got, line); i >= 0 {
			got = slices.Delete(got, i, i+1)
		} else {
			t.Errorf("%s: no more: %s", file, line)
		}
	}
	t.Errorf("%s: instead: %s\n-update writes it anew", file, strings.Join(got, "\n"))
}

// panicsOf is a line for each program and kind of panic, and the totals.
func panicsOf(p *tapProject) string {
	var b strings.Builder
	line := func(name, kind string, c panicCount) {
		fmt.Fprintf(&b, "%s\t%s\t%d\t%d\t%d\n", name, kind, c.alone, c.excluded, c.targets)
	}
	sums := map[string]panicCount{}
	counts := countPanics(p.lister)
	for _, path := range slices.Sorted(maps.Keys(counts)) {
		for _, kind := range slices.Sorted(maps.Keys(counts[path])) {
			c := counts[path][kind]
			line(filepath.Base(path), kind, c)
			sums[kind] = sums[kind].plus(c)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(sums)) {
		line("all", kind, sums[kind])
		if kind != "all kinds" {
			sums["all kinds"] = sums["all kinds"].plus(sums[kind])
		}
	}
	line("all", "all kinds", sums["all kinds"])
	return b.String()
}
