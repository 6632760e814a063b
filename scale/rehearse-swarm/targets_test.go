package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What a swarm tells of targets is what rehearse target tells, target by target, by one and by two processes.
func TestTargetsAsInOneProcess(t *testing.T) {
	if os.Getenv("REHEARSE_TOY") != "2" {
		t.Log("it builds both commands, and tests with them: REHEARSE_TOY=2")
		return
	}
	programs := map[string][]string{"examples": {"./bank"}, "savina": {"./pingpong", "./starts"}}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for _, pkg := range []string{"./cmd/rehearse", "./cmd/rehearse/rehearse-source", "./scale/rehearse-swarm"} {
		output(t, root, "go", "build", "-o", bin, pkg)
	}
	for module, packages := range programs {
		dir, flags := filepath.Join(root, module), []string{"-sample=9", "-seconds=5"}
		rehearse := filepath.Join(bin, "rehearse")
		want := output(t, dir, rehearse, append(append([]string{"target"}, flags...), packages...)...)
		for _, workers := range []string{"1", "2"} {
			args := append([]string{"swarm", "-store", t.TempDir(), "-workers", workers, "target"}, packages...)
			got := output(t, dir, rehearse, append(append(args, "--"), flags...)...)
			if tableOf(got) != tableOf(want) || strings.Count(want, "\n") < 9 {
				t.Errorf("%s, %s processes:\n%s\nwant\n%s", module, workers, got, want)
			}
		}
	}
}

// output runs a command, whose exit code may say that targets are not covered, and gives what it prints.
func output(t *testing.T, dir, path string, args ...string) string {
	t.Helper()
	var errs strings.Builder
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Stderr = dir, &errs
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); err != nil && code != 1 && code != 3 {
		t.Fatalf("%s %q: %v\n%s%s", path, args, err, out, &errs)
	}
	return string(out)
}

// tableOf is a table without the time that searches took.
func tableOf(text string) string {
	table, _, _ := strings.Cut(text, "; seconds of a search")
	return table
}
