package source

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
