package law

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// repo is the path of the root module; packages are named relative to it, the root package is ".".
const repo = "github.com/rehearse-go/rehearse"

// file is one Go file of the repository.
type file struct {
	name   string // slash-separated, relative to the root
	pkg    string // import path relative to repo
	test   bool
	lines  int
	source string
	ast    *ast.File
	fset   *token.FileSet
}

// imports lists the import paths of the file, those of the repository relative to repo.
func (f *file) imports() []string {
	var paths []string
	for _, spec := range f.ast.Imports {
		paths = append(paths, relative(strings.Trim(spec.Path.Value, `"`)))
	}
	return paths
}

func relative(importPath string) string {
	if importPath == repo {
		return "."
	}
	return strings.TrimPrefix(importPath, repo+"/")
}

// at is the position of a node for messages.
func (f *file) at(n ast.Node) string {
	return fmt.Sprintf("%s:%d", f.name, f.fset.Position(n.Pos()).Line)
}

// parse makes a file of source text.
func parse(name, source string) (*file, error) {
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &file{name: name, pkg: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
		lines: strings.Count(source, "\n"), source: source, ast: tree, fset: fset}, nil
}

// mustParse is parse for tests of the laws.
func mustParse(t *testing.T, name, source string) *file {
	t.Helper()
	f, err := parse(name, source)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// tree gives every Go file of the repository, all modules of the workspace included. It is read once for all laws.
func tree(t *testing.T) []*file {
	t.Helper()
	files, err := readTree()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// root is the folder of the repository.
var root = filepath.Join("..", "..", "..")

var readTree = sync.OnceValues(func() ([]*file, error) { return readTreeIn(root) })

// readTreeIn reads the Go files of a repository whose folder is root.
func readTreeIn(root string) ([]*file, error) {
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		return nil, fmt.Errorf("the root of the repository is not where it was: %w", err)
	}
	var files []*file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); p != root &&
				(name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		source, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		f, err := parse(filepath.ToSlash(rel), string(source))
		if err == nil {
			files = append(files, f)
		}
		return err
	})
	return files, err
}
