package gentest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Change is how one test of a package differs from that before.
type Change struct {
	Func, Name string
	Kind       string   // new, gone, changed
	Lines      []string // of a changed one: those that are gone after "- ", those that came after "+ "
}

// Old is the generated files of a folder.
type Old struct {
	Files   []string // names
	Command string   // behind "rehearse generate"
	Mixed   bool     // not all files have this command
	tests   []oldTest
}

type oldTest struct {
	file, fn, name string
	lines          []string
}

// ReadOld reads the generated files of a folder. It is an error if one was edited, or the file that a name of a generated one has was not generated.
func ReadOld(dir string) (*Old, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*"+Suffix))
	if err != nil {
		return nil, err
	}
	o := &Old{}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if why := Edited(src); why != "" {
			return nil, fmt.Errorf("%s: %s: nothing is overwritten; move what was written by hand into another file, delete this one, and generate again",
				filepath.ToSlash(path), why)
		}
		if err := o.read(filepath.Base(path), src); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (o *Old) read(file string, src []byte) error {
	head, _, _ := strings.Cut(string(src), "; DO NOT EDIT.")
	command := strings.TrimPrefix(head, generated)
	if len(o.Files) == 0 {
		o.Command = command
	}
	o.Mixed = o.Mixed || o.Command != command
	o.Files = append(o.Files, file)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	lines := strings.Split(string(src), "\n")
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv != nil { // a method of a fake
			continue
		}
		for _, s := range fn.Body.List {
			call, ok := s.(*ast.ExprStmt)
			if !ok {
				continue
			}
			name, ok := call.X.(*ast.CallExpr).Args[0].(*ast.BasicLit)
			if !ok {
				continue
			}
			text, _ := strconv.Unquote(name.Value)
			body := lines[fset.Position(s.Pos()).Line : fset.Position(s.End()).Line-1]
			o.tests = append(o.tests, oldTest{file, fn.Name.Name, text, trimmed(body)})
		}
	}
	return nil
}

func trimmed(lines []string) (list []string) {
	for _, l := range lines {
		list = append(list, strings.TrimSpace(l))
	}
	return list
}

// Compare says how the tests in files differ from those before.
func (o *Old) Compare(files []*File) (list []Change, err error) {
	n := &Old{}
	for _, f := range files {
		if err := n.read(f.Name, f.Content); err != nil {
			return nil, err
		}
	}
	find := func(in []oldTest, t oldTest) int {
		return slices.IndexFunc(in, func(u oldTest) bool { return u.fn == t.fn && u.name == t.name })
	}
	for _, t := range o.tests {
		i := find(n.tests, t)
		switch {
		case i < 0:
			list = append(list, Change{t.fn, t.name, "gone", nil})
		case !slices.Equal(t.lines, n.tests[i].lines):
			list = append(list, Change{t.fn, t.name, "changed", difference(t.lines, n.tests[i].lines)})
		}
	}
	for _, t := range n.tests {
		if find(o.tests, t) < 0 {
			list = append(list, Change{t.fn, t.name, "new", nil})
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int { return strings.Compare(a.Func, b.Func) })
	return list, nil
}

// difference lists lines that are not in both, by a longest common subsequence.
func difference(a, b []string) (list []string) {
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			list = append(list, "- "+a[i])
			i++
		default:
			list = append(list, "+ "+b[j])
			j++
		}
	}
	return list
}

// Dropped names a test function of the files that would be written which is in an old file and in no new one, "" if there is none.
func (o *Old) Dropped(files []*File) string {
	for _, f := range files {
		n := &Old{}
		if n.read(f.Name, f.Content) != nil {
			continue
		}
		for _, t := range o.tests {
			if t.file == f.Name && !slices.ContainsFunc(n.tests, func(u oldTest) bool { return u.fn == t.fn }) {
				return t.fn
			}
		}
	}
	return ""
}
