package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// This file reads a package and writes it with all its mutants in it.

// pkg is the package that is changed.
type pkg struct {
	path, dir string
	name      string // of the package, in its files
	fset      *token.FileSet
	info      *types.Info
	last      []ast.Stmt // statements that end a function
	mutants   []mutant
	changed   map[string][]byte // by file: its text with all mutants in it
}

// edit puts text around a part of a file.
type edit struct {
	start, end    int
	before, after string
	seq           int
}

// load reads the package that a pattern of the go command names.
func load(pattern string) (*pkg, error) {
	listed, err := goCommand("list", "-f", "{{.ImportPath}}\n{{.Dir}}\n{{range .GoFiles}}{{.}}\n{{end}}", pattern)
	if err != nil {
		return nil, err
	}
	lines := strings.Fields(listed)
	exports, err := goCommand("list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", pattern)
	if err != nil {
		return nil, err
	}
	from := map[string]string{}
	for line := range strings.Lines(exports) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			from[path] = file
		}
	}
	names := make([]string, len(lines)-2)
	for i, name := range lines[2:] {
		names[i] = filepath.Join(lines[1], name)
	}
	p := &pkg{path: lines[0], dir: lines[1], fset: token.NewFileSet()}
	return p, p.read(names, importer.ForCompiler(p.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(from[path])
	}))
}

// read finds the mutants of the package's files.
func (p *pkg) read(names []string, imports types.Importer) error {
	var files []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(p.fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	p.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: imports}
	if _, err := conf.Check(p.path, p.fset, files, p.info); err != nil {
		return err
	}
	p.changed = map[string][]byte{}
	for i, file := range files {
		src, err := os.ReadFile(names[i])
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Body != nil {
					p.last = append(p.last, ends(n.Body)...)
				}
			case *ast.FuncLit:
				p.last = append(p.last, ends(n.Body)...)
			}
			return true
		})
		f := &finder{p: p, file: names[i], src: src}
		ast.Walk(f, file)
		p.changed[names[i]] = apply(src, f.edits)
	}
	if len(p.mutants) == 0 {
		return fmt.Errorf("package %s has nothing to change", p.path)
	}
	p.name = files[0].Name.Name
	return nil
}

// apply makes all edits. Of two around the same text the one that was found first is the inner one.
func apply(src []byte, edits []edit) []byte {
	type insertion struct {
		at, size, seq int
		text          string
		opens         bool
	}
	var all []insertion
	for _, e := range edits {
		size := e.end - e.start
		all = append(all, insertion{e.start, size, e.seq, e.before, true}, insertion{e.end, size, e.seq, e.after, false})
	}
	slices.SortFunc(all, func(a, b insertion) int {
		inner := cmp.Or(cmp.Compare(a.size, b.size), cmp.Compare(a.seq, b.seq))
		switch {
		case a.at != b.at:
			return cmp.Compare(a.at, b.at)
		case a.opens != b.opens:
			return map[bool]int{true: 1, false: -1}[a.opens]
		case a.opens:
			return -inner
		}
		return inner
	})
	var out bytes.Buffer
	done := 0
	for _, x := range all {
		out.Write(src[done:x.at])
		out.WriteString(x.text)
		done = x.at
	}
	out.Write(src[done:])
	return out.Bytes()
}

// goCommand runs the go command.
func goCommand(args ...string) (string, error) {
	out, err := exec.Command("go", args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out), err
}
