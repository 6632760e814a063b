package overlay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// patched is what the edits make of a standard library.
type patched struct {
	files map[string][]byte // by name below GOROOT/src: all of the file
	hash  string            // of the declarations as they were
}

// patch applies edits to the files below src. version is for errors.
func patch(version, src string, edits []edit) (*patched, error) {
	p := &patched{files: map[string][]byte{}}
	sum := sha256.New()
	byFile := map[string][]edit{}
	for _, e := range edits {
		byFile[e.file] = append(byFile[e.file], e)
	}
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		text, err := os.ReadFile(filepath.Join(src, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", version, err)
		}
		if p.files[name], err = patchFile(version, name, text, byFile[name], sum); err != nil {
			return nil, err
		}
	}
	p.hash = hex.EncodeToString(sum.Sum(nil))[:16]
	return p, nil
}

// change is text that replaces a part of a file.
type change struct {
	from, to int
	text     string
}

// patchFile applies the edits of one file, and adds the declarations that they change to sum.
func patchFile(version, name string, text []byte, edits []edit, sum io.Writer) ([]byte, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", version, err)
	}
	at := func(p token.Pos) int { return set.Position(p).Offset }
	var changes []change
	for _, e := range edits {
		found := 0
		for _, d := range declarations(file) {
			if d.name != e.decl && (e.decl != "*" || !d.method) {
				continue
			}
			from, to := at(d.from), at(d.to)
			fmt.Fprintf(sum, "%s %s\n%s\n", name, d.name, text[from:to])
			c, places := e.locate(text, from, to, at(d.insert))
			if places != 1 {
				return nil, fmt.Errorf("%s: %s in %s has %d places to patch, want 1", version, d.name, name, places)
			}
			changes = append(changes, c)
			found++
		}
		if found == 0 || found > 1 && e.decl != "*" {
			return nil, fmt.Errorf("%s: %s in %s has %d places to patch, want 1", version, e.decl, name, found)
		}
	}
	return apply(text, changes), nil
}

// locate gives what an edit does to the declaration at text[from:to], whose insertions go to insert, and in how many
// places it could.
func (e edit) locate(text []byte, from, to, insert int) (c change, places int) {
	if e.anchor == "" {
		return change{insert, insert, e.text}, 1
	}
	places = bytes.Count(text[from:to], []byte(e.anchor))
	at := from + bytes.Index(text[from:to], []byte(e.anchor))
	return change{at, at + len(e.anchor), strings.ReplaceAll(e.text, "$0", e.anchor)}, places
}

// apply makes changes that do not overlap.
func apply(text []byte, changes []change) []byte {
	slices.SortStableFunc(changes, func(a, b change) int { return a.from - b.from })
	var out []byte
	done := 0
	for _, c := range changes {
		out = append(append(out, text[done:c.from]...), c.text...)
		done = c.to
	}
	return append(out, text[done:]...)
}

// declaration is one of a file.
type declaration struct {
	name     string // Type.method for methods
	method   bool
	from, to token.Pos // with its comment
	insert   token.Pos // behind the brace of a body, or before that which ends a struct
}

// declarations lists functions, methods with a body, and struct types.
func declarations(file *ast.File) (all []declaration) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			f := declaration{name: d.Name.Name, from: d.Pos(), to: d.End(), insert: d.End()}
			if d.Doc != nil {
				f.from = d.Doc.Pos()
			}
			if d.Body != nil {
				f.insert = d.Body.Lbrace + 1
			}
			if d.Recv != nil {
				f.name, f.method = receiver(d.Recv.List[0].Type)+"."+d.Name.Name, true
			}
			all = append(all, f)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					if st, ok := t.Type.(*ast.StructType); ok {
						all = append(all, declaration{name: t.Name.Name, from: d.Pos(), to: d.End(), insert: st.Fields.Closing})
					}
				}
			}
		}
	}
	return all
}

// receiver gives the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
