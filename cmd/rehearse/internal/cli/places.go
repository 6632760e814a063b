package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/internal/files"
)

// This file finds the files that findings name. A record has the name of a file without its folder.

// places finds files of packages.
type places struct {
	dirs  map[string]string              // of packages
	named map[string]map[string][]string // files below the root of a module, by their names
	tests map[string]map[string]place    // test functions, by folder
}

// place is a line of a file; line 0 is the file, and no file is nowhere.
type place struct {
	file string
	line int
}

// newPlaces asks the go command where packages are. The names are those that it told itself: a test binary writes
// records as it likes.
func newPlaces(packages []string) *places {
	p := &places{map[string]string{}, map[string]map[string][]string{}, map[string]map[string]place{}}
	if len(packages) == 0 {
		return p
	}
	args := append([]string{"list", "-e", "-find", "-f", "{{.ImportPath}}\t{{.Dir}}", "--"}, packages...)
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return p // then there are no places
	}
	for line := range strings.Lines(string(out)) {
		if pkg, dir, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && dir != "" {
			p.dirs[pkg] = dir
		}
	}
	return p
}

// find is the place of a finding of a test: where it says that it is (as in account.go:41), else the test.
func (p *places) find(pkg, where, test string) place {
	dir, ok := p.dirs[pkg]
	if !ok {
		return place{}
	}
	if at := p.said(dir, where); at.file != "" {
		return at
	}
	return p.test(dir, test)
}

// instead is the place of what has none: the first line of the first file of tests of the package, or of the module's
// go.mod.
func (p *places) instead(pkg string) place {
	dir := p.dirs[pkg]
	if list, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "*_test.go")); dir != "" && len(list) > 0 {
		return place{list[0], 1}
	}
	if dir == "" {
		dir, _ = os.Getwd()
	}
	return place{filepath.Join(moduleRoot(dir), "go.mod"), 1} // in a workspace without it, a name is better than nothing
}

// said looks for the file in the folder of the package, then in its module, where it must be the only one of its name.
func (p *places) said(dir, where string) place {
	i := strings.LastIndexByte(where, ':')
	if i <= 0 || filepath.Base(where[:i]) != where[:i] {
		return place{}
	}
	line, err := strconv.Atoi(where[i+1:])
	if err != nil || line < 1 {
		return place{}
	}
	if file := filepath.Join(dir, where[:i]); isFile(file) {
		return place{file, line}
	}
	if all := p.below(moduleRoot(dir))[where[:i]]; len(all) == 1 {
		return place{all[0], line}
	}
	return place{}
}

// below gives the files of Go below a folder, by name, but for those that the go command does not look at.
func (p *places) below(root string) map[string][]string {
	if all, ok := p.named[root]; ok || root == "" {
		return all
	}
	all := map[string][]string{}
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case err != nil:
			return nil
		case d.IsDir() && path != root && (name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" ||
			isFile(filepath.Join(path, "go.mod"))):
			return filepath.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go"):
			all[name] = append(all[name], path)
		}
		return nil
	})
	p.named[root] = all
	return all
}

// moduleRoot is the folder of the module that a folder is in, "" if it is in none.
func moduleRoot(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if isFile(filepath.Join(dir, "go.mod")) {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// test is where a test function is declared.
func (p *places) test(dir, test string) place {
	name, _, _ := strings.Cut(test, "/")
	all, ok := p.tests[dir]
	if !ok {
		all = map[string]place{}
		list, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "*_test.go"))
		for _, file := range list {
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
			if f == nil || err != nil {
				continue
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
					all[fn.Name.Name] = place{file, set.Position(fn.Pos()).Line}
				}
			}
		}
		p.tests[dir] = all
	}
	return all[name]
}

// escapeGlob makes a pattern that matches the folder alone.
func escapeGlob(dir string) string {
	return strings.NewReplacer(`[`, `\[`, `*`, `\*`, `?`, `\?`).Replace(dir)
}

func isFile(path string) bool { return files.IsFile(path) == nil }
