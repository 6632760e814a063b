package law

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What a reduction asks of a step besides the objects that it accesses. Class, glued and whole are names that earlier
// versions had (house_test.go measures those as well).
var (
	asksKind = regexp.MustCompile(`\.(Kind|Class|kind)\b` +
		`|\btrace\.(Deliver|Reply|Resume|Send|Timer|Advance|User|System|Answer|Task|Timeout|End)\b` +
		`|(?i)\b\w*(barrier|advance|queues|model)\w*\b` +
		`|\b(Takes|SystemStep|FreeReply|freeAnswer|handlesSystem|endsCall|inCall|passes|passed|goesOn\w*)\b` +
		`|\b(systemPending|queued|lane|Stopped|Completed|EndsCall)\b`)
	asksChoice = regexp.MustCompile(`\.Chooses\(\)|(?i)fault` +
		`|\b(Fault|inStep|asks|Head|head|spent|suffers?|glued|nothing|torn)\b|\.(left|widened|whole)\b`)
)

// mostBranches are the branches of the reductions, by what they ask. They may only become fewer: what a step has to do
// with another one is said by the objects that the two access (docs/decisions/0030).
var mostBranches = []struct {
	dir          string
	kind, choice int
}{
	{"internal/causal", 126, 18},
	{"internal/dpor", 24, 117},
	{"internal/reverse", 83, 16},
}

// The reductions ask no more of the kinds of steps and messages, of the clock, the model, choices and faults than they
// did.
func TestBranchesOnKinds(t *testing.T) {
	for _, most := range mostBranches {
		kind, choice := 0, 0
		conds, err := conditionsIn(filepath.Join(root, most.dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, cond := range conds {
			if asksKind.MatchString(cond) {
				kind++
				t.Logf("%s kind: %s", most.dir, cond)
			}
			if asksChoice.MatchString(cond) {
				choice++
				t.Logf("%s choice: %s", most.dir, cond)
			}
		}
		t.Logf("%s: %d branches on kind, clock and model; %d on choices in the middle of a step and faults",
			most.dir, kind, choice)
		if kind > most.kind || choice > most.choice {
			t.Errorf("%s: %d branches ask for the kind of a step or a message, the clock or the model, and %d for a choice "+
				"or a fault; %d and %d are allowed: say it by an access (internal/causal/footprint.go), or raise the "+
				"numbers here and say why in the commit", most.dir, kind, choice, most.kind, most.choice)
		}
	}
}

// conditionsIn gives the conditions of a package's branches.
func conditionsIn(dir string) (all []string, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("no package in %s: %w", dir, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, conditionsOf(files, f)...)
	}
	return all, nil
}

// conditionsOf gives the conditions of a file's branches: the operands of && and ||, and the cases of switches.
func conditionsOf(files *token.FileSet, f *ast.File) []string {
	c := conditions{files: files, met: map[ast.Expr]bool{}}
	ast.Inspect(f, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.IfStmt:
			c.add(x.Cond, "")
		case *ast.ForStmt:
			c.add(x.Cond, "")
		case *ast.SwitchStmt:
			tag := ""
			if x.Tag != nil {
				tag = c.text(x.Tag) + " == "
			}
			for _, s := range x.Body.List {
				for _, e := range s.(*ast.CaseClause).List {
					c.add(e, tag)
				}
			}
		case *ast.BinaryExpr:
			if x.Op == token.LAND || x.Op == token.LOR {
				c.add(x, "")
			}
		}
		return true
	})
	return c.all
}

type conditions struct {
	files *token.FileSet
	met   map[ast.Expr]bool
	all   []string
}

// add adds what a condition consists of.
func (c *conditions) add(e ast.Expr, tag string) {
	if e == nil || c.met[e] {
		return
	}
	c.met[e] = true
	switch x := e.(type) {
	case *ast.ParenExpr:
		c.add(x.X, tag)
		return
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			c.add(x.X, tag)
			return
		}
	case *ast.BinaryExpr:
		if x.Op == token.LAND || x.Op == token.LOR {
			c.add(x.X, tag)
			c.add(x.Y, tag)
			return
		}
	}
	c.all = append(c.all, tag+c.text(e))
}

func (c *conditions) text(n ast.Node) string {
	var b strings.Builder
	if err := printer.Fprint(&b, c.files, n); err != nil {
		panic(err)
	}
	return b.String()
}

func TestConditionsOf(t *testing.T) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "f.go", `package p
func f() bool {
	if a && !(b || c) {}
	for d {}
	switch e { case 1, 2: }
	switch { case g && h: }
	return i && has(func() bool { return j || k })
}`, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := conditionsOf(files, f)
	for i := range got {
		got[i], _, _ = strings.Cut(got[i], "(")
	}
	want := []string{"a", "b", "c", "d", "e == 1", "e == 2", "g", "h", "i", "has", "j", "k"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
