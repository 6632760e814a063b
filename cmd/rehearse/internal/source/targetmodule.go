package source

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/reachtest"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// This file finds the module of a file that is asked for.

// moduleOf gives the file go.mod above a folder, "" if there is none.
func moduleOf(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if path := filepath.Join(dir, "go.mod"); exists(path) {
			return path
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// works reports whether a module is one of those that the go command works on here.
func (r *targetRun) works(mod string) bool {
	cmd := exec.Command("go", "list", "-m", "-f", "{{.GoMod}}")
	cmd.Dir = r.dir
	out, err := cmd.Output()
	if err != nil {
		return true // loading says what is wrong
	}
	return slices.Contains(strings.Fields(string(out)), mod)
}

// widen reads the packages that import that of a file, too: where it has no driver, these may have one.
func (r *targetRun) widen(file string, begin func()) (err error) {
	importers := r.importers(file)
	if len(importers) == 0 {
		return nil
	}
	if r.loaded, err = r.load(file, importers); err == nil {
		begin()
	}
	return err
}

// importers lists, as patterns, the packages of a file's module that import its package, themselves or through others.
func (r *targetRun) importers(file string) (patterns []string) {
	dir := filepath.Dir(file)
	cmd := exec.Command("go", "list", "-e", "-f", "{{.ImportPath}}")
	cmd.Dir = dir
	own, err := cmd.Output()
	if err != nil {
		return nil // loading has said what is wrong
	}
	cmd = exec.Command("go", "list", "-e", "-test", "-f",
		fmt.Sprintf("{{range .Deps}}{{if eq . %q}}{{$.Dir}}{{end}}{{end}}", strings.TrimSpace(string(own))), "./...")
	cmd.Dir = filepath.Dir(moduleOf(dir))
	out, err := cmd.Output()
	if err != nil {
		return nil
	}
	for _, at := range slices.Compact(slices.Sorted(strings.Lines(string(out)))) {
		if rel, err := filepath.Rel(r.dir, strings.TrimSpace(at)); err == nil &&
			strings.TrimSpace(at) != "" && at != dir+"\n" {
			patterns = append(patterns, "./"+filepath.ToSlash(rel))
		}
	}
	return patterns
}

// runnable refuses drivers none of which can be run, before anything is searched for: they all use protoactor-go
// without Rehearse, and their modules do not require the adapter.
func (r *targetRun) runnable(drivers []*system.Driver) error {
	var first error
	asked := map[string]bool{}
	for _, d := range drivers {
		if !d.Plain {
			return nil
		}
		dir := filepath.Dir(r.loaded.Fset.Position(d.Entry.Pos()).Filename)
		mod := moduleOf(dir)
		if asked[mod] {
			continue
		}
		asked[mod] = true
		err := gentest.Importable(dir, reachtest.Adapter)
		if err == nil {
			return nil
		}
		if first == nil {
			first = fmt.Errorf("%s uses protoactor-go without Rehearse, and its module does not require the adapter: %w",
				r.place(d), err)
		}
	}
	return first
}
