package reachtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"strings"

	"github.com/rehearse-go/rehearse/static/load"
)

// This file says which failing checks the tests of a program show already. Coverage does not: it leaves files with
// tests out, and checks stand there.

// Shown is a line of a check that a generated test reaches.
type Shown struct {
	At   string // file.go:line, without the folder; the line may be another one since
	Text string // of the line, when the test was written
}

// ShownChecks lists the lines of invariants and final checks that generated tests of a program reach. They are read
// once more: gentest.Load leaves out what is in them. A file that cannot be read, or is no Go, shows nothing.
func ShownChecks(p *load.Program) (list []Shown) {
	seen := map[string]bool{}
	for _, pkg := range p.Packages {
		for _, f := range pkg.Syntax {
			name := p.Fset.PositionFor(f.FileStart, false).Filename
			if seen[name] || !strings.HasSuffix(name, Suffix) || !pkg.Root {
				continue
			}
			seen[name] = true
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			for _, decl := range file.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Doc != nil {
					list = append(list, shownBy(fn.Doc.Text())...)
				}
			}
		}
	}
	return list
}

// shownBy reads the comment of a test, as reaches writes it.
func shownBy(doc string) []Shown {
	head, text, ok := strings.Cut(doc, ":\n\n\t")
	_, at, is := strings.Cut(head, reachesWord)
	if !ok || !is {
		return nil
	}
	return []Shown{{path.Base(at), strings.TrimSpace(text)}}
}

const reachesWord = " reaches "

// reaches is the comment of a test function. Of a check it has the line's text: that says which one it is when lines
// have moved.
func (t *Test) reaches() string {
	if t.Wanted.Judged == "" || t.Wanted.Line == "" {
		return fmt.Sprintf("// %s%s%s.", t.Func, reachesWord, t.Wanted.Name)
	}
	return fmt.Sprintf("// %s%s%s:\n//\n//\t%s", t.Func, reachesWord, t.Wanted.Name, t.Wanted.Line)
}

// TextOf gives a line of a file, numbered from 1, without the space around it; "" if it cannot be read.
func TextOf(file string, line int) string {
	data, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	if list := bytes.Split(data, []byte("\n")); line > 0 && line <= len(list) {
		return strings.TrimSpace(string(list[line-1]))
	}
	return ""
}
