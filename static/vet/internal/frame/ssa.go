package frame

import (
	"go/ast"
	"go/build"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/ssa"
)

// Code is a package in SSA form with its handlers.
type Code struct {
	Pkg      *ssa.Package
	Funcs    []*ssa.Function
	Handlers []Handler

	generated map[*token.File]bool
}

// Generated reports whether a function's source says that it was generated.
func (c *Code) Generated(f *ssa.Function) bool { return c.generated[c.Pkg.Prog.Fset.File(f.Pos())] }

// Analyzer builds the SSA form of packages outside of the standard library, whose functions have rows in tables
// instead. Building it for every package that a program depends on would be most of the time. The result is nil for
// what is not built.
var Analyzer = &analysis.Analyzer{
	Name:       "rehearsessa",
	Doc:        "SSA form and handlers of a package that is not of the standard library",
	Requires:   []*analysis.Analyzer{ctrlflow.Analyzer},
	ResultType: reflect.TypeFor[*Code](),
	Run: func(pass *analysis.Pass) (any, error) {
		if standard(pass) {
			return (*Code)(nil), nil
		}
		// The pass has all that buildssa asks for, and is only handed on.
		result, err := buildssa.Analyzer.Run(pass)
		if err != nil {
			return nil, err
		}
		built := result.(*buildssa.SSA)
		code := &Code{built.Pkg, built.SrcFuncs, Handlers(built.SrcFuncs), map[*token.File]bool{}}
		for _, f := range pass.Files {
			if ast.IsGenerated(f) {
				code.generated[pass.Fset.File(f.FileStart)] = true
			}
		}
		return code, nil
	},
}

// standard reports whether the package is of the standard library: it has no module, and its files are where Go is.
func standard(pass *analysis.Pass) bool {
	if pass.Module != nil && pass.Module.Path != "" && pass.Module.Path != "std" || len(pass.Files) == 0 {
		return false
	}
	root := filepath.Join(build.Default.GOROOT, "src") + string(filepath.Separator)
	return strings.HasPrefix(pass.Fset.Position(pass.Files[0].FileStart).Filename, root)
}
