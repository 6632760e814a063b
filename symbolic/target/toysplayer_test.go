package target_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
)

// player is a program that executes random systems and answers questions of them, each one JSON value.
type player struct {
	file    string   // of package main
	imports []string // of the file, without those of the systems
	text    string   // the rest of it
	build   []string // command of go that makes it
	system  string   // what the program has to know of a system, with the name of its package for %[1]s
}

// source is the file for some systems.
func (p player) source(systems int) string {
	var text strings.Builder
	text.WriteString("package main\n\nimport (\n")
	for _, path := range p.imports {
		fmt.Fprintf(&text, "\t%q\n", path)
	}
	for i := range systems {
		fmt.Fprintf(&text, "\t\"%s/%s\"\n", toysys.ModulePath, toysys.Package(i))
	}
	text.WriteString(")\n" + p.text + "\nvar systems = []system{\n")
	for i := range systems {
		fmt.Fprintf(&text, "\t{"+p.system+"},\n", toysys.Package(i))
	}
	return text.String() + "}\n"
}

// played builds a player of systems, and gives its answers to the questions.
func played[A, Q any](t *testing.T, p player, systems []*toysys.System, questions []Q) (answers []A) {
	t.Helper()
	dir := toysys.TestModule(t, systems, true)
	write(t, dir, p.file, p.source(len(systems)))
	build := osexec.Command("go", append(p.build, "-ldflags=-w -s", "-o", "m", ".")...)
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("the systems do not compile: %v\n%s", err, out)
	}
	var in bytes.Buffer
	e := json.NewEncoder(&in)
	for _, q := range questions {
		if err := e.Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	cmd := osexec.CommandContext(t.Context(), filepath.Join(dir, "m"))
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "REHEARSE_") })
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the systems: %v", err)
	}
	for d := json.NewDecoder(bytes.NewReader(out)); d.More(); {
		var a A
		if err := d.Decode(&a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d of %d questions were answered", len(answers), len(questions))
	}
	return answers
}
