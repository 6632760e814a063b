package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// silentReport is the flag -silent.report. SUBTLE: the only mutable global of the analyzers, as go/analysis wants its
// flags.
var silentReport bool

// Silent reports handlers that ignore messages which they do not know. Most programs do so on purpose, as the
// frameworks send every actor messages about its life: the check is off unless its flag -silent.report is set.
var Silent = silent()

func silent() *analysis.Analyzer {
	a := check("silent", "report handlers whose type switch has no default: a message sent by mistake is lost without a trace (off unless -silent; with go vet -silent.report)",
		func(pass *analysis.Pass, tell report) error {
			code := pass.ResultOf[frame.Analyzer].(*frame.Code)
			if !silentReport || code == nil {
				return nil
			}
			for _, h := range code.Handlers {
				if body := body(h.Fn.Syntax()); body != nil && h.Fn.Name() != "Start" {
					findSilent(pass, body, h, tell)
				}
			}
			return nil
		}, frame.Analyzer)
	a.Flags.BoolVar(&silentReport, "report", false, "report handlers that ignore unknown messages")
	return a
}

func body(n ast.Node) *ast.BlockStmt {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Body
	case *ast.FuncLit:
		return n.Body
	}
	return nil
}

// findSilent looks at the type switches on an interface at the top of a handler's body.
func findSilent(pass *analysis.Pass, body *ast.BlockStmt, h frame.Handler, tell report) {
	for i, s := range body.List {
		sw, ok := s.(*ast.TypeSwitchStmt)
		if !ok || i+1 < len(body.List) { // what follows the switch may see to the rest
			continue
		}
		if !hasDefault(sw) && onInterface(pass.TypesInfo, sw) {
			tell(sw.Pos(), "handler %s ignores messages that none of its cases names; add a default that reports them", h.Name())
		}
	}
}

func hasDefault(sw *ast.TypeSwitchStmt) bool {
	for _, c := range sw.Body.List {
		if c.(*ast.CaseClause).List == nil {
			return true
		}
	}
	return false
}

// onInterface reports whether the switch is on a value of an interface without methods, as messages are.
func onInterface(info *types.Info, sw *ast.TypeSwitchStmt) bool {
	found := false
	ast.Inspect(sw.Assign, func(n ast.Node) bool {
		if ta, ok := n.(*ast.TypeAssertExpr); ok {
			i, is := info.TypeOf(ta.X).Underlying().(*types.Interface)
			found = found || is && i.NumMethods() == 0
		}
		return true
	})
	return found
}
