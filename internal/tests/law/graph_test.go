package law

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/bits"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file: graphs of packages and files, for house_test.go.

// floors is the length of the longest chain of imports among the packages of some files.
func floors(files []*file) (most int) {
	imports := map[string][]string{}
	for _, f := range files {
		imports[f.pkg] = append(imports[f.pkg], f.imports()...)
	}
	height := map[string]int{}
	var climb func(pkg string) int
	climb = func(pkg string) int {
		if _, ours := imports[pkg]; !ours {
			return 0
		}
		if height[pkg] == 0 {
			for _, below := range imports[pkg] {
				height[pkg] = max(height[pkg], climb(below))
			}
			height[pkg]++
		}
		return height[pkg]
	}
	for pkg := range imports {
		most = max(most, climb(pkg))
	}
	return most
}

// upward counts the pairs of files of one package of which the lower one refers to the upper one, in the order of the
// files that has the fewest. Only files that refer to each other, straight or by others, can be in such a pair.
func upward(files []*file) (n int) {
	refers := references(files)
	reaches := slices.Clone(refers)
	for k := range files {
		for i := range files {
			if reaches[i]&(1<<k) != 0 {
				reaches[i] |= reaches[k]
			}
		}
	}
	done := uint64(0)
	for i := range files {
		circle := uint64(1) << i
		for j := range files {
			if reaches[i]&(1<<j) != 0 && reaches[j]&(1<<i) != 0 {
				circle |= 1 << j
			}
		}
		if done&circle == 0 {
			n += upwardIn(refers, circle)
		}
		done |= circle
	}
	return n
}

// upwardIn is upward for the files of a set.
func upwardIn(refers []uint64, set uint64) int {
	var member []int
	for i := range refers {
		if set&(1<<i) != 0 {
			member = append(member, i)
		}
	}
	// least[s] is the fewest for the members of s at the bottom, in any order of them.
	least := make([]int, 1<<len(member))
	for s := 1; s < len(least); s++ {
		least[s] = 1 << 30
		for i := range member {
			if s&(1<<i) == 0 {
				continue
			}
			rest, up := s&^(1<<i), 0 // rest is below member i
			for j := range member {
				if rest&(1<<j) != 0 && refers[member[j]]&(1<<member[i]) != 0 {
					up++
				}
			}
			least[s] = min(least[s], least[rest]+up)
		}
	}
	return least[len(least)-1]
}

// references gives for each file the set of the others that declare what it names: functions, types, variables,
// constants, and methods whose names are not exported and not those of fields too.
func references(files []*file) []uint64 {
	fset, parsed, declares := token.NewFileSet(), make([]*ast.File, len(files)), map[string]uint64{}
	fields := map[string]bool{}
	for i, f := range files {
		var err error
		if parsed[i], err = parser.ParseFile(fset, f.name, f.source, 0); err != nil {
			panic(err) // it was parsed before
		}
		for name := range parsed[i].Scope.Objects {
			declares[name] |= 1 << i
		}
		for _, d := range parsed[i].Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && !fn.Name.IsExported() {
				declares["."+fn.Name.Name] |= 1 << i
			}
		}
		ast.Inspect(parsed[i], func(n ast.Node) bool {
			if x, ok := n.(*ast.Field); ok {
				for _, name := range x.Names {
					fields[name.Name] = true
				}
			}
			return true
		})
	}
	refers := make([]uint64, len(files))
	for i, f := range parsed {
		for _, id := range f.Unresolved {
			refers[i] |= declares[id.Name]
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if by := declares["."+s.Sel.Name]; !fields[s.Sel.Name] && bits.OnesCount64(by) == 1 {
					refers[i] |= by
				}
			}
			return true
		})
		refers[i] &^= 1 << i
	}
	return refers
}

// carrying counts the files with a function that is given a value of a type, or of one that has such a value in a
// field: as receiver or as parameter. A type is named with its package, as in trace.Schedule.
func carrying(files []*file, typ string) (n int) {
	holds := map[string]bool{typ: true}
	for grown := true; grown; {
		grown = false
		for _, f := range files {
			ast.Inspect(f.ast, func(x ast.Node) bool {
				s, ok := x.(*ast.TypeSpec)
				if !ok {
					return true
				}
				name := path.Base(f.pkg) + "." + s.Name.Name
				if t, ok := s.Type.(*ast.StructType); ok && !holds[name] && anyOf(f, t.Fields, holds) {
					holds[name], grown = true, true
				}
				return false
			})
		}
	}
	for _, f := range files {
		if slices.ContainsFunc(f.ast.Decls, func(d ast.Decl) bool {
			fn, ok := d.(*ast.FuncDecl)
			return ok && (anyOf(f, fn.Recv, holds) || anyOf(f, fn.Type.Params, holds))
		}) {
			n++
		}
	}
	return n
}

// anyOf reports whether the type of a field is one of those in the set, or a pointer to it.
func anyOf(f *file, fields *ast.FieldList, set map[string]bool) bool {
	return fields != nil && slices.ContainsFunc(fields.List, func(x *ast.Field) bool {
		t := x.Type
		if s, ok := t.(*ast.StarExpr); ok {
			t = s.X
		}
		switch t := t.(type) {
		case *ast.Ident:
			return set[path.Base(f.pkg)+"."+t.Name]
		case *ast.SelectorExpr:
			pkg, ok := t.X.(*ast.Ident)
			return ok && set[pkg.Name+"."+t.Sel.Name]
		}
		return false
	})
}

// window is the number of lines that make a repetition.
const window = 6

// shape makes lines alike that differ in names and values only.
var shape = regexp.MustCompile(`"[^"]*"|\w+`)

// repeated is the share, in percent, of the lines of code that are part of a run of six lines which stands twice: to
// the letter, or in their shape. Comments, imports, empty lines, and lines without a letter do not count.
func repeated(files []*file, byShape bool) float64 {
	type place struct{ file, line int }
	code := make([][]string, len(files))
	first, twice, all := map[string]place{}, map[place]bool{}, 0
	for i, f := range files {
		code[i] = codeLines(f.source)
		for k, line := range code[i] {
			if byShape {
				code[i][k] = shape.ReplaceAllStringFunc(line, func(w string) string {
					if token.IsKeyword(w) {
						return w
					}
					return "x"
				})
			}
		}
		all += len(code[i])
		for k := range len(code[i]) - window + 1 {
			text := strings.Join(code[i][k:k+window], "\n")
			before, met := first[text]
			if !met {
				first[text] = place{i, k}
				continue
			}
			for d := range window {
				twice[place{i, k + d}], twice[place{before.file, before.line + d}] = true, true
			}
		}
	}
	return percent(len(twice), all)
}

func codeLines(source string) (code []string) {
	_, body, found := strings.Cut(source, "\n)\n") // behind the imports
	if !found {
		body = source
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "//") && strings.ContainsAny(line, "abcdefghijklmnopqrstuvwxyz") {
			code = append(code, line)
		}
	}
	return code
}

func TestGraphs(t *testing.T) {
	a := mustParse(t, "p/a.go", "package p\n\nfunc a() { b(); new(t).c() }\n")
	b := mustParse(t, "p/b.go",
		"package p\n\nimport _ \"github.com/rehearse-go/rehearse/q\"\n\nfunc b() {}\n\ntype t struct{}\n")
	c := mustParse(t, "p/c.go", "package p\n\nfunc (x *t) c() { a := 1; _ = a }\n")
	q := mustParse(t, "q/q.go", "package q\n")
	if n := floors([]*file{a, b, c, q}); n != 2 {
		t.Errorf("%d floors, want 2", n)
	}
	if n := upward([]*file{a, b, c}); n != 0 {
		t.Errorf("a uses b and c, and c uses b: %d point up, want none", n)
	}
	d := mustParse(t, "p/d.go", "package p\n\nfunc d() { a() }\n")
	e := mustParse(t, "p/a.go", "package p\n\nfunc a() { b(); d() }\n")
	if n := upward([]*file{e, b, c, d}); n != 1 {
		t.Errorf("a and d use each other: %d point up, want 1", n)
	}
	g := mustParse(t, "r/g.go", "package r\n\nfunc g(x *p.u) {}\n\ntype h struct{ *p.u }\n\nfunc i(x t) {}\n")
	u := mustParse(t, "p/u.go", "package p\n\ntype u struct{ x int; t }\n\nfunc j() *t { return nil }\n")
	if n := carrying([]*file{a, b, c, g, u}, "p.t"); n != 2 { // c.go and g.go
		t.Errorf("%d files carry t, want 2", n)
	}
	run := "package p\n\nfunc f() {\n" + strings.Repeat("\tx(1)\n\ty(2)\n\tz(3)\n", 2) + "}\n"
	if got := repeated([]*file{mustParse(t, "p/f.go", run), mustParse(t, "p/g.go", run)}, false); got < 80 {
		t.Errorf("%.0f%% repeated, want nearly all", got)
	}
	other := []*file{mustParse(t, "p/f.go", run), mustParse(t, "p/g.go", strings.ReplaceAll(run, "z(3)", "a(4)"))}
	if to, by := repeated(other, false), repeated(other, true); to != 0 || by < 80 {
		t.Errorf("%.0f%% repeated to the letter and %.0f%% by shape, want nothing and nearly all", to, by)
	}
}
