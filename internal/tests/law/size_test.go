package law

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"
)

const (
	maxFile     = 500 // lines, tests included
	longFunc    = 70  // lines; more is an exception
	maxLongFunc = 1   // percent of all functions that may be one
)

// tooLong gives a complaint about a file that does not fit in a head, "" if it does.
func tooLong(f *file) string {
	if f.lines <= maxFile {
		return ""
	}
	return fmt.Sprintf("%s has %d lines: want at most %d; split it by what its parts are for", f.name, f.lines, maxFile)
}

// functions counts the functions of a file and names the long ones.
func functions(f *file) (n int, long []string) {
	for _, d := range f.ast.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		n++
		if lines := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line + 1; lines > longFunc {
			long = append(long, fmt.Sprintf("%s: %s has %d lines", f.at(fn), fn.Name.Name, lines))
		}
	}
	return n, long
}

func TestSizes(t *testing.T) {
	total, long := 0, []string(nil)
	for _, f := range tree(t) {
		if s := tooLong(f); s != "" {
			t.Error(s)
		}
		if f.test {
			continue
		}
		n, l := functions(f)
		total, long = total+n, append(long, l...)
	}
	if 100*len(long) > maxLongFunc*total {
		t.Errorf("%d of %d functions are longer than %d lines, more than %d%%:\n%s", len(long), total, longFunc, maxLongFunc,
			strings.Join(long, "\n"))
	}
}

func TestSizesFindsBreaches(t *testing.T) {
	long := mustParse(t, "x/long.go",
		"package x\n\nfunc short() {}\n\nfunc long() {\n"+strings.Repeat("\t_ = 0\n", longFunc)+"}\n")
	if n, l := functions(long); n != 2 || len(l) != 1 || !strings.Contains(l[0], "x/long.go:5: long has 72 lines") {
		t.Errorf("functions: %d, %q: want 2, and long alone", n, l)
	}
	if tooLong(long) != "" {
		t.Errorf("a file of %d lines is not too long", long.lines)
	}
	big := mustParse(t, "x/big.go", "package x\n"+strings.Repeat("\n", maxFile))
	if !strings.Contains(tooLong(big), "x/big.go has 501 lines") {
		t.Errorf("a file of %d lines: %q", big.lines, tooLong(big))
	}
}
