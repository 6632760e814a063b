package reachtest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/load"
)

// Line is a line of a program as a target.
type Line struct {
	Name  string          // file:line, the file relative to the folder in which the program was loaded
	Block *ssa.BasicBlock // that is executed first of those on the line
	Kind  string          // "panic" where the line panics itself, "assertion" where it fails a check of a test, else ""
	Pos   token.Pos       // of what does that, or of the first instruction
}

// ParseLine splits FILE:LINE.
func ParseLine(arg string) (file string, line int, err error) {
	file, number, ok := cutLast(arg, ":")
	if line, err = strconv.Atoi(number); !ok || err != nil || line < 1 || !strings.HasSuffix(file, ".go") {
		return "", 0, fmt.Errorf("%q is no line of a file: want FILE.go:LINE, as in account.go:17", arg)
	}
	return file, line, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// CheckLine says what is wrong with a line before anything is loaded: no such file, no such line, or generated code.
func CheckLine(file string, line int) error {
	src, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("there is no file %s", file)
	} else if err != nil {
		return err
	}
	if n := bytes.Count(src, []byte("\n")) + 1; line > n {
		return fmt.Errorf("%s has %d lines: there is no line %d", file, n, line)
	}
	for head := range strings.Lines(string(src)) {
		head = strings.TrimSpace(head)
		if strings.HasPrefix(head, "// Code generated ") && strings.HasSuffix(head, " DO NOT EDIT.") {
			return fmt.Errorf("%s is generated: name a line of what it is made from, or of a file that people write", file)
		}
		if strings.HasPrefix(head, "package ") {
			break
		}
	}
	return nil
}

// FindLine finds the code on a line of a file, by its absolute name.
func FindLine(p *load.Program, file string, line int) (*Line, error) {
	f := syntax(p, file)
	if f == nil {
		return nil, fmt.Errorf("%s is in none of the packages that were read: its package does not compile, build constraints leave it out, or it is in another module", short(p, file))
	}
	name := fmt.Sprintf("%s:%d", short(p, file), line)
	all := inFile(p, file)
	found := on(all, line)
	if len(found) == 0 {
		found = on(all, further(p, f, all, line))
	}
	if len(found) == 0 {
		if n := next(all, line); n < noCode {
			return nil, fmt.Errorf("%s has no code: the next line with code is %d", name, n)
		}
		return nil, fmt.Errorf("%s has no code", name)
	}
	slices.SortStableFunc(found, func(a, b place) int {
		return cmp.Or(cmp.Compare(depth(a.block.Parent()), depth(b.block.Parent())),
			cmp.Compare(a.block.Index, b.block.Index))
	})
	l := &Line{Name: name, Block: found[0].block, Pos: found[0].pos}
	for _, x := range found {
		if l.Kind == "" && x.kind != "" {
			l.Kind, l.Block, l.Pos = x.kind, x.block, x.pos
		}
	}
	return l, nil
}

func short(p *load.Program, file string) string {
	if rel, err := filepath.Rel(p.Dir, file); err == nil && !strings.HasPrefix(rel, "..") {
		file = rel
	}
	return filepath.ToSlash(file)
}

func syntax(p *load.Program, file string) *ast.File {
	for _, pkg := range p.Packages {
		for _, f := range pkg.Syntax {
			if p.Fset.PositionFor(f.Package, false).Filename == file {
				return f
			}
		}
	}
	return nil
}

// place is an instruction on a line.
type place struct {
	block *ssa.BasicBlock
	pos   token.Pos
	line  int
	kind  string
}

// inFile lists the instructions of a file.
func inFile(p *load.Program, file string) (list []place) {
	seen := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] || fn.Synthetic != "" || p.Fset.PositionFor(fn.Pos(), false).Filename != file {
			return
		}
		seen[fn] = true
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if in.Pos().IsValid() {
					list = append(list, place{b, in.Pos(), p.Fset.PositionFor(in.Pos(), false).Line, fails(in)})
				}
			}
		}
		for _, f := range fn.AnonFuncs {
			add(f)
		}
	}
	for _, fn := range p.Functions() {
		add(fn)
	}
	for _, pkg := range p.Packages { // what nothing makes has methods, too
		for _, name := range pkg.Types.Scope().Names() {
			if t, ok := pkg.Types.Scope().Lookup(name).Type().(*types.Named); ok && t.TypeParams().Len() == 0 {
				for m := range t.Methods() {
					add(p.SSA.FuncValue(m))
				}
			}
		}
	}
	return list
}

// on gives those that are on a line.
func on(list []place, line int) (found []place) {
	for _, x := range list {
		if x.line == line {
			found = append(found, x)
		}
	}
	return found
}

// fails says whether an instruction panics or fails a check.
func fails(in ssa.Instruction) string {
	switch in := in.(type) {
	case *ssa.Panic:
		return "panic"
	case *ssa.Call:
		fn := in.Call.StaticCallee()
		if in.Call.IsInvoke() || fn == nil || fn.Signature.Recv() == nil {
			return ""
		}
		if slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"}, fn.Name()) &&
			strings.HasSuffix(types.TypeString(fn.Signature.Recv().Type(), nil), "rehearse/explore.T") {
			return "assertion"
		}
	}
	return ""
}

func depth(fn *ssa.Function) (n int) {
	for ; fn.Parent() != nil; fn = fn.Parent() {
		n++
	}
	return n
}

// further gives the next line with an instruction of a statement list that a statement on a line is in, 0 if there is
// none. In SSA form a statement such as x := 1 has no instruction left, so the line that follows it stands for it.
func further(p *load.Program, f *ast.File, all []place, line int) (to int) {
	at := func(pos token.Pos) int { return p.Fset.PositionFor(pos, false).Line }
	ast.Inspect(f, func(n ast.Node) bool {
		list := statementsOf(n)
		for _, s := range list {
			if at(s.Pos()) == line {
				if n := next(all, line); n <= at(list[len(list)-1].End()) {
					to = n
				}
			}
		}
		return to == 0
	})
	return to
}

// statementsOf gives the list of statements that a node has, nil if it has none.
func statementsOf(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// noCode is behind all lines.
const noCode = 1 << 30

// next gives the next line with code.
func next(all []place, line int) int {
	least := noCode
	for _, x := range all {
		if x.line > line {
			least = min(least, x.line)
		}
	}
	return least
}
