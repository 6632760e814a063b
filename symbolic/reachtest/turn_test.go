package reachtest

import (
	"go/ast"
	"go/parser"
	"testing"
)

// A variable that only gives another one a new place is none of the test, where the loop has one turn.
func TestSame(t *testing.T) {
	for src, want := range map[string]bool{"tc := tc": true, "tc := more(tc)": false, "a, b := a, b": false, "tc := other": false} {
		e, err := parser.ParseExpr("func() { " + src + " }")
		if err != nil {
			t.Fatal(err)
		}
		if got := same(e.(*ast.FuncLit).Body.List[0]); got != want {
			t.Errorf("%s: %v", src, got)
		}
	}
}
