package gentest

import (
	"cmp"
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
	Kind       string // new, gone, changed, renamed
	Was        string // the name before, of a changed one that has another one now
	// of a changed one: those that are gone after "- ", those that came after "+ "; of a renamed one the names, each as
	// "old is now new"
	Lines []string
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
	above          []string // the symbolic form of the case, and what else a comment tells
	lines          []string
}

// ReadOld reads the generated files of a folder. It is an error if one was edited, or the file that a name of a
// generated one has was not generated.
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
		end := fset.Position(fn.Body.Lbrace).Line // of what comes before
		for _, s := range fn.Body.List {
			above := lines[end : fset.Position(s.Pos()).Line-1]
			end = fset.Position(s.End()).Line
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
			o.tests = append(o.tests, oldTest{file, fn.Name.Name, text, trimmed(above), trimmed(body)})
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
	var gone, came []oldTest
	var both []pair
	for _, t := range o.tests {
		if i := t.in(n.tests); i >= 0 {
			both = append(both, pair{t, n.tests[i]})
		} else {
			gone = append(gone, t)
		}
	}
	for _, t := range n.tests {
		if t.in(o.tests) < 0 {
			came = append(came, t)
		}
	}
	others := paired(gone, came)
	names := renames(slices.Concat(both, others), o.tests, n.tests)
	for _, p := range slices.Concat(both, others) {
		if c := p.change(names); c != nil {
			list = append(list, *c)
		}
	}
	for _, t := range gone {
		if !slices.ContainsFunc(others, func(p pair) bool { return p.was.name == t.name && p.was.fn == t.fn }) {
			list = append(list, Change{Func: t.fn, Name: t.name, Kind: "gone"})
		}
	}
	for _, t := range came {
		if !slices.ContainsFunc(others, func(p pair) bool { return p.is.name == t.name && p.is.fn == t.fn }) {
			list = append(list, Change{Func: t.fn, Name: t.name, Kind: "new"})
		}
	}
	place := map[string]int{} // as in the files, what went in the end
	for i, t := range append(slices.Clone(n.tests), o.tests...) {
		if _, ok := place[t.fn+" "+t.name]; !ok {
			place[t.fn+" "+t.name] = i
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int {
		return cmp.Or(strings.Compare(a.Func, b.Func), place[a.Func+" "+a.Name]-place[b.Func+" "+b.Name])
	})
	return list, nil
}

// in gives the index of the test of the same name, -1 if there is none.
func (t oldTest) in(list []oldTest) int {
	return slices.IndexFunc(list, func(u oldTest) bool { return u.fn == t.fn && u.name == t.name })
}

// change says how a test differs from before, nil if it does not.
func (p pair) change(names map[string]string) *Change {
	if p.was.name == p.is.name && slices.Equal(p.was.lines, p.is.lines) && slices.Equal(p.was.above, p.is.above) {
		return nil
	}
	c := &Change{Func: p.is.fn, Name: p.is.name, Kind: "changed"}
	was, used := renamed(p.was, names)
	if slices.Equal(was.lines, p.is.lines) && slices.Equal(was.above, p.is.above) && sameName(was.name, p.is.name) &&
		len(used) > 0 {
		c.Kind = "renamed"
		for _, name := range used {
			c.Lines = append(c.Lines, name+" is now "+names[name])
		}
		return c
	}
	if p.was.name != p.is.name {
		c.Was = p.was.name
	}
	c.Lines = difference(slices.Concat(was.above, was.lines), slices.Concat(p.is.above, p.is.lines))
	return c
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

// Dropped names a test function of the files that would be written which is in an old file and in no new one, "" if
// there is none.
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
