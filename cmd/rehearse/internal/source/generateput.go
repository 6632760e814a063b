package source

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/files"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
)

// put writes the files of a package, or what else was asked for. It counts differences.
func (r *generateRun) put(out io.Writer, pkg *gentest.Package, generated []*gentest.File) (differences int, err error) {
	old := r.old[pkg.Dir]
	if old == nil {
		old = &gentest.Old{}
	}
	if r.update {
		changes, err := old.Compare(generated)
		if err != nil {
			return 0, err
		}
		gentest.ReportChanges(out, changes)
		differences = len(changes)
	}
	if r.preview {
		for _, f := range generated {
			if !r.update {
				fmt.Fprintf(out, "// %s\n%s\n", r.shown(filepath.Join(pkg.Dir, f.Name)), f.Content)
			}
		}
		return differences, nil
	}
	for _, f := range generated {
		path := filepath.Join(pkg.Dir, f.Name)
		if err := files.WriteBytes(path, f.Content); err != nil {
			return 0, err
		}
		fmt.Fprintf(out, "wrote %s\n", r.shown(path))
	}
	return differences, r.clear(out, pkg, old, generated)
}

// clear removes generated files that have no tests any more.
func (r *generateRun) clear(out io.Writer, pkg *gentest.Package, old *gentest.Old, files []*gentest.File) error {
	for _, name := range old.Files {
		if !r.update || slices.ContainsFunc(files, func(f *gentest.File) bool { return f.Name == name }) {
			continue
		}
		path := filepath.Join(pkg.Dir, name)
		if err := os.Remove(path); err != nil {
			return err
		}
		fmt.Fprintf(out, "removed %s: there is nothing left to test\n", r.shown(path))
	}
	return nil
}

func (r *generateRun) shown(path string) string {
	if rel, err := filepath.Rel(r.dir, path); err == nil && !strings.HasPrefix(rel, "..") {
		path = rel
	}
	return filepath.ToSlash(path)
}
